/// An SQLite store file that is open, before the model for it is known.
///
/// Opening a store takes two steps, because its metadata says which model it needs:
/// ```swift
/// let file = try StoreFile(readingFrom: url)
/// let model = models.first { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: file.metadata) }
/// let store = try SQLiteStore(file, model: model)
/// ```
public final class StoreFile {
  /// The store's place, also when a copy of it is read.
  public let url: URL
  /// Where its files really are.
  let files: PersistentStoreFiles
  /// Whether its place was taken by an empty file when it was made.
  private var tookEmptyPlace = false
  /// The folder for the files of a store that keeps nothing; removed with the object.
  private var temporaryFolder: URL?
  public let isReadOnly: Bool
  let database: Database
  var storeMetadata: StoreMetadata
  /// The connection of a store that is only read, which may be one to a temporary copy.
  let untouched: UntouchedDatabase?

  /// Opens a store for reading and leaves its file, and the folder it is in, as they are.
  ///
  /// A store whose newest data waits in a `-wal` file or rollback journal is read from a temporary
  /// copy, since SQLite merges such files when it opens them.
  /// - Throws: `CoreDataError` when there is no such file or it is no Core Data store.
  public init(readingFrom url: URL) throws {
    let untouched = try UntouchedDatabase(at: url)
    self.url = url
    files = PersistentStoreFiles(url)
    self.untouched = untouched
    isReadOnly = true
    database = untouched.database
    storeMetadata = try StoreMetadata(of: database)
  }

  /// Opens a store for reading and writing.
  /// - Throws: `CoreDataError` when there is no such file or it is no Core Data store.
  public init(updating url: URL) throws {
    self.url = url
    files = PersistentStoreFiles(url)
    isReadOnly = false
    untouched = nil
    // A migration that was killed when all but its lock was done is looked for by no other one.
    let files = PersistentStoreFiles(url)
    if !files.areTemporary { files.removeLeftoversAtFirstLook() }
    database = try Database(at: url, access: .readWrite)
    storeMetadata = try StoreMetadata(of: database)
    try database.execute("PRAGMA synchronous = NORMAL")
  }

  /// A new file with the tables of `schema`, and nothing in them but the bookkeeping. At the null device it
  /// is a file for a while, which is gone when the store is.
  ///
  /// - Parameter isForBulk: Whether very many rows come first: it has no indexes yet but the unique ones, and
  ///   no log.
  init(
    creating url: URL, schema: StoreSchema, metadata: StoreMetadata, isForBulk: Bool
  ) throws {
    self.url = url
    isReadOnly = false
    untouched = nil
    storeMetadata = metadata
    let place = PersistentStoreFiles(url)
    let folder = place.areNullDevice ? try Self.makeTemporaryFolder() : nil
    temporaryFolder = folder
    files = folder.map { PersistentStoreFiles($0.appendingPathComponent("null.sqlite")) } ?? place
    tookEmptyPlace = files.areEmptyDatabase
    do { database = try Database(at: files.url, access: .create, shownAs: url) } catch {
      if let folder { TemporaryFiles.removeFolder(folder) }
      throw error
    }
    do {
      try fill(by: schema, isForBulk: isForBulk)
    } catch {
      database.close()
      // The first error is the one to tell.
      try? discardFiles()
      throw error
    }
  }

  private static func makeTemporaryFolder() throws -> URL {
    do { return try TemporaryFiles.makeFolder() } catch {
      throw CoreDataError.nullStoreNotMade(error)
    }
  }

  /// Makes the place as it was before the store was made.
  func discardFiles() throws {
    if tookEmptyPlace { try files.destroy() } else { try files.remove() }
  }

  deinit {
    database.close()
    if let temporaryFolder { TemporaryFiles.removeFolder(temporaryFolder) }
  }
}

// MARK: - What the file says

extension StoreFile {
  /// The store's metadata, with its UUID as `NSStoreUUID`.
  public var metadata: [String: Any] { storeMetadata.dictionary }

