import CSQLite

extension CoreDataError {
  /// The error for a file that can't be opened as an SQLite database.
  static func opening(
    _ file: URL, code: Int32, message: String, system: Int32 = 0
  ) -> CoreDataError {
    var error = CoreDataError(
      SQLiteResult(code).isNoDatabase ? .fileReadCorruptFile : .persistentStoreOpen,
      "The store can't be opened: \(message) (SQLite \(SQLiteResult(code).description(beside: message)))",
      advice: SQLiteResult(code).advice
    ).at(file: file.path)
    error.sqliteCode = code
    if MachineFault.Kind(system: system) != nil {
      error.underlying = SQLiteError(code: code, message: message, sql: "", systemCode: system)
    }
    return error
  }

  /// The error for a statement that failed.
  ///
  /// A file that turns out not to be a database only when it is first read counts as one that
  /// can't be opened.
  static func sqlite(
    _ code: Int32, message: String, sql: String, file: URL, system: Int32 = 0
  ) -> CoreDataError {
    let result = SQLiteResult(code)
    if result.isUnreadableFile {
      return opening(file, code: code, message: message, system: system)
    }
    let cut = result.isDamage ? TruncatedDatabase(file).map { "; \($0)" } ?? "" : ""
    let isTooDeep = message.hasPrefix("Expression tree is too large")
    var error = CoreDataError(
      .sqlite,
      "SQLite refused a statement: \(message) (\(result.description(beside: message)))\(cut)",
      advice: isTooDeep ? tooManyConditions : result.advice
    ).at(file: file.path)
    error.sqliteCode = code
    error.underlying = SQLiteError(code: code, message: message, sql: sql, systemCode: system)
    return error
  }

  private static let tooManyConditions =
    "the predicate joins too many conditions by AND or OR, for a device, too; write 'key IN {…}', or fetch in parts"

  /// The error for a file that is a database, but not one that Core Data wrote, or a damaged one.
  static func notAStore(_ file: URL, _ reason: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "The file isn't a complete Core Data store: \(reason)",
      advice: "check that this is the app's store, copied together with its -wal file"
    ).at(file: file.path)
  }

  /// The error for a store whose tables don't fit its model.
  static func incompatibleSchema(_ file: URL, _ reason: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleSchema, "The store's tables don't fit the model: \(reason)",
      advice: "check that the model is the version that wrote the store"
    ).at(file: file.path)
  }

  /// The error for a value that the store holds in a form its attribute can't have.
  static func unreadableValue(_ reason: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "A stored value can't be read: \(reason)",
      advice: "look at the row with sqlite3; the store may be damaged")
  }
}

/// What SQLite itself said; the error behind a `CoreDataError` of code `.sqlite`.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// SQLite's extended result code.
  public let code: Int32
  public let message: String
  public let sql: String
  /// The number of the system's error behind it; 0 where there is none.
  var systemCode: Int32 = 0

  /// Whether a unique index refused a row (`SQLITE_CONSTRAINT_UNIQUE`).
  var isUniqueViolation: Bool { code == SQLITE_CONSTRAINT | (8 << 8) }

  public var description: String {
    let shown = sql.count > 400 ? "\(sql.prefix(400))…" : sql
    return "\(SQLiteResult(code).description): \(message)\nin: \(shown)"
  }
}

/// SQLite's result codes in words.
struct SQLiteResult {
  let code: Int32
  init(_ code: Int32) { self.code = code }

  private var primary: Int32 { code & 0xff }

  var isNoDatabase: Bool { primary == SQLITE_NOTADB }
  var isDamage: Bool { primary == SQLITE_CORRUPT }
  var isUnreadableFile: Bool { isNoDatabase || primary == SQLITE_CANTOPEN }

  var description: String { "code \(code), \(text)" }

  /// Without what the message says already.
  func description(beside message: String) -> String {
    message == text ? "code \(code)" : description
  }

  private var text: String { String(cString: sqlite3_errstr(code)) }

  /// What to do about it.
  var advice: String {
    switch primary {
    case SQLITE_NOTADB: "check that the file is an SQLite database and isn't encrypted"
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: "check the path and its permissions"
    case SQLITE_CORRUPT:
      "the file is damaged; take another copy, or recover it with `sqlite3 FILE .recover`"
    case SQLITE_FULL: "free some disk space"
    case SQLITE_READONLY: "open the store for writing, or make the file writable"
    case SQLITE_BUSY, SQLITE_LOCKED: "close the other program that has the store open"
    case SQLITE_IOERR: "check the disk"
    case SQLITE_NOMEM: "make more memory available"
    case SQLITE_TOOBIG: "a value is larger than SQLite allows (1 GB); store it in a file"
    case SQLITE_CONSTRAINT: "look for rows with equal values in a unique index"
    case SQLITE_SCHEMA, SQLITE_ERROR: "check that the store's tables fit the model"
    default: "see https://sqlite.org/rescode.html"
    }
  }
}

