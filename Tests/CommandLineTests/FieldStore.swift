import Foundation
import TestSupport
import Testing

/// A folder with an app's model in two versions and a customer's store of the first: what the commands for reports from
/// the field begin with.
struct FieldStore {
  let folder: TemporaryFolder
  let store: String

  static let seed = """
      Shelf:
        - { id: s1, code: 0A6B35E1-5B44-4C2C-9B1A-9D3C8F4E7A11, place: "Attic; Cellar" }
        - { id: s2, code: 7C1D2E3F-1111-4222-8333-944455556666, place: Attic }
      Book:
        - { id: b1, title: Gulliver, note: "lent to Jonathan", pages: 412, isbn: 9783161484100, bought: 2019-03-07T11:12:13Z, shelf: s1 }
        - { id: b2, title: gulliver, note: "lent to Jonathan", pages: 0, shelf: s1 }
        - { id: b3, title: Überfahrt, pages: 12, cover: 0x4a6f6e617468616e, shelf: s2 }
    """

  /// - Parameters:
  ///   - note: How the second version writes the note: required it refuses books without.
  ///   - options: Lines of the seed before its rows.
  init(
    note: String = "optional=\"YES\"", seed: String = seed, options: String = ""
  ) throws {
    folder = try TemporaryFolder()
    try Self.write(version: "App", Self.book("optional=\"YES\""), folder)
    try Self.write(
      version: "App 2",
      Self.book(note).replacing(
        "<attribute name=\"pages\"",
        with:
          "<attribute name=\"rating\" optional=\"YES\" attributeType=\"String\"/>\n<attribute name=\"pages\""
      ), folder)
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>App 2.xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    try folder.write(
      """
      scenario: The store
      models: { xcode: App.xcdatamodeld, versions: [App] }
      seed:
      \(options)\(seed)
      expect:
        - count: { Shelf: 2 }
      """, to: "Make.scenario.yaml")
    let made = try Tool.run(
      ["run", "Make.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    try #require(made.status == 0, "\(made)")
    store = "kept/Make.App.run/store.sqlite"
  }

  static func write(version: String, _ entities: String, _ folder: TemporaryFolder) throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entities)
      </model>
      """, to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
  }

  static func book(_ note: String) -> String {
    """
    <entity name="Book" syncable="YES">
      <attribute name="title" attributeType="String"/>
      <attribute name="note" \(note) attributeType="String"/>
      <attribute name="pages" attributeType="Integer 16" defaultValueString="1"/>
      <attribute name="isbn" optional="YES" attributeType="Integer 64" usesScalarValueType="NO"/>
      <attribute name="bought" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
      <attribute name="cover" optional="YES" attributeType="Binary"/>
      <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" inverseName="books" inverseEntity="Shelf"/>
    </entity>
    <entity name="Shelf" syncable="YES">
      <attribute name="code" attributeType="UUID" usesScalarValueType="NO"/>
      <attribute name="place" optional="YES" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="shelf" inverseEntity="Book"/>
    </entity>
    """
  }

  func run(_ arguments: String...) throws -> Tool.Result { try Tool.run(arguments, in: folder) }

  func text(_ path: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.url.appending(path: path).path)
  }

  /// What is in the folder, without what is deeper in it.
  var listing: [String] {
    get throws { try folder.names() }
  }
}
