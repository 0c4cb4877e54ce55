import Foundation
import TestSupport
import Testing

/// `heavyweight init` in a repository: what it finds, what it writes, and what the commands make of that.
@Suite(.tags(.process), .tiered)
struct RepositoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("x", to: ".git/HEAD")
  }

  private func write(
    _ model: String, _ versions: [(name: String, attributes: [String])], current: String?
  ) throws {
    let name = (model as NSString).lastPathComponent
    for version in versions {
      let attributes = version.attributes.map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }.joined()
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="\(name)" syncable="YES">\(attributes)</entity>
        </model>
        """, to: "\(model).xcdatamodeld/\(version.name).xcdatamodel/contents")
    }
    guard let current else { return }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(current).xcdatamodel</string></dict></plist>
      """, to: "\(model).xcdatamodeld/.xccurrentversion")
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
  }

  @Test func everyModelIsFoundWithTheWayThatTheAppTakes() throws {
    try write(
      "Sources/Notes/Resources/Note", [("Note", ["a"]), ("Note 2", ["a", "b"])], current: "Note 2")
    try write("Watch/Cache", [("Cache", ["a"])], current: "Cache")
    try write("NotesTests/Old", [("Old", ["a"])], current: "Old")
    try write("Pods/Vendor/Other", [("Other", ["a"])], current: "Other")
    try folder.write(
      """
      // NSMigrationManager(sourceModel: a, destinationModel: b) was tried.
      let container = NSPersistentContainer(name: "Note")
      """, to: "Sources/Notes/Store.swift")
    let result = try Tool.run(["init"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      try text("heavyweight.yaml") == """
        # What was found in this repository, and from what. All commands in it read this file: mend what is wrong.
        models:
          - path: Watch/Cache.xcdatamodeld  # 1 version
            migration: automatic  # Sources/Notes/Store.swift:2 has NSPersistentContainer
          - path: Sources/Notes/Resources/Note.xcdatamodeld  # 2 versions, ordered by the numbers in the names
            migration: automatic  # Sources/Notes/Store.swift:2 has NSPersistentContainer

        """)
    #expect(
      result.errors == "left out, as part of a test or sample: NotesTests/Old.xcdatamodeld\n")
    #expect(
      result.output == """
        project file heavyweight.yaml
        wrote Scenarios/Cache/Cache.scenario.yaml
          Cache: 1 row, 2 expectations
        wrote Scenarios/Note/Note-to-Note-2.scenario.yaml
          Note -> Note 2, lightweight: 3 rows, 6 expectations
        wrote Scenarios/Note/Every-version-direct.scenario.yaml
          every version direct: 1 start
        next: heavyweight run Scenarios

        """)
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run)")
    // From elsewhere, given a file in it.
    let elsewhere = try TemporaryFolder()
    let check = try Tool.run(["check"], in: folder)
    #expect(check.status == 0)
    #expect(
      check.errors == """
        model Watch/Cache.xcdatamodeld, from heavyweight.yaml
        model Sources/Notes/Resources/Note.xcdatamodeld, from heavyweight.yaml

        """)
    let scenarios = folder.url.appending(path: "Scenarios").path
    #expect(try Tool.run(["run", scenarios], in: elsewhere).status == 0)
    #expect(try Tool.run(["init"], in: folder).errors.contains("kept") == false)
  }

  @Test func anOrderThatOnlyTheProjectFileTellsCounts() throws {
    try write(
      "Model/Note", [("Plum", ["a"]), ("Fig", ["a", "b"]), ("Ash", ["a", "c"])], current: nil)
    try folder.write(
      """
      models:
        path: Model/Note.xcdatamodeld
        order: [Ash, Plum, Fig]
        current: Fig

      """, to: "heavyweight.yaml")
    let lock = try Tool.run(["lock"], in: folder)
    #expect(lock.status == 0, "\(lock)")
    let manifest = try text("Model/Note.xcdatamodeld.lock.json")
    let places = try ["Ash", "Plum", "Fig"].map {
      try #require(manifest.range(of: "\"\($0)\"", options: .backwards)).lowerBound
    }
    #expect(places == places.sorted())
    try folder.write(
      "models: { path: Model/Note.xcdatamodeld, order: [Ash, Plumm] }\n", to: "heavyweight.yaml")
    let wrong = try Tool.run(["check"], in: folder)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("there is no version 'Plumm'; did you mean 'Plum'?"), "\(wrong)")
  }

  @Test(arguments: [
    ("models: [{ mappings: x }]", "the model needs 'path', as in 'path: App.xcdatamodeld'"),
    ("models: [{ path: x.mom, way: own }]", "unknown key 'way' in a model of a project file"),
    ("models: [{ path: x.mom, migration: owm }]", "did you mean 'own'?"),
  ])
  func mistakesInTheListHavePlaces(_ text: String, _ message: String) throws {
    try folder.write("x", to: "x.mom")
    try folder.write(text, to: "heavyweight.yaml")
    let result = try Tool.run(["check"], in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
