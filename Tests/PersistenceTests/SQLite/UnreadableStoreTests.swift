import Foundation
import TestSupport
import Testing

@testable import Persistence

/// What can't be read isn't missing, and what isn't on the disk isn't done.
@Suite("A store that can't be read, or not be made durable")
struct UnreadableStoreTests: StoreSuite {
  let place: StorePlace
  let model: ManagedObjectModel

  init() throws {
    place = try StorePlace(named: "Album.sqlite")
    model = try StoreShape.external.model()
  }

  private var files: PersistentStoreFiles { PersistentStoreFiles(url) }

  /// A store with pictures, each large enough for a file of its own, closed.
  private func make(_ count: Int = 1, at url: URL? = nil) throws {
    let store = try SQLiteStore.create(at: url ?? self.url, model: model)
    var writing = StoreWriting(store)
    for number in 0..<count {
      try writing.insert(
        "Picture",
        ["name": .string("\(number)"), "photo": .data(Data(repeating: 1, count: 150_000))])
    }
    try writing.save()
    try store.close()
  }

  // MARK: Rows

  /// Overwrites the first page of an entity's table.
  private func damage(_ table: String) throws {
    let database = try Database(at: url, access: .immutable)
    let root = try #require(
      try database.integer("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'"))
    database.close()
    let file = try FileHandle(forUpdating: url)
    try file.seek(toOffset: UInt64(root - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xEE, count: 4096))
    try file.close()
  }

  @Test func aTableThatCannotBeReadIsNotEmpty() throws {
    try make(3)
    try damage("ZPICTURE")
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    let picture = try #require(model.entity(named: "Picture"))
    #expect(store.mayHaveRows(of: picture))
    // Nor when it is asked again.
    #expect(store.mayHaveRows(of: picture))
    let query = StoreQuery(entity: picture)
    let error = #expect(throws: CoreDataError.self) {
      try store.enumerateRows(matching: query) { _ in true }
    }
    #expect(error?.code == .sqlite)
    #expect(throws: CoreDataError.self) { try store.count(of: query) }
  }

  // MARK: A schema that does something

  @Test func whatTheSchemaSaysNeverRuns() throws {
    try make(2)
    let database = try Database(at: url, access: .readWrite)
    try database.execute(
      """
      CREATE TRIGGER hostile AFTER UPDATE ON ZPICTURE BEGIN DELETE FROM ZPICTURE; END;
      CREATE VIEW ZLATER AS SELECT * FROM ZPICTURE
      """)
    #expect(throws: CoreDataError.self) { try database.texts("SELECT ZNAME FROM ZLATER") }
    #expect(throws: CoreDataError.self) {
      try database.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_master")
    }
    #expect(throws: CoreDataError.self) { try database.texts("SELECT load_extension('x')") }
    database.close()
    let store = try SQLiteStore.open(at: url, model: model)
    var writing = StoreWriting(store)
    writing.update(try #require(try store.rows("Picture").first), ["name": .string("new")])
    try writing.save()
    #expect(try store.rows("Picture").count == 2)
    try store.close()
  }

  @Test func aViewInPlaceOfATableIsNone() throws {
    try make()
    let database = try Database(at: url, access: .readWrite)
    try database.execute(
      "ALTER TABLE ZPICTURE RENAME TO ZOTHER; CREATE VIEW ZPICTURE AS SELECT * FROM ZOTHER")
    database.close()
    let error = #expect(throws: CoreDataError.self) {
      try SQLiteStore.openReadOnly(at: url, model: model)
    }
    #expect(error?.code == .persistentStoreIncompatibleSchema)
  }

  // MARK: Large values

  private func photoFile() throws -> URL { try #require(try files.externalFiles().first) }

  private func read() throws -> Value {
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    return try #require(try store.rows("Picture").first).value("photo")
  }

  @Test(arguments: [EIO, EACCES, EMFILE])
  func aLargeValueThatCannotBeReadIsAnError(_ code: Int32) throws {
    try make()
    let error = #expect(throws: CoreDataError.self) {
      try FileCalls.$fault.withValue(
        { if case .read = $0 { code } else { nil } },
        operation: {
          try read()
        })
    }
    #expect(error?.place.entity == "Picture" && error?.place.property == "photo")
    #expect(error?.place.file == url.path)
    #expect((error?.underlying as? POSIXError)?.code.rawValue == code)
  }

  /// The limit is for what waits for ever; it counts the time, too, in which a test waits for its turn.
  @Test(.timeLimit(.minutes(10)), arguments: ["pipe", "folder", "link"])
  func whatIsNoOrdinaryFileIsNoValue(_ kind: String) throws {
    try make()
    let file = try photoFile()
    try FileManager.default.removeItem(at: file)
    let secret = try folder.write("secret", to: "secret")
    switch kind {
    case "pipe": #expect(mkfifo(file.path, 0o600) == 0)
    case "folder":
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    default: try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
    }
    let error = #expect(throws: CoreDataError.self) { try read() }
    #expect(error?.reason.contains(file.lastPathComponent) == true)
    let copy = folder.url.appending(path: "copy.sqlite")
    if kind != "folder" {
      #expect(throws: CoreDataError.self) { try files.copy(to: PersistentStoreFiles(copy)) }
      #expect(!FileManager.default.fileExists(atPath: copy.path))
    }
  }

  // MARK: Making it durable

  private func failing<Result>(
    _ fails: @escaping @Sendable (URL) -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    try FileCalls.$fault.withValue(
      { call in
        if case .synchronize(let url) = call, fails(url) { EIO } else { nil }
      }, operation: { try body() })
  }

  @Test func aLargeValueThatIsNotOnTheDiskIsNotSaved() throws {
    let store = try SQLiteStore.create(at: url, model: model)
    var writing = StoreWriting(store)
    try writing.insert("Picture", ["photo": .data(Data(count: 150_000))])
    let error = #expect(throws: CoreDataError.self) {
      try failing({ $0.path.contains("_EXTERNAL_DATA/") }, { try writing.save() })
    }
    #expect(error?.code == .persistentStoreSave)
    #expect(try store.rows("Picture").isEmpty)
    #expect(try files.externalFiles().isEmpty)
  }

  private var new: URL { folder.url.appending(path: "new.sqlite") }

  /// Each of the calls that make a result durable fails once; the next try does it.
  @Test(arguments: 0..<6)
  func aResultThatIsNotDurableLeavesThePlaceFree(_ number: Int) throws {
    try make(1, at: new)
    let counter = Counter()
    let failure = #expect(throws: CoreDataError.self) {
      try failing(
        { _ in counter.next() == number },
        {
          try files.replace(by: PersistentStoreFiles(new))
        })
    }
    #expect(counter.value == number + 1)
    #expect(failure?.code == .persistentStoreOperation)
    #expect(!files.exist && PersistentStoreFiles(new).exist)
    #expect(try PersistentStoreFiles(new).externalFiles().count == 1)
    try files.replace(by: PersistentStoreFiles(new))
    #expect(try read() == .data(Data(repeating: 1, count: 150_000)))
  }

  @Test func aReplacedStoreThatIsNotDurableIsSaidToBeThere() throws {
    try make()
    try make(2, at: new)
    let calls = Counter()
    try failing(
      { _ in
        _ = calls.next()
        return false
      },
      {
        let probe = folder.url.appending(path: "probe.sqlite")
        try files.copy(to: PersistentStoreFiles(probe))
        let again = folder.url.appending(path: "again.sqlite")
        try PersistentStoreFiles(new).copy(to: PersistentStoreFiles(again))
        try PersistentStoreFiles(probe).replace(by: PersistentStoreFiles(again))
      })
    let last = calls.value - 1
    let counter = Counter()
    let failure = #expect(throws: CoreDataError.self) {
      try failing(
        { _ in counter.next() == last },
        {
          try files.replace(by: PersistentStoreFiles(new))
        })
    }
    #expect(failure?.reason.contains("is in its place") == true)
    #expect(try SQLiteStore.openReadOnly(at: url, model: model).rows("Picture").count == 2)
    #expect(try read() == .data(Data(repeating: 1, count: 150_000)))
  }

  /// A folder of large values that can't be looked into isn't empty.
  @Test func aFolderThatIsNoneIsAnError() throws {
    try make()
    try make(2, at: new)
    let folder = PersistentStoreFiles(new).externalDataFolderURL
    try FileManager.default.removeItem(at: folder)
    try Data().write(to: folder)
    #expect(throws: CoreDataError.self) { try files.replace(by: PersistentStoreFiles(new)) }
    #expect(try SQLiteStore.openReadOnly(at: url, model: model).rows("Picture").count == 1)
  }
}

/// Counts calls.
private final class Counter: @unchecked Sendable {
  private(set) var value = 0

  /// How many there were before.
  func next() -> Int {
    defer { value += 1 }
    return value
  }
}