// MARK: - Places and files

extension CoreDataError {
  private static let pathAdvice =
    "check the path; an SQLite store is a single file, often named *.sqlite"
  private static let itselfAdvice = "give the path of the SQLite file itself"

  static func placeIsTaken(_ file: URL) -> CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "A store can't be created where a file is already",
      advice: "remove the file or choose another place"
    ).at(file: file.path)
  }

  static func isFolder(_ file: URL) -> CoreDataError {
    CoreDataError(.persistentStoreOpen, "The store is a folder", advice: pathAdvice)
      .at(file: file.path)
  }

  static func isNoFile(_ file: URL) -> CoreDataError {
    CoreDataError(.persistentStoreOpen, "The store isn't an ordinary file", advice: itselfAdvice)
      .at(file: file.path)
  }

  static func isOutOfReach(_ file: URL) -> CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "The store can't be reached: its folder may not be searched",
      advice: pathAdvice
    ).at(file: file.path)
  }

  static func doesNotExist(_ file: URL) -> CoreDataError {
    CoreDataError(.fileReadNoSuchFile, "The store doesn't exist", advice: pathAdvice)
      .at(file: file.path)
  }

  static func isNotTouched(_ file: URL) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "This isn't an ordinary file; it isn't touched",
      advice: itselfAdvice
    ).at(file: file.path)
  }

  static func isNoDatabase(_ file: URL) -> CoreDataError {
    CoreDataError(
      .fileReadCorruptFile, "The file isn't an SQLite database; it isn't touched",
      advice: "check the path"
    ).at(file: file.path)
  }

  static func isInUse(_ file: URL) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "The store is in use by another program",
      advice: "close it there first"
    ).at(file: file.path)
  }

  // Core Data: observed in a public test on Apple's systems.
  static func isReadOnly(_ file: URL) -> CoreDataError {
    CoreDataError(
      .fileWriteNoPermission, "The store is open for reading only",
      advice: "open it with `SQLiteStore.open(at:model:)`"
    ).at(file: file.path)
  }

  static func pragma(_ name: String, cannotBe value: String, _ file: URL?) -> CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "The SQLite pragma '\(name)' can't be '\(value)'",
      advice: "A pragma has one word or number as its value, such as journal_mode = DELETE."
    ).at(file: file?.path)
  }

  static func nullStoreNotMade(_ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "The files of a store that keeps nothing can't be made",
      advice: "check the free space in " + FileManager.default.temporaryDirectory.path
    ).with(value: nil, underlying: error)
  }

  static func journalNotRead(_ file: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "The store can't be copied to read the changes in its journal",
      advice: "check the file's permissions, and the free space in "
        + FileManager.default.temporaryDirectory.path
    ).at(file: file.path).with(value: nil, underlying: error)
  }

  static func nothingBeside(_ folder: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "Nothing can be written beside the store",
      advice: "check that the folder exists, is writable and has free space"
    ).at(file: folder.path).with(value: nil, underlying: error)
  }

  static func files(_ file: URL, reason: String, error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, reason, advice: "check that the folder exists and is writable"
    ).at(file: file.path).with(value: nil, underlying: error)
  }
}

// MARK: - Replacing a store

extension CoreDataError {
  /// Whether an error says that something is where a new file should go.
  package static func isTaken(_ error: any Error) -> Bool {
    let error = (error as? CoreDataError)?.underlying ?? error
    return (error as? POSIXError)?.code == .EEXIST
  }

  static func notReplaced(_ file: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "The new store can't replace the old one",
      advice: isTaken(error)
        ? "something has come to be there meanwhile, and is kept: name another place"
        : "check that the folder is writable, has space, and that its disk is sound"
    ).at(file: file.path).with(value: nil, underlying: error)
  }

  static func inPlaceButNotOpened(_ file: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation,
      PersistentStoreFiles.inPlaceReason + ", whole, but can't be opened and closed there",
      advice: "look at the underlying error; nothing has to be migrated again"
    ).at(file: file.path).with(value: nil, underlying: error)
  }

  static func inPlaceButNotDurable(_ file: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation,
      PersistentStoreFiles.inPlaceReason
        + ", whole, but the system couldn't make that durable: after a power "
        + "failure the old one may be back",
      advice: "check the disk before relying on it"
    ).at(file: file.path).with(value: nil, underlying: error)
  }
}

// MARK: - What stores hold

