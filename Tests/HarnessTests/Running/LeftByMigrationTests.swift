import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Persistence
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Stores as migrations in place, failed attempts and deferred migrations leave them.
@Suite("What a migration in place left in a store") struct LeftByMigrationTests {
  private static let scenario = """
    scenario: s
    models:
      v1: { Reading: { name: string, level: int64 } }
      v2: { Reading: { name: string, level: int64, note: string? }, Info: { text: string? } }
    store: old.sqlite
    chain: [v1 -> v2]
    expect:
      - count: { Reading: 2 }
      - object: Reading where name == "A"
        has: { level: 1, note: null }

    """

  /// A store of v1 with two readings, changed by SQL.
  private func make(_ sql: String, in folder: TemporaryFolder) throws -> URL {
    let url = folder.url.appending(path: "old.sqlite")
    let model = try ManagedObjectModel.notated(["Reading": ["name": "string", "level": "int64"]])
    let store = try SQLiteStore.create(at: url, model: model)
    let context = try ManagedObjectContext(readingFrom: store)
    for (name, level) in [("A", 1), ("B", 2)] {
      let reading = EntityDescription.insertNewObject(forEntityName: "Reading", into: context)
      reading.setValue(name, forKey: "name")
      reading.setValue(level, forKey: "level")
    }
    try context.save()
    try store.database.execute(sql)
    try store.close()
    return url
  }

  private func results(_ text: String, in folder: TemporaryFolder) throws -> [RunResult] {
    let file = SourceFile(path: "test.scenario.yaml", text: text)
    let scenario = try CheckedScenario.check(ScenarioReader.read(file, in: folder.url))
    return scenario.starts.flatMap {
      ScenarioSuite().run(scenario, from: $0, with: PolicyRegistry())
    }
  }

  @Test func whatNoStepTakesAlongIsNamed() throws {
    let folder = try TemporaryFolder()
    _ = try make(
      """
      ALTER TABLE ZREADING ADD COLUMN ZEXTRA VARCHAR; UPDATE ZREADING SET ZEXTRA = 'x' WHERE ZNAME = 'B';
      ALTER TABLE ZREADING ADD COLUMN ZEMPTY VARCHAR; CREATE TABLE NOTES (TEXT); INSERT INTO NOTES VALUES ('y');
      CREATE TABLE ACHANGE (Z_PK INTEGER); INSERT INTO ACHANGE VALUES (1)
      """, in: folder)
    let results = try results(Self.scenario, in: folder)
    #expect(results.flatMap(\.failures).map(\.line) == [])
    #expect(
      results.first { $0.id.backend == .sqlite }?.notes == [
        "the store 'old.sqlite', left behind: NOTES, 1 row, a table of no entity",
        "the store 'old.sqlite', left behind: ZREADING.ZEXTRA, 1 row, a column of no property",
      ])
  }

  @Test func aRequiredValueThatWasMissingIsNoFailure() throws {
    let folder = try TemporaryFolder()
    let url = try make("UPDATE ZREADING SET ZLEVEL = NULL WHERE ZNAME = 'B'", in: folder)
    let results = try results(Self.scenario, in: folder)
    #expect(results.flatMap(\.failures).map(\.line) == [])
    for result in results {
      #expect(
        result.executedSteps.flatMap(\.remarks) == [
          "warning: 1 object lacks the required 'level', as in the source store; a migration in place leaves such "
            + "rows, and saving them fails"
        ])
    }
    let findings = try StoreInspector(of: url).inspect(with: nil).findings
    #expect(findings == [], "without a model nothing is required")
  }

  /// One that the step makes required is another matter.
  @Test func aValueThatTheStepRequiresStillFails() throws {
    let folder = try TemporaryFolder()
    _ = try make("SELECT 1", in: folder)
    let text = Self.scenario.replacing("note: string?", with: "note: string")
    let lines = try results(text, in: folder).flatMap(\.failures).map(\.line)
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("134110") }, "\(lines)")
  }

  @Test func aTableThatTheStepWouldMakeFails() throws {
    let folder = try TemporaryFolder()
    let url = try make("CREATE TABLE ZINFO (Z_PK INTEGER PRIMARY KEY)", in: folder)
    let before = try Data(contentsOf: url)
    let lines = try results(Self.scenario, in: folder).flatMap(\.failures).map(\.line)
    #expect(lines.count == 2, "both backends")
    #expect(lines.allSatisfy { $0.contains("134110") && $0.contains("table ZINFO already exists") })
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func aDeferredMigrationIsUnknown() throws {
    let folder = try TemporaryFolder()
    let url = try make("ALTER TABLE ZREADING ADD COLUMN ZOLD VARCHAR", in: folder)
    try PersistentStoreCoordinator.noteDeferredMigration(at: url)
    let results = try results(Self.scenario, in: folder)
    for result in results {
      #expect(result.failures.map(\.kind) == [.unknownOnDevice])
      #expect(
        result.executedSteps.flatMap(\.unknowns).map(\.description) == [
          "the store is in the middle of a deferred lightweight migration, which this step takes as finished"
        ])
    }
    let model = try ManagedObjectModel.notated(["Reading": ["name": "string", "level": "int64"]])
    let found = try StoreInspector(of: url).inspect(with: model)
    #expect(found.metadata.ownKeys == [:])
    #expect(
      found.findings.map(\.description) == [
        "extra-column: ZREADING: 1 column belongs to no property: ZOLD",
        "deferred-migration: Z_METADATA: a deferred lightweight migration is pending; until it is finished the file "
          + "keeps what the model doesn't have, which may be: columns of ZREADING (ZOLD)",
      ])
    let accepted =
      Self.scenario + "accept: [{ finding: unknown-on-device, because: The app finishes it. }]\n"
    #expect(try self.results(accepted, in: folder).flatMap(\.failures).map(\.line) == [])
  }
}
