import Migration
import Testing

/// Songs of albums, and the same with a length instead of the text.
private enum Songs {
  static func old() throws -> ManagedObjectModel {
    try model(
      "v1",
      entity("Album", attribute("name"), toMany("songs", "Song", inverse: "album", ordered: true)),
      entity(
        "Song", attribute("title"), attribute("seconds", .integer32),
        toOne("album", "Album", inverse: "songs")))
  }

  static func new() throws -> ManagedObjectModel {
    try model(
      "v2",
      entity(
        "Record", attribute("name"), toMany("tracks", "Track", inverse: "record", ordered: true)),
      entity(
        "Track", attribute("name"), attribute("minutes", .double),
        toOne("record", "Record", inverse: "tracks")))
  }

  static func seed(_ context: ManagedObjectContext) {
    let best = context.insert("Album", ["name": "Best"])
    for (title, seconds) in [("Waltz", 90), ("Tango", 120), ("Polka", 30)] {
      context.insert("Song", ["title": title, "seconds": seconds, "album": best])
    }
    context.insert("Song", ["title": "Single", "seconds": 60])
  }

  static func mapping(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel,
    change: (inout EntityMappingDraft, inout EntityMappingDraft) -> Void = { _, _ in }
  ) throws -> MappingModel {
    var album = EntityMappingDraft(source: "Album", destination: "Record")
    album.relationships = .only(["tracks": .instances(keyPath: "songs", mappingName: nil)])
    var song = EntityMappingDraft(source: "Song", destination: "Track")
    song.attributes = .sameNamed(except: [
      "name": .text("$source.title"), "minutes": .text("$source.seconds / 60.0"),
    ])
    change(&album, &song)
    return try MappingBuilder(source: source, destination: destination)
      .mappingModel([album, song])
  }

  static let migrated = [
    "Record(name: Best, tracks: [Waltz, Tango, Polka])",
    "Track(minutes: 0.5, name: Polka, record: Best)",
    "Track(minutes: 1.0, name: Single, record: nil)",
    "Track(minutes: 1.5, name: Waltz, record: Best)",
    "Track(minutes: 2.0, name: Tango, record: Best)",
  ]
}

@Suite struct MigrationManagerTests {
  @Test(arguments: Backend.allCases)
  func writtenExpressionsGiveTheValues(on backend: Backend) throws {
    let (old, new) = (try Songs.old(), try Songs.new())
    let stage = try Stage(backend, old, seed: Songs.seed)
    let before = try dump(stage.source)
    let (store, manager) = try stage.migrate(to: new, try Songs.mapping(old, new))
    #expect(try dump(store) == Songs.migrated)
    #expect(try dump(stage.source) == before)
    #expect(manager.migrationProgress == 0)
  }

