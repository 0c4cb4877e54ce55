import Foundation
import TestSupport
import Testing

/// `heavyweight init`, and `heavyweight run` of what it writes: green at once, unless the app fails.
@Suite(.tags(.process), .tiered)
struct InitCommandTests {
  private typealias Result = Tool.Result

  /// A model bundle of versions, each the inside of an Xcode model.
  private func write(
    _ versions: [(name: String, entities: String)], current: String, to folder: TemporaryFolder
  ) throws {
    for (name, entities) in versions {
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        \(entities)
        </model>
        """, to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(current).xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
  }

  private static let book = """
    <entity name="Book" syncable="YES">
      <attribute name="title" attributeType="String" minValueString="3" maxValueString="12"/>
      <attribute name="pages" attributeType="Integer 16" defaultValueString="0" minValueString="10"/>
      <relationship name="shelf" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" inverseName="books" inverseEntity="Shelf"/>
    </entity>
    <entity name="Shelf" syncable="YES">
      <attribute name="id" attributeType="UUID" usesScalarValueType="NO"/>
      <relationship name="books" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="shelf" inverseEntity="Book"/>
    </entity>
    """

  private static let bookWithNote = book.replacing(
    "<attribute name=\"pages\"",
    with:
      "<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/>\n<attribute name=\"pages\""
  )

  /// Xcode makes such a model with a new project.
  @Test func aModelWithoutEntitiesGetsAScenarioThatIsSkipped() throws {
    let folder = try TemporaryFolder()
    try write([("App", "<elements/>")], current: "App", to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        wrote Scenarios/App.scenario.yaml
          App, skipped: App has no entities
        next: heavyweight run Scenarios

        """)
    let run = try Tool.run(["run", "Scenarios"], in: folder)
    #expect(run.status == 4 && run.errors.contains("skipped 1: App has no entities"), "\(run)")
  }

