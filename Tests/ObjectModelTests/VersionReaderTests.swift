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

  @Test func withoutASayTheVersionNamedLikeTheModelIsCurrent() throws {
    let model = try VersionedModel.load(contentsOf: url)
    #expect(model.currentVersionName == "App")
    #expect(model.currentVersionIsAssumed)
    #expect(model.notes.contains { $0.message.contains("as Xcode does") })
  }

  @Test func withoutSuchAVersionNoneIsCurrent() throws {
    try FileManager.default.removeItem(at: url.appending(path: "App.xcdatamodel"))
    let model = try VersionedModel.load(contentsOf: url)
    #expect(model.currentVersionName == nil)
    #expect(throws: ModelFileError.self) { try model.requiredCurrentVersion() }
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
