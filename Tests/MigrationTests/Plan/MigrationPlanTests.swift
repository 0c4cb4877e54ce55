import TestSupport
import Testing

@testable import Migration

/// What a mapping model comes to, as text: no store is needed to see it.
@Suite struct MigrationPlanTests {
  private func models() throws -> (old: ManagedObjectModel, new: ManagedObjectModel) {
    (
      try model(
        "v1",
        entity(
          "Song", attribute("name"), attribute("year", .integer16), attribute("plays", .integer32),
          toOne("album", "Album", inverse: "songs")),
        entity("Album", attribute("name"), toMany("songs", "Song", inverse: "album"))),
      try model(
        "v2",
        entity(
          "Song", attribute("title", was: "name"), attribute("year", .integer64),
          attribute("plays", .integer32, required: true, default: .integer(0)),
          attribute("stars", .integer16, default: .integer(3)),
          toOne("album", "Album", inverse: "songs")),
        entity("Album", attribute("name"), toMany("songs", "Song", inverse: "album")))
    )
  }

  private func plan(
    _ mappings: MappingModel, _ old: ManagedObjectModel, _ new: ManagedObjectModel
  ) throws -> MigrationPlan {
    try MigrationPlan(compiling: mappings, from: old, to: new, checks: .mandatoryValues)
  }

  @Test func inferredMappingsCarryColumnsAndKeys() throws {
    let (old, new) = try models()
    let inferred = try MappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    #expect(
      try plan(inferred, old, new).description == """
        IEM_Copy_Album: Album -> Album
          name = name
          songs -> songs
        IEM_Transform_Song: Song -> Song
          plays = plays, or 0
          stars = 3
          title = name
          year = converted year
          album -> album
        """)
  }

  @Test func writtenMappingsKeepTheirPredicatesAndExpressions() throws {
    let (old, new) = try models()
    var song = EntityMappingDraft(source: "Song", destination: "Song")
    song.sourcePredicate = "year > 1970"
    song.attributes = .sameNamed(except: ["title": .text("uppercase($source.name)")])
    let mappings = try MappingBuilder(source: old, destination: new).mappingModel([song])
    #expect(
      try plan(mappings, old, new).description.split(separator: "\n").prefix(2) == [
        "SongToSong: Song where year > 1970 -> Song", "  plays = plays",
      ])
    #expect(
      try plan(mappings, old, new).description
        .contains("  title = uppercase($source.name)"))
  }

  @Test func policiesTakeObjects() throws {
    let (old, new) = try models()
    var song = EntityMappingDraft(source: "Song", destination: "Song", policy: "App.SongPolicy")
    song.attributes = .only(["year": .generated])
    song.relationships = .none
    let mappings = try MappingBuilder(source: old, destination: new).mappingModel([
      song, EntityMappingDraft(source: nil, destination: "Album", name: "NewAlbums"),
      EntityMappingDraft(source: "Album", destination: nil, name: "OldAlbums"),
    ])
    let plan = try plan(mappings, old, new)
    #expect(
      plan.description == """
        SongToSong: Song -> Song, by App.SongPolicy
          year = converted year
        NewAlbums: nothing -> Album
        OldAlbums: nothing -> nothing
        """)
    let unsupported = #expect(throws: PlanUnsupported.self) { try plan.requireRows() }
    #expect(unsupported?.reason == "'SongToSong' has a policy")
  }

  @Test func sourceExpressionsTakeObjects() throws {
    let (old, new) = try models()
    var song = EntityMappingDraft(source: "Song", destination: "Song")
    song.sourceExpression = Expression(forVariable: "manager")
    song.attributes = .none
    song.relationships = .none
    let mappings = try MappingBuilder(source: old, destination: new).mappingModel([song])
    let plan = try plan(mappings, old, new)
    #expect(plan.description == "SongToSong: $manager -> Song")
    let unsupported = #expect(throws: PlanUnsupported.self) { try plan.requireRows() }
    #expect(unsupported?.reason == "'SongToSong' has a source expression of its own")
  }

  @Test func twoPlansAreOneWhereTheStoreBetweenThemWouldJudgeNothing() throws {
    let (old, new) = try models()
    let last = try model(
      "v3",
      entity(
        "Song", attribute("label", was: "name"), attribute("plays", .integer32),
        toOne("album", "Album", inverse: "songs")),
      entity("Album", attribute("name"), toMany("songs", "Song", inverse: "album")))
    let steps = try [(old, new), (new, last)].map { from, to in
      try plan(
        .inferredMappingModel(forSourceModel: from, destinationModel: to), from, to)
    }
    #expect(
      steps[0].followed(by: steps[1])?.description == """
        IEM_Copy_Album: Album -> Album
          name = name
          songs -> songs
        IEM_Transform_Song: Song -> Song
          label = name
          plays = plays, or 0
          album -> album
        """)
  }
}