  @Test func writesASmallScenarioForTheNewestStep() throws {
    let folder = try TemporaryFolder()
    let second = Self.bookWithNote.replacing(
      "\"note\" optional", with: "\"note\" defaultValueString=\"none\" optional")
    try write([("App", Self.book), ("App 2", second)], current: "App 2", to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        wrote Scenarios/App-to-App-2.scenario.yaml
          App -> App 2, lightweight: 2 rows, 6 expectations
        next: heavyweight run Scenarios

        """)
    let text = try String(
      contentsOf: folder.url.appending(path: "Scenarios/App-to-App-2.scenario.yaml"),
      encoding: .utf8)
    let body = text.components(separatedBy: "\n").filter { !$0.hasPrefix("#") }
      .joined(separator: "\n")
    #expect(
      body == """
        scenario: App -> App 2 keeps what it should
        models:
          App: ../App.xcdatamodeld/App.xcdatamodel
          App 2: ../App.xcdatamodeld/App 2.xcdatamodel
        seed:
          Book:
            - id: book1
              pages: 10
              title: title 1
              shelf: shelf1
          Shelf:
            - .id: shelf1
              id: 00000000-0000-4000-8000-000000000002
        chain:
          - App -> App 2
        expect:
          - mapping: inferred
          - count: { Book: 1, Shelf: 1 }
          - everySourceMigrated: true
          - model:
              Book.note: { default: none }
              Book.shelf: { inverse: books }
          - object: Book book1
            has:
              note: none
              pages: 10
              title: title 1
              shelf: shelf1
          - object: Shelf shelf1
            has:
              id: 00000000-0000-4000-8000-000000000002
              books: [book1]

        """)
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let again = try Tool.run(["init", "App.xcdatamodeld"], in: folder)
    #expect(again.status == 2)
    #expect(again.errors.contains("this already exists, and nothing is overwritten"))
  }

  @Test func aStepWithoutAWaySaysWhatIsMissingAndIsRed() throws {
    let folder = try TemporaryFolder()
    let newer = Self.book.replacing(
      "\"title\" attributeType=\"String\" minValueString=\"3\" maxValueString=\"12\"",
      with: "\"title\" attributeType=\"Date\"")
    try write([("App", Self.book), ("App 2", newer)], current: "App 2", to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld", "Tests/Migration"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains(
        "App -> App 2, impossible: 2 rows, 1 expectation; fails: error 134140"),
      "\(result.output)")
    for text in [
      "has no mapping model and can't be inferred: ", "are incompatible. Give the mapping model",
      "--mappings",
    ] {
      #expect(result.errors.contains(text), "\(result.errors)")
    }
    let text = try String(
      contentsOf: folder.url.appending(path: "Tests/Migration/App-to-App-2.scenario.yaml"),
      encoding: .utf8)
    #expect(text.contains("  #  - fails: { code: 134140, step: App -> App 2"), "\(text)")
    let run = try Tool.run(["run", "Tests"], in: folder)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains("134140"))
  }

  @Test func aSingleVersionIsStored() throws {
    let folder = try TemporaryFolder()
    try write([("App", Self.book)], current: "App", to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("wrote Scenarios/App.scenario.yaml\n  App: 2 rows, 3 expect"))
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  /// The coordinator raises before there is a row, whatever is tried with one.
  @Test func anAttributeThatCannotBeDerivedIsSaid() throws {
    let folder = try TemporaryFolder()
    let entity = #"""
      <entity name="A"><attribute name="x" optional="YES" attributeType="String"/>
      <attribute name="d" optional="YES" attributeType="String" derived="YES" derivationExpression="(("/>
      """#
    let more = #"<attribute name="y" optional="YES" attributeType="String"/>"#
    try write(
      [("App", entity + "</entity>"), ("App 2", entity + more + "</entity>")], current: "App 2",
      to: folder)
    let error = """
      NSCocoaErrorDomain 134020: The store doesn't support a derived attribute of its model: \
      '((' is no expression (column 3: expected a value, found the end of the text)
      """
    let begun = try Tool.run(["init", "App.xcdatamodeld", "--all"], in: folder)
    #expect(begun.errors.contains("No run starts at App: error: the run: \(error)\n"), "\(begun)")
    let tried = try Tool.run(["smoke", "App.xcdatamodeld"], in: folder)
    #expect(tried.status == 2)
    #expect(
      tried.errors.hasPrefix(error + "\n  entity: A\n  property: d\n  do: Write a key path,"),
      "\(tried)")
  }

  @Test func mistakesWriteNothing() throws {
    let folder = try TemporaryFolder()
    let missing = try Tool.run(["init", "Nowhere.xcdatamodeld"], in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors.contains("Nowhere.xcdatamodeld"))
    try write([("App", "<entity")], current: "App", to: folder)
    let broken = try Tool.run(["init", "App.xcdatamodeld"], in: folder)
    #expect(broken.status == 2)
    try write([("App", Self.book)], current: "App", to: folder)
    try folder.write("a file", to: "Taken")
    let taken = try Tool.run(["init", "App.xcdatamodeld", "Taken"], in: folder)
    #expect(taken.status == 2)
    #expect(taken.errors.contains("Taken/App.scenario.yaml: error: can't write the scenario"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(files == ["App.xcdatamodeld", "Taken"])
  }

  @Test func aBrokenMappingFileBesideTheModelIsNamedUnlessItIsOfTheModel() throws {
    let folder = try TemporaryFolder()
    try write([("App", Self.book), ("App 2", Self.bookWithNote)], current: "App 2", to: folder)
    func writeMapping(of model: String) throws {
      try folder.write(
        "<database>\n" + MappingFileText.model(model, from: model, to: "\(model) 2"),
        to: "Broken.xcmappingmodel/xcmapping.xml")
    }
    try writeMapping(of: "App")
    let own = try Tool.run(["init", "App.xcdatamodeld"], in: folder)
    #expect(own.status == 2)
    #expect(own.errors.contains("this isn't well-formed XML"), "\(own.errors)")
    try writeMapping(of: "Other")
    for scope in [["New"], ["All", "--all"]] {
      let result = try Tool.run(["init", "App.xcdatamodeld"] + scope, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.hasPrefix("mapping file ignored: "), "\(result.errors)")
      #expect(result.errors.contains("Broken.xcmappingmodel"), "\(result.errors)")
    }
    let given = try Tool.run(
      ["init", "App.xcdatamodeld", "Given", "--mappings", "Broken.xcmappingmodel"], in: folder)
    #expect(given.status == 2)
  }

  @Test(arguments: [["New"], ["All", "--all"]])
  func aMappingFileForAVersionThatIsGoneIsNamed(_ scope: [String]) throws {
    let folder = try TemporaryFolder()
    try write([("App", Self.book), ("App 2", Self.bookWithNote)], current: "App 2", to: folder)
    try folder.write(
      MappingFileText.of("Book", from: "App", to: "App Draft", in: "App"),
      to: "Old.xcmappingmodel/xcmapping.xml")
    let result = try Tool.run(["init", "App.xcdatamodeld"] + scope, in: folder)
    #expect(result.status == 0)
    #expect(
      result.errors
        == "mapping file Old ignored, whichever step it is for: there is no version 'App Draft'\n")
  }

  @Test(arguments: ["init", "smoke"])
  func stubsThatNoPoliciesCouldImportAreRefused(command: String) throws {
    let folder = try TemporaryFolder()
    try write([("App", Self.book)], current: "App", to: folder)
    try folder.write("", to: "HealthKit.swift")
    let result = try Tool.run(
      [command, "App.xcdatamodeld", "--stubs", "HealthKit=HealthKit.swift"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "--stubs: error: no policies were found that could import these modules"),
      "\(result.errors)")
  }

  /// Code may trust its numbers, as an index in what it made itself: the samples are nobody's.
  @Test func numbersThatEndTheAppsCodeAreMadeSmall() throws {
    let folder = try TemporaryFolder()
    try writePlaces(to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors == """
        Numbers of Song are 0, or the least that is allowed: with others the app's code ends the process \
        (createDestinationInstances of SongToSong, for Song/p1: Fatal error: Index out of range, in SongPolicy.swift:9). \
        Where users have such, write rows with them.

        """, "\(result.errors)")
    let written = try text(of: "App-to-App-2.scenario.yaml", in: folder)
    #expect(
      written.contains(
        """
        seed:
          Song:
            - id: song1
              place: 0
              year: 3

        """), "\(written)")
    #expect(try Tool.run(["run"], in: folder).status == 0)
  }

  /// Of several rows, one leaves out what it may, which users' rows perhaps never do.
  @Test func rowsThatEndTheAppsCodeAgainLeaveNothingOut() throws {
    let folder = try TemporaryFolder()
    try writePlaces(to: folder)
    try folder.write("x", to: ".git/HEAD")
    let result = try Tool.run(["init"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors.hasPrefix(
        """
        Numbers of Song are 0, or the least that is allowed, and no row of it leaves out what it may have: with others \
        the app's code ends the process (createDestinationInstances of SongToSong, for Song/p1: Fatal error: Index out \
        of range, in SongPolicy.swift:9; createDestinationInstances of SongToSong, for Song/p3: Fatal error: \
        Unexpectedly found nil while unwrapping an Optional value, in SongPolicy.swift). Where users have such, write \
        rows with them.

        """), "\(result.errors)")
    #expect(try Tool.run(["run"], in: folder).status == 0)
  }

  /// A version whose policy counts with a number.
  private func writePlaces(to folder: TemporaryFolder) throws {
    let song = """
      <entity name="Song"><attribute name="place" optional="YES" attributeType="Integer 64"/>
      <attribute name="year" optional="YES" attributeType="Integer 16" minValueString="3"/></entity>
      """
    let second = song.replacing(
      "</entity>",
      with: "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/></entity>")
    try write([("App", song), ("App 2", second)], current: "App 2", to: folder)
    try folder.write(
      MappingFileText.of(
        "Song", from: "App", to: "App 2", in: "App",
        fields: """
          <attribute name="migrationpolicyclassname" type="string">App.SongPolicy</attribute>
          """),
      to: "Songs.xcmappingmodel/xcmapping.xml")
    try folder.write(
      """
      import CoreData
      class SongPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          let titles = ["first"]
          let new = NSEntityDescription.insertNewObject(
            forEntityName: "Song", into: manager.destinationContext)
          new.setValue(titles[Int(source.value(forKey: "place") as! Int64)], forKey: "title")
          manager.associate(sourceInstance: source, withDestinationInstance: new, for: mapping)
        }
      }
      """, to: "SongPolicy.swift")
  }

  /// The others' rows are judged all the same.
  @Test func anEntityWhoseObjectsFailHasAScenarioOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let first = """
      <entity name="Song"><attribute name="title" optional="YES" attributeType="String"/></entity>
      <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/></entity>
      """
    let second = first.replacing("name=\"title\"", with: "name=\"name\" elementID=\"title\"")
      .replacing(
        "<entity name=\"Tag\">",
        with: "<entity name=\"Tag\"><attribute name=\"code\" attributeType=\"String\"/>")
    try write([("App", first), ("App 2", second)], current: "App 2", to: folder)
    try folder.write("x", to: ".git/HEAD")
    let result = try Tool.run(["init"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output.contains(
        "App -> App 2, lightweight: 3 rows, 6 expectations; fails: error 134110 at Tag.code in App -> App 2"
      ),
      "\(result.output)")
    let run = try Tool.run(["run", "Scenarios/App-to-App-2.scenario.yaml"], in: folder)
    #expect(run.status == 1)
    #expect(run.output.contains("✓ App -> App 2 keeps what it should"), "\(run.output)")
    #expect(run.output.contains("✗ App -> App 2 takes objects of Tag"), "\(run.output)")
  }

  /// What a new property is made of may belong to an object that the row is linked to.
  @Test func objectsThatFailForSeveralReasonsHaveAScenarioOfTheirOwn() throws {
    let song = """
      <entity name="Song"><attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="song"/></entity>
      """
    let tag = """
      <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="song" optional="YES" maxCount="1" destinationEntity="Song" inverseName="tags"/></entity>
      """
    let new = tag.replacing(
      "<entity name=\"Tag\">",
      with: """
        <entity name="Tag"><attribute name="code" attributeType="String"/>
        <attribute name="label" attributeType="String"/>
        """)
    let app = try SmokeApp(song + tag, song + new)
    try app.map([
      .init(entity: "Song", attributes: ["title"]),
      .init(
        entity: "Tag", attributes: ["name"],
        relationships: ["song": SmokeApp.generated("song", by: "SongToSong")],
        policy: "App.TagPolicy"),
    ])
    try app.folder.write(
      """
      import CoreData
      class TagPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
          let new = manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [source])[0]
          for key in ["code", "label"] {
            new.setValue(source.value(forKeyPath: "song.title"), forKey: key)
          }
        }
      }
      """, to: "TagPolicy.swift")
    try app.folder.write("x", to: ".git/HEAD")
    let result = try Tool.run(["init"], in: app.folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output.contains(
        "App -> App 2, mapped: 6 rows, 10 expectations; fails: error 1560 in App -> App 2\n"),
      "\(result.output)")
    let run = try Tool.run(["run", "Scenarios/App-to-App-2.scenario.yaml"], in: app.folder)
    #expect(run.status == 1)
    #expect(run.output.contains("✓ App -> App 2 keeps what it should"), "\(run.output)")
    #expect(run.output.contains("✗ App -> App 2 takes objects without Tag.code"), "\(run.output)")
  }

  /// What is unknown of some rows only leaves the others green.
  @Test func objectsWhoseLinksAreInDoubtHaveAScenarioOfTheirOwn() throws {
    func entities(_ songs: String, inverse: String) -> String {
      """
      <entity name="Album"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="songs" optional="YES" toMany="YES" destinationEntity="Song" inverseName="\(inverse)"/></entity>
      <entity name="Song"><attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="\(inverse)" optional="YES" \(songs) destinationEntity="Album" inverseName="songs"/></entity>
      """
    }
    let app = try SmokeApp(
      entities("toMany=\"YES\"", inverse: "albums"), entities("maxCount=\"1\"", inverse: "album"))
    try app.map([
      .init(entity: "Song", attributes: ["title"]),
      .init(
        entity: "Album", attributes: ["name"],
        relationships: ["songs": SmokeApp.generated("songs", by: "SongToSong")]),
    ])
    try app.folder.write("x", to: ".git/HEAD")
    let result = try Tool.run(["init"], in: app.folder)
    #expect(result.status == 0, "\(result)")
    let run = try Tool.run(["run", "Scenarios/App-to-App-2.scenario.yaml"], in: app.folder)
    #expect(run.status == 1)
    #expect(run.output.contains("✓ App -> App 2 keeps what it should"), "\(run.output)")
    #expect(
      run.output.contains("✗ App -> App 2 takes objects with several links, or the same ones"),
      "\(run.output)")
    #expect(
      run.output.contains(
        "unknown on a device: 'AlbumToAlbum' gave several objects the same ones by Album.songs"),
      "\(run.output)")
  }

  /// Its scenario would be red for what it expects itself.
  @Test func anOrderThatNothingGivesIsNotExpected() throws {
    let app = try SmokeApp(
      """
      <entity name="Album"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="songs" optional="YES" toMany="YES" destinationEntity="Song" inverseName="albums"/></entity>
      <entity name="Song"><attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="albums" optional="YES" toMany="YES" destinationEntity="Album" inverseName="songs"/></entity>
      """,
      """
      <entity name="Record" elementID="Album"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="tracks" elementID="songs" optional="YES" toMany="YES" ordered="YES"
      destinationEntity="Song" inverseName="albums"/></entity>
      <entity name="Song"><attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="albums" optional="YES" toMany="YES" destinationEntity="Record" inverseName="tracks"/></entity>
      """)
    try app.folder.write("x", to: ".git/HEAD")
    #expect(try Tool.run(["init"], in: app.folder).status == 0)
    let name = "App-to-App-2.scenario.yaml"
    let written = try text(of: name, in: app.folder)
    #expect(written.contains("tracks.@count: 2"), "\(written)")
    let run = try Tool.run(["run", "Scenarios/\(name)"], in: app.folder)
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func anOrderThatOnlyTheInverseGivesIsNotExpected() throws {
    let albums = """
      <entity name="Album"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="songs" optional="YES" toMany="YES" ordered="YES" destinationEntity="Song" inverseName="album"/>
      </entity><entity name="Song"><attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="album" optional="YES" maxCount="1" destinationEntity="Album" inverseName="songs"/></entity>
      """
    let app = try SmokeApp(albums, albums + "<entity name=\"Extra\"/>")
    try app.map([
      .init(entity: "Album", attributes: ["name"]),
      .init(
        entity: "Song", attributes: ["title"],
        relationships: ["album": SmokeApp.generated("album", by: "AlbumToAlbum")]),
    ])
    try app.folder.write("x", to: ".git/HEAD")
    #expect(try Tool.run(["init"], in: app.folder).status == 0)
    let name = "App-to-App-2.scenario.yaml"
    let written = try text(of: name, in: app.folder)
    #expect(written.contains("songs.@count: 2"), "\(written)")
    let run = try Tool.run(["run", "Scenarios/\(name)"], in: app.folder)
    #expect(run.status == 0, "\(run.output)")
  }

  /// Nobody would see an app that fails, if its scenario were green.
  @Test func aStepThatFailsIsRedUntilSomebodyMeansIt() throws {
    let folder = try TemporaryFolder()
    let second = Self.book.replacing(
      "<attribute name=\"pages\"",
      with: "<attribute name=\"isbn\" attributeType=\"String\"/>\n<attribute name=\"pages\"")
    try write([("App", Self.book), ("App 2", second)], current: "App 2", to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors == """
        App -> App 2: error 134110 at Book.isbn in App -> App 2, as in the app. The scenario fails until that is \
        mended; where no user has such a store, give it 'skip: REASON'.

        """, "\(result.errors)")
    let name = "App-to-App-2.scenario.yaml"
    let written = try text(of: name, in: folder)
    #expect(
      written.hasSuffix(
        """
        expect:
          - everySourceMigrated: true
          # Where the error is meant, expect that instead:
          #  - fails: { code: 134110, step: App -> App 2, entity: Book, property: isbn }
          #  - source: untouched

        """), "\(written)")
    #expect(try Tool.run(["run"], in: folder).status == 1)
    let meant = written.replacing("  - everySourceMigrated: true\n", with: "")
      .replacing("  #  - ", with: "  - ")
    try folder.write(meant, to: "Scenarios/\(name)")
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run.output)")
  }

  // MARK: All versions

  /// Three versions: one step adds an attribute, and the next one takes one away, which `check` tells.
  private func writeThreeVersions(to folder: TemporaryFolder) throws {
    let second = Self.book.replacing(
      "<attribute name=\"pages\"",
      with:
        "<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/>\n<attribute name=\"pages\""
    )
    let third = second.split(separator: "\n").filter { !$0.contains("\"pages\"") }
      .joined(separator: "\n")
    try write(
      [("App", Self.book), ("App 2", second), ("App 3", third)], current: "App 3", to: folder)
  }

  private func text(of name: String, in folder: TemporaryFolder) throws -> String {
    try String(contentsOf: folder.url.appending(path: "Scenarios/\(name)"), encoding: .utf8)
  }

  /// The starts of the scenario that goes version by version, as `run` plays them.
  private func starts(in folder: TemporaryFolder) throws -> [String] {
    let result = try Tool.run(
      ["run", "Scenarios/Every-version-stepwise.scenario.yaml", "--backend", "memory", "--json"],
      in: folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    return (report["runs"] as? [[String: Any]] ?? []).compactMap { $0["start"] as? String }
  }

  @Test func aStepWithAFindingGetsItsScenarioAndEveryVersionTwo() throws {
    let folder = try TemporaryFolder()
    try writeThreeVersions(to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld", "--all"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        wrote Scenarios/App-2-to-App-3.scenario.yaml
          App 2 -> App 3, lightweight: 2 rows, 6 expectations
        wrote Scenarios/Every-version-stepwise.scenario.yaml
          every version stepwise: 2 starts
        wrote Scenarios/Every-version-direct.scenario.yaml
          every version direct: 2 starts
        next: heavyweight run Scenarios

        """)
    let step = try text(of: "App-2-to-App-3.scenario.yaml", in: folder)
    #expect(step.contains("chain:\n  - App 2 -> App 3\n"))
    let every = try text(of: "Every-version-direct.scenario.yaml", in: folder)
    #expect(every.contains("\nseed: samples\nstart: every\nchain: direct\nexpect:\n"), "\(every)")
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("3 scenarios, 10 runs: 10 passed"))
    let again = try Tool.run(["init", "App.xcdatamodeld", "--all"], in: folder)
    #expect(again.status == 0)
    #expect(again.output.hasPrefix("kept Scenarios/App-2-to-App-3.scenario.yaml, which exists\n"))
    #expect(try text(of: "Every-version-direct.scenario.yaml", in: folder) == every)
  }

  /// Paths in the scenarios lead out of a folder that isn't there yet, or out of where a link leads.
  @Test func ofEqualVersionsItIsSaidThatNothingIsToBeMigrated() throws {
    let folder = try TemporaryFolder()
    try write([("App", Self.book), ("App 2", Self.book)], current: "App 2", to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld", "--all"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("wrote Scenarios/App-to-App-2.scenario.yaml\n"))
    #expect(result.errors.contains("There is nothing to migrate: "), "\(result.errors)")
    #expect(try Tool.run(["run"], in: folder).status == 0)
  }

  /// Each object needs another one, which needs another one.
  @Test func anEntityWhoseObjectsNeedOthersWithoutEndHasNoRows() throws {
    let folder = try TemporaryFolder()
    func end(_ name: String, _ inverse: String, _ more: String = "") -> String {
      "<relationship name='\(name)' maxCount='1' destinationEntity='Node' inverseName='\(inverse)' "
        + "inverseEntity='Node' \(more)/>"
    }
    func node(_ more: String) -> String {
      "<entity name='Node'>\(more)\(end("next", "last"))\(end("other", "last"))"
        + end("last", "next", "optional='YES'") + "</entity>"
    }
    let more = #"<attribute name="m" attributeType="String" optional="YES"/>"#
    try write(
      [("App", node(more) + Self.book), ("App 2", node("") + Self.bookWithNote)], current: "App 2",
      to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld", "--all"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("There are no rows of Node"), "\(result.errors)")
    #expect(result.output.contains("wrote Scenarios/Every-version-direct.scenario.yaml\n"))
    #expect(try text(of: "App-to-App-2.scenario.yaml", in: folder).contains("  Book:\n"))
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test(arguments: ["new/deep", "link/deep", "link"])
  func theFolderMayBeNewOrBehindALink(_ place: String) throws {
    let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    try writeThreeVersions(to: folder)
    try elsewhere.write("", to: "a/b/empty")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "link"),
      withDestinationURL: elsewhere.url.appending(path: "a/b"))
    let path = folder.url.appending(path: place).path
    for scope in [["--all"], []] {
      let output = scope.isEmpty ? path + "/newest" : path
      let result = try Tool.run(["init", "App.xcdatamodeld", output] + scope, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      let run = try Tool.run(["run", output], in: folder)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
  }

  @Test func aVersionThatNeverShippedIsLeftOutByName() throws {
    let folder = try TemporaryFolder()
    try writeThreeVersions(to: folder)
    let wrong = try Tool.run(
      ["init", "App.xcdatamodeld", "--all", "--except", "App2"], in: folder)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("there is no version 'App2'; did you mean 'App'?"))
    let result = try Tool.run(
      ["init", "App.xcdatamodeld", "--all", "--except", "App 2"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("every version stepwise: 1 start\n"))
    let every = try text(of: "Every-version-stepwise.scenario.yaml", in: folder)
    #expect(every.contains("\nstart: { except: [App 2] }\n"), "\(every)")
    #expect(try starts(in: folder) == ["App"])
  }

  @Test func aVersionThatTheModelGetsLaterIsPlayedWithoutAnEdit() throws {
    let folder = try TemporaryFolder()
    try writeThreeVersions(to: folder)
    #expect(try Tool.run(["init", "App.xcdatamodeld", "--all"], in: folder).status == 0)
    #expect(try starts(in: folder) == ["App", "App 2"])
    let fourth = Self.book.replacing(
      "<attribute name=\"pages\"",
      with:
        "<attribute name=\"rating\" optional=\"YES\" attributeType=\"Double\"/>\n<attribute name=\"pages\""
    )
    try write([("App 4", fourth)], current: "App 4", to: folder)
    #expect(try starts(in: folder) == ["App", "App 2", "App 3"])
  }

  /// Two kinds of an entity can't both have the only link to a row, and a short text isn't too short.
  @Test func samplesKeepTheRulesOfTheModel() throws {
    let folder = try TemporaryFolder()
    func link(_ name: String, _ entity: String, _ inverse: String) -> String {
      """
      <relationship name="\(name)" optional="YES" maxCount="1" deletionRule="Nullify"
        destinationEntity="\(entity)" inverseName="\(inverse)" inverseEntity="\(entity)"/>
      """
    }
    let text =
      "<attribute name=\"code\" attributeType=\"String\" minValueString=\"2\" maxValueString=\"2\"/>"
    let first = """
      <entity name="Item" isAbstract="YES">\(link("shelf", "Shelf", "last"))</entity>
      <entity name="Book" parentEntity="Item">\(text)</entity><entity name="Disc" parentEntity="Item"/>
      <entity name="Shelf">\(link("last", "Item", "shelf"))</entity>
      """
    let added = "<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/>"
    let second = first.replacing(text, with: text + added)
    try write([("App", first), ("App 2", second)], current: "App 2", to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld", "--all"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  /// The app would meet the error, and so does each start that comes this way.
  @Test func aStepWithoutAWayFailsFromEveryVersionBeforeIt() throws {
    let folder = try TemporaryFolder()
    try writeThreeVersions(to: folder)
    let fourth = Self.book.replacing(
      "name=\"title\" attributeType=\"String\" minValueString=\"3\" maxValueString=\"12\"",
      with: "name=\"title\" attributeType=\"Date\"")
    try write([("App 4", fourth)], current: "App 4", to: folder)
    let result = try Tool.run(["init", "App.xcdatamodeld", "--all"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains(
        "every version direct: 3 starts, of which 3 fail"), "\(result.output)")
    #expect(result.errors.contains("App 3 -> App 4 has no mapping model and can't be inferred"))
    #expect(
      result.errors.contains(
        "If the app takes every step by itself, remove this scenario, and write 'migration: progressive'"
      ))
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains("4 scenarios, 16 runs: 2 passed, 14 failed"), "\(run.output)")
  }

  /// A step from a version that never shipped is taken by no store.
  @Test func noStepOfVersionsThatNeverShippedIsTested() throws {
    let folder = try TemporaryFolder()
    try writeThreeVersions(to: folder)
    let result = try Tool.run(
      ["init", "App.xcdatamodeld", "--all", "--except", "App,App 2"], in: folder)
    #expect(!result.output.contains("App-2-to-App-3"), "\(result.output)")
    let other = try Tool.run(
      ["init", "App.xcdatamodeld", "Other", "--all", "--except", "App 2"], in: folder)
    #expect(other.output.contains("Other/App-2-to-App-3.scenario.yaml"), "\(other.output)")
  }

  /// Their absence is no error that the app gets.
  @Test(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
  func withoutThePoliciesNothingIsWritten() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(
      ["init", Corpus.url("bookmigration/Model.xcdatamodeld").path, "--all"], in: folder)
    #expect(result.status == 2, "\(result.errors)")
    #expect(result.errors.contains("MHWBookToBookPolicy"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test(
    .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
    arguments: [
      "posts/CoreDataMigration_Example.xcdatamodeld",
      "wire/ZMEventModel.xcdatamodeld", "wire/zmessaging.xcdatamodeld",
      "woocommerce/WooCommerce.xcdatamodeld",
    ])
  func whatIsWrittenForRealModelsIsGreenAtOnce(path: String) throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(["init", Corpus.url(path).path], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("1 scenario, 2 runs: 2 passed"))
  }
}
