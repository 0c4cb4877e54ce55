import Migration
import TestSupport

/// Mapping models as people write them: inferred ones, with predicates, expressions and gaps of chance.
struct ProofMappings {
  private var random: RandomSource

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  /// - Throws: What is said of a step that can't be inferred.
  mutating func mapping(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws -> MappingModel {
    let inferred = try MappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
    var drafts = inferred.entityMappings.map { edited($0, source, destination) }
    drafts.removeAll { _ in chance(0.05) }
    if chance(0.15), var half = pick(drafts) {
      half.explicitName = "half"
      if chance(0.5) { half.destinationEntityName = pick(destination.entities)?.name }
      drafts.append(half)
    }
    return try MappingBuilder(source: source, destination: destination).mappingModel(drafts)
  }

  private mutating func edited(
    _ mapping: EntityMapping, _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> EntityMappingDraft {
    var draft = EntityMappingDraft(editing: mapping)
    // Other mappings lead to it by this name.
    draft.explicitName = mapping.name
    guard let from = mapping.sourceEntityName.flatMap(source.entity),
      let to = mapping.destinationEntityName.flatMap(destination.entity)
    else { return draft }
    if chance(0.4) {
      draft.sourceExpression = nil
      draft.sourcePredicate = predicate(on: from, depth: 2)
    }
    var sources = draft.attributes.written
    for attribute in to.attributes where chance(0.3) {
      sources[attribute.name] = chance(0.2) ? nil : .text(value(for: attribute, of: from))
    }
    draft.attributes = .only(sources)
    var links = draft.relationships.written
    for relationship in to.relationships where chance(0.2) {
      links[relationship.name] = pick(from.relationships).flatMap {
        chance(0.3) ? nil : .instances(keyPath: $0.name, mappingName: nil)
      }
    }
    draft.relationships = .only(links)
    return draft
  }

  // MARK: Chance

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }
  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }

  // MARK: Values

  private mutating func value(
    for attribute: AttributeDescription, of entity: EntityDescription
  ) -> String {
    let type = attribute.attributeType
    let own = entity.attributes.filter { $0.attributeType == type }.map { "$source.\($0.name)" }
    let others = entity.relationships.filter { !$0.isToMany }.flatMap { relationship in
      (relationship.destinationEntity?.attributes ?? []).filter { $0.attributeType == type }
        .map { "$source.\(relationship.name).\($0.name)" }
    }
    let counts = entity.relationships.filter(\.isToMany).map { "$source.\($0.name).@count" }
    let plain = pick(own + others) ?? constant(type)
    switch type {
    case .string:
      return pick([plain, constant(type), "uppercase:(\(plain))", plain]) ?? plain
    case _ where type.isNumber:
      let condition = predicate(on: entity, depth: 0, from: "$source.")
      return pick(
        [
          plain, constant(type), "\(plain) + 1", "\(plain) * 2", "0 - \(plain)",
          "\(plain) / 2", "abs:(\(plain))", "floor:(\(plain))", "modulus:by:(\(plain), 2)",
          "TERNARY(\(condition), \(plain), 3)",
        ] + counts) ?? plain
    default: return plain
    }
  }

  private mutating func constant(_ type: AttributeType) -> String {
    switch type {
    case .string: pick(["\"a\"", "\"\"", "\"ö'\""]) ?? "\"a\""
    case .boolean: pick(["TRUE", "FALSE"]) ?? "TRUE"
    case _ where type.isNumber: pick(["0", "1", "7", "300", "-3"]) ?? "0"
    default: "NIL"
    }
  }

  // MARK: Predicates

  /// - Parameter start: What key paths begin with.
  private mutating func predicate(
    on entity: EntityDescription, depth: Int, from start: String = ""
  ) -> String {
    if depth > 0, chance(0.4) {
      let (a, b) = (
        predicate(on: entity, depth: depth - 1, from: start),
        predicate(on: entity, depth: depth - 1, from: start)
      )
      return pick(["(\(a)) AND (\(b))", "(\(a)) OR (\(b))", "NOT (\(a))"]) ?? a
    }
    guard chance(0.7), let attribute = pick(entity.attributes.filter(\.isStored)) else {
      return ofRelationship(pick(entity.relationships), start)
    }
    return comparison(attribute, "\(start)\(attribute.name)")
  }

  private mutating func comparison(_ attribute: AttributeDescription, _ path: String) -> String {
    let type = attribute.attributeType
    let value = constant(type)
    if value == "NIL" || chance(0.2) { return "\(path) \(pick(["==", "!="]) ?? "==") NIL" }
    let operators =
      type == .string
      ? ["==", "!=", "<", "BEGINSWITH", "CONTAINS[c]", "LIKE", "==[cd]"]
      : type == .boolean ? ["==", "!="] : ["==", "!=", "<", "<=", ">", ">="]
    return "\(path) \(pick(operators) ?? "==") \(value)"
  }

  private mutating func ofRelationship(
    _ relationship: RelationshipDescription?, _ start: String
  ) -> String {
    guard let relationship else { return "TRUEPREDICATE" }
    let path = "\(start)\(relationship.name)"
    let attribute = pick((relationship.destinationEntity?.attributes ?? []).filter(\.isStored))
    guard relationship.isToMany else {
      guard let attribute, chance(0.6) else {
        return "\(path) \(pick(["==", "!="]) ?? "==") NIL"
      }
      return comparison(attribute, "\(path).\(attribute.name)")
    }
    guard let attribute, chance(0.6) else { return "\(path).@count \(pick(["==", ">"]) ?? ">") 1" }
    if chance(0.3) {
      let inner = comparison(attribute, "$x.\(attribute.name)")
      return "SUBQUERY(\(path), $x, \(inner)).@count > 0"
    }
    return "ANY \(comparison(attribute, "\(path).\(attribute.name)"))"
  }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    [.integer16, .integer32, .integer64, .decimal, .double, .float].contains(self)
  }
}
