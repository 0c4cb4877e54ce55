internal import CSQLite

/// New rows of one entity that a single statement inserts: it selects them from a virtual table.
///
/// Against a statement for each row it saves SQLite beginning and ending one each time, and memory for
/// each text among its parameters. A key that is the next one is left to SQLite: where it looks for a
/// given one it begins at the root of the table, for each row.
final class RowVirtualTable {
  /// What a column of the virtual table gives; the first one gives the key.
  private struct Column {
    enum Content {
      case attribute(ColumnCodec)
      case reference
      case entityNumber
    }
    let content: Content
    let slot: Int
    /// The place among the writer's fields.
    let field: Int
  }

  /// The writer has the rows and not they it.
  private let writer: ObjectIdentifier
  private let entity: EntityDescription
  private let fields: [RowWriter.Field]
  private let anchor: StoreAnchor
  private let columns: ContiguousArray<Column>
  private let numbers: EntityNumbers
  private var statement: Statement?
  /// Asks for the table's highest key.
  private let highest: Statement
  // While the statement runs.
  private var rows: UnsafeBufferPointer<SpillBatch.Insertion> = .init(start: nil, count: 0)
  private var position = 0
  /// The table's highest key before the row at the position is there.
  private var highestKey: Int64 = 0
  /// Those of the row at the position.
  private var values: UnsafeBufferPointer<Value> = .init(start: nil, count: 0)
  private var failure: (any Error)?

  /// - Returns: Nil where a row needs more than its values.
  init?(_ writer: RowWriter, of store: SQLiteStore) throws {
    guard writer.isPlain else { return nil }
    let (schema, database) = (store.schema, store.database)
    self.writer = ObjectIdentifier(writer)
    entity = writer.entity
    fields = writer.fields
    anchor = store.anchor
    numbers = schema.numbers
    columns = Self.columns(of: writer)
    let number = schema.numbers[writer.entity]
    let name = "hw_rows_\(number)"
    highest = try database.statement("SELECT max(Z_PK) FROM \(writer.table)")
    try database.addModule(name, self)
    // In the table's own order SQLite needn't put them in order for each row.
    let names = schema.columnNames(ofTableOf: writer.entity)
    let values = names.map { name in
      writer.columns.firstIndex(of: name).map { "c\($0 + 1)" } ?? "NULL"
    }
    statement = try database.statement(
      "INSERT INTO \(writer.table) (\(StoreSchema.list(names))) "
        + "SELECT \((["c0", "\(number)", "1"] + values).joined(separator: ", ")) FROM \(name)")
  }

  /// In the order of the row's columns.
  private static func columns(of writer: RowWriter) -> ContiguousArray<Column> {
    var columns: ContiguousArray<Column> = []
    for (index, field) in writer.fields.enumerated() {
      func add(_ content: Column.Content) {
        columns.append(Column(content: content, slot: field.slot, field: index))
      }
      switch field.kind {
      case .attribute(let codec): add(.attribute(codec))
      case .toOne(let hasEntityColumn):
        add(.reference)
        if hasEntityColumn { add(.entityNumber) }
      case .composite: break
      }
    }
    return columns
  }

  /// Inserts those of some rows that are its entity's.
  /// - Throws: What is wrong with a value, or SQLite's error; no row is inserted then.
  func insert(from rows: UnsafeBufferPointer<SpillBatch.Insertion>) throws {
    self.rows = rows
    failure = nil
    highestKey = try highestInTable()
    defer { (self.rows, values) = (.init(start: nil, count: 0), .init(start: nil, count: 0)) }
    do {
      try statement?.run()
    } catch {
      throw failure ?? error
    }
  }

  private func highestInTable() throws -> Int64 {
    defer { highest.reset() }
    return try highest.step() ? highest.integer(0) : 0
  }
}

// MARK: - What SQLite asks for

extension RowVirtualTable {
  fileprivate var declaration: String {
    let names = (0...columns.count).map { "c\($0)" }.joined(separator: ", ")
    return "CREATE TABLE hw_rows (\(names))"
  }

  fileprivate func start() {
    position = -1
    find()
  }

  @inline(__always)
  fileprivate func advance() {
    highestKey = max(highestKey, key)
    find()
  }

  /// Goes on to the next row of the entity.
  @inline(__always)
  private func find() {
    repeat { position += 1 } while position < rows.count && !isOwn(rows[position])
    // The array has storage of its own, and nobody changes it while the batch is written.
    if position < rows.count { values = rows[position].values.withUnsafeBufferPointer { $0 } }
  }

