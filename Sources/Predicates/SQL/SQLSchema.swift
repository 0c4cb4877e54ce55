/// Where a store keeps the objects of a model, as far as predicates need to know.
///
/// All names are given as SQL takes them, in quotes where that is necessary. Every table has its
/// primary key in the column `Z_PK`, which is unique in a hierarchy of entities.
///
/// The SQL made with it calls functions which the store registers in its connection; see
/// ``SQLTextFunctions``. Bindings are the plain values of their kind: dates as seconds since 2001,
/// UUIDs as their 16 bytes, URIs as text, decimals as attributes are stored.
public protocol SQLSchema {
  /// The table of the entity's hierarchy.
  func table(of entity: EntityDescription) -> String

  /// The column of an attribute; nil for one that isn't stored.
  func column(of attribute: AttributeDescription) -> String?

  /// The destination's primary key in a row, by the row's name; nil when it isn't stored.
  func key(of toOne: RelationshipDescription, in row: String, _ logic: SQLLogic) -> String?

  /// How the destinations of a to-many relationship are found; nil when it isn't stored.
  func link(of toMany: RelationshipDescription) -> SQLLink?

  /// The primary key of a managed object or object identifier; nil for one that isn't saved in this
  /// store, or isn't of the entity's hierarchy.
  func primaryKey(of object: AnyObject, in entity: EntityDescription) -> Int64?
}

/// How a store links an object to the destinations of a to-many relationship.
public enum SQLLink: Hashable, Sendable {
  /// The destinations' table has a column with the owner's primary key.
  case children(column: String)
  /// A table of its own has a row with both primary keys for each destination.
  case join(table: String, ownColumn: String, destinationColumn: String)
}
