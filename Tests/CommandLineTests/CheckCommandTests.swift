import Foundation
import TestSupport
import Testing

/// How `heavyweight check` ends, and what it says then.
@Suite(.tags(.process), .tiered)
struct CheckCommandTests {
  private func folder(_ versions: String..., current: String = "App 2") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (index, elements) in versions.enumerated() {
      let name = index == 0 ? "App" : "App \(index + 1)"
      try folder.write(
        "<model>\(elements)</model>", to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      """
      <plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    return folder
  }

  private static let old = #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#
  private static let text =
    #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#
  private static let wider = """
    <entity name="A"><attribute name="x" attributeType="Date"/>
      <attribute name="y" attributeType="String" optional="YES"/></entity>
    """

  @Test func aModelWithoutErrorsEndsWith0() throws {
    let result = try Tool.run(
      ["check", "App.xcdatamodeld"], in: folder(Self.old, Self.wider))
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output == """
        App.xcdatamodeld: 2 versions, current App 2
        in order by the numbers in the names

          version  to the next  to App 2
          App      lightweight  lightweight
          App 2                 current

        0 errors, 0 warnings, 0 notes

        """)
  }

  @Test func anImpossibleStepEndsWith1() throws {
    let result = try Tool.run(["check", "App.xcdatamodeld"], in: folder(Self.old, Self.text))
    #expect(result.status == 1)
    #expect(
      result.output == """
        App.xcdatamodeld: 2 versions, current App 2
        in order by the numbers in the names

          version  to the next          to App 2
          App      impossible (134140)  impossible (134140)
          App 2                         current

        error: App -> App 2: A.x: Source and destination attribute types are incompatible (134140) [step-impossible]
            do: 'x' is Date, 'x' is String; only numbers convert to other number types automatically. Write a mapping model for this step.

        1 error, 0 warnings, 0 notes

        """)
    #expect(
      result.errors
        == "no mapping model is beside the model; if the app has some elsewhere, name them or their folder with "
        + "--mappings\n")
  }

  /// Machines look for `error:` in what is printed.
  @Test func aFileThatIsPassedOverIsNoError() throws {
    let folder = try folder(Self.old, Self.wider)
    try folder.write("nothing", to: "Broken.xcmappingmodel/xcmapping.xml")
    let result = try Tool.run(["check", "App.xcdatamodeld", "--github"], in: folder)
    #expect(result.status == 0)
    let reason = "Broken.xcmappingmodel/xcmapping.xml:1: this isn't well-formed XML"
    let lines = result.output.split(separator: "\n").filter { $0.contains(reason) }
    #expect(lines.map { $0.hasPrefix("::warning ") } == [false, true], "\(result.output)")
    #expect(!result.output.contains("error:"), "\(result.output)")
  }

  @Test func warningsFailWhenStrict() throws {
    let folder = try folder(
      Self.wider, Self.wider.replacing(" optional=\"YES\"", with: ""))
    #expect(try Tool.run(["check", "App.xcdatamodeld"], in: folder).status == 0)
    #expect(try Tool.run(["check", "App.xcdatamodeld", "--strict"], in: folder).status == 1)

    try folder.write(
      "accepted: [{ rule: now-required, property: y, reason: All rows have one. }]",
      to: "accepted.yaml")
    let silenced = try Tool.run(
      ["check", "App.xcdatamodeld", "--strict", "--accepted", "accepted.yaml"], in: folder)
    #expect(silenced.status == 0)
    #expect(silenced.output.hasSuffix("\n0 errors, 0 warnings, 0 notes, 1 accepted\n"))
  }

  @Test func machinesGetVersionsHashesAndVerdicts() throws {
    let result = try Tool.run(
      ["check", "App.xcdatamodeld", "--json"], in: folder(Self.old, Self.text))
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(json["format"] as? Int == 1)
    #expect(json["current"] as? String == "App 2")
    #expect(json["exitStatus"] as? Int == 1)
    let versions = try #require(json["versions"] as? [[String: Any]])
    #expect(versions.map { $0["name"] as? String } == ["App", "App 2"])
    let hashes = try #require(versions[0]["entities"] as? [String: String])
    #expect(hashes["A"].flatMap { Data(base64Encoded: $0) }?.count == 32)
    let steps = try #require(json["hops"] as? [[String: Any]])
    #expect(steps.map { $0["verdict"] as? String } == ["impossible"])
    #expect(steps.map { $0["code"] as? Int } == [134140])
    #expect(steps.map { $0["underlyingCode"] as? Int } == [134190])
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.map { $0["rule"] as? String } == ["step-impossible"])
    #expect(findings.map { $0["property"] as? String } == ["x"])
  }

  @Test func whatCannotBeReadEndsWith2() throws {
    let folder = try folder(Self.old, "<entity/>")
    let broken = try Tool.run(["check", "App.xcdatamodeld"], in: folder)
    #expect(broken.status == 2)
    #expect(broken.output == "")
    #expect(
      broken.errors.hasSuffix(
        "/App.xcdatamodeld/App 2.xcdatamodel/contents:1:8: error: <entity> lacks the attribute "
          + "'name'\n"))

    let pointer = try Tool.run(
      ["check", "App.xcdatamodeld"], in: self.folder(Self.old, Self.text, current: "App 3"))
    #expect(pointer.status == 1, "App -> App 2 is impossible")
    #expect(
      pointer.output.contains(
        "/App.xcdatamodeld/.xccurrentversion:2: the current version 'App 3.xcdatamodel' doesn't exist: "
      ))

    let missing = try Tool.run(["check", "Nowhere.xcdatamodeld"], in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors.hasSuffix("error: there is no such file or folder\n"))
  }
}
