import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Scenarios

/// The faults that are made in chains, models and mapping models, and what each does.
@Suite struct MutantFinderTests {
  private func load(_ text: String, in folder: URL? = nil) throws -> CheckedScenario {
    let file = SourceFile(path: "test.scenario.yaml", text: text)
    return try .check(
      ScenarioReader.read(file, in: folder ?? URL(fileURLWithPath: "/nowhere")))
  }

  private func mutants(_ text: String) throws -> [String] {
    try MutantFinder.mutants(of: [load(text)]).map { mutant in
      let change = mutant.removed.map { "- \($0)" } + mutant.added.map { "+ \($0)" }
      return "\(mutant.kind.rawValue) \(mutant.line ?? 0): \(mutant.title): "
        + change.joined(separator: " ")
    }
  }

  private static let mapped = """
    scenario: s
    models:
      v1: { Song: { title: string, subtitle: string?, plays: int16 } }
      v2: { Song: { title: string, note: string?, twice: int32 = 7, kind: string? } }
    seed: { Song: [{ title: One, plays: 1 }] }
    chain:
      - v1 -> v2:
          SongToSong:
            source: Song
            destination: Song
            predicate: title != "Gone"
            attributes:
              note: $source.subtitle
              twice: $source.plays * 2
              kind: '"song"'
    expect: [{ count: { Song: 1 } }]

    """

