import Foundation
import TestSupport
import Testing

@testable import Migration

/// What is left in a file of which hook runs.
@Suite struct FlightRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Reads the record of its own migration, in each call.
  private final class ReadingPolicy: EntityMigrationPolicy {
    let file: URL
    var read: Set<String> = []

    init(_ file: URL) { self.file = file }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let entry = FlightRecorder.lastEntry(in: file)
      read.insert(
        "\(entry?.hook ?? "none") \(entry?.entityMapping ?? "") "
          + "\(entry?.primaryKey == source.objectID.primaryKey)")
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
  }

  /// Migrates songs under a mapping's name, with a recorder of its own.
  /// - Returns: What the policy read, and what is in the file afterwards.
  private func migrate(_ number: Int, failing: Bool) throws -> ([String], FlightRecorder.Entry?) {
    let (old, new) = try (model("v1", songs(required: false)), model("v2", songs(required: true)))
    let stage = try Stage(.memory, old) { context in
      for number in 0..<200 { context.insert("Song", ["name": failing ? nil : "\(number)"]) }
    }
    let draft = EntityMappingDraft(
      source: "Song", destination: "Song", name: "Songs \(number)", policy: "Reading")
    let mapping = try MappingBuilder(source: old, destination: new).mappingModel([draft])
    let file = folder.url.appending(path: "recorder \(number)")
    let policy = ReadingPolicy(file)
    try FlightRecorder.$own.withValue(FlightRecorder(file: file)) {
      let migration = {
        _ = try stage.migrate(to: new, mapping, policies: PolicyRegistry(["Reading": { policy }]))
      }
      if failing {
        #expect(throws: CoreDataError.self, performing: migration)
      } else {
        try migration()
      }
    }
    return (policy.read.sorted(), FlightRecorder.lastEntry(in: file))
  }

  private func songs(required: Bool) -> EntityDescription {
    entity("Song", attribute("name", required: required))
  }

  @Test(arguments: [false, true])
  func migrationsBesideEachOtherHaveRecordsOfTheirOwn(failing: Bool) async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          let (read, left) = try migrate(number, failing: failing)
          #expect(read == ["createDestinationInstances Songs \(number) true"])
          #expect(left == nil)
        }
      }
      try await group.waitForAll()
    }
  }
}
