import TestSupport
import Testing

@testable import Persistence

/// What waits in a journal is seen, and stays where it is.
@Suite("Inspecting a store that wasn't closed")
struct InspectionJournalTests {
  let folder: TemporaryFolder
  let open: URL
  let left: URL

  init() throws {
    folder = try TemporaryFolder()
    open = folder.url.appending(path: "open/store.sqlite")
    left = folder.url.appending(path: "left/store.sqlite")
    for url in [open, left] {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    let store = try SQLiteStore.create(at: open, model: StoreShape.library.model())
    try StoreShape.library.fill(store)
    try store.close()
  }

  /// Copies the files of a store as they are in the middle of `body`.
  private func leave(_ mode: String, after statements: [String], suffix: String) throws {
    let database = try Database(at: open, access: .readWrite)
    try database.execute("PRAGMA journal_mode = \(mode); PRAGMA cache_size = 1")
    for statement in statements { try database.execute(statement) }
    for part in ["", suffix] {
      try FileManager.default.copyItem(atPath: open.path + part, toPath: left.path + part)
    }
    database.close()
  }

  private func inspect() throws -> StoreInspection {
    let before = try folder.contents()
    let inspector = try StoreInspector(of: left)
    let inspection = try inspector.inspect(with: inspector.cachedModel)
    #expect(try folder.contents() == before, "something was written")
    return inspection
  }

  private func rows(_ entity: String, in inspection: StoreInspection) -> Int? {
    inspection.entities.first { $0.name == entity }?.rows
  }

  @Test func whatIsCommittedInTheLogIsSeen() throws {
    try leave("WAL", after: ["DELETE FROM ZTAG WHERE Z_PK = 4"], suffix: "-wal")
    let inspection = try inspect()
    #expect(rows("Tag", in: inspection) == 3)
    let log = try #require(inspection.file.journal.log)
    #expect(inspection.file.wasReadFromCopy)
    #expect(inspection.file.journal.mode == .writeAheadLog)
    #expect(log.isReadable)
    #expect(log.commits == 1)
    #expect(log.committedFrames >= 1)
    #expect((1...log.committedFrames).contains(log.pendingPages))
    #expect(log.uncommittedFrames == 0)
    // The links of the removed tag are seen to lead nowhere.
    #expect(inspection.findings.map(\.kind) == [.orphanLink])
  }

  @Test func aTransactionThatWasCutOffDoesNotCount() throws {
    // So much that pages go to the log before the commit.
    try leave(
      "WAL",
      after: [
        "UPDATE ZTAG SET ZNAME = 'kept' WHERE Z_PK = 1", "BEGIN",
        "UPDATE ZTAG SET ZNAME = hex(randomblob(40000))",
        "UPDATE ZITEM SET ZTITLE = hex(randomblob(40000))",
        "DELETE FROM ZSHELF",
      ], suffix: "-wal")
    let inspection = try inspect()
    #expect(rows("Shelf", in: inspection) == 4)
    let log = try #require(inspection.file.journal.log)
    #expect(log.commits == 1)
    #expect(log.uncommittedFrames > 0)
    #expect(inspection.isSound)
  }

  @Test func aLogThatIsDoneWithIsToldFromOneThatWaits() throws {
    try leave(
      "WAL", after: ["DELETE FROM ZTAG WHERE Z_PK = 4", "PRAGMA wal_checkpoint(PASSIVE)"],
      suffix: "-wal")
    let inspection = try inspect()
    #expect(rows("Tag", in: inspection) == 3)
    #expect(inspection.file.journal.log?.pendingPages == 0)
  }

  @Test(arguments: [0, 31, 32, 3000])
  func aDamagedLogIsFound(_ length: Int) throws {
    try leave("WAL", after: ["DELETE FROM ZTAG WHERE Z_PK = 4"], suffix: "-wal")
    let wal = URL(filePath: left.path + "-wal")
    try Data(contentsOf: wal).prefix(length).write(to: wal)
    let inspection = try inspect()
    #expect(rows("Tag", in: inspection) == 4)
    #expect(inspection.findings.map(\.kind) == (length == 0 ? [] : [.unreadableLog]))
    // SQLite reads a store whose log has no commit yet as it is.
    #expect(inspection.findings.map(\.isDamage) == (length == 0 ? [] : [length == 31]))
    #expect(inspection.file.journal.hasEmptyLog == (length == 0))
  }

  @Test(arguments: [1, 2])
  func aBrokenByteInWhatIsCommittedIsDamage(_ transaction: Int) throws {
    try leave(
      "WAL",
      after: [1, 2].map { "UPDATE ZTAG SET ZNAME = 'of \($0)' WHERE Z_PK = \($0)" }, suffix: "-wal")
    let wal = URL(filePath: left.path + "-wal")
    var log = try Data(contentsOf: wal)
    // In the first page, or in the last one.
    log[transaction == 1 ? 100 : log.count - 100] ^= 1
    try log.write(to: wal)
    let inspection = try inspect()
    #expect(inspection.file.journal.log?.commits == transaction - 1)
    #expect(inspection.findings.map(\.kind) == [.unreadableLog])
    #expect(inspection.findings.map(\.isDamage) == [true])
    // Before what is left of an older log, a killed app leaves the same of a last frame: the mark without its page.
    try (log + Data(count: 5000)).write(to: wal)
    #expect(try inspect().findings.isEmpty == (transaction == 2))
  }

  @Test func aHotRollbackJournalIsPlayedBackInACopy() throws {
    try leave(
      "DELETE",
      after: [
        "BEGIN", "UPDATE ZTAG SET ZNAME = hex(randomblob(40000))",
        "UPDATE ZITEM SET ZTITLE = hex(randomblob(40000))", "DELETE FROM ZSHELF",
        "DELETE FROM ZTAG",
      ], suffix: "-journal")
    // The database alone is half changed.
    try #require(try Data(contentsOf: left) != Data(contentsOf: open))
    let inspection = try inspect()
    #expect(inspection.file.journal.mode == .rollbackJournal)
    #expect(inspection.file.journal.hasHotJournal)
    #expect(inspection.file.wasReadFromCopy)
    #expect(rows("Shelf", in: inspection) == 4)
    #expect(rows("Tag", in: inspection) == 4)
    #expect(inspection.isSound)
  }

  @Test func aLinkToAStoreIsFollowedToItsJournal() throws {
    try leave("WAL", after: ["DELETE FROM ZTAG WHERE Z_PK = 4"], suffix: "-wal")
    let link = folder.url.appending(path: "link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: left)
    let before = try folder.contents()
    let inspector = try StoreInspector(of: link)
    let inspection = try inspector.inspect(with: inspector.cachedModel)
    #expect(rows("Tag", in: inspection) == 3)
    let store = try SQLiteStore.openReadOnly(at: link, model: StoreShape.library.model())
    #expect(try store.rows("Tag").count == 3)
    try store.close()
    #expect(try folder.contents() == before)
  }
}
