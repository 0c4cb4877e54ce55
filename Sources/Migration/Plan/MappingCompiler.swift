/// Looks through one entity mapping before it runs, and finds its mistakes: the one place where
/// expressions become sources of values and links.
struct MappingCompiler {
  let mapping: EntityMapping
  /// The models of the stores: entities and properties are found in these.
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// Whether numbers become decimal ones, as in SQL; objects refuse them.
  let convertsToDecimal: Bool

  /// - Throws: `CoreDataError` `.migration` for a custom mapping without a policy, an unknown entity or
  ///   property, and a predicate that can't be used.
  func plan() throws -> EntityPlan {
    let source = try entity(mapping.sourceEntityName, in: source, "source")
    let destination = try entity(mapping.destinationEntityName, in: destination, "destination")
    var plan = EntityPlan(
      name: mapping.name ?? "", policyClassName: try policyClassName(),
      instances: try instances(of: source), source: source, destination: destination)
    guard let destination else { return plan }
    for (name, expression) in (mapping.attributeMappings ?? []).expressions {
      guard let attribute = destination.property(named: name) as? AttributeDescription else {
        throw unknownProperty(name, of: destination, "attribute")
      }
      plan.fill(attribute, from: valueSource(expression, for: attribute, from: source))
    }
    for (name, expression) in (mapping.relationshipMappings ?? []).expressions {
      guard let relationship = destination.property(named: name) as? RelationshipDescription else {
        throw unknownProperty(name, of: destination, "relationship")
      }
      plan.link(relationship, from: linkSource(expression, from: source))
    }
    return plan
  }

  private func policyClassName() throws -> String? {
    if let name = mapping.entityMigrationPolicyClassName, !name.isEmpty { return name }
    if mapping.mappingType != .customEntityMappingType { return nil }
    throw CoreDataError.policyNeeded(mapping)
  }

  private func entity(
    _ name: String?, in model: ManagedObjectModel, _ side: String
  ) throws -> EntityDescription? {
    guard let name else { return nil }
    if let entity = model.entity(named: name) { return entity }
    throw CoreDataError.noEntity(name, in: model, side).at(entityMapping: mapping.name)
  }

  private func instances(of entity: EntityDescription?) throws -> EntityPlan.Instances {
    guard mapping.fetchesSource, let entity else { return .none }
    guard let expression = mapping.sourceExpression else {
      return .rows(ofEntityNamed: entity.name, condition: nil)
    }
    guard case .fetch(let name, let text)? = GeneratedExpression(expression) else {
      return .expression(expression)
    }
    do {
      return .rows(ofEntityNamed: name, condition: try .ofSourceInstances(text))
    } catch {
      throw CoreDataError.unusablePredicate(text, error)
        .at(entityMapping: mapping.name, entity: name)
    }
  }

  // MARK: Properties

  private func valueSource(
    _ expression: Expression, for attribute: AttributeDescription, from source: EntityDescription?
  ) -> ValueSource {
    switch GeneratedExpression(expression) {
    case .constant(let value)? where attribute.attributeType == .composite:
      // What can't be converted ahead is an error for the row that it is computed for.
      return (try? Value(value, for: attribute)).map { .constant($0) } ?? .expression(expression)
    case .constant(let value)?:
      if !convertsToDecimal,
        value.isPlainNumber(forDecimal: attribute)
          || value.isUnfit(for: attribute)
      {
        return .expression(expression)
      }
      return value.coerced(to: attribute.attributeType).map { .constant($0) }
        ?? .expression(expression)
    case .sourceKey(let key)?:
      return source?.attribute(named: key).flatMap { carried($0, to: attribute) }
        ?? .expression(expression)
    case .sourceKeyOrDefault(let key, let value)?:
      guard let original = source?.attribute(named: key),
        let value = value.coerced(to: attribute.attributeType), !value.isNull
      else { return .expression(expression) }
      switch carried(original, to: attribute) {
      case .copied?, .converted?: return .fallback(original, value)
      default: return .expression(expression)
      }
    default: return .expression(expression)
    }
  }

  /// Nil where setting the attribute does more than converting a number.
  private func carried(
    _ original: AttributeDescription, to attribute: AttributeDescription
  ) -> ValueSource? {
    switch (original.attributeType, attribute.attributeType) {
    // Each version has elements of its own.
    case (.composite, .composite):
      convertsToDecimal
        || !original.leaves(becoming: attribute).contains {
          $0.old.attributeType != .decimal && $0.new.attributeType == .decimal
        } ? .elements(of: original) : nil
    case (.composite, _), (_, .composite): nil
    case (let from, let to) where from == to: .copied(original)
    case (_, .decimal) where !convertsToDecimal: nil
    case (let from, let to): Self.convert(from, to) ? .converted(original) : nil
    }
  }

  private static func convert(_ from: AttributeType, _ to: AttributeType) -> Bool {
    from.isNumeric && to.isNumeric
      || from == .boolean && [.integer16, .integer32, .integer64].contains(to)
  }

  private func linkSource(
    _ expression: Expression, from source: EntityDescription?
  ) -> LinkSource {
    switch GeneratedExpression(expression) {
    case .destinationInstances(let mappingName, let key)?:
      source?.relationship(named: key).map { .mapped($0, by: mappingName) }
        ?? .expression(expression)
    case .relatedInstances(let name, let key)? where name == key:
      source?.relationship(named: key).map { .related($0) } ?? .expression(expression)
    default: .expression(expression)
    }
  }

  private func unknownProperty(
    _ name: String, of entity: EntityDescription, _ kind: String
  ) -> CoreDataError {
    .noProperty(name, of: entity, kind).at(entityMapping: mapping.name)
  }
}

extension [PropertyMapping] {
  /// The mappings that have an expression; the others leave their property alone.
  var withExpressions: [PropertyMapping] { filter { $0.valueExpression != nil } }

  fileprivate var expressions: [(name: String, expression: Expression)] {
    compactMap { mapping in mapping.valueExpression.map { (mapping.name ?? "", $0) } }
  }
}
