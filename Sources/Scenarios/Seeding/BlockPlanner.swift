/// Makes the plan for the objects of one generator, links left out.
struct BlockPlanner {
  let notation: GeneratorNotation
  let random: UInt64
  let version: String
  /// Whether the seed says anywhere how a relationship, or its inverse, is linked.
  let isLinked: (RelationshipDescription) -> Bool
  let collector: DiagnosticCollector

  func block(of entity: EntityDescription, offset: Int) -> GeneratedBlock {
    var block = GeneratedBlock(notation, of: entity, offset: offset)
    checkFields(of: entity)
    var plans = entity.attributes.filter { $0.isStored && !$0.isDerived }.compactMap(plan)
    for index in plans.indices { makeDistinct(&plans[index], among: plans) }
    for plan in plans { block.add(plan) }
    if notation.hasExtremes { block.addExtremes() }
    for violation in violations { add(violation, to: &block) }
    for plan in plans {
      checkDistinct(plan, in: block)
      checkSequence(plan, in: block)
    }
    return block
  }

  private func plan(_ attribute: AttributeDescription) -> GeneratedBlock.AttributePlan? {
    recipe(for: attribute).map { recipe in
      GeneratedBlock.AttributePlan(
        attribute: attribute, recipe: recipe,
        column: Chance.Column("\(notation.entity.value).\(attribute.name)", seed: random))
    }
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
        "give '\(relationship.name)' a link: it is required", at: notation.place)
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
        "give '\(attribute.name)' a value: it is required and has no default value",
        at: notation.place)
    }
    var recipe = ValueRecipe(maker: SameValue(value: attribute.typedDefaultValue))
    recipe.isDefault = true
    return recipe
  }

  // MARK: Violations

  /// Each with the place to complain at when nothing can violate it; nil for those of `all`.
  private var violations: [(Violation, SourcePlace?)] {
    notation.violations.flatMap { word -> [(Violation, SourcePlace?)] in
      if word.value == "all" { return Violation.allCases.map { ($0, nil) } }
      if let violation = Violation(rawValue: word.value) { return [(violation, word.place)] }
      let known = Violation.allCases.map(\.rawValue) + ["all"]
      collector.report("there is no violation", unknown: word, among: known, called: "violations")
      return []
    }
  }

  /// One object for each property that the violation can concern.
  private func add(
    _ entry: (violation: Violation, place: SourcePlace?), to block: inout GeneratedBlock
  ) {
    let violation = entry.violation
    let properties = block.entity.properties.filter { property in
      guard violation.concerns(property) else { return false }
      if violation == .duplicate, !repeats(property, in: block) { return false }
      guard let relationship = property as? RelationshipDescription, relationship.isToMany else {
        return true
      }
      return isLinked(relationship)
    }
    for property in properties { block.add(violation, of: property) }
    if properties.isEmpty, let place = entry.place {
      collector.report(
        "no '\(block.entity.name)' can be '\(violation.rawValue)' in this seed", at: place)
    }
  }
}

extension BlockPlanner {
  /// Whether a value that comes again is unexpected: a text, or what is different for each by its rule.
  private func repeats(_ property: PropertyDescription, in block: GeneratedBlock) -> Bool {
    let recipe = block.attributes.first { $0.attribute === property }?.recipe
    guard let attribute = property as? AttributeDescription, let recipe else { return false }
    return attribute.attributeType == .string || recipe.maker.followsRow
  }
}

// MARK: - Unique values

extension BlockPlanner {
  /// Gives an attribute that must be unique values that are; of several that must be unique together
  /// one that can have them, unless one of them has.
  private func makeDistinct(
    _ plan: inout GeneratedBlock.AttributePlan, among all: [GeneratedBlock.AttributePlan]
  ) {
    let name = plan.attribute.name
    let mustDiffer = plan.attribute.entity.allUniquenessConstraints.contains { constraint in
      let members = all.filter { constraint.contains($0.attribute.name) }
      guard constraint.contains(name), !members.contains(where: \.recipe.maker.isDistinct) else {
        return false
      }
      let free = members.filter { $0.recipe.madeDistinct($0.column) != nil }
      // A number after a text always does; a range may have too few values.
      let chosen = free.last { $0.attribute.attributeType == .string } ?? free.last
      return chosen?.attribute === plan.attribute
    }
    guard mustDiffer, let distinct = plan.recipe.madeDistinct(plan.column) else { return }
    plan.recipe = distinct
  }

  /// What was written must do; a seed that is scaled goes on above the range.
  private func checkDistinct(
    _ plan: GeneratedBlock.AttributePlan, in block: GeneratedBlock
  ) {
    guard !notation.isScaled, let order = (plan.recipe.maker as? EachWholeNumber)?.order,
      order.count < UInt64(block.offset + block.count)
    else { return }
    let field = notation.fields.first { $0.key.value == plan.attribute.name }
    let values = Int(clamping: order.count).counted("value")
    collector.report(
      "'\(plan.attribute.name)' must be unique, but this gives \(values) for "
        + "\((block.offset + block.count).counted("object"))",
      at: field?.value.place ?? notation.place)
  }
}

extension BlockPlanner {
  /// Reports a sequence that goes on beyond what its attribute's type holds: no validation would notice.
  private func checkSequence(
    _ plan: GeneratedBlock.AttributePlan, in block: GeneratedBlock
  ) {
    guard !notation.isScaled, notation.count > 0,
      let sequence = plan.recipe.maker as? WholeSequence,
      let range = plan.attribute.attributeType.wholeNumbers
    else { return }
    let last = sequence.start &+ sequence.step &* Int64(block.offset + notation.count - 1)
    if range.contains(last) { return }
    let field = notation.fields.first { $0.key.value == plan.attribute.name }
    collector.report(
      "the last of these is \(last), and '\(plan.attribute.name)' must be "
        + plan.attribute.attributeType.notatedForm, at: field?.value.place ?? notation.place)
  }
}

extension EntityDescription {
  /// The entity's own and those it inherits.
  package var allUniquenessConstraints: [[String]] {
    uniquenessConstraints + (superentity?.allUniquenessConstraints ?? [])
  }

  /// Whether objects have to differ in an attribute, or in it and others.
  package func constrains(_ attribute: AttributeDescription) -> Bool {
    allUniquenessConstraints.contains { $0.contains(attribute.name) }
  }
}
