import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Policies that fetch what they have just made, of which a device keeps a set.
@Suite("The order of new objects") struct OrderOfNewObjectsTests {
  /// Gives the last song the title that it finds among those made so far.
  private final class TitlePolicy: EntityMigrationPolicy {
    let find: (FetchRequest<ManagedObject>, ManagedObjectContext) throws -> String
    init(_ find: @escaping (FetchRequest<ManagedObject>, ManagedObjectContext) throws -> String) {
      self.find = find
    }

    override func endInstanceCreation(
      forMapping mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let context = manager.destinationContext
      let request = FetchRequest<ManagedObject>(entityName: "Song")
      let title = try find(request, context)
      EntityDescription.insertNewObject(forEntityName: "Album", into: context)
        .setValue(title, forKey: "title")
    }
  }

  private func failures(
    _ find: @escaping (FetchRequest<ManagedObject>, ManagedObjectContext) throws -> String
  ) throws -> [Failure] {
    try play(
      """
      scenario: An album is named after a song
      models:
        v1: { Song: { name: string } }
        v2: { Song: { name: string, rank: int16? }, Album: { title: string } }
      seed: { Song: [{ name: A }, { name: B }, { name: C }] }
      chain:
        - v1 -> v2:
            SongToSong: { source: Song, destination: Song, policy: App.TitlePolicy, attributes: { name: $source.name } }
      expect: [{ count: { Song: 3, Album: 1 } }]
      """, policies: PolicyRegistry(["App.TitlePolicy": { TitlePolicy(find) }])
    ).flatMap(\.failures)
  }

  private func name(_ object: ManagedObject?) -> String {
    object?.value(forKey: "name") as? String ?? ""
  }

  private static let note =
    "a policy fetched several new objects of Song whose order no sort descriptor decides (v1 -> v2): a device "
    + "gives them in any order; here the newest come first in memory, and last in SQLite"

  @Test func theFirstOfAllIsAnotherInMemoryThanInSQLite() throws {
    let failures = try failures { request, context in name(try context.fetch(request).first) }
    #expect(
      failures.map(\.line) == [
        "backends differ 1: Album { title: \"C\" }, title: expected \"C\" (memory), found \"A\" (sqlite)"
      ])
    #expect(failures.map(\.notes) == [[Self.note]])
  }

  @Test func aLimitTakesAnotherToo() throws {
    let failures = try failures { request, context in
      request.fetchLimit = 1
      return name(try context.fetch(request).first)
    }
    #expect(failures.map(\.notes) == [[Self.note]])
  }

  @Test func sortDescriptorsThatLeaveTiesDecideNoOrderEither() throws {
    let failures = try failures { request, context in
      request.sortDescriptors = [SortDescriptor(key: "rank", ascending: true)]
      return name(try context.fetch(request).first)
    }
    #expect(failures.map(\.notes) == [[Self.note]])
  }

  @Test func aCountHasNoOrder() throws {
    let failures = try failures { request, context in
      let isInMemory = context.persistentStoreCoordinator.persistentStores[0] is InMemoryStore
      return "\(try context.count(for: request)) \(isInMemory)"
    }
    #expect(
      failures.map(\.line) == [
        "backends differ 1: Album { title: \"3 true\" }, title: expected \"3 true\" (memory), found \"3 false\" (sqlite)"
      ])
    #expect(failures.map(\.notes) == [[]])
  }

  @Test func anOrderOrAllOfThemAreTheSame() throws {
    let sorted = try failures { request, context in
      request.sortDescriptors = [SortDescriptor(key: "name", ascending: false)]
      return name(try context.fetch(request).first)
    }
    let all = try failures { request, context in
      try context.fetch(request).map(name).sorted().joined()
    }
    #expect(sorted.map(\.line) + all.map(\.line) == [])
  }
}
