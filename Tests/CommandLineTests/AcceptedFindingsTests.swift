import Foundation
import TestSupport
import Testing

/// `check --accept` and `lock --accept`: a model with a past that nobody can change gets green, and stays so.
@Suite(.tags(.process), .tiered)
struct AcceptedFindingsTests {
  private let folder: TemporaryFolder

  /// Three versions; nothing leads from the second to the third. (Older steps are only noted by `lock`.)
  init() throws {
    folder = try TemporaryFolder()
    let types = ["Date", "Date", "String"]
    for (index, type) in types.enumerated() {
      let name = index == 0 ? "App" : "App \(index + 1)"
      let more = index > 0 ? "" : #"<attribute name="y" attributeType="String" optional="YES"/>"#
      try folder.write(
        """
        <model><entity name="A"><attribute name="x" attributeType="\(type)" optional="YES"/>
        <attribute name="z" attributeType="\(type)" optional="YES"/>\(more)</entity></model>
        """, to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>App 3.xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
  }

  private func run(_ arguments: String...) throws -> (
    status: Int32, output: String, errors: String
  ) {
    try Tool.run(arguments, in: folder)
  }

  private func file(_ name: String = ".heavyweight-check.yaml") throws -> String {
    try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
  }

  @Test func whatCheckAcceptsLockAcceptsToo() throws {
    #expect(try run("check", "App.xcdatamodeld").status == 1)
    #expect(try run("lock", "App.xcdatamodeld").status == 0)
    #expect(try run("lock", "App.xcdatamodeld", "--check").status == 1)
    let accepted = try run("check", "App.xcdatamodeld", "--accept", "Version 1: never shipped.")
    #expect(accepted.status == 0, "\(accepted.output)")
    #expect(accepted.errors.contains(#/\d+ findings? accepted in .*\.heavyweight-check\.yaml\n/#))
    #expect(accepted.output.contains("accepted"))
    let today = Date().ISO8601Format().prefix(10)
    let text = try file()
    #expect(
      text.hasPrefix("accepted:\n  - rule: step-impossible\n    step: App 2 -> App 3\n"), "\(text)")
    #expect(
      text.contains("    reason: \"Version 1: never shipped.\"\n    date: \(today)\n"), "\(text)")
    #expect(try run("check", "App.xcdatamodeld").status == 0)
    let locked = try run("lock", "App.xcdatamodeld", "--check")
    #expect(locked.status == 0)
    #expect(locked.output.hasSuffix("nothing changed, 1 accepted\n"))
  }

  @Test func whatLockAcceptsCheckAcceptsToo() throws {
    #expect(try run("lock", "App.xcdatamodeld").status == 0)
    let accepted = try run("lock", "App.xcdatamodeld", "--accept", "Never shipped")
    #expect(accepted.status == 0, "\(accepted.output)\(accepted.errors)")
    #expect(try run("lock", "App.xcdatamodeld", "--check").status == 0)
    let checked = try run("check", "App.xcdatamodeld")
    #expect(checked.status == 0, "\(checked.output)")
    #expect(!checked.output.contains("unused-silencing"))
  }

  @Test func strictFindingsAreAddedToWhatIsThere() throws {
    let written = """
      # What the team decided.
      accepted:
      - rule: hop-impossible   # all of them
        reason: Gone.

      """
    try folder.write(written, to: "accepted.yaml")
    let accepted = try run(
      "check", "App.xcdatamodeld", "--strict", "--accepted", "accepted.yaml", "--accept", "Old")
    #expect(accepted.status == 0, "\(accepted.output)\(accepted.errors)")
    let text = try file("accepted.yaml")
    #expect(text.hasPrefix(written + "- rule: "), "\(text)")
    #expect(text.contains("  entity: A\n  property: y\n  reason: Old\n"), "\(text)")
    let again = try run(
      "check", "App.xcdatamodeld", "--strict", "--accepted", "accepted.yaml", "--accept", "Old")
    #expect(again.status == 0 && again.errors == "nothing to accept\n")
    #expect(try file("accepted.yaml") == text)
    #expect(
      try run("check", "App.xcdatamodeld", "--strict", "--accepted", "accepted.yaml").status == 0)
  }

  /// What is new after a baseline fails as ever.
  @Test func laterFindingsStillFail() throws {
    #expect(try run("check", "App.xcdatamodeld", "--accept", "Old").status == 0)
    try folder.write(
      #"<model><entity name="A"><attribute name="x" attributeType="Boolean"/></entity></model>"#,
      to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
    #expect(try run("check", "App.xcdatamodeld").status == 1)
  }

  /// Both have the same names, and the file beside both.
  @Test func whatIsAcceptedOfOneModelIsNotAcceptedOfAnother() throws {
    try FileManager.default.copyItem(
      at: folder.url.appending(path: "App.xcdatamodeld"),
      to: folder.url.appending(path: "Kit.xcdatamodeld"))
    try folder.write(
      "models: [{ path: App.xcdatamodeld }, { path: Kit.xcdatamodeld }]\n", to: "heavyweight.yaml")
    #expect(try run("check", "App.xcdatamodeld", "--accept", "Old").status == 0)
    #expect(try file().contains("rule: step-impossible\n    model: App.xcdatamodeld\n"))
    #expect(try run("check", "Kit.xcdatamodeld").status == 1)
    #expect(try run("check", "--accept", "Old, too").status == 0)
    let result = try run("check")
    #expect(result.status == 0 && !result.output.contains("unused-silencing"), "\(result.output)")
  }

  @Test func aListThatCannotGoOnIsLeftAsItIs() throws {
    let written = "accepted: [{ rule: removed-property, reason: Gone. }]\n"
    try folder.write(written, to: ".heavyweight-check.yaml")
    let result = try run("check", "App.xcdatamodeld", "--accept", "Old")
    #expect(result.status == 2)
    #expect(
      result.errors.contains("can't add to this list; write it with one entry below the other"))
    #expect(try file() == written)
    try folder.write("accepted: []\n", to: ".heavyweight-check.yaml")
    #expect(try run("check", "App.xcdatamodeld", "--accept", "Old").status == 0)
    #expect(try run("check", "App.xcdatamodeld", "--accept", " ").status == 2)
  }
}