extension CoreDataError {
  static func notStorable(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleSchema,
      "An SQLite store can't hold attributes of type \(attribute.attributeType.name)",
      advice: "make the attribute transient, or split it into attributes of simple types"
    ).at(entity: attribute.entity?.name, property: attribute.name)
  }

  static func unreadableModel(in file: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "The model in the store can't be read",
      advice: "give the model file of the version that wrote the store"
    ).at(file: file.path).with(value: nil, underlying: error)
  }

  static func incompatibleModel(_ file: URL, _ differences: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleVersionHash,
      "The model used to open the store is incompatible with the one used to create the store",
      advice: "open it with the model that wrote it, or migrate it; " + differences
    ).at(file: file.path)
  }

  /// SQLite says of it no more than that the table already exists.
  static func sharedTable(_ names: [String], in file: URL) -> CoreDataError {
    var error = CoreDataError(
      .sqlite, SharedTable.problem(names), advice: SharedTable.advice
    ).at(file: file.path)
    error.sqliteCode = 1
    return error
  }

  static func metadataNotWritten(_ file: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreSave, "The store's metadata can't be written",
      advice: "use strings, numbers, dates, data, arrays and dictionaries only"
    ).at(file: file.path).with(value: nil, underlying: error)
  }

  static func notArchived(_ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreSave, "A transformable value can't be archived",
      advice: "set a value that NSKeyedArchiver takes, or the archived Data itself"
    ).with(value: nil, underlying: error)
  }

  static func largeValueNotRead(_ file: String, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "A large value can't be read from its file \(file)",
      advice: "check the permissions of the file and the disk it is on; it must be an ordinary file"
    ).with(value: nil, underlying: error)
  }

  static func largeValueNotWritten(_ folder: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreSave, "A large value can't be written beside the store",
      advice: "check that the store's folder is writable and has space"
    ).at(file: folder.path).with(value: nil, underlying: error)
  }

  static func largeValueNotCopied(_ folder: URL, _ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreSave, "A large value can't be copied beside the new store",
      advice: "check that the store's folder is writable and has space"
    ).at(file: folder.path).with(value: nil, underlying: error)
  }

  static func largeValueNotDurable(_ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreSave, "The system can't make a large value durable",
      advice: "check the disk that the store is on"
    ).with(value: nil, underlying: error)
  }
}

// MARK: - What SQL can't do

extension CoreDataError {
  private static let exceptionOfDevice = "The SQLite store of a device raises an exception here. "

  static func unsupported(_ refusal: UnsupportedByStore, in query: StoreQuery) -> CoreDataError {
    CoreDataError(
      .coreData, refusal.description, advice: exceptionOfDevice + refusal.advice
    ).at(entity: query.entity.name).with(value: refusal.part)
  }

  static func comparatorInSQL(
    _ descriptor: SortDescriptor, of query: StoreQuery
  ) -> CoreDataError {
    CoreDataError(
      .coreData, "unsupported NSSortDescriptor (comparator blocks are not supported)",
      advice: exceptionOfDevice + "Sort by a key and one of the "
        + "comparisons it knows, or sort the result."
    ).at(entity: query.entity.name, property: descriptor.key)
  }

  static func selectorInSQL(
    _ selector: String, of descriptor: SortDescriptor, known: [String], in query: StoreQuery
  ) -> CoreDataError {
    CoreDataError(
      .coreData, "unsupported NSSortDescriptor selector: \(selector)",
      advice: exceptionOfDevice + "It sorts by " + known.joined(separator: ", ")
        + "; sort in memory by anything else."
    ).at(entity: query.entity.name, property: descriptor.key)
  }

  static var strangeConstant: CoreDataError {
    CoreDataError(
      .coreData, "A predicate's constant is neither a number, text, date nor data",
      advice: "compare with objects by `==` or `IN`")
  }
}

/// A database of which less is there than its header says, as of a copy that was interrupted.
// The file format: https://sqlite.org/fileformat2.html#in_header_database_size
package struct TruncatedDatabase: CustomStringConvertible {
  let headerPages: Int
  let filePages: Int

  /// Nil for a file that is whole, or isn't known to be cut.
  package init?(_ file: URL) {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? handle.close() }
    guard let header = try? handle.read(upToCount: 100), header.count == 100,
      let size = try? handle.seekToEnd()
    else { return nil }
    func number(_ range: Range<Int>) -> Int { header[range].reduce(0) { $0 << 8 | Int($1) } }
    let pageSize = number(16..<18) == 1 ? 65_536 : number(16..<18)
    // Otherwise an old version of SQLite wrote to the file last, which doesn't keep the number.
    guard pageSize > 0, number(24..<28) == number(92..<96) else { return nil }
    (headerPages, filePages) = (number(28..<32), Int(size) / pageSize)
    if headerPages <= filePages { return nil }
  }

  package var description: String {
    "truncated: the header says \(headerPages) pages, the file has \(filePages)"
  }
}