  @Test(arguments: Backend.allCases)
  func hooksComeInCoreDatasOrder(on backend: Backend) throws {
    let (old, new) = (try Songs.old(), try Songs.new())
    let stage = try Stage(backend, old, seed: Songs.seed)
    let (_, manager) = try stage.migrate(to: new, try Songs.mapping(old, new))
    #expect(
      manager.trace.events.map(\.description) == [
        "begin AlbumToRecord", "createDestinationInstances AlbumToRecord",
        "endInstanceCreation AlbumToRecord", "begin SongToTrack",
        "createDestinationInstances SongToTrack ×4", "endInstanceCreation SongToTrack",
        "createRelationships AlbumToRecord", "endRelationshipCreation AlbumToRecord",
        "createRelationships SongToTrack ×4", "endRelationshipCreation SongToTrack",
        "performCustomValidation AlbumToRecord", "performCustomValidation SongToTrack",
        "end AlbumToRecord", "end SongToTrack", "validate ×5", "save ×5",
      ])
  }

  @Test(arguments: Backend.allCases)
  func destinationIsAppendedTo(on backend: Backend) throws {
    let (old, new) = (try Songs.old(), try Songs.new())
    let stage = try Stage(backend, old, seed: Songs.seed)
    let store = try backend.makeStore(new, in: stage.folder, name: "destination")
    for _ in 1...2 {
      let manager = MigrationManager(sourceModel: old, destinationModel: new)
      try manager.migrate(from: stage.source, to: store, with: try Songs.mapping(old, new))
    }
    #expect(try dump(store) == (Songs.migrated + Songs.migrated).sorted())
  }

  @Test(arguments: Backend.allCases)
  func sourcePredicateChoosesTheObjects(on backend: Backend) throws {
    let (old, new) = (try Songs.old(), try Songs.new())
    let stage = try Stage(backend, old, seed: Songs.seed)
    let mapping = try Songs.mapping(old, new) { album, song in
      song.sourcePredicate = "seconds > 60"
    }
    let (store, _) = try stage.migrate(to: new, mapping)
    #expect(
      try dump(store) == [
        "Record(name: Best, tracks: [Waltz, Tango])",
        "Track(minutes: 1.5, name: Waltz, record: Best)",
        "Track(minutes: 2.0, name: Tango, record: Best)",
      ])
  }

  @Test(arguments: Backend.allCases)
  func addMappingMakesNothing(on backend: Backend) throws {
    let (old, new) = (try Songs.old(), try Songs.new())
    let stage = try Stage(backend, old, seed: Songs.seed)
    let mapping = try MappingBuilder(source: old, destination: new).mappingModel([
      EntityMappingDraft(source: nil, destination: "Track"),
      EntityMappingDraft(source: "Song", destination: nil),
    ])
    let (store, manager) = try stage.migrate(to: new, mapping)
    #expect(try dump(store).isEmpty)
    #expect(
      mapping.entityMappings.map(\.mappingType) == [
        .addEntityMappingType, .removeEntityMappingType,
      ])
    #expect(manager.trace.count(of: .begin) == 2)
    #expect(manager.trace.count(of: .createDestinationInstances) == 0)
  }

  @Test(arguments: Backend.allCases)
  func objectsOfSubentitiesAreMigratedOnce(on backend: Backend) throws {
    func version(_ name: String) throws -> ManagedObjectModel {
      try model(
        name, entity("Owner", attribute("name"), toMany("cars", "Car", inverse: "owner")),
        entity("Car", attribute("name"), toOne("owner", "Owner", inverse: "cars")),
        entity("SportCar", parent: "Car", attribute("power", .integer16)))
    }
    let (old, new) = (try version("v1"), try version("v2"))
    let stage = try Stage(backend, old) { context in
      let ann = context.insert("Owner", ["name": "Ann"])
      context.insert("Car", ["name": "Mini", "owner": ann])
      context.insert("SportCar", ["name": "GT", "power": 300, "owner": ann])
    }
    let mapping = try MappingBuilder(source: old, destination: new).mappingModel([
      EntityMappingDraft(source: "SportCar", destination: "SportCar"),
      EntityMappingDraft(source: "Car", destination: "Car"),
      EntityMappingDraft(source: "Owner", destination: "Owner"),
    ])
    #expect(
      mapping.entityMappings[2].relationshipMapping(named: "cars")?.valueExpression?.description
        == #"FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:" , "cars" , $source.cars)"#
    )
    let (store, _) = try stage.migrate(to: new, mapping)
    #expect(
      try dump(store) == [
        "Car(name: Mini, owner: Ann)", "Owner(cars: [GT, Mini], name: Ann)",
        "SportCar(name: GT, owner: Ann, power: 300)",
      ])
  }

  @Test func mappingThatDoesNotFitIsAMismatch() throws {
    let (old, new) = (try Songs.old(), try Songs.new())
    let edited = try model(
      "v2 edited", entity("Record", attribute("name"), toMany("tracks", "Track")),
      entity("Track", attribute("name", required: true), attribute("minutes", .double)))
    let stage = try Stage(.memory, old, seed: Songs.seed)
    let mapping = try Songs.mapping(old, new)
    #expect(!mapping.fits(source: old, destination: edited))
    let error = try #require(throws: CoreDataError.self) {
      try stage.migrate(to: edited, mapping)
    }
    #expect(error.code == .migration)
    #expect(error.reason == "Mismatch between mapping and source/destination models")
    #expect(
      mapping.misfits(source: old, destination: edited).map(\.description) == [
        "AlbumToRecord: destination entity 'Record' was changed",
        "SongToTrack: destination entity 'Track' was changed",
      ])
    for entity in mapping.entityMappings ?? [] {
      entity.destinationEntityVersionHash = entity.destinationEntityName.flatMap {
        edited.entityVersionHashesByName[$0]
      }
    }
    #expect(mapping.fits(source: old, destination: edited))
  }

  @Test(arguments: Backend.allCases)
  func failedValidationSavesNothing(on backend: Backend) throws {
    let old = try model("v1", entity("Song", attribute("title")))
    let new = try model("v2", entity("Song", attribute("title"), attribute("uuid", required: true)))
    let stage = try Stage(backend, old) { context in
      context.insert("Song", ["title": "a"])
      context.insert("Song", ["title": "b"])
    }
    let mapping = try MappingBuilder(source: old, destination: new).mappingModel([
      EntityMappingDraft(source: "Song", destination: "Song")
    ])
    let store = try backend.makeStore(new, in: stage.folder, name: "destination")
    let manager = MigrationManager(sourceModel: old, destinationModel: new)
    let error = try #require(throws: CoreDataError.self) {
      try manager.migrate(from: stage.source, to: store, with: mapping)
    }
    #expect(error.code == .validationMultipleErrors)
    #expect(error.place.pass == "validation")
    #expect(error.details.map(\.code.rawValue) == [1570, 1570])
    #expect(error.details.map(\.place.property) == ["uuid", "uuid"])
    #expect(error.details.map(\.place.entityMapping) == ["SongToSong", "SongToSong"])
    let sources = [1, 2].map { "x-coredata://\(stage.source.identifier)/Song/p\($0)" }
    #expect(error.details.map(\.place.sourceObject) == sources)
    #expect(manager.trace.count(of: .createRelationships) == 2)
    #expect(manager.trace.count(of: .save) == 0)
    #expect(try dump(store).isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func nothingOutlivesTheManager(on backend: Backend) throws {
    let (old, new) = (try Songs.old(), try Songs.new())
    let stage = try Stage(backend, old, seed: Songs.seed)
    weak var manager: MigrationManager?
    weak var context: ManagedObjectContext?
    do {
      let migrated = try stage.migrate(to: new, try Songs.mapping(old, new))
      manager = migrated.manager
      context = migrated.manager.destinationContext
      #expect(context != nil)
    }
    #expect(manager == nil)
    #expect(context == nil)
  }
}
