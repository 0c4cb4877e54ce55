import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What `migrate` says about a migration, to people and to machines.
@Suite struct StoreMigrationReportTests {
  private func report(_ version: String, _ text: String = LibraryStores.optionalShelf) async throws
    -> StoreMigrationReport
  {
    let stores = try LibraryStores(text)
    let plan = try await ScenarioMigration(stores.scenario)
    var report = try StoreMigration(
      of: stores.store(version), to: stores.url("new.sqlite"), by: plan
    ).run()
    report.seconds = 0.25
    return report
  }

  /// The lines without places in the file system and times.
  private func lines(_ report: StoreMigrationReport) -> [String] {
    report.text(style: TextStyle(isColoured: false))
      .replacing(report.store, with: "old.sqlite").replacing(report.output, with: "new.sqlite")
      .replacing(#/ +[0-9.]+ ms$/#.anchorsMatchLineEndings(), with: " TIME")
      .split(separator: "\n").map(String.init)
  }

  @Test func reasonsForObjectsAreToldToWhoAsks() async throws {
    var report = try await report("v1")
    report.steps[1].unsupported = ["'BookToBook' has a policy"]
    func isTold(_ text: String) -> Bool {
      text.contains("\n      object by object: 'BookToBook' has a policy\n")
    }
    let style = TextStyle(isColoured: false)
    #expect(isTold(report.text(style: style, isVerbose: true)))
    #expect(!isTold(report.text(style: style)))
  }

  @Test func successIsTold() async throws {
    #expect(
      try await lines(report("v1")) == [
        "old.sqlite is of version v1",
        "  ✓ v1 -> v2  inferred                   2 -> 2 objects TIME",
        "  ✓ v2 -> v3  custom mapping in line 11  2 -> 2 objects TIME",
        "  entity    before     after",
        "  Book           2         2",
        "new.sqlite is of version v3, in TIME",
      ])
  }

  @Test func aCopyIsTold() async throws {
    #expect(
      try await lines(report("v3")) == [
        "old.sqlite is of version v3",
        "  entity    before     after",
        "  Book           2         2",
        "new.sqlite is of version v3, a copy: nothing had to be migrated",
      ])
  }

  @Test func failureIsTold() async throws {
    let lines = try await lines(report("v2", LibraryStores.scenario))
    #expect(lines.first == "old.sqlite is of version v2")
    #expect(lines.dropFirst().first?.hasPrefix("  ✗ v2 -> v3  custom mapping in line 11") == true)
    #expect(lines.contains("      step: v2 -> v3"))
    #expect(lines.last == "the migration failed; nothing was written")
  }

  @Test func machinesGetTheSame() async throws {
    let data = try await report("v1").json.machineReport()
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["format"] as? Int == 1)
    #expect(json["versions"] as? [String] == ["v1"])
    #expect(json["target"] as? String == "v3")
    #expect(json["exitStatus"] as? Int == 0)
    #expect(json["failure"] == nil)
    #expect((json["output"] as? String)?.hasSuffix("new.sqlite") == true)
    let steps = try #require(json["hops"] as? [[String: Any]])
    #expect(steps.map { $0["hop"] as? String } == ["v1 -> v2", "v2 -> v3"])
    #expect(steps.map { $0["mapping"] as? String } == ["inferred", "custom"])
    let entities = try #require(json["entities"] as? [[String: Any]])
    #expect(entities.map { $0["entity"] as? String } == ["Book", "Shelf"])
    #expect(entities.map { $0["before"] as? Int } == [2, nil])
    #expect(entities.map { $0["after"] as? Int } == [2, 0])
  }

  @Test func machinesGetTheError() async throws {
    let data = try await report("v1", LibraryStores.scenario).json.machineReport()
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["exitStatus"] as? Int == 1)
    #expect(json["output"] == nil)
    let failure = try #require(json["failure"] as? [String: Any])
    #expect(failure["domain"] as? String == "NSCocoaErrorDomain")
    // One missing shelf for each of two books.
    #expect(failure["code"] as? Int == 1560)
    #expect((failure["text"] as? String)?.contains("NSCocoaErrorDomain 1570") == true)
    #expect(failure["step"] as? String == "v2 -> v3")
    #expect((failure["text"] as? String)?.contains("property: shelf") == true)
  }
}
