import Migration

/// What two models have in common: which entities and properties of one are which of the other.
///
/// Elements belong together as in a lightweight migration, by name and renaming identifier,
/// whichever of the models is the newer one. What that leaves over is paired by name.
struct ModelPairing {
  /// Of all pairs, in store order of the first model.
  let pairs: [EntityPair]
  /// The entities that only one model has, abstract ones left out.
  let unpaired: Both<[EntityDescription]>
  private let byEntity: [ObjectIdentifier: EntityPair]

  init(_ a: ManagedObjectModel, _ b: ManagedObjectModel, ignoring ignored: IgnoredElements) {
    let kept = Both(a, b).map { model in model.entities.filter { !ignored.contains($0) } }
    let matches = ElementMatches(kept.a, kept.b)
    pairs = matches.pairs.enumerated().map { index, pair in
      EntityPair(index: index, pair, ignoring: ignored)
    }
    unpaired = matches.unpaired.map { $0.filter { !$0.isAbstract } }
    byEntity = Dictionary(
      firstOf: pairs.flatMap { pair in
        StoreSide.allCases.map { (ObjectIdentifier(pair.entity[$0]), pair) }
      })
  }

  /// The pair that an entity of either model is in.
  func pair(of entity: EntityDescription) -> EntityPair? { byEntity[ObjectIdentifier(entity)] }

  /// The pair that a person calls `name`, by its name in either model.
  func pair(named name: String) -> EntityPair? {
    pairs.first { $0.entity.a.name == name } ?? pairs.first { $0.entity.b.name == name }
  }
}

/// An entity that both models have.
final class EntityPair {
  let index: Int
  let entity: Both<EntityDescription>
  let attributes: [AttributePair]
  let relationships: [RelationshipPair]
  /// The stored properties that only one of the two has.
  let unpaired: Both<[PropertyDescription]>

  init(index: Int, _ pair: Both<EntityDescription>, ignoring ignored: IgnoredElements) {
    self.index = index
    entity = pair
    let attributes = pair.map { entity in
      entity.attributes.filter { $0.isStored && !ignored.contains($0, of: entity) }
    }
    let relationships = pair.map { entity in
      entity.relationships.filter {
        !$0.isTransient && !ignored.contains($0, of: entity)
          && !ignored.contains($0.destinationEntity)
      }
    }
    let attributeMatches = ElementMatches(attributes.a, attributes.b)
    let relationshipMatches = ElementMatches(relationships.a, relationships.b)
    self.attributes = attributeMatches.pairs.map(AttributePair.init)
    self.relationships = relationshipMatches.pairs.map(RelationshipPair.init)
    unpaired = Both(
      attributeMatches.unpaired.a + relationshipMatches.unpaired.a,
      attributeMatches.unpaired.b + relationshipMatches.unpaired.b)
  }

  /// The name in the first model, and the other one where that differs.
  var name: String { Self.name(entity.map(\.name)) }

  static func name(_ names: Both<String>) -> String {
    names.a == names.b ? names.a : "\(names.a) (\(names.b) in B)"
  }

  /// Whether stores can have objects of this very entity.
  var isConcrete: Bool { !entity.a.isAbstract || !entity.b.isAbstract }

  func attribute(named name: String) -> AttributePair? {
    attributes.first { $0.attribute.a.name == name }
      ?? attributes.first { $0.attribute.b.name == name }
  }

  func relationship(named name: String) -> RelationshipPair? {
    relationships.first { $0.relationship.a.name == name }
      ?? relationships.first { $0.relationship.b.name == name }
  }
}

/// An attribute that both entities have.
struct AttributePair {
  let attribute: Both<AttributeDescription>
  /// What values of both are turned to before they are compared; nil when the types are equal.
  private let commonType: AttributeType?

  init(_ attribute: Both<AttributeDescription>) {
    self.attribute = attribute
    commonType = Self.commonType(attribute.map(\.attributeType))
  }

  var name: String { EntityPair.name(attribute.map(\.name)) }

  /// The wider of two types of numbers.
  private static func commonType(_ types: Both<AttributeType>) -> AttributeType? {
    guard types.a != types.b, types.a.isNumeric, types.b.isNumeric else { return nil }
    let both = [types.a, types.b]
    if both.contains(.decimal) { return .decimal }
    return both.contains(.double) || both.contains(.float) ? .double : nil
  }

  /// The value in a row of one side, made comparable to the other's.
  @inline(__always)
  func value(in row: StoreRow, _ side: StoreSide) -> Value {
    let value = row.values[attribute[side].slot]
    guard let commonType else { return value }
    // One that no double is equal to must not become its neighbour.
    if case .integer(let number) = value, commonType == .double,
      Int64(exactly: Double(number)) != number
    {
      return value
    }
    return value.coerced(to: commonType) ?? value
  }
}

/// A relationship that both entities have.
struct RelationshipPair {
  let relationship: Both<RelationshipDescription>

  init(_ relationship: Both<RelationshipDescription>) { self.relationship = relationship }

  var name: String { EntityPair.name(relationship.map(\.name)) }

  /// Whether the links lead to one object on both sides.
  var isToOne: Bool { !relationship.a.isToMany && !relationship.b.isToMany }

  /// Whether an order is there to be compared.
  var isOrdered: Bool { relationship.a.isOrdered && relationship.b.isOrdered }
}
