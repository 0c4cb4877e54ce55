import TestSupport
import Testing

@testable import Persistence

@Suite("Counting what was asked of SQLite")
struct StoreCountersTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  /// Other tests count along, so that there may be more.
  @Test func countsWhatAStoreDidOnceItIsClosed() throws {
    let before = StoreCounters.ofProcess
    let store = try create(.sameEntityManyToMany)
    var writing = StoreWriting(store)
    for number in 0..<300 { try writing.insert("Person", ["name": .string("\(number)")]) }
    try writing.save()
    #expect(try store.rows("Person").count == 300)
    try store.close()
    let done = StoreCounters.ofProcess - before
    #expect(done.rowsWritten >= 300)
    #expect(done.rowsRead >= 300)
    #expect(done.statements >= 300)
    #expect(done.pagesWritten >= 3)
    #expect(done.operations > 3000)
  }

  /// One call may have several statements, and nothing but spaces is none.
  @Test func severalStatementsRunInOneCall() throws {
    let store = try create(.sameEntityManyToMany)
    try store.database.execute("CREATE TABLE a (x); INSERT INTO a VALUES (1), (2); ;\n -- end\n")
    #expect(try store.database.integer("SELECT count(*) FROM a") == 2)
    let error = #expect(throws: CoreDataError.self) {
      try store.database.execute("INSERT INTO a VALUES (3); INSERT INTO nowhere VALUES (1)")
    }
    #expect(error?.code == .sqlite)
    #expect(try store.database.integer("SELECT count(*) FROM a") == 3)
    try store.close()
  }
}
