import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// One store goes through a chain into a file of its own.
@Suite struct StoreMigrationTests {
  private func migrate(
    _ store: URL, _ stores: LibraryStores, to output: String = "new.sqlite"
  ) async throws -> StoreMigrationReport {
    let plan = try await ScenarioMigration(stores.scenario)
    return try StoreMigration(of: store, to: stores.url(output), by: plan).run()
  }

  @Test func everyVersionOfAScenarioLeadsToTheLast() async throws {
    for (version, steps) in [("v1", ["v1 -> v2", "v2 -> v3"]), ("v2", ["v2 -> v3"]), ("v3", [])] {
      let stores = try LibraryStores(LibraryStores.optionalShelf)
      let report = try await migrate(stores.store(version), stores)
      #expect(report.versions == [version])
      #expect(report.target == "v3")
      #expect(report.steps.map(\.name) == steps)
      #expect(report.failure == nil)
      #expect(report.exitStatus == .passed)
      #expect(try stores.books(stores.url("new.sqlite"), "v3") == ["One": 7, "Two": 7])
    }
  }

  @Test func theReportHasMappingsAndCounts() async throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let report = try await migrate(stores.store("v1"), stores)
    #expect(report.steps.map(\.mapping) == [.inferred, .custom])
    #expect(report.steps.map(\.sourceObjectCount) == [2, 2])
    #expect(report.steps.map(\.destinationObjectCount) == [2, 2])
    #expect(
      report.entities == [
        .init(entity: "Book", before: 2, after: 2), .init(entity: "Shelf", before: nil, after: 0),
      ])
    #expect(report.seconds > 0)
  }

  @Test(arguments: ["v1", "v3"])
  func theSourceStaysAsItIsWithAJournal(version: String) async throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let store = try stores.storeWithJournal(version)
    let before = try stores.files()
    #expect(before["left.sqlite-wal"]?.isEmpty == false)
    let report = try await migrate(store, stores)
    #expect(report.failure == nil)
    var after = try stores.files()
    #expect(after.removeValue(forKey: "new.sqlite") != nil)
    #expect(after == before)
    #expect(try stores.books(stores.url("new.sqlite"), "v3") == ["One": 7, "Two": 7])
  }

  // MARK: Failures

  @Test func aFailedStepLeavesNothing() async throws {
    let stores = try LibraryStores()
    let store = try stores.store("v1")
    let before = try stores.files()
    let report = try await migrate(store, stores)
    let failure = try #require(report.failure)
    #expect((failure.error as NSError).domain == "NSCocoaErrorDomain")
    #expect(failure.place.step == "v2 -> v3")
    #expect(report.exitStatus == .failed)
    #expect(report.steps.map { $0.errorText == nil } == [true, false])
    #expect(report.entities == [.init(entity: "Book", before: 2, after: nil)])
    #expect(try stores.files() == before)
  }

  @Test func aStoreOfNoVersionFailsAsInTheApp() async throws {
    let stores = try LibraryStores()
    let other = try LibraryStores(LibraryStores.scenario.replacing("title", with: "name"))
    let url = stores.url("other.sqlite")
    try SQLiteStore.create(at: url, model: other.scenario.model("v2")).close()
    let before = try stores.files()
    let report = try await migrate(url, stores)
    let error = try #require(report.failure?.error as? CoreDataError)
    #expect(error.code == .migrationMissingSourceModel)
    #expect(report.versions == [])
    #expect(report.exitStatus == .failed)
    #expect(try stores.files() == before)
  }

  @Test func aVersionThatTheChainDoesNotPassFails() async throws {
    let stores = try LibraryStores(
      LibraryStores.scenario.replacing("  - v1 -> v2\n", with: ""))
    let report = try await migrate(stores.store("v1"), stores)
    let error = try #require(report.failure?.error as? CoreDataError)
    #expect(error.code == .migrationMissingSourceModel)
    #expect(error.reason == "No step starts at the store's version 'v1'")
  }

  @Test func nothingIsOverwritten() async throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let store = try stores.store("v1")
    for name in ["taken.sqlite", "taken.sqlite-wal"] {
      try stores.folder.write("mine", to: name)
      await #expect(throws: Diagnostics.self) {
        try await migrate(store, stores, to: "taken.sqlite")
      }
      #expect(try String(contentsOf: stores.url(name), encoding: .utf8) == "mine")
      try FileManager.default.removeItem(at: stores.url(name))
    }
    await #expect(throws: Diagnostics.self) { try await migrate(store, stores, to: "v1.sqlite") }
    await #expect(throws: Diagnostics.self) {
      try await migrate(store, stores, to: "nowhere/new.sqlite")
    }
  }

  @Test func aDamagedStoreIsBadInput() async throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let whole = try Data(contentsOf: stores.store("v1"))
    let damaged = stores.url("damaged.sqlite")
    // Cut off; no database at all; and its pages behind the first overwritten.
    var scrambled = whole
    scrambled.replaceSubrange(4096..., with: Data(repeating: 0x5A, count: whole.count - 4096))
    for data in [whole.prefix(5000), Data("not a store".utf8), Data(), scrambled] {
      try data.write(to: damaged)
      let before = try stores.files()
      await #expect(throws: CoreDataError.self) { try await migrate(damaged, stores) }
      #expect(try stores.files() == before)
    }
    await #expect(throws: CoreDataError.self) {
      try await migrate(stores.url("missing.sqlite"), stores)
    }
  }

  /// Only the rows are broken, so that it shows in the middle of a step.
  @Test func damageFoundOnTheWayIsBadInput() async throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let store = try stores.store("v1")
    var data = try Data(contentsOf: store)
    let row = try #require(data.range(of: Data("Two".utf8)))
    let page = row.lowerBound / 4096 * 4096
    data.replaceSubrange(page + 8..<page + 4096, with: Data(repeating: 0xFF, count: 4088))
    try data.write(to: store)
    let before = try stores.files()
    // What SQLite makes of the broken page is a row now and then, which the next step refuses.
    do { #expect(try await migrate(store, stores).failure != nil) } catch is CoreDataError {}
    #expect(try stores.files() == before)
  }
}
