import Foundation
import TestSupport
import Testing

@testable import ObjectModel

/// Models of which not every version can be, or need be, read.
@Suite struct VersionReaderTests {
  private let folder: TemporaryFolder
  private var url: URL { folder.url.appending(path: "App.xcdatamodeld") }

  init() throws {
    folder = try TemporaryFolder()
    for name in ["App", "App 2", "Other"] { try write(name, "<model><entity name='A'/></model>") }
  }

  private func write(_ version: String, _ text: String) throws {
    try folder.write(text, to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
  }

  private static let empty = "<plist version='1.0'><dict/></plist>"
  private static let gone =
    "<plist version='1.0'><dict><key>_XCCurrentVersionName</key>"
    + "<string>App 9.xcdatamodel</string></dict></plist>"

  @Test(arguments: [nil, empty, gone])
  func withoutASayTheNewestVersionIsCurrent(file: String?) throws {
    try FileManager.default.removeItem(at: url.appending(path: "Other.xcdatamodel"))
    if let file { try folder.write(file, to: "App.xcdatamodeld/.xccurrentversion") }
    let model = try VersionedModel.load(contentsOf: url)
    #expect(try model.requiredCurrentVersion().name == "App 2")
    #expect(model.currentVersionIsAssumed)
    #expect(model.notes.map { $0.message.contains(": the newest is taken; ") } == [true])
    // The order in which the versions came about may be known by something else.
    #expect(model.ordered(given: ["App 2", "App"]).currentVersionName == "App")
  }

  @Test(arguments: [nil, empty, gone])
  func aSingleVersionIsCurrentWhateverIsSaid(file: String?) throws {
    for name in ["App 2", "Other"] {
      try FileManager.default.removeItem(at: url.appending(path: "\(name).xcdatamodel"))
    }
    if let file { try folder.write(file, to: "App.xcdatamodeld/.xccurrentversion") }
    let model = try VersionedModel.load(contentsOf: url)
    #expect(model.currentVersionName == "App")
    #expect(!model.currentVersionIsAssumed)
  }

  @Test(arguments: ["App.xcodeproj", "../App.xcodeproj"])
  func xcodesProjectFileTellsTheCurrentVersion(project: String) throws {
    let app = try TemporaryFolder()
    for name in ["App", "App 2", "App 3"] {
      try app.write("<model/>", to: "Sources/App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try app.write(
      """
      // !$*UTF8*$!
      {objects = {
      /* Begin PBXFileReference section */
        A1 /* App.xcdatamodel */ = {isa = PBXFileReference; path = App.xcdatamodel; };
        A2 /* App 2.xcdatamodel */ = {isa = PBXFileReference; path = "App 2.xcdatamodel"; };
      /* Begin XCVersionGroup section */
        B0 /* Other.xcdatamodeld */ = {
          isa = XCVersionGroup; children = (A1,); currentVersion = A1; path = Other.xcdatamodeld;
        };
        B1 /* App.xcdatamodeld */ = {
          isa = XCVersionGroup;
          children = ( A2 /* App 2.xcdatamodel */, A1 /* App.xcdatamodel */, );
          currentVersion = A2 /* App 2.xcdatamodel */;
          path = App.xcdatamodeld;
        };
      };}
      """, to: "Sources/\(project)/project.pbxproj")
    let model = try VersionedModel.load(
      contentsOf: app.url.appending(path: "Sources/App.xcdatamodeld"))
    #expect(model.currentVersionName == "App 2")
    #expect(!model.currentVersionIsAssumed)
    #expect(
      model.notes.map(\.message) == [
        "nothing says which version is the current one: 'App 2' is taken, as App.xcodeproj has it"
      ])
  }

  @Test func aLinkToAModelIsThatModel() throws {
    let link = folder.url.appending(path: "Link.xcdatamodeld")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    #expect(try VersionedModel.load(contentsOf: link).versions.count == 3)
  }

  @Test func aVersionOfXcode3IsPassedOverWithANote() throws {
    try folder.write("", to: "App.xcdatamodeld/Draft.xcdatamodel/elements")
    let model = try VersionedModel.load(contentsOf: url)
    #expect(model.versions.count == 3)
    #expect(model.unreadableVersions["Draft"]?.kind == .xcode3Format)
    #expect(model.notes.contains { $0.file.hasSuffix("Draft.xcdatamodel") })
  }

  @Test func aCurrentVersionOfXcode3IsNoneThatCanBeUsed() throws {
    try folder.write("", to: "App.xcdatamodeld/Draft.xcdatamodel/elements")
    try folder.write(
      """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>Draft.xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    let error = #expect(throws: ModelFileError.self) {
      try VersionedModel.load(contentsOf: url).requiredCurrentVersion()
    }
    #expect(error?.kind == .xcode3Format)
  }

  @Test func aPointerOfGitLFSIsNamed() throws {
    try write("App 2", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    let error = #expect(throws: ModelFileError.self) { try VersionedModel.load(contentsOf: url) }
    #expect(error?.kind == .largeFilePointer)
  }

  @Test func onlyTheVersionsAskedForAreRead() throws {
    try write("Other", "no model at all")
    let model = try VersionedModel.load(
      contentsOf: url, reading: VersionReader(only: ["App", "App 2"]))
    #expect(Set(model.versions.compactMap(\.name)) == ["App", "App 2"])
    #expect(model.unreadVersionNames == ["Other"])
    #expect(throws: ModelFileError.self) { try VersionedModel.load(contentsOf: url) }
  }

  @Test func aVersionIsReadAnewOnlyWhenItsFileChanges() throws {
    let reader = VersionReader(cache: VersionCache())
    func load() throws -> ManagedObjectModel? {
      try VersionedModel.load(contentsOf: url, reading: reader).version(named: "App")
    }
    let first = try load()
    #expect(try load() === first)
    try write("App", "<model><entity name='A'/><entity name='B'/></model>")
    #expect(try load()?.entities.count == 2)
  }
}
