import ObjectModel
import TestSupport
import Testing

/// Models in the forms in which an app team has them.
@Suite struct GivenModelTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func load(_ path: String) throws -> VersionedModel {
    try VersionedModel.load(contentsOf: folder.url.appending(path: path))
  }

  private func problem(_ path: String) -> String? {
    let error = #expect(throws: ModelFileError.self) { try load(path) }
    return error?.description.replacing(folder.url.standardizedFileURL.path + "/", with: "")
  }

  private func model(_ entities: String, name: String = "App") throws -> ManagedObjectModel {
    let file = try folder.write(
      "<model>\(entities)</model>", to: "\(UUID())/\(name).xcdatamodel/contents")
    return try XcodeModel.loadVersion(contentsOf: file.deletingLastPathComponent()).model
  }

  private static let book = """
    <entity name="Book" representedClassName="App.Book">
      <attribute name="title" attributeType="String">
        <userInfo><entry key="shown" value="yes"/></userInfo>
      </attribute>
      <userInfo><entry key="sync" value="never"/></userInfo>
    </entity>
    """
  private static let shelf = #"<entity name="Shelf"/>"#

  // MARK: Compiled models

  @Test func aCompiledModelSaysWhatItsSourceSays() throws {
    let source = try model(Self.book)
    try folder.write(ModelArchive.encodeCompiledModel(source), to: "App.mom")
    let compiled = try load("App.mom")

    #expect(compiled.name == "App")
    #expect(compiled.currentVersionName == "App")
    #expect(ModelDifference(from: source, to: compiled.versions[0]).description == "")
    let book = try #require(compiled.versions[0].entity(named: "Book"))
    #expect(book.managedObjectClassName == "App.Book")
    #expect(book.userInfo == ["sync": "never"])
    #expect(book.property(named: "title")?.userInfo == ["shown": "yes"])
  }

  @Test func aCompiledModelHasItsVersionsInNumericOrderAndItsCurrentOne() throws {
    try folder.writeCompiled(
      ["App 10": model(Self.book + Self.shelf), "App 9": model(Self.book), "App": model("")],
      current: "App 9", to: "App.momd")
    try folder.write("memory image", to: "App.momd/App 9.omo")
    let app = try load("App.momd")

    #expect(app.versions.map(\.name) == ["App", "App 9", "App 10"])
    #expect(app.currentVersionName == "App 9")
    #expect(app.notes == [])
  }

  @Test func whatVersionInfoSaysOtherwiseIsNoted() throws {
    try folder.writeCompiled(["App": model(Self.book)], current: "App", to: "App.momd")
    let changed = try model(Self.book.replacing("title", with: "name"))
    try folder.write(ModelArchive.encodeCompiledModel(changed), to: "App.momd/App.mom")
    #expect(
      try load("App.momd").notes.map(\.message)
        == ["the version 'App' has other hashes than recorded here: Book"])

    try folder.writeCompiled(
      ["Old": model(""), "App": model(Self.book)], current: "App", to: "Other.momd")
    try FileManager.default.removeItem(at: folder.url.appending(path: "Other.momd/Old.mom"))
    #expect(
      try load("Other.momd").notes.map(\.message) == ["there is no version 'Old', or no longer"])
  }

  @Test func forACurrentVersionThatIsNotThereTheNewestIsTaken() throws {
    try folder.writeCompiled(
      ["App": model(Self.book), "App 2": model("")], current: "App 3", to: "App.momd")
    let compiled = try load("App.momd")
    #expect(compiled.currentVersionName == "App 2")
    #expect(compiled.currentVersionIsAssumed)

    try folder.write("<model/>", to: "X.xcdatamodeld/X.xcdatamodel/contents")
    try folder.write("<model/>", to: "X.xcdatamodeld/X 2.xcdatamodel/contents")
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key> <string>X 3.xcdatamodel</string>
      </dict></plist>
      """, to: "X.xcdatamodeld/.xccurrentversion")
    let source = try load("X.xcdatamodeld")
    #expect(source.currentVersionName == "X 2")
    let file = folder.url.standardizedFileURL.path + "/X.xcdatamodeld/.xccurrentversion"
    #expect(
      source.notes.map(\.description) == [
        "\(file):3: note: the current version 'X 3.xcdatamodel' doesn't exist: the newest is taken; "
          + "name another with an .xccurrentversion"
      ])
  }

  // MARK: Folders

  @Test func anAppBundlesModelIsFoundHoweverDeep() throws {
    try folder.writeCompiled(
      ["App": model(Self.book)], current: "App", to: "My.app/Contents/Resources/App.momd")
    try folder.writeCompiled(
      ["App": model(Self.book)], current: "App", to: "My.app/PlugIns/Widget.appex/App.momd")
    let app = try load("My.app")
    #expect(app.name == "App")
    #expect(app.url.path.hasSuffix("My.app/Contents/Resources/App.momd"))
  }

  @Test func severalModelsInAFolderAreMergedVersionByVersionFromTheCurrentOnes() throws {
    try folder.writeCompiled(
      [
        "App": model(""), "App 2": model(Self.book.replacing("title", with: "name")),
        "App 3": model(Self.book),
      ], current: "App 2", to: "My.app/App.momd")
    try folder.writeCompiled(
      ["Kit": model(#"<entity name="Box"/>"#), "Kit 2": model(Self.shelf)], current: "Kit 2",
      to: "My.app/Frameworks/Kit.framework/Kit.momd")
    let merged = try load("My.app")

    #expect(merged.name == "App + Kit")
    #expect(merged.versions.map(\.name) == ["App + Kit", "App 2 + Kit 2", "App 3 + Kit 2"])
    #expect(merged.currentVersionName == "App 2 + Kit 2")
    #expect(
      merged.versions.map { $0.entities.map(\.name) } == [
        ["Box"], ["Book", "Shelf"], ["Book", "Shelf"],
      ])
    let book = try #require(merged.versions[2].entity(named: "Book"))
    #expect(book.userInfo == ["sync": "never"])
    #expect(book.managedObjectModel === merged.versions[2])
  }

  @Test func theModelThatXcodeEditsCountsBeforeItsCompiledCopy() throws {
    try folder.write("<model/>", to: "Project/App.xcdatamodeld/App.xcdatamodel/contents")
    try folder.writeCompiled(
      ["App": model(Self.book)], current: "App", to: "Project/build/App.momd")
    #expect(try load("Project").url.pathExtension == "xcdatamodeld")
  }

  @Test func clashesAreNamed() throws {
    try folder.write(
      ModelArchive.encodeCompiledModel(model(Self.book)), to: "Clash/App.mom")
    try folder.write(
      ModelArchive.encodeCompiledModel(model(#"<entity name="Book"/>"#)), to: "Clash/Kit.mom")
    #expect(
      problem("Clash")
        == "Clash: error: can't merge models with two different entities named 'Book': "
        + "those of App and Kit"
    )

    try folder.write(ModelArchive.encodeCompiledModel(model(Self.book)), to: "Two/App.mom")
    try folder.write(ModelArchive.encodeCompiledModel(model("")), to: "Two/Watch/App.mom")
    #expect(
      problem("Two")
        == "Two: error: there are different models of one name in this folder, "
        + "'Two/App.mom' and 'Two/Watch/App.mom'; give one of them")
  }

  @Test func equalEntitiesOfSeveralModelsBecomeOne() throws {
    let merged = try ManagedObjectModel(
      byMerging: [model(Self.book), model(Self.book + Self.shelf)])
    #expect(merged.entities.map(\.name) == ["Book", "Shelf"])
  }

  // MARK: What isn't a model

  @Test func damagedCompiledModelsAreNamed() throws {
    try folder.write("no archive", to: "Text.mom")
    try folder.write(
      NSKeyedArchiver.archivedData(withRootObject: ["a"] as NSArray, requiringSecureCoding: false),
      to: "Array.mom")
    try folder.write("no property list", to: "App.momd/VersionInfo.plist")
    try folder.write(ModelArchive.encodeCompiledModel(model("")), to: "App.momd/App.mom")
    try folder.write("", to: "None.momd/App.omo")
    try folder.write("", to: "Folder/notes.txt")

    #expect(
      problem("Text.mom")
        == "Text.mom: error: not a compiled model: not a binary property list: "
        + "it doesn't begin with 'bplist00'")
    #expect(
      problem("Array.mom")
        == "Array.mom: error: not a usable compiled model: the archive holds no object, not a model"
    )
    #expect(
      problem("App.momd")
        == "App.momd/VersionInfo.plist: error: not a property list, or one without keys")
    #expect(problem("None.momd") == "None.momd: error: the model has no version: no .mom in it")
    #expect(
      problem("Folder")
        == "Folder: error: there is no model in this folder: "
        + "no .xcdatamodeld, .xcdatamodel, .momd or .mom")
    #expect(
      problem("Folder/notes.txt")
        == "Folder/notes.txt: error: not a model; give an .xcdatamodeld, .xcdatamodel, .momd "
        + "or .mom, or a folder with one")
    #expect(problem("Nowhere.momd") == "Nowhere.momd: error: there is no such file or folder")
  }
}
