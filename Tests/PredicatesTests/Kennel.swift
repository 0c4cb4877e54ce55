import Predicates

/// A model with one relationship of each kind, laid out as stores lay it out.
struct Kennel: SQLSchema {
  let model: ManagedObjectModel
  var owner: EntityDescription { entity("Owner") }

  init() throws {
    let owner = EntityDescription(name: "Owner")
    owner.ownProperties = [
      Self.attribute("name", .string), Self.attribute("nick", .string),
      Self.attribute("age", .integer16), Self.attribute("limit", .integer64),
      Self.attribute("height", .double), Self.attribute("fee", .decimal),
      Self.attribute("vip", .boolean), Self.attribute("born", .date), Self.attribute("uid", .uuid),
      Self.attribute("site", .uri), Self.attribute("photo", .binaryData),
      Self.relationship("city", "City", toMany: false, inverse: "owners"),
      Self.relationship("pets", "Pet", toMany: true, inverse: "owner"),
      Self.relationship("tags", "Tag", toMany: true, inverse: "owners"),
    ]
    let city = EntityDescription(name: "City")
    city.ownProperties = [
      Self.attribute("name", .string), Self.attribute("people", .integer32),
      Self.relationship("owners", "Owner", toMany: true, inverse: "city"),
    ]
    let pet = EntityDescription(name: "Pet")
    pet.ownProperties = [
      Self.attribute("name", .string), Self.attribute("age", .integer16),
      Self.attribute("weight", .double),
      Self.relationship("owner", "Owner", toMany: false, inverse: "pets"),
    ]
    let tag = EntityDescription(name: "Tag")
    tag.ownProperties = [
      Self.attribute("name", .string),
      Self.relationship("owners", "Owner", toMany: true, inverse: "tags"),
    ]
    model = try ManagedObjectModel(entities: [owner, city, pet, tag])
  }

  private static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type)
  }

  private static func relationship(
    _ name: String, _ destination: String, toMany: Bool, inverse: String
  ) -> RelationshipDescription {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: toMany)
    relationship.inverseName = inverse
    return relationship
  }

  func entity(_ name: String) -> EntityDescription {
    model.entitiesByName[name] ?? EntityDescription(name: name)
  }

  // MARK: SQLSchema

  func table(of entity: EntityDescription) -> String { "Z" + entity.name.uppercased() }

  func column(of attribute: AttributeDescription) -> String? { "Z" + attribute.name.uppercased() }

  func key(of toOne: RelationshipDescription, in row: String, _ logic: SQLLogic) -> String? {
    "\(row).Z\(toOne.name.uppercased())"
  }

  func link(of toMany: RelationshipDescription) -> SQLLink? {
    switch toMany.name {
    case "pets": .children(column: "ZOWNER")
    case "tags": .join(table: "Z_1TAGS", ownColumn: "Z_1OWNERS", destinationColumn: "Z_2TAGS")
    default: nil
    }
  }

  func primaryKey(of object: AnyObject, in entity: EntityDescription) -> Int64? {
    guard let row = object as? KennelRow, row.entity === entity else { return nil }
    return row.key
  }
}

/// An object of the kennel.
final class KennelRow: NSObject, KeyValueCoding, IdentifiedObject, @unchecked Sendable {
  let entity: EntityDescription
  let key: Int64
  var values: [String: Value] = [:]

  init(_ entity: EntityDescription, _ key: Int64) {
    self.entity = entity
    self.key = key
  }

  var identity: AnyObject { self }

  func typedValue(forKey key: String) throws -> Value {
    if let value = values[key] { return value }
    guard let relationship = entity.relationship(named: key), relationship.isToMany else {
      return .null
    }
    return .collection(ValueCollection(.set, []))
  }

  /// Adds a destination to a to-many relationship.
  func add(_ other: KennelRow, to relationship: String) throws {
    guard case .collection(let present) = try typedValue(forKey: relationship) else { return }
    values[relationship] = .collection(
      ValueCollection(.set, present.elements + [.object(other)]))
  }

  override var description: String { "\(entity.name)/\(key)" }
}
