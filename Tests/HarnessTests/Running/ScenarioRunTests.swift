import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Whole scenarios, small, on both backends.
@Suite struct ScenarioRunTests {
  static let library = """
    scenario: A library gets shelves
    models:
      v1:
        Book: { title: string, pages: int16 = 0, author: Author? <-> books }
        Author: { name: string, books: "[Book] <-> author" }
      v2:
        Book: { title: string, pages: int32 = 0, isLong: bool = false, author: Author? <-> books }
        Author: { name: string, books: "[Book] <-> author" }
    seed:
      Author:
        - { id: ann, name: Ann, books: [one, two] }
      Book:
        - { id: one, title: One, pages: 10 }
        - { id: two, title: Two, pages: 500 }
        - { id: three, title: Three }
    chain:
      - v1 -> v2
    """

  @Test func aSaveThatFailsIsToldInTheWordsOfItsSteps() throws {
    let results = try play(
      Self.library + """

        then:
          - insert: Book four
          - save
        """)
    #expect(results.count == 2)
    for result in results {
      let failure = try #require(result.failures.first { $0.step == "then: save" })
      #expect(failure.place?.line == 20)
      #expect(
        failure.notes == [
          "  entity: Book", "  property: title", "  object: Book four", "  value: nil",
          "  do: Give 'title' a value by 'insert', 'set' or 'link' before this step, or make it optional in "
            + "the model. If the error is intended, expect it: '- save' with 'fails: { code: 1570 }'.",
        ])
    }
  }

  @Test func aLightweightMigrationKeepsValuesAndLinks() throws {
    let results = try play(
      Self.library + """

        expect:
          - count: { Book: 3, Author: 1 }
          - object: Book two
            from: Book two
            has: { pages: 500, isLong: false, author: ann, author.name: Ann }
          - object: Author ann
            has: { books: [two, one], books.@count: 2, books.title: [One, Two] }
          - object: Book three
            has: { author: null, pages: 0 }
          - steps: [v1 -> v2: inferred]
          - mapping: inferred
          - made: { Book one: [Book] }
          - dropped: []
          - everySourceMigrated: true
          - at: v1
            count: { Book where pages > 100: 1 }
        """)
    #expect(results.map(\.failures.count) == [0, 0])
    #expect(results.map(\.isPassed) == [true, true])
    #expect(results.map(\.checkCount) == [10, 10])
    #expect(results.map(\.id.backend) == [.memory, .sqlite])
    #expect(results[0].executedSteps.map(\.name) == ["v1 -> v2"])
    #expect(results[1].executedSteps.map(\.sourceObjectCount) == [4])
    #expect(results[1].executedSteps.map(\.destinationObjectCount) == [4])
  }

  @Test func failuresShowExpectedAndFound() throws {
    let lines = try outcomes(
      Self.library + """

        expect:
          - count: { Book: 4 }
          - object: Book two
            has: { pages: 501, author.name: Bob }
          - none: Book where pages > 100
          - all: Book where pages > 0
        """, on: [.memory])
    #expect(
      lines == [
        [
          "expectation 19: count of Book: expected 4, found 3",
          "expectation 21: Book two, pages: expected 501, found 500",
          "expectation 21: Book two, author.name: expected \"Bob\", found \"Ann\"",
          "expectation 22: Book where pages > 100: expected none, found 1",
          "expectation 23: Book where pages > 0: expected all, found all but 1",
        ]
      ])
  }

  @Test func aScenarioWithoutExpectationsNeverPasses() throws {
    let results = try play(Self.library)
    #expect(results.map(\.isPassed) == [false, false])
    #expect(results.map { $0.failures.map(\.kind) } == [[.nothingExpected], [.nothingExpected]])
    var report = SuiteReport()
    report.results = results
    #expect(report.exitStatus == .nothingChecked)
  }

  @Test func eachStartIsARunWithASeedOfItsOwn() throws {
    let results = try play(
      """
      scenario: A name is split
      models:
        v1: { Person: { name: string } }
        v2: { Person: { name: string, born: date? } }
        v3: { Person: { name: string, born: date?, note: string = none } }
      start: [v1, v2, v3]
      seed:
        v1: { Person: [{ id: ann, name: Ann }] }
        v2: { Person: [{ id: ann, name: Ann }] }
        v3: { Person: [{ id: ann, name: Ann, note: none }] }
      chain: [v1 -> v2, v2 -> v3]
      expect:
        - object: Person ann
          has: { name: Ann, note: none, born: null }
        - at: v2
          count: { Person: 1 }
        - start: v1
          steps: [v1 -> v2: inferred, v2 -> v3: inferred]
        - start: v2
          steps: [v2 -> v3]
        - start: v3
          steps: []
      """)
    #expect(results.flatMap(\.failures).map(\.line) == [])
    #expect(results.map(\.id.start) == ["v1", "v1", "v2", "v2", "v3", "v3"])
    #expect(results.map(\.checkCount) == [3, 3, 3, 3, 2, 2])
  }

  @Test func theMigratedStoreCanBeWrittenTo() throws {
    let lines = try outcomes(
      """
      scenario: Deleting an album takes its songs along
      models:
        v1:
          Album: { title: string, songs: "[Song] <-> album cascade" }
          Song: { title: string, album: Album <-> songs }
        v2:
          Album: { title: string, year: int16 = 0, songs: "[Song] <-> album cascade" }
          Song: { title: string, album: Album <-> songs }
      seed:
        Album: [{ id: best, title: Best, songs: [waltz, tango] }, { id: rest, title: Rest }]
        Song: [{ id: waltz, title: Waltz }, { id: tango, title: Tango }]
      chain: [v1 -> v2]
      then:
        - insert: Song polka
          values: { title: Polka, album: rest }
        - save
        - expect:
            - object: Album rest
              has: { songs: [polka] }
        - insert: Song lost
          values: { title: Lost }
        - save:
          fails: { code: 1570, entity: Song, property: album }
        - rollback
        - set: Album best
          values: { year: 1999 }
        - unlink: Album best
          from: { songs: [tango] }
        - link: Album rest
          to: { songs: [tango] }
        - delete: Album where title == "Best"
        - save
        - start
        - expect:
            - steps: []
            - count: { Album: 1, Song: 2 }
            - none: Song where title == "Waltz"
      """)
    #expect(lines == [[], []])
  }

  @Test func anExpectedFailureLeavesTheSourceUntouched() throws {
    let text = """
      scenario: A required date is nowhere to be had
      models:
        v1: { Song: { title: string } }
        v2: { Song: { title: string, createdAt: date } }
      seed: { Song: [{ title: Waltz }, { title: Tango }] }
      chain:
        - v1 -> v2:
            SongToSong: { source: Song, destination: Song }
      destination: new.sqlite
      expect:
        - fails:
            code: 1560
            step: v1 -> v2
            pass: validation
            errors:
              - { code: 1570, entity: Song, property: createdAt }
              - { code: 1570, entity: Song, property: createdAt }
        - source: untouched
        - destination: absent
        - store: v1
        - at: v1
          count: { Song: 2 }
      """
    #expect(try outcomes(text) == [[], []])
    let wrong = try outcomes(
      text.replacing("code: 1560", with: "code: 1570").replacing("store: v1", with: "store: v2"))
    #expect(
      wrong[1] == [
        "expectation 12: failure, code: expected 1570, found 1560",
        "expectation 20: version of the store: expected v2, found v1",
      ])
  }

  @Test func anUnexpectedFailureNamesTheStep() throws {
    let results = try play(
      """
      scenario: s
      models:
        v1: { Song: { length: string } }
        v2: { Song: { length: int16 } }
      seed: { Song: [{ length: long }] }
      chain: [v1 -> v2]
      expect:
        - count: { Song: 1 }
      """, on: [.sqlite])
    let failure = try #require(results[0].failures.first)
    #expect(failure.kind == .error)
    #expect(failure.step == "v1 -> v2")
    #expect(failure.place?.line == 6)
    #expect(failure.found.contains("134140"))
    #expect(results[0].failures.count == 1)
  }

  @Test func aStaleMappingIsPassedOverUnlessItIsUsedDirectly() throws {
    let text = """
      scenario: The model was edited after the mapping was made
      models:
        v1: { Song: { title: string } }
        draft: { Song: { title: string, kind: string? } }
        v2: { Song: { title: string, kind: string } }
      seed: { Song: [] }
      chain:
        - v1 -> v2:
            .madeFor: v1 -> draft
            .direct: false
            SongToSong: { source: Song, destination: Song, attributes: { kind: '"txt"' } }
      expect:
        - mapping: inferred

      """
    let results = try play(text + "  - count: { Song: 0 }\n")
    #expect(results.flatMap(\.failures).map(\.line) == [])
    #expect(
      results[0].executedSteps[0].stale.map(\.description) == [
        "mapping in line 9, made for other versions of Song"
      ])
    let direct = text.replacing(".direct: false", with: ".direct: true").replacing(
      "mapping: inferred",
      with: "fails: { message: Mismatch between mapping and source/destination models }")
    #expect(try outcomes(direct) == [[], []])
    let strict = text.replacing(".direct: false", with: ".infer: false").replacing(
      "mapping: inferred", with: "fails: { code: 134140, message: Can't find mapping model }")
    #expect(try outcomes(strict) == [[], []])
  }

  @Test func aResultCanHaveAStoreOfItsOwn() throws {
    let lines = try outcomes(
      """
      scenario: Legacy and modern side by side
      models:
        legacy: { OldSong: { name: string } }
        modern: { Song: { title: string } }
      destination: Modern.sqlite
      seed: { OldSong: [{ id: waltz, name: Waltz }] }
      chain:
        - legacy -> modern:
            OldSongToSong:
              { source: OldSong, destination: Song, attributes: { title: $source.name } }
      expect:
        - object: Song waltz
          from: OldSong waltz
          has: { title: Waltz }
        - source: untouched
        - store: modern
      then:
        - start
        - expect:
            - steps: []
            - count: { Song: 1 }
      """)
    #expect(lines == [[], []])
  }

  @Test func policyCallsAreCounted() throws {
    let lines = try outcomes(
      """
      scenario: One country of three
      models:
        v1: { User: { name: string, country: string } }
        v2: { SwedenUser: { name: string } }
      seed:
        User:
          - { id: eva, name: Eva, country: SE }
          - { id: ola, name: Ola, country: NO }
      chain:
        - v1 -> v2:
            UserToSwedenUser: { source: User, destination: SwedenUser, policy: App.SwedenPolicy }
      expect:
        - calls:
            App.SwedenPolicy.createDestinationInstances: 2
            UserToSwedenUser.createRelationships: 1
        - dropped: User ola
        - everySourceMigrated: User
        - trace:
            - begin UserToSwedenUser
            - createDestinationInstances UserToSwedenUser x2
            - endInstanceCreation UserToSwedenUser
            - createRelationships UserToSwedenUser
      """, policies: .init(["App.SwedenPolicy": { SwedenPolicy() }]))
    #expect(
      lines[0] == [
        "expectation 17: seeded objects: expected all migrated, found 1 lost",
        "expectation 18: trace: expected the end after 4, "
          + "found 5. endRelationshipCreation UserToSwedenUser",
      ])
    #expect(lines[0] == lines[1])
  }

  /// However often somebody runs it, and whoever reads it.
  @Test func aGreenThatLosesRowsSaysSo() throws {
    let scenario = """
      scenario: Two countries of eight
      models:
        v1: { User: { name: string, country: string } }
        v2: { SwedenUser: { name: string } }
      seed:
        User: [\((1...8).map { "{ id: u\($0), name: x, country: \($0 > 6 ? "SE" : "NO") }" }.joined(separator: ", "))]
      chain:
        - v1 -> v2:
            UserToSwedenUser: { source: User, destination: SwedenUser, policy: App.SwedenPolicy }
      expect:
        - count: { SwedenUser: 2 }
      """
    let policies = PolicyRegistry(["App.SwedenPolicy": { SwedenPolicy() }])
    for result in try play(
      scenario + "\n  - dropped: [\((1...6).map { "User u\($0)" }.joined(separator: ", "))]",
      policies: policies)
    {
      #expect(result.isPassed)
      #expect(
        result.notes == [
          "as expected, 6 seeded objects became nothing: User u1, User u2, User u3, User u4, User u5 and 1 more"
        ])
    }
  }

  @Test(arguments: [0, 1]) func aPolicyThatWasCalledForNoObjectHasFetchedNothingThatCounts(
    seeded: Int
  ) throws {
    let failures = try outcomes(
      """
      scenario: A policy without users
      models:
        v1: { User: { name: string, country: string }, Tag: { name: string } }
        v2: { SwedenUser: { name: string }, Tag: { name: string } }
      policies: { module: App, sources: \(#filePath) }
      seed:
        Tag: [{ name: a }]
        User: [\(seeded == 0 ? "" : "{ name: x, country: SE }")]
      chain:
        - v1 -> v2:
            UserToSwedenUser: { source: User, destination: SwedenUser, policy: App.SwedenPolicy }
            TagToTag: { source: Tag, destination: Tag, attributes: { name: $source.name } }
      expect:
        - fetched: { App.SwedenPolicy: 3 }
      """, policies: PolicyRegistry(["App.SwedenPolicy": { SwedenPolicy() }]))
    let line =
      "nothing looked at 14: fetched by App.SwedenPolicy: expected source objects to be called for, found none"
    #expect(failures == Array(repeating: seeded == 0 ? [line] : [], count: 2))
  }

  private func playNumbers(_ makePolicy: @escaping () -> EntityMigrationPolicy) throws
    -> [RunResult]
  {
    try play(
      """
      scenario: A policy that numbers users
      models:
        v1: { User: { name: string } }
        v2: { User: { name: string, number: int16 = 0 } }
      seed: { User: [{ id: eva, name: Eva }] }
      chain:
        - v1 -> v2:
            UserToUser: { source: User, destination: User, policy: App.NumberPolicy }
      expect:
        - count: { User: 1 }
      """, policies: .init(["App.NumberPolicy": makePolicy]))
  }

  @Test func contentThatDiffersBetweenBackendsIsAFailureOfItsOwn() throws {
    let results = try playNumbers {
      NumberPolicy {
        $0.sourceContext.persistentStoreCoordinator.persistentStores[0].isInMemory ? 1 : 2
      }
    }
    #expect(results[0].failures.isEmpty)
    #expect(
      results[1].failures.map(\.line) == [
        "backends differ 1: User eva, number: expected 1 (memory), found 2 (sqlite)"
      ])
    #expect(results.map(\.undetermined.isEmpty) == [true, true])
  }

  @Test func contentThatDiffersBetweenPlaysIsNotedAndNotCompared() throws {
    var count = 0
    let results = try playNumbers {
      NumberPolicy { _ in
        count += 1
        return count
      }
    }
    #expect(results.map(\.isPassed) == [true, true])
    #expect(results.map { $0.undetermined.map(\.name) } == [["User.number"], ["User.number"]])
  }
}

extension PersistentStore {
  fileprivate var isInMemory: Bool { !(self is SQLiteStore) }
}

private final class SwedenPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard sInstance.value(forKey: "country") as? String == "SE" else { return }
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }
}

private final class NumberPolicy: EntityMigrationPolicy {
  private let number: (MigrationManager) -> Int
  init(_ number: @escaping (MigrationManager) -> Int) { self.number = number }

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    for object in manager.destinationContext.insertedObjects {
      object.setValue(number(manager), forKey: "number")
    }
  }
}
