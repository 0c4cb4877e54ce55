/// Infers the property mappings of one entity that lives on.
struct PropertyInference {
  let source: EntityDescription
  let destination: EntityDescription
  private(set) var problems: [CoreDataError] = []

  init(source: EntityDescription, destination: EntityDescription) {
    self.source = source
    self.destination = destination
  }

  /// The mappings of all stored properties, inherited ones included, sorted by name.
  ///
  /// An attribute and a relationship of one name aren't the same element: changing one into the
  /// other is a removal and an addition.
  mutating func infer() -> (attributes: [PropertyMapping], relationships: [PropertyMapping]) {
    (
      mappings(
        source.storedAttributes, new: destination.carriedAttributes, expression: attributeExpression
      ),
      mappings(
        source.storedRelationships, new: destination.storedRelationships,
        expression: relationshipExpression)
    )
  }

  /// Finds the ``problems`` only.
  mutating func examine() {
    if isCopied, !mayDifferAllTheSame { return }
    _ = expressions(
      source.storedAttributes, new: destination.carriedAttributes, expression: attributeExpression)
    _ = expressions(
      source.storedRelationships, new: destination.storedRelationships,
      expression: relationshipExpression)
  }

  /// Whether the entity stayed what it was, so that its properties did.
  private var isCopied: Bool {
    source.name == destination.name && source.versionHash == destination.versionHash
  }

  /// Whether an entity that stayed what it was may have what no hash tells: elements of composites, and
  /// renaming identifiers.
  private var mayDifferAllTheSame: Bool {
    destination.properties.contains {
      ($0 as? AttributeDescription)?.attributeType == .composite
        || $0.renamingIdentifier != source.property(named: $0.name)?.renamingIdentifier
    }
  }

  /// Stored properties of one name that identifiers make two, of an entity that lives on.
  static func namesakes(
    from source: EntityDescription, to destination: EntityDescription
  ) -> [(source: PropertyDescription, destination: PropertyDescription)] {
    ElementPairing(source: source.storedAttributes, destination: destination.storedAttributes)
      .namesakes.map { ($0, $1) }
      + ElementPairing(
        source: source.storedRelationships, destination: destination.storedRelationships
      ).namesakes.map { ($0, $1) }
  }

  /// What gives each property its value, in the order of names; where nothing can, there is a problem.
  private mutating func expressions<Property: PropertyDescription>(
    _ old: [Property], new: [Property],
    expression: (Property?, Property) -> Result<GeneratedExpression?, CoreDataError>
  ) -> [(property: Property, expression: GeneratedExpression?)] {
    let pairing = ElementPairing(source: old, destination: new)
    for (property, reason) in pairing.ambiguities {
      problems.append(
        problem("ambiguous renaming: \(reason)", property, advice: CoreDataError.ambiguousAdvice))
    }
    return new.sorted { $0.name < $1.name }.map { property in
      switch expression(pairing.source(of: property), property) {
      case .success(let expression): return (property, expression)
      case .failure(let problem):
        problems.append(problem)
        return (property, nil)
      }
    }
  }

  private mutating func mappings<Property: PropertyDescription>(
    _ old: [Property], new: [Property],
    expression: (Property?, Property) -> Result<GeneratedExpression?, CoreDataError>
  ) -> [PropertyMapping] {
    expressions(old, new: new, expression: expression).map {
      PropertyMapping(name: $0.property.name, valueExpression: $0.expression?.expression)
    }
  }

  // MARK: Attributes

  private func attributeExpression(
    _ old: AttributeDescription?, _ new: AttributeDescription
  ) -> Result<GeneratedExpression?, CoreDataError> {
    let fallback = new.typedDefaultValue
    guard let old else { return .success(fallback.isNull ? nil : .constant(fallback)) }
    let (from, to) = (old.attributeType, new.attributeType)
    if let problem = elementProblem(old, new) { return .failure(problem) }
    guard Self.converts(from, to) else {
      // Namesakes that can't be one element.
      if old.renamingIdentifier != new.renamingIdentifier {
        return .success(fallback.isNull ? nil : .constant(fallback))
      }
      return .failure(
        problem(
          "Source and destination attribute types are incompatible", new,
          advice: "'\(old.name)' is \(from.name), '\(new.name)' is \(to.name); only numbers "
            + "convert to other number types automatically. Write a mapping model for this step."))
    }
    if old.isOptional && !new.isOptional && !fallback.isNull {
      return .success(.sourceKeyOrDefault(old.name, fallback))
    }
    return .success(.sourceKey(old.name))
  }

  /// What keeps the elements of a composite from becoming those of another: a type that doesn't
  /// convert.
  private func elementProblem(
    _ old: AttributeDescription, _ new: AttributeDescription
  ) -> CoreDataError? {
    guard old.attributeType == .composite, new.attributeType == .composite else { return nil }
    for element in new.elements {
      let identifier = element.renamingIdentifier
      guard let original = old.elements.first(where: { $0.renamingIdentifier == identifier })
      else { continue }
      if let problem = elementProblem(original, element) { return problem }
      if Self.converts(original.attributeType, element.attributeType) { continue }
      return problem(
        "Source and destination attribute types are incompatible", new,
        advice: "The element '\(element.name)' was \(original.attributeType.name) and is "
          + "\(element.attributeType.name). Write a mapping model for this step.")
    }
    return nil
  }

  /// Whether values of one type become values of the other without help: numbers do. So does a
  /// Boolean that becomes an integer, which the store keeps in the same way.
  /// Core Data: observed in Wire, which made its `isSilenced` an Integer 32 by renaming.
  private static func converts(_ from: AttributeType, _ to: AttributeType) -> Bool {
    switch (from, to) {
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64): true
    default: from == to || (from.isNumeric && to.isNumeric)
    }
  }

  // MARK: Relationships

  private func relationshipExpression(
    _ old: RelationshipDescription?, _ new: RelationshipDescription
  ) -> Result<GeneratedExpression?, CoreDataError> {
    guard let old else { return .success(nil) }
    return .success(.relatedInstances(relationshipName: old.name, keyPath: old.name))
  }

  // MARK: Problems

  private func problem(
    _ reason: String, _ property: PropertyDescription, advice: String? = nil
  ) -> CoreDataError {
    .notInferable(reason, entity: destination.name, property: property.name, advice: advice)
  }
}

extension EntityDescription {
  /// The attributes that have a value in a store.
  package var storedAttributes: [AttributeDescription] { attributes.filter(\.isStored) }

  /// The attributes whose values are carried over. What is derived is computed anew, but for the
  /// time of the last change.
  package var carriedAttributes: [AttributeDescription] {
    storedAttributes.filter { !$0.isDerived || $0.isDerivedTime }
  }
  package var storedRelationships: [RelationshipDescription] {
    relationships.filter { !$0.isTransient }
  }
}
