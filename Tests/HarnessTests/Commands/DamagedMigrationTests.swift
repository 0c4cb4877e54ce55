import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A migration of a damaged store ends with a report or an error, leaves the store as it is, and
/// gives a whole result or none.
@Suite(.tags(.random), .tiered) struct DamagedMigrationTests {
  @Test(arguments: [3, 99] as [UInt64])
  func flippedBitsNeverCrashAMigration(_ seed: UInt64) async throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let source = try stores.store("v1")
    let whole = try Data(contentsOf: source)
    let plan = try await ScenarioMigration(stores.scenario)
    var random = RandomSource(seed: seed)
    var refusals = 0
    for round in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      let comment: Comment = "seed \(seed), round \(round)"
      try bytes.write(to: source)
      let before = try stores.files()
      if try !migrate(source, stores, plan) { refusals += 1 }
      #expect(try stores.files() == before, comment)
    }
    #expect(refusals > 0, "seed \(seed)")
  }

  /// Whether there was a result; it is looked at and removed.
  private func migrate(
    _ source: URL, _ stores: LibraryStores, _ plan: ScenarioMigration
  ) throws -> Bool {
    let output = stores.url("new.sqlite")
    do {
      let report = try StoreMigration(of: source, to: output, by: plan).run()
      guard report.failure == nil else { return false }
    } catch is CoreDataError {
      return false
    }
    let found = try InspectReport(of: output)
    #expect(found.findings.allSatisfy { $0.kind != .sqliteIntegrity })
    try PersistentStoreFiles(output).remove()
    return true
  }
}
