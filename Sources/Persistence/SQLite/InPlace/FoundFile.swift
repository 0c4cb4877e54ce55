/// The schema of a store's file as steps in place go on changing it, with what is in the file although its
/// model has nothing of it: the rest of an attempt that failed, of another tool, of an older version.
package struct FoundFile {
  /// The path, for messages.
  private let path: String
  private var schema: StoreSchema
  /// Tables, views and indexes, which share one set of names, by ``key(_:)``.
  private var others: [String: String] = [:]
  /// Columns that belong to no property, by table.
  private var columns: [String: Set<String>] = [:]

  /// - Throws: `CoreDataError` when the schema can't be read.
  init(of store: SQLiteStore) throws {
    path = store.file.url.path
    schema = store.schema
    let database = store.database
    let catalog = try StoreCatalog(of: database)
    let known = Set(
      (schema.tables.map(\.name) + schema.joins.map(\.name) + schema.indexes.map(\.name)
        + schema.rTrees.flatMap(\.names)).map(Self.key))
    try database.forEachRow(
      "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view', 'index') AND sql IS NOT NULL"
    ) { row in
      let name = Self.key(row.text(0))
      if !known.contains(name) { others[name] = row.text(1) }
    }
    for table in schema.tables {
      columns[table.name] = Set(table.columnsOfNoProperty(in: catalog).map(Self.key))
    }
  }

  /// A name as SQLite compares it: it takes the letters of ASCII for the same in either case.
  private static func key(_ name: String) -> String {
    let units = StoreCatalog.plain(name).utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    return String(decoding: units, as: UTF8.self)
  }

  /// Whether there is nothing in it that could be in the way.
  var isAsItsModel: Bool {
    Set(others.keys).isSubset(of: StoreSchema.bookkeepingNames.map(Self.key))
      && columns.values.allSatisfy(\.isEmpty)
  }

  /// What a step would do in the file, in order; the file is then as after it.
  /// - Returns: The statements, and what SQLite says to one of them, if it can't be done.
  /// - Throws: `CoreDataError` for a model that an SQLite store can't hold.
  package mutating func pass(
    _ plan: MigrationPlan, to model: ManagedObjectModel
  ) throws -> (statements: [InPlaceStatement], obstacle: InPlaceObstacle?) {
    let next = try StoreSchema.fresh(for: StoreConfiguration(model: model))
    let statements = InPlacePlan(plan, from: schema, to: next).statements
    schema = next
    var obstacle: InPlaceObstacle?
    for statement in statements {
      guard obstacle == nil, let message = apply(statement) else { continue }
      obstacle = InPlaceObstacle(statement: statement.sql, message: message, path: path)
    }
    return (statements, obstacle)
  }

  /// - Returns: SQLite's message where something of that name is there.
  private mutating func apply(_ statement: InPlaceStatement) -> String? {
    func plain(_ name: String) -> String { StoreCatalog.plain(name) }
    switch statement {
    case .makesTable(let name, _):
      return others[Self.key(name)].map { type in
        type == "index"
          ? "there is already an index named \(plain(name))"
          : "\(type) \(plain(name)) already exists"
      }
    case .makesIndex(let name, _):
      return others[Self.key(name)].map { type in
        type == "index"
          ? "index \(plain(name)) already exists" : "there is already a table named \(plain(name))"
      }
    case .addsColumn(let name, _, let table), .renamesColumn(_, let name, let table):
      return columns[table]?.contains(Self.key(name)) == true
        ? "duplicate column name: \(plain(name))" : nil
    case .renamesTable(let table, let name):
      columns[name] = columns.removeValue(forKey: table)
      return others[Self.key(name)].map { _ in
        "there is already another table or index with this name: \(plain(name))"
      }
    case .other: return nil
    }
  }
}

extension StoreTable {
  /// The names, in order, of a file's columns that belong to no property.
  func columnsOfNoProperty(in catalog: StoreCatalog) -> [String] {
    let own = Set(StoreSchema.fixedColumns + columns.map { StoreCatalog.plain($0.name) })
    return catalog.types(ofColumnsIn: name).keys.filter { !own.contains($0) }.sorted()
  }
}

/// Why a statement couldn't be run in a store's file.
package struct InPlaceObstacle: Sendable {
  package let statement: String
  /// What SQLite says.
  package let message: String
  let path: String

  /// What a device ends with.
  // Core Data: observed in reports of a table that exists already; assumed for columns, indexes and new names.
  package var error: CoreDataError {
    let text = "I/O error for database at \(path).  SQLite error code:1, '\(message)'"
    let cause = CoreDataError(.migration, text)
    return CoreDataError(
      .migration, "Cannot migrate store in-place: \(text)",
      advice:
        "A device does the step inside this file by \(statement), and the file has something of that name "
        + "which its model hasn't: the rest of an attempt that failed, or of another tool. An app can only remove "
        + "it, or migrate with a mapping model into a new file."
    ).with(value: nil, underlying: cause)
  }
}

extension PersistentStore {
  /// The file that the store was found in, where something in it could be in the way of a migration in place.
  /// - Throws: `CoreDataError` when its schema can't be read.
  package func foundFile() throws -> FoundFile? {
    guard let store = self as? SQLiteStore else { return foundFileOfOriginal }
    // What a deferred migration is yet to remove is told as such.
    if store.isNew || StoreMetadata.isMigrationPending(in: store.metadata) { return nil }
    let file = try FoundFile(of: store)
    return file.isAsItsModel ? nil : file
  }
}

extension SQLiteStore {
  /// The file as it is, for who wants to know all that would be done in it.
  /// - Throws: `CoreDataError` when its schema can't be read.
  package func fileForSteps() throws -> FoundFile { try FoundFile(of: self) }
}
