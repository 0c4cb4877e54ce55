import Persistence

/// A small model with every kind of relationship and a hierarchy.
enum LibraryModel {
  static func make(
    _ change: ([String: EntityDescription]) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    let entities = [shelf(), item(), book(), tag(), chapter(), cover()]
    change(Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) }))
    return try ManagedObjectModel(entities: entities, name: "Library")
  }

  private static func shelf() -> EntityDescription {
    entity(
      "Shelf",
      [
        attribute("name", .string), toMany("items", "Item", "shelf"),
      ])
  }

  private static func item() -> EntityDescription {
    entity(
      "Item",
      [
        attribute("title", .string, optional: true), attribute("pages", .integer32, optional: true),
        toOne("shelf", "Shelf", "items"), toMany("tags", "Tag", "items"),
      ])
  }

  private static func book() -> EntityDescription {
    let book = entity(
      "Book",
      [
        attribute("isbn", .string, optional: true),
        toMany("chapters", "Chapter", "book", ordered: true),
        toOne("cover", "Cover", "book"),
      ])
    book.superentityName = "Item"
    return book
  }

  private static func tag() -> EntityDescription {
    entity("Tag", [attribute("name", .string), toMany("items", "Item", "tags")])
  }

  private static func chapter() -> EntityDescription {
    entity("Chapter", [attribute("title", .string), toOne("book", "Book", "chapters")])
  }

  private static func cover() -> EntityDescription {
    entity("Cover", [attribute("colour", .string, optional: true), toOne("book", "Book", "cover")])
  }

  static func entity(_ name: String, _ properties: [PropertyDescription]) -> EntityDescription {
    let entity = EntityDescription(name: name)
    entity.ownProperties = properties
    return entity
  }

  static func attribute(
    _ name: String, _ type: AttributeType, optional: Bool = false
  ) -> AttributeDescription {
    let attribute = AttributeDescription(name: name, type: type)
    attribute.isOptional = optional
    return attribute
  }

  static func toOne(_ name: String, _ destination: String, _ inverse: String?)
    -> RelationshipDescription
  {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: false)
    relationship.inverseName = inverse
    return relationship
  }

  static func toMany(
    _ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false
  ) -> RelationshipDescription {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: true)
    relationship.inverseName = inverse
    relationship.isOrdered = ordered
    return relationship
  }
}
