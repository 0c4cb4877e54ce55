import Foundation
import TestSupport
import Testing

/// How `heavyweight lock` ends, and what it says then.
@Suite(.tags(.process), .tiered)
struct LockCommandTests {
  private let folder: TemporaryFolder
  private static let entity = """
    <entity name="A"><attribute name="x" attributeType="Date" optional="YES"/></entity>
    """

  /// A model of three versions, of which the second is current, and its manifest.
  init() throws {
    folder = try TemporaryFolder()
    try write(Self.entity, as: "App")
    try write(Self.entity + #"<entity name="B"/>"#, as: "App 2")
    try write(Self.entity + #"<entity name="C"/>"#, as: "App 3")
    try setCurrent("App 2")
    let made = try Tool.run(["lock", "App.xcdatamodeld"], in: folder)
    try #require(made.status == 0)
    #expect(made.output == "App.xcdatamodeld.lock.json: 2 versions locked, current App 2\n")
  }

  private func write(_ elements: String, as version: String) throws {
    try folder.write(
      "<model>\(elements)</model>", to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
  }

  private func setCurrent(_ version: String) throws {
    try folder.write(
      """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(version).xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
  }

  private func check(
    _ options: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    try Tool.run(
      ["lock", "App.xcdatamodeld", "--check", "--json", "report.json"] + options, in: folder)
  }

  private func manifest() throws -> Data {
    try Data(contentsOf: folder.url.appending(path: "App.xcdatamodeld.lock.json"))
  }

  @Test func nothingChangedIsWell() throws {
    let result = try check()
    #expect(result.status == 0)
    #expect(
      result.output == """
        note: App 3: isn't locked yet [not-locked]
        2 versions locked, current App 2: nothing changed

        """)
  }

  @Test func theManifestIsTheSameEachTime() throws {
    let before = try manifest()
    let again = try Tool.run(["lock", "App.xcdatamodeld"], in: folder)
    #expect(
      again.output == "App.xcdatamodeld.lock.json is up to date: 2 versions locked, current App 2\n"
    )
    #expect(try manifest() == before)
    let other = try Tool.run(["lock", "App.xcdatamodeld", "-o", "other.json"], in: folder)
    #expect(other.status == 0)
    #expect(try Data(contentsOf: folder.url.appending(path: "other.json")) == before)
  }

  @Test func anEditedVersionIsNamedByItsProperties() throws {
    try write(
      """
      <entity name="A"><attribute name="x" attributeType="Date"/>
        <attribute name="y" attributeType="String"/></entity><entity name="D"/>
      """, as: "App")
    let before = try manifest()
    let result = try check()
    #expect(result.status == 1)
    #expect(
      result.output == """
        error: App: A.x: was 'Date, optional' and is 'Date, required' [edited-version]
        error: App: A.y: was added ('String, required') [edited-version]
        error: App: D: was added to a released version [edited-version]
        note: App 3: isn't locked yet [not-locked]
        2 versions locked, current App 2: 3 errors

        """)
    #expect(try manifest() == before)
  }

  private static let renamed = """
    <entity name="Author" elementID="Writer"><attribute name="title" attributeType="String" optional="YES" \
    elementID="name"/></entity>
    """

  /// No hash tells it, and the next step loses the values.
  @Test func aLostRenamingIdentifierIsAnError() throws {
    try write(Self.renamed, as: "App")
    #expect(try Tool.run(["lock", "App.xcdatamodeld"], in: folder).status == 0)
    #expect(try check().status == 0)
    let lost = Self.renamed.replacing(#" elementID="name""#, with: "")
      .replacing("Writer", with: "Poet")
    try write(lost, as: "App")
    let expected = """
      error: App: Author: its renaming identifier was 'Writer' and is 'Poet': a step that pairs by it may lose what it \
      was to keep; make it 'Writer' again [renaming-identifier-changed]
      error: App: Author.title: its renaming identifier was 'name' and is 'title': a step that pairs by it may lose \
      what it was to keep; make it 'name' again [renaming-identifier-changed]

      """
    let result = try check()
    #expect(result.status == 1)
    #expect(result.output.hasPrefix(expected), "\(result.output)")
    // Under another name the version is the same to Core Data, and is compared all the same.
    let old = folder.url.appending(path: "App.xcdatamodeld/App.xcdatamodel")
    try FileManager.default.moveItem(
      at: old, to: old.deletingLastPathComponent().appending(path: "App 0.xcdatamodel"))
    #expect(try check().output.contains("App: Author.title: its renaming identifier was 'name'"))
    try FileManager.default.moveItem(
      at: old.deletingLastPathComponent().appending(path: "App 0.xcdatamodel"), to: old)
    let again = try Tool.run(["lock", "App.xcdatamodeld"], in: folder)
    #expect(again.output.hasPrefix(expected), "\(again.output)")
    #expect(try check().status == 0)
  }

  /// A store of the configuration has the hashes of its entities only.
  @Test func aChangedConfigurationIsAnError() throws {
    func configurations(_ first: String, _ second: String) -> String {
      Self.entity + #"<entity name="D"/>"#
        + #"<configuration name="\#(first)"><memberEntity name="A"/></configuration>"#
        + #"<configuration name="Local">\#(second)</configuration>"#
    }
    let member = #"<memberEntity name="D"/>"#
    try write(configurations("Cloud", member), as: "App")
    #expect(try Tool.run(["lock", "App.xcdatamodeld"], in: folder).status == 0)
    // The store doesn't have the name.
    try write(configurations("Sync", member), as: "App")
    #expect(try check().status == 0)
    try write(configurations("Cloud", #"<memberEntity name="A"/>"#), as: "App")
    let result = try check()
    #expect(result.status == 1)
    #expect(
      result.output.hasPrefix(
        """
        error: App: no configuration has the entities of 'Local' any more, D: its stores match no version \
        [configuration-changed]

        """), "\(result.output)")
  }

  /// No hash tells it, and the app no longer reads its values.
  @Test func anotherValueTransformerIsAnError() throws {
    func transformed(_ name: String) -> String {
      Self.entity.replacing("Date\"", with: "Transformable\" \(name)")
    }
    try write(transformed(""), as: "App")
    #expect(try Tool.run(["lock", "App.xcdatamodeld"], in: folder).status == 0)
    try write(transformed(#"valueTransformerName="Tags""#), as: "App")
    let result = try check()
    #expect(result.status == 1)
    #expect(
      result.output.hasPrefix(
        """
        error: App: A.x: its value transformer was 'NSKeyedUnarchiveFromData' and is 'Tags': the app may no longer read \
        what stores have; make it 'NSKeyedUnarchiveFromData' again [value-transformer-changed]

        """), "\(result.output)")
  }

  @Test func aVersionBeforeALockedOneMustBeLocked() throws {
    try write(Self.entity + #"<entity name="E"/>"#, as: "App 1")
    let result = try check()
    #expect(result.status == 1)
    #expect(
      result.output.hasPrefix(
        """
        error: App 1: is older than a locked version, and isn't locked: an edit would go unnoticed; run 'heavyweight \
        lock' [earlier-not-locked]

        """), "\(result.output)")
  }

  @Test func aManifestWithoutRenamingIdentifiersGetsThemAtTheNextLock() throws {
    let written = try #require(String(data: try manifest(), encoding: .utf8))
    let former = written.replacing(#/,\s*"renamingIdentifiers" : \{\s*\}/#, with: "")
    #expect(former != written)
    try folder.write(former, to: "App.xcdatamodeld.lock.json")
    try write(Self.entity.replacing("name=\"x\"", with: #"name="x" elementID="y""#), as: "App")
    #expect(try check().status == 0)
    #expect(try Tool.run(["lock", "App.xcdatamodeld"], in: folder).status == 0)
    #expect(String(data: try manifest(), encoding: .utf8)?.contains(#""x" : "y""#) == true)
    try write(Self.entity, as: "App")
    #expect(try check().status == 1)
  }

  @Test func whatNoStoreNoticesMayChange() throws {
    try write(
      Self.entity.replacing("<entity ", with: #"<entity representedClassName="App.A" "#), as: "App")
    #expect(try check().status == 0)
  }

  @Test func aDeletedVersionAndACurrentOneMovedBackAreErrors() throws {
    try setCurrent("App")
    #expect(
      try check().output.hasPrefix(
        "error: App: is the current version, but 'App 2' was released: its stores can't be opened "
          + "[current-moved-back]\n"))
    try FileManager.default.removeItem(
      at: folder.url.appending(path: "App.xcdatamodeld/App 2.xcdatamodel"))
    let result = try check()
    #expect(result.status == 1)
    #expect(
      result.output.hasPrefix(
        "error: App 2: was released, and no longer exists [deleted-version]\n"))
  }

  @Test func aStepWithoutAWayIsAnError() throws {
    try write(
      #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#, as: "App 3")
    try setCurrent("App 3")
    let result = try check()
    #expect(result.status == 1)
    #expect(
      result.output.hasPrefix(
        "error: App 2 -> App 3: A.x: Source and destination attribute types are incompatible "
          + "(134140) [no-path]\n"))
  }

  @Test func versionsThatCannotBeToldApartAreAnErrorUnlessAccepted() throws {
    try write(Self.entity + #"<entity name="B"/>"#, as: "App 3")
    try setCurrent("App 3")
    let result = try check()
    #expect(result.status == 1)
    #expect(
      result.output == """
        error: App 2: has the same hashes as App 3: Core Data can't tell them apart [equal-versions]
        error: App 3: is the current version, and isn't locked: run 'heavyweight lock', or give --allow-unlocked until it ships [current-not-locked]
        2 versions locked, current App 2: 2 errors

        """)
    try folder.write(
      """
      accepted:
        - { rule: equal-versions, version: App 2, reason: Only a class changed., date: 2026-03-01 }

      """, to: ".heavyweight-check.yaml")
    let accepted = try check("--allow-unlocked")
    #expect(accepted.status == 0)
    #expect(
      accepted.output.hasSuffix("2 versions locked, current App 2: nothing changed, 1 accepted\n"))
    try FileManager.default.removeItem(at: folder.url.appending(path: ".heavyweight-check.yaml"))
    let written = try Tool.run(["lock", "App.xcdatamodeld", "-o", "new.json"], in: folder)
    #expect(written.status == 0)
    #expect(
      written.output == """
        note: App 2: has the same hashes as App 3: Core Data can't tell them apart; since they shipped, they needn't differ from now on
        new.json: 3 versions locked, current App 3

        """)
    let shipped = try Tool.run(
      ["lock", "App.xcdatamodeld", "--check", "-o", "new.json"], in: folder)
    #expect(shipped.status == 0)
    #expect(
      shipped.output == """
        note: App 2: has the same hashes as App 3: Core Data can't tell them apart [equal-versions-when-locked]
        3 versions locked, current App 3: nothing changed

        """)
    try folder.write(
      "accepted: [{ rule: equal-versions, reason: Only a class changed. }]\n",
      to: ".heavyweight-check.yaml")
    let checked = try Tool.run(["check", "App.xcdatamodeld"], in: folder)
    #expect(checked.output.contains(", 1 accepted") && !checked.output.contains("equal-versions"))
  }

  @Test func theCurrentVersionMustBeLockedUnlessItMayBeUnlocked() throws {
    try setCurrent("App 3")
    let result = try check()
    #expect(result.status == 1)
    #expect(
      result.output == """
        error: App 3: is the current version, and isn't locked: run 'heavyweight lock', or give --allow-unlocked until it ships [current-not-locked]
        2 versions locked, current App 2: 1 error

        """)
    let allowed = try check("--allow-unlocked")
    #expect(allowed.status == 0)
    #expect(
      allowed.output == """
        note: App 3: isn't locked yet [not-locked]
        2 versions locked, current App 2: nothing changed

        """)
    #expect(
      try Tool.run(["lock", "App.xcdatamodeld", "--allow-unlocked"], in: folder).errors.contains(
        "--allow-unlocked needs --check."))
  }

  @Test func aRenamedVersionIsANoteWhileItsHashesStay() throws {
    func rename(_ version: String, to name: String) throws {
      try FileManager.default.moveItem(
        at: folder.url.appending(path: "App.xcdatamodeld/\(version).xcdatamodel"),
        to: folder.url.appending(path: "App.xcdatamodeld/\(name).xcdatamodel"))
    }
    try rename("App 2", to: "App 2b")
    try setCurrent("App 2b")
    let result = try check()
    #expect(result.status == 0)
    #expect(
      result.output == """
        note: App 2: is called 'App 2b' now; its hashes are the same, so its stores still open [renamed-version]
        note: App 3: isn't locked yet [not-locked]
        2 versions locked, current App 2: nothing changed

        """)
    try write(#"<entity name="Z"/>"#, as: "App 2b")
    #expect(
      try check().output.hasPrefix(
        "error: App 2: was released, and no longer exists [deleted-version]\n"))
  }

  @Test func whatSilencesNothingIsNamed() throws {
    try folder.write(
      """
      accepted:
        - { rule: edited-version, version: App, reason: We know. }
        - { rule: removed-entity, entity: X, reason: That is for check. }

      """, to: "accepted.yaml")
    let result = try Tool.run(
      ["lock", "App.xcdatamodeld", "--check", "--accepted", "accepted.yaml"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "note: accepted.yaml:2: silences nothing: edited-version (App)\n2 versions locked"))
  }

  @Test func writingAnewTellsWhatWasLockedOtherwise() throws {
    try write(Self.entity.replacing(#" optional="YES""#, with: ""), as: "App")
    let result = try Tool.run(["lock", "App.xcdatamodeld"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output == """
        error: App: A.x: was 'Date, optional' and is 'Date, required' [edited-version]
        App.xcdatamodeld.lock.json: 2 versions locked, current App 2

        """)
    #expect(try check().status == 0)
  }

  @Test(arguments: [
    ("", "not a manifest of a model: not valid JSON"),
    (#"{"format": 1}"#, "not a manifest of a model: 'model' is missing"),
    (
      #"{"format": 2, "model": "", "current": "", "versions": []}"#,
      "the manifest has format 2; this build reads format 1"
    ),
  ])
  func aBrokenManifestEndsWith2(text: String, message: String) throws {
    try folder.write(text, to: "App.xcdatamodeld.lock.json")
    for arguments in [["--check"], []] {
      let result = try Tool.run(["lock", "App.xcdatamodeld"] + arguments, in: folder)
      #expect(result.status == 2)
      #expect(result.output == "")
      #expect(result.errors == "App.xcdatamodeld.lock.json: error: \(message)\n")
    }
    #expect(try String(decoding: manifest(), as: UTF8.self) == text)
  }
}
