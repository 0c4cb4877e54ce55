/// Makes the plan for the objects of one generator, links left out.
struct BlockPlanner {
  let notation: GeneratorNotation
  let random: UInt64
  let version: String
  let collector: DiagnosticCollector

  func block(of entity: EntityDescription, offset: Int) -> GeneratedBlock {
    var block = GeneratedBlock(notation, of: entity, offset: offset)
    checkFields(of: entity)
    for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
      guard let recipe = recipe(for: attribute) else { continue }
      block.add(
        GeneratedBlock.AttributePlan(
          attribute: attribute, recipe: recipe,
          column: Chance.Column("\(entity.name).\(attribute.name)", seed: random)))
    }
    if notation.hasExtremes { block.addExtremes() }
    for violation in violations { add(violation, to: &block) }
    return block
  }

  private func checkFields(of entity: EntityDescription) {
    var seen = Set<String>()
    for field in notation.fields {
      collector.attempt(at: field.key.place) {
        let property = try entity.property(field.key, version: version)
        if (property as? AttributeDescription)?.isDerived == true {
          throw Diagnostic("'\(property.name)' is derived; it can't be set", at: field.key.place)
        }
      }
      if !seen.insert(field.key.value).inserted {
        collector.report("'\(field.key.value)' is given twice", at: field.key.place)
      }
    }
    for relationship in entity.relationships where isMissing(relationship) {
      collector.report(
        "say how '\(relationship.name)' is linked: it is required", at: notation.place)
    }
  }

  private func isMissing(_ relationship: RelationshipDescription) -> Bool {
    !relationship.isOptional && !relationship.isToMany && !relationship.isTransient
      && relationship.inverseRelationship?.isToMany != false && field(relationship) == nil
  }

  private func field(_ property: PropertyDescription) -> PropertyValue? {
    notation.fields.first { $0.key.value == property.name }
  }

  /// The rule that is written, else the default value for all.
  private func recipe(for attribute: AttributeDescription) -> ValueRecipe? {
    if let field = field(attribute) {
      return RecipeReader(attribute: attribute, collector: collector).recipe(field.value)
    }
    if attribute.typedDefaultValue.isNull, !attribute.isOptional {
      collector.report(
        "say what '\(attribute.name)' is: it is required and has no default", at: notation.place)
    }
    var recipe = ValueRecipe(kind: .constant(attribute.typedDefaultValue))
    recipe.isDefault = true
    return recipe
  }

  // MARK: Violations

  private var violations: [Violation] {
    notation.violations.flatMap { word -> [Violation] in
      if word.value == "all" { return Violation.allCases }
      if let violation = Violation(rawValue: word.value) { return [violation] }
      let known = Violation.allCases.map(\.rawValue) + ["all"]
      let hint = Spelling.hint(for: word.value, among: known, called: "violations")
      collector.report("there is no violation '\(word.value)'\(hint)", at: word.place)
      return []
    }
  }

  /// One object for each property that the violation can concern.
  private func add(_ violation: Violation, to block: inout GeneratedBlock) {
    let sample = Value.string("x")
    for property in block.entity.properties
    where violation.value(for: property, insteadOf: sample, first: sample) != nil {
      block.add(violation, of: property)
    }
  }
}