  @Test func everythingThatAMappingSaysIsDroppedOrAltered() throws {
    #expect(
      try mutants(Self.mapped) == [
        "entity-mapping 8: v1 -> v2 drop the entity mapping SongToSong: - SongToSong: Song -> Song",
        "mapping-model 7: offer v1 -> v2 no mapping model: - v1 -> v2: the mapping in line 8 + v1 -> v2: inferred",
        #"source-predicate 8: v1 -> v2 drop the source predicate of SongToSong: - SongToSong: title != "Gone" + SongToSong: TRUEPREDICATE"#,
        #"source-predicate 8: v1 -> v2 negate the source predicate of SongToSong: - SongToSong: title != "Gone" + SongToSong: NOT (title != "Gone")"#,
        #"value-expression 15: v1 -> v2 alter the value expression of SongToSong.kind: - SongToSong.kind: "song" + SongToSong.kind: "songx""#,
        "value-expression 13: v1 -> v2 alter the value expression of SongToSong.note: - SongToSong.note: $source.subtitle + SongToSong.note: $source.title",
        "value-expression 14: v1 -> v2 alter the value expression of SongToSong.twice: - SongToSong.twice: $source.plays * 2 + SongToSong.twice: $source.plays / 2",
        #"property-mapping 15: v1 -> v2 drop the property mapping SongToSong.kind: - SongToSong.kind: "song""#,
        "property-mapping 13: v1 -> v2 drop the property mapping SongToSong.note: - SongToSong.note: $source.subtitle",
        "property-mapping 14: v1 -> v2 drop the property mapping SongToSong.twice: - SongToSong.twice: $source.plays * 2",
        "default 4: v2 alter the default of Song.twice: - Song.twice: default 7 + Song.twice: default 8",
      ])
  }

  /// The step's mapping after a fault, described.
  private func mapping(_ kind: Mutant.Kind, _ word: String = "") throws -> [String] {
    let scenario = try load(Self.mapped)
    let mutant = try #require(
      try MutantFinder.mutants(of: [scenario]).first {
        $0.kind == kind && (word.isEmpty || $0.title.contains(word))
      })
    let mutated = try scenario.mutated(by: mutant.targets[0].mutation)
    let step = try MigrationStep(
      mutated.steps(from: "v1")[0], in: mutated, PolicyRegistry())
    return step.mappings.flatMap { candidate in
      candidate.model.entityMappings.flatMap { mapping in
        ["\(mapping)", "\(mapping.sourceExpression?.description ?? "")"]
          + (mapping.attributeMappings ?? []).map(\.description)
      }
    }
  }

  @Test func aFaultIsMadeInTheMappingThatIsRead() throws {
    let whole = try mapping(.default)
    #expect(whole.contains("note: $source.subtitle"))
    #expect(try mapping(.entityMapping) == [])
    #expect(try mapping(.mappingModel) == [])
    #expect(
      try mapping(.propertyMapping, ".note") == whole.filter { $0 != "note: $source.subtitle" })
    #expect(
      try mapping(.valueExpression, ".note")
        == whole.map { $0 == "note: $source.subtitle" ? "note: $source.title" : $0 })
    #expect(try mapping(.sourcePredicate, "drop")[1].contains("TRUEPREDICATE"))
    #expect(try mapping(.sourcePredicate, "negate")[1].contains("NOT (title != "))
  }

  @Test func aPolicyIsLeftOutOfItsMapping() throws {
    let folder = try TemporaryFolder()
    try folder.write("import CoreData\nclass P: NSEntityMigrationPolicy {}\n", to: "P.swift")
    let scenario = try load(
      """
      scenario: s
      models: { v1: { A: { n: int16? } }, v2: { A: { n: int16?, m: int16? } } }
      policies: { module: App, sources: P.swift }
      seed: { A: [{ n: 1 }] }
      chain: [v1 -> v2: { AToA: { source: A, destination: A, policy: App.P } }]
      expect: [{ count: { A: 1 } }]

      """, in: folder.url)
    let mutant = try #require(
      try MutantFinder.mutants(of: [scenario]).first { $0.kind == .policy })
    #expect(
      mutant.removed + mutant.added == ["AToA: policy App.P", "AToA: Core Data's own policy"])
    let mutated = try scenario.mutated(by: mutant.targets[0].mutation)
    let step = try MigrationStep(mutated.steps(from: "v1")[0], in: mutated, PolicyRegistry())
    #expect(step.mappings[0].model.entityMappings[0].entityMigrationPolicyClassName == nil)
  }

  // MARK: Chains and models

  private static let chained = """
    scenario: s
    models:
      v1: { Song: { title: string, album: Album? <-> songs }, Album: { songs: "[Song] <-> album" } }
      v2: { Song: { name: string was title, album: Album? <-> songs }, Album: { songs: "[Song] <-> album" } }
      v3: { Song: { name: string, plays: int16 = 4, album: Album? <-> songs }, Album: { songs: "[Song] <-> album" } }
    start: [v1, v2]
    seed:
      v1: { Song: [{ title: One }] }
      v2: { Song: [{ name: One }] }
    chain: [v1 -> v2, v2 -> v3]
    expect: [{ count: { Song: 1 } }]
    then: [{ delete: Song }]

    """

  @Test func ofInferredStepsTheModelsAreAltered() throws {
    let text = Self.chained.replacing("then: [{ delete: Song }]\n", with: "")
    #expect(
      try mutants(text) == [
        "step 10: leave out v2 between v1 and v3: - v1 -> v2 -> v3 + v1 -> v3",
        "renaming-identifier 4: v2 drop the renaming identifier of Song.name: - Song.name: renamed from title",
        "default 5: v3 alter the default of Song.plays: - Song.plays: default 4 + Song.plays: default 5",
        "inverse 4: v2 drop the inverse of Album.songs: - Album.songs <-> Song.album + Album.songs -> Song",
        "inverse 5: v3 drop the inverse of Album.songs: - Album.songs <-> Song.album + Album.songs -> Song",
      ])
  }

  private func mutated(_ kind: Mutant.Kind, _ word: String = "") throws -> CheckedScenario {
    let scenario = try load(
      Self.chained.replacing("then: [{ delete: Song }]\n", with: ""))
    let mutant = try #require(
      try MutantFinder.mutants(of: [scenario]).first {
        $0.kind == kind && (word.isEmpty || $0.title.contains(word))
      })
    return try scenario.mutated(by: mutant.targets[0].mutation)
  }

  @Test func aStepIsLeftOutForRunsThatDontStartThere() throws {
    let mutated = try mutated(.step)
    #expect(mutated.scenario.chain.map(\.ends.value.description) == ["v1 -> v3"])
    #expect(mutated.starts == ["v1"])
  }

  @Test func aModelIsAlteredAndTheOthersStay() throws {
    let other = try mutated(.default)
    #expect(
      try other.model("v3").entity(named: "Song")?.attribute(named: "plays")?.typedDefaultValue
        == .integer(5))
    let renamed = try mutated(.renamingIdentifier)
    #expect(
      try renamed.model("v2").entity(named: "Song")?.property(named: "name")?.renamingIdentifier
        == "name")
    let single = try mutated(.inverse, "v2")
    let song = try single.model("v2").entity(named: "Song")
    let album = try single.model("v2").entity(named: "Album")
    #expect(song?.relationship(named: "album")?.inverseRelationship == nil)
    #expect(album?.relationship(named: "songs")?.inverseRelationship == nil)
    #expect(
      try single.model("v3").entity(named: "Song")?.relationship(named: "album")?
        .inverseRelationship != nil)
  }

  @Test func aDeleteRuleIsAlteredOnlyWhereSomethingIsDeleted() throws {
    let model = try ManagedObjectModel(entities: [
      {
        let entity = EntityDescription(name: "Album")
        let songs = RelationshipDescription(
          name: "songs", destinationEntityName: "Album", toMany: true)
        songs.deleteRule = .cascade
        entity.ownProperties = [songs]
        return entity
      }()
    ])
    let songs = try #require(model.entity(named: "Album")?.relationship(named: "songs"))
    #expect(songs.alteredDeleteRule == .nullify)
    #expect(
      try !mutants(Self.chained.replacing("then: [{ delete: Song }]\n", with: "")).contains {
        $0.hasPrefix("delete-rule")
      })
  }

  // MARK: Sharing

  @Test func whatScenariosShareIsOneMutantOfAll() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      import CoreData
      class P: NSEntityMigrationPolicy {
        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}
      }
      """, to: "P.swift")
    try folder.write(
      "import CoreData\nclass Q: NSEntityMigrationPolicy { func f() { g() } }\n", to: "Q.swift")
    func scenario(_ policy: String) throws -> CheckedScenario {
      try load(
        """
        scenario: s
        models: { v1: { A: { n: int16? } }, v2: { A: { n: int16?, m: int16? } } }
        policies: { module: App, sources: "*.swift" }
        seed: { A: [{ n: 1 }] }
        chain: [v1 -> v2: { AToA: { source: A, destination: A, policy: App.\(policy) } }]
        expect: [{ count: { A: 1 } }]

        """, in: folder.url)
    }
    let found = try MutantFinder.mutants(of: [scenario("P"), scenario("P"), scenario("Q")])
    let hook = try #require(found.first { $0.kind == .hook })
    #expect(hook.targets.map(\.scenario) == [0, 1])
    let call = try #require(found.first { $0.kind == .call })
    #expect(call.targets.map(\.scenario) == [2])
  }

  @Test func aFaultIsNeverMadeInAFileThatWasChangedMeanwhile() {
    let mutation = SourceMutation(path: "/a.swift", offset: 4, removed: "b", added: "")
    #expect(mutation.applied(to: "let b = 1") == "let  = 1")
    #expect(mutation.applied(to: "let a = 1") == nil)
    #expect(mutation.applied(to: "") == nil)
  }
}
