/// Where a property is kept.
enum PropertyStorage {
  /// An attribute in a column of the entity's table.
  case attribute(column: String, ColumnCodec)
  /// A composite attribute, in one column for each of its elements.
  case composite(CompositeColumns)
  case toOne(ToOneColumns)
  /// A to-many relationship whose destinations hold the key.
  case children(ForeignKey)
  /// A many-to-many relationship.
  case join(JoinSide)
  /// Transient, fetched or untyped: nowhere.
  case none

  /// The columns in the rows of the objects that have the property; a sort key is the inverse's.
  var columns: [String] {
    switch self {
    case .attribute(let column, _): [column]
    case .composite(let composite): composite.leaves.map(\.name)
    case .toOne(let toOne): [toOne.key, toOne.entity].compactMap { $0 }
    case .children, .join, .none: []
    }
  }

  /// The one column of an attribute, or the key of a to-one relationship.
  var column: String? {
    switch self {
    case .attribute(let column, _): column
    case .toOne(let toOne): toOne.key
    case .composite, .children, .join, .none: nil
    }
  }
}

/// The columns of a to-one relationship.
struct ToOneColumns {
  /// Holds the destination's primary key.
  var key: String
  /// Holds the destination's entity number; only where the destination has subentities.
  var entity: String?
  /// Holds the sort key among the destination's children, when the inverse is ordered.
  var order: String?
}

/// A one-to-many relationship, seen from the one: a key in the rows of the many.
struct ForeignKey {
  var table: String
  var column: String
  var orderColumn: String?
  /// Whether the relationship has no inverse, so that its key is no property of the destination
  /// and is written with the owner.
  var hasNoInverse: Bool
}

/// A many-to-many relationship, seen from one side of its join table.
struct JoinSide {
  var table: String
  /// Holds the keys of the objects that have the relationship.
  var ownColumn: String
  /// Holds the keys of the objects it leads to.
  var destinationColumn: String
  /// Holds the sort key of the destination, when the relationship is ordered.
  var orderColumn: String?
  /// Whether this side writes the links; the other one only puts them in order.
  var writesLinks: Bool
  /// Whether the relationship is its own inverse, so that each link is kept in both directions.
  var isReflexive: Bool
}

/// A table of a hierarchy of entities.
struct StoreTable {
  struct Column {
    var name: String
    var declaredType: String
    var group: ColumnGroup
  }
  var root: EntityDescription
  var name: String
  /// In the order of `CREATE TABLE`, the three bookkeeping columns left out.
  var columns: [Column]
}

/// A join table; the column order is that of `CREATE TABLE`.
struct JoinTable {
  var name: String
  var firstColumn: String
  var secondColumn: String
  var orderColumns: [String]
}

/// An index; `terms` are columns with collation and direction where Core Data writes them.
struct StoreIndex {
  var name: String
  var table: String
  var terms: [String]
  var isUnique = false
  /// Which rows are in it; nil for all.
  var condition: String?
}

/// A uniqueness constraint as columns.
struct UniqueColumns {
  var entity: EntityDescription
  var properties: [PropertyDescription]
  var columns: [String]
}
