import ObjectModel
import TestSupport
import Testing

@Suite struct ModelDifferenceTests {
  @Test func equalModelsDoNotDiffer() throws {
    let difference = try ModelDifference(from: Self.first(), to: Self.first())
    #expect(difference.isEmpty)
    #expect(difference.description == "")
  }

  @Test func everyChangeIsNamed() throws {
    let album = try ModelNotation.entity(
      "Album", properties: ["title": "string", "tracks": "[Track] ordered <-> album cascade"])
    let track = try ModelNotation.entity(
      "Track: Media",
      properties: [
        "name": "string?(1...80) = \"?\" was title", "seconds": "double",
        "album": "Album? <-> tracks", "added": "date = 2001-01-01 indexed",
      ])
    track.renamingIdentifier = "Song"
    track.uniquenessConstraints = [["name", "added"]]
    track.addedIndexes()
    let media = try ModelNotation.entity("Media abstract", properties: ["uses": "int64?"])
    let destination = try ManagedObjectModel(entities: [album, track, media])
    let difference = ModelDifference(from: try Self.first(), to: destination)

    #expect(
      difference.description == """
        ~ Album
            ~ tracks: destination: Song -> Track, ordered: none -> ordered, delete rule: nullify -> cascade
        ~ Media: abstract: none -> abstract
        ~ Track (was Song): parent: none -> Media, uniqueness constraints: none -> (name, added), \
        renaming identifier: none -> Song, indexes: none -> added(added)
            ~ added: default: none -> 2001-01-01T00:00:00Z, indexed: none -> indexed
            ~ name (was title): optional: required -> optional, default: none -> "?", minimum: none -> 1, \
        maximum: none -> 80, renaming identifier: none -> title
            + seconds: attribute, Double, required
            - length: attribute, Integer 64, required, 0
        - Tag
            - label: attribute, String, optional
        """)
    #expect(difference.entities.map(\.change) == [.changed, .changed, .changed, .removed])
  }

  @Test func whatNoStoreNoticesIsMarked() throws {
    func model(_ text: String) throws -> ManagedObjectModel {
      try .notated(["Song": ["title": text]])
    }
    let harmless = try ModelDifference(from: model("string"), to: model("string = a"))
    #expect(harmless.entities.map(\.changesVersionHash) == [false])
    let noticed = try ModelDifference(from: model("string"), to: model("string?"))
    #expect(noticed.entities.map(\.changesVersionHash) == [true])
  }

  @Test func aSubentityDiffersWhenItsParentDoes() throws {
    func model(_ text: String) throws -> ManagedObjectModel {
      try .notated(["Media": ["title": text], "Song: Media": [:]])
    }
    let difference = try ModelDifference(from: model("string"), to: model("string?"))
    #expect(
      difference.description == """
        ~ Media
            ~ title: optional: required -> optional
        ~ Song
        """)
  }

  @Test(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
  func neighbouringRealVersionsDifferWhereTheirHashesDo() throws {
    let versions = try XcodeModel.load(contentsOf: Corpus.url("wire/zmessaging.xcdatamodeld"))
      .versions
    for (old, new) in zip(versions, versions.dropFirst()) {
      let difference = ModelDifference(from: old, to: new)
      let changed = difference.entities.filter(\.changesVersionHash)
      let hashes = (old.entityVersionHashesByName, new.entityVersionHashesByName)
      let names = Set(hashes.0.keys).union(hashes.1.keys)
        .filter { hashes.0[$0] != hashes.1[$0] }
      let named = Set(changed.flatMap { [$0.sourceName, $0.destinationName] }.compactMap { $0 })
      #expect(named == names, "\(old) -> \(new)")
    }
  }

  private static func first() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      ModelNotation.entity(
        "Song",
        properties: [
          "title": "string", "length": "int64 = 0", "album": "Album? <-> tracks", "added": "date",
        ]),
      ModelNotation.entity(
        "Album", properties: ["title": "string", "tracks": "[Song] <-> album"]),
      ModelNotation.entity("Media", properties: ["uses": "int64?"]),
      ModelNotation.entity("Tag", properties: ["label": "string?"]),
    ])
  }
}

extension EntityDescription {
  fileprivate func addedIndexes() {
    indexes = [FetchIndexDescription(name: "added", elements: [.init(propertyName: "added")])]
  }
}