  @inline(__always)
  private func isOwn(_ row: SpillBatch.Insertion) -> Bool { ObjectIdentifier(row.writer) == writer }

  fileprivate var isAtEnd: Bool { position >= rows.count }

  fileprivate var key: Int64 { rows[position].key }

  /// - Returns: False for a value that the column doesn't take.
  fileprivate func give(_ index: Int32, to target: ResultTarget) -> Bool {
    if index == 0 {
      // For NULL, SQLite uses max(rowid) + 1 without searching for the place.
      target.bind(orNull: key == highestKey &+ 1 ? nil : key, at: index)
      return true
    }
    let column = columns[Int(index) - 1]
    do {
      try give(column, to: target)
      return true
    } catch {
      failure = located(error, column)
      return false
    }
  }

  @inline(__always)
  private func give(_ column: Column, to target: ResultTarget) throws {
    switch column.content {
    case .attribute(let codec):
      try codec.bind(values[column.slot], of: property(of: column), to: target, at: 0)
    case .reference:
      target.bind(orNull: try reference(in: column)?.primaryKey, at: 0)
    case .entityNumber:
      target.bind(orNull: try reference(in: column).map { numbers[$0.entity] }, at: 0)
    }
  }

  private func reference(in column: Column) throws -> ManagedObjectID? {
    try values[column.slot].rowIdentifier(of: property(of: column))
  }

  private func located(_ error: any Error, _ column: Column) -> any Error {
    let id = ManagedObjectID(entity: entity, primaryKey: key, anchor: anchor)
    return (error as? CoreDataError)?.at(
      entity: entity.name, property: property(of: column).name, object: id.description)
      ?? error
  }

  private func property(of column: Column) -> PropertyDescription {
    fields[column.field].property
  }
}

extension Database {
  /// Makes rows known to the connection as a table that is there without having been created.
  fileprivate func addModule(_ name: String, _ rows: RowVirtualTable) throws {
    // Its writer, which the connection's store keeps, keeps the rows.
    let code = sqlite3_create_module_v2(
      handle, name, RowVirtualTableModule.module, Unmanaged.passUnretained(rows).toOpaque(), nil)
    guard code == SQLITE_OK else { throw error(code, sql: name) }
  }
}

/// The functions by which SQLite reads a virtual table.
private enum RowVirtualTableModule {
  /// What SQLite keeps of a table or cursor, and behind it whose rows they are.
  private struct Table {
    var base: sqlite3_vtab
    var rows: UnsafeMutableRawPointer?
  }
  private struct Cursor {
    var base: sqlite3_vtab_cursor
    var rows: UnsafeMutableRawPointer?
  }

  // Made once and never changed; SQLite only reads it.
  nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xConnect = { database, rows, _, _, table, _ in
      guard let rows, let table else { return SQLITE_ERROR }
      let made = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      made.initialize(to: Table(base: sqlite3_vtab(), rows: rows))
      table.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
      return sqlite3_declare_vtab(database, given(rows) { $0.declaration })
    }
    module.xDisconnect = { table in
      table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self).deallocate() }
      return SQLITE_OK
    }
    module.xBestIndex = { _, _ in SQLITE_OK }
    module.xOpen = { table, cursor in
      guard let table, let cursor else { return SQLITE_ERROR }
      let rows = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.rows
      let made = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      made.initialize(to: Cursor(base: sqlite3_vtab_cursor(), rows: rows))
      cursor.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(
        to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self).deallocate() }
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, _ in
      given(of: cursor) { $0.start() }
      return SQLITE_OK
    }
    module.xNext = { cursor in
      given(of: cursor) { $0.advance() }
      return SQLITE_OK
    }
    module.xEof = { cursor in given(of: cursor) { $0.isAtEnd ? 1 : 0 } }
    module.xColumn = { cursor, context, index in
      given(of: cursor) { $0.give(index, to: ResultTarget(context)) } ? SQLITE_OK : SQLITE_MISMATCH
    }
    module.xRowid = { cursor, key in
      key?.pointee = given(of: cursor) { $0.key }
      return SQLITE_OK
    }
    let kept = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    kept.initialize(to: module)
    return UnsafePointer(kept)
  }()

  @inline(__always)
  private static func given<Result>(
    of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (RowVirtualTable) -> Result
  ) -> Result {
    let own = UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: Cursor.self)
    return given(own.pointee.rows!, body)
  }

  @inline(__always)
  private static func given<Result>(
    _ rows: UnsafeMutableRawPointer, _ body: (RowVirtualTable) -> Result
  ) -> Result {
    Unmanaged<RowVirtualTable>.fromOpaque(rows).use(body)
  }
}
