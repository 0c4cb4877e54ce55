// The statements that make a fresh store, as Core Data words them.

extension StoreSchema {
  /// `CREATE TABLE` for all tables, the bookkeeping ones last.
  var tableStatements: [String] {
    tables.map(Self.statement(for:)) + joins.map(Self.statement(for:)) + Self.bookkeeping
  }

  private static func statement(for table: StoreTable) -> String {
    let fixed = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    let columns = fixed + table.columns.map { "\($0.name) \($0.declaredType)" }
    return "CREATE TABLE \(table.name) ( \(columns.joined(separator: ", ")) )"
  }

  private static func statement(for join: JoinTable) -> String {
    let columns = ([join.firstColumn, join.secondColumn] + join.orderColumns)
      .map { "\($0) INTEGER" }.joined(separator: ", ")
    return "CREATE TABLE \(join.name) ( \(columns), "
      + "PRIMARY KEY (\(join.firstColumn), \(join.secondColumn)) )"
  }

  private static let bookkeeping = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, "
      + "Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]
}

// MARK: - Indexes

extension StoreSchema {
  /// All indexes of a fresh store.
  var indexes: [StoreIndex] {
    var indexes: [String: StoreIndex] = [:]
    for index in entities.flatMap(indexes(of:)) + joins.map(Self.index(of:)) {
      indexes[index.name] = index
    }
    return indexes.values.sorted { $0.name < $1.name }
  }

  /// Whether one of the indexes finds rows by a column.
  /// - Parameter unique: Whether unique ones count.
  func hasIndex(on column: String, of table: String, unique: Bool = true) -> Bool {
    indexes.contains { index in
      guard index.table == table, unique || !index.isUnique, let term = index.terms.first else {
        return false
      }
      return term == column || term.hasPrefix("\(column) ")
    }
  }

  private func indexes(of entity: EntityDescription) -> [StoreIndex] {
    let table = table(of: entity)
    var indexes = entity.ownProperties.compactMap(keyIndex(for:))
    if entity.superentity == nil, !entity.subentities.isEmpty {
      indexes.append(
        StoreIndex(name: Self.indexName(table, "Z_ENT"), table: table, terms: ["Z_ENT"]))
    }
    indexes += fetchIndexes(of: entity, table: table)
    return indexes + uniqueIndexes(of: entity, table: table)
  }

  /// The index over the key of a to-one relationship, or of a to-many one without inverse.
  private func keyIndex(for property: PropertyDescription) -> StoreIndex? {
    switch storage(of: property) {
    case .toOne(let columns):
      let table = table(of: property.entity)
      return StoreIndex(
        name: Self.indexName(table, columns.key), table: table, terms: [columns.key])
    case .children(let key) where key.hasNoInverse:
      return StoreIndex(
        name: Self.indexName(key.table, key.column), table: key.table, terms: [key.column])
    default: return nil
    }
  }

  private static func index(of join: JoinTable) -> StoreIndex {
    StoreIndex(
      name: indexName(join.name, join.secondColumn), table: join.name,
      terms: [join.secondColumn, join.firstColumn])
  }

  private func fetchIndexes(of entity: EntityDescription, table: String) -> [StoreIndex] {
    let indexed = entity.ownProperties.compactMap { $0 as? AttributeDescription }
      .filter(\.isIndexed)
      .map { FetchIndexDescription(name: $0.name, elements: [.init(propertyName: $0.name)]) }
    // R-trees are tables of their own, of a form that isn't known; an index over an expression has
    // no column. Neither changes what is found. A partial index is made whole.
    let plain = entity.indexes.filter { $0.elements.allSatisfy { $0.collation == .binary } }
    return (indexed + plain).compactMap { index in
      let terms = index.elements.compactMap { element in
        column(named: element.propertyName, of: entity)
          .map { "\($0) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")" }
      }
      guard !terms.isEmpty, terms.count == index.elements.count else { return nil }
      return StoreIndex(
        name: StoreNames.quoted("Z_\(entity.name)_\(index.name)"), table: table, terms: terms)
    }
  }

  private func uniqueIndexes(of entity: EntityDescription, table: String) -> [StoreIndex] {
    constraints.filter { $0.entity === entity }.map { constraint in
      let names = constraint.properties.map {
        (($0 as? AttributeDescription)?.path ?? $0.name).replacing(".", with: "_")
      }.joined(separator: "_")
      return StoreIndex(
        name: StoreNames.quoted("Z_\(entity.name)_UNIQUE_\(names)"), table: table,
        terms: constraint.columns.map { "\($0) COLLATE BINARY ASC" }, isUnique: true)
    }
  }

  /// The one column of an attribute or to-one relationship of an entity.
  func column(named name: String, of entity: EntityDescription) -> String? {
    switch entity.property(at: name.components(separatedBy: ".")).map(storage(of:)) {
    case .attribute(let column, _): column
    case .toOne(let columns): columns.key
    default: nil
    }
  }

  private static func indexName(_ table: String, _ column: String) -> String {
    let plain = [table, column].map { $0.replacing("\"", with: "") }
    return StoreNames.quoted("\(plain[0])_\(plain[1])_INDEX")
  }
}

extension StoreIndex {
  /// `CREATE INDEX`.
  var statement: String {
    let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
    return "CREATE \(kind) \(name) ON \(table) (\(terms.joined(separator: ", ")))"
  }
}