  /// The store's UUID; it stays the same when a store is migrated.
  public var identifier: String { storeMetadata.identifier }

  /// The model that the store keeps of itself; nil in stores of old frameworks, which have none.
  /// - Throws: `CoreDataError` when there is one that can't be read.
  public func cachedModel() throws -> ManagedObjectModel? { try database.cachedModel() }
}

extension Database {
  /// The model in the store's `Z_MODELCACHE`; nil where there is none.
  func cachedModel() throws -> ManagedObjectModel? {
    let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'"
    guard try integer(tables) == 1 else { return nil }
    let archive = try with("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { statement in
      try statement.step() && !statement.isNull(0) ? statement.data(0) : nil
    }
    do {
      return try archive.map { archive in
        try Self.models.value(of: archive) { try ModelArchive.decode(archive) }
      }
    } catch {
      throw CoreDataError.unreadableModel(in: url, error)
    }
  }

  /// The stores of a process are often of a few versions.
  private static let models = RecentValues<Data, ManagedObjectModel>(most: 16)
}

// MARK: - Creating

extension StoreFile {
  private func fill(by schema: StoreSchema, isForBulk: Bool) throws {
    let isCopy = !FileCalls.areWatched && copyTemplate(of: schema, isForBulk: isForBulk)
    // An empty store that a power failure cuts off isn't worth a sync for each step, nor a journal.
    try database.keepJournalInMemory()
    try database.execute("PRAGMA synchronous = OFF")
    if !isCopy {
      try Self.makeTables(of: schema, in: database, isForBulk: isForBulk)
      if !FileCalls.areWatched { schema.keepTemplate(isForBulk: isForBulk, of: files.url) }
    }
    try database.transaction { try storeMetadata.write(to: database) }
    if !isForBulk { try database.startLogging() }
  }

  /// Puts what fresh stores of one model have in common into the empty file, of which SQLite has read nothing yet.
  /// - Returns: Whether that could be done.
  private func copyTemplate(of schema: StoreSchema, isForBulk: Bool) -> Bool {
    guard let template = schema.template(isForBulk: isForBulk) else { return false }
    do { try FileCalls.write(template, to: files.url) } catch {
      // SQLite meets the same obstacle, and names it better; a part mustn't be in its way.
      try? FileCalls.write(Data(), to: files.url)
      return false
    }
    return true
  }

  /// Makes all that fresh stores of one model have in common.
  private static func makeTables(
    of schema: StoreSchema, in database: Database, isForBulk: Bool
  ) throws {
    // These three must come before the first table.
    try database.execute("PRAGMA encoding = 'UTF-8'")
    try database.execute("PRAGMA page_size = 4096")
    try database.execute("PRAGMA auto_vacuum = 2")
    try database.transaction {
      for statement in schema.tableStatements { try database.execute(statement) }
      for index in schema.indexes where index.isUnique || !isForBulk {
        try database.execute(index.statement)
      }
      for index in schema.rTrees where !isForBulk {
        for statement in index.statements { try database.execute(statement) }
      }
      try writeEntities(of: schema, to: database)
      try writeModelCache(schema.model, to: database)
    }
  }

  /// Keeps the model in the store, so that the store can be migrated when nobody has the model file
  /// any more.
  private static func writeModelCache(_ model: ManagedObjectModel, to database: Database) throws {
    let archive = try ModelArchive.encode(model, predicates: PredicateArchiver())
    try database.with("INSERT INTO Z_MODELCACHE VALUES (?)") { statement in
      statement.bind(archive, at: 1)
      try statement.run()
    }
  }

  private static func writeEntities(of schema: StoreSchema, to database: Database) throws {
    try database.with("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)") { statement in
      for entity in schema.entities {
        statement.bind(schema.numbers[entity], at: 1)
        statement.bind(entity.name, at: 2)
        statement.bind(entity.superentity.map { schema.numbers[$0] } ?? 0, at: 3)
        try statement.run()
      }
    }
  }
}
