import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What is odd about single versions, and about a model as a whole.
@Suite struct VersionRuleTests {
  @Test(
    "Each oddity is named",
    arguments: [
      (
        """
        <entity name="A"><relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify"
          destinationEntity="B"/></entity><entity name="B"/>
        """,
        "warning: App: A.b: has no inverse: a deleted B leaves a dangling reference "
          + "[missing-inverse]"
      ),
      (
        """
        <entity name="A"><relationship name="b" maxCount="1" deletionRule="Nullify"
          destinationEntity="B" inverseName="a"/><relationship name="c" maxCount="1"
          deletionRule="Nullify" destinationEntity="B" inverseName="a"/></entity>
        <entity name="B"><relationship name="a" maxCount="1" deletionRule="Nullify"
          destinationEntity="A" inverseName="b"/></entity>
        """,
        "error: App: A.c: has the inverse B.a, which leads back to 'b' [one-sided-inverse]"
      ),
      (
        """
        <entity name="A"><relationship name="a" maxCount="1" destinationEntity="A" inverseName="a"
          deletionRule="No Action"/></entity>
        """,
        "warning: App: A.a: has the delete rule No Action: deleting leaves references to objects "
          + "that are gone [no-action-delete-rule]"
      ),
      (
        """
        <entity name="A"><attribute name="x" attributeType="String" optional="YES"/><relationship name="bs"
          optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="B" inverseName="a"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint>
          </uniquenessConstraints></entity>
        <entity name="B"><relationship name="a" maxCount="1" deletionRule="Nullify"
          destinationEntity="A" inverseName="bs"/></entity>
        """,
        "warning: App: A.bs: has the required inverse B.a, and A has a uniqueness constraint: Xcode may refuse to "
          + "compile the model [mandatory-inverse]"
      ),
      (
        #"<entity name="A"><attribute name="x"/></entity>"#,
        "warning: App: A.x: has no type, and so no column [undefined-type]"
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="Transformable"/></entity>"#,
        "note: App: A.x: is archived without secure coding [insecure-transformer]"
      ),
      (
        """
        <entity name="A"><attribute name="x" attributeType="Integer 16" optional="YES"
          defaultValueString="40000"/></entity>
        """,
        "warning: App: A.x: the default 40000 doesn't fit Integer 16 [default-out-of-range]"
      ),
      (
        """
        <entity name="A"><attribute name="x" attributeType="String" defaultValueString="ab"
          minValueString="3"/></entity>
        """,
        #"warning: App: A.x: the default "ab" is below the minimum 3 [default-out-of-range]"#
      ),
      (
        """
        <entity name="A"><fetchIndex name="i"><fetchIndexElement property="x" type="Binary"
          order="ascending"/></fetchIndex></entity>
        """,
        "error: App: A.x: an index names it, but the entity doesn't have it [unknown-name]"
      ),
      (
        """
        <entity name="A"><attribute name="t" optional="YES" transient="YES" attributeType="String"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="t"/>
          </uniquenessConstraint></uniquenessConstraints></entity>
        """,
        "error: App: A.t: a uniqueness constraint names it, which is transient: no store keeps it unique "
          + "[constraint-not-kept]"
      ),
      (
        """
        <entity name="A"><relationship name="bs" optional="YES" toMany="YES" deletionRule="Nullify"
          destinationEntity="A" inverseName="a"/><relationship name="a" optional="YES" maxCount="1"
          deletionRule="Nullify" destinationEntity="A" inverseName="bs"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="a"/><constraint value="bs"/>
          </uniquenessConstraint></uniquenessConstraints></entity>
        """,
        "error: App: A.bs: a uniqueness constraint names it, a to-many relationship: no store keeps it unique "
          + "[constraint-not-kept]"
      ),
      (
        #"<entity name="A"/><configuration name="C"><memberEntity name="B"/></configuration>"#,
        "error: App: B: is in configuration 'C', but not in the model [unknown-name]"
      ),
      (
        #"<entity name="A"/><fetchRequest name="all" entity="B"/>"#,
        "error: App: B: fetch request 'all' fetches it, but the model doesn't have it [unknown-name]"
      ),
      (
        """
        <entity name="A"><attribute name="x" attributeType="Date"/>
          <attribute name="X" attributeType="Date"/></entity>
        """,
        "note: App: A.X: differs only in case from x: the column gets another name "
          + "[names-differ-in-case]"
      ),
      (
        #"<entity name="A"/><entity name="a"/><entity name="B" parentEntity="A"/><entity name="b" parentEntity="A"/>"#,
        "error: App: A: differs only in case from a: they would have one table, so no SQLite store can be made "
          + "[entities-differ-in-case]"
      ),
      (
        #"<entity name="A_1$é"/><entity name="Foo Bar"/>"#,
        "error: App: Foo Bar: has a character in its name that no table's may have: Core Data's statement has a syntax "
          + "error, and the store can't be opened [entity-name-not-allowed]"
      ),
      (
        #"<entity name="A" glow="1"/>"#,
        "note: App.xcdatamodeld/App.xcdatamodel/contents:1: unknown attribute 'glow' of <entity> "
          + "[passed-over]"
      ),
    ])
  func odditiesAreNamed(elements: String, finding: String) throws {
    #expect(try ModelVersions(elements).findings() == [finding])
  }

  @Test func aMissingCurrentVersionIsToldOnce() throws {
    let versions = try ModelVersions(#"<entity name="A"/>"#, #"<entity name="B"/>"#)
    let file = versions.folder.url.appending(path: "App.xcdatamodeld/.xccurrentversion")
    for (text, problem) in [
      (nil, "nothing says which version is the current one"),
      ("App 9.xcdatamodel", "the current version 'App 9.xcdatamodel' doesn't exist"),
    ] {
      try? FileManager.default.removeItem(at: file)
      if let text {
        try PropertyListEncoder().encode(["_XCCurrentVersionName": text]).write(to: file)
      }
      let found = try versions.check().findings.filter {
        $0.rule == .currentAssumed || $0.rule == .passedOver
      }
      #expect(found.map(\.rule) == [.currentAssumed])
      #expect(found.map(\.subject.version) == ["App 2"])
      #expect(
        found.map(\.message) == [
          (text == nil ? "" : "\(file.path):1: ")
            + "\(problem): the newest is taken; name another with an .xccurrentversion"
        ])
    }
  }

  @Test(
    "Predicates and expressions that lead nowhere are named",
    arguments: [
      (
        #"<fetchRequest name="f" entity="A" predicateString="b.name == $n AND b.weight &gt; 1"/>"#,
        "",
        "error: App: A: fetch request 'f': reads 'b.weight', which isn't there [unknown-name]"
      ),
      (
        "",
        #"<fetchIndex name="i" partialIndexPredicate="y != nil"><fetchIndexElement property="b"/></fetchIndex>"#,
        "error: App: A: index 'i': reads 'y', which isn't there [unknown-name]"
      ),
      (
        "",
        #"<fetchIndex name="i"><fetchIndexElement expression="lowercase:(" expressionType="String"/></fetchIndex>"#,
        "error: App: A: index 'i': Unable to parse the format string \"lowercase:(\" (column 12: "
          + "expected a value, found the end of the text) [unparsable-predicate]"
      ),
      (
        "",
        #"<fetchedProperty name="f"><fetchRequest name="r" entity="B" predicateString="x = 1"/></fetchedProperty>"#,
        "error: App: A.f: reads 'x', which isn't there [unknown-name]"
      ),
    ])
  func whatReadsNothingIsNamed(elements: String, inA: String, finding: String) throws {
    let versions = try ModelVersions(
      """
      <entity name="A">\(inA)<relationship name="b" optional="YES" maxCount="1"
        deletionRule="Nullify" destinationEntity="B" inverseName="a"/></entity>
      <entity name="B"><attribute name="name" attributeType="String"/>
        <relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify"
          destinationEntity="A" inverseName="b"/></entity>
      \(elements)
      """)
    #expect(try versions.findings() == [finding])
  }

  @Test(arguments: [
    ("Integer 32", "zero", true), ("Integer 32", "NO", false), ("Double", "1e3", false),
    ("Boolean", "0.0", false), ("UUID", "none", true), ("Boolean", "maybe", true),
    ("Decimal", "", false), ("String", "zero", false),
  ])
  func aDefaultOfAnotherTypeIsNamed(type: String, text: String, isNamed: Bool) throws {
    let versions = try ModelVersions(
      """
      <entity name="A">
        <attribute name="x" attributeType="\(type)" defaultValueString="\(text)"/></entity>
      """)
    let findings = try versions.findings().filter { $0.contains("[default-out-of-range]") }
    #expect(findings.count == (isNamed ? 1 : 0))
    #expect(
      findings.allSatisfy { $0.contains("the default '\(text)' is not a \(type), and is read as") })
  }

  @Test func aPredicateThatCannotBeParsedIsNamed() throws {
    let versions = try ModelVersions(
      #"<entity name="A"/><fetchRequest name="some" entity="A" predicateString="x =="/>"#)
    let findings = try versions.findings()
    #expect(findings.count == 1)
    #expect(findings[0].hasPrefix("error: App: A: fetch request 'some': "))
    #expect(findings[0].hasSuffix(" [unparsable-predicate]"))
  }

  @Test func whatVersionsInARowHaveInCommonIsSaidOnce() throws {
    let odd = #"<entity name="A"><attribute name="x"/></entity>"#
    let versions = try ModelVersions(
      odd, odd + #"<entity name="B"/>"#, #"<entity name="C"/>"#, odd + #"<entity name="D"/>"#)
    #expect(
      try versions.findings().filter { $0.contains("[undefined-type]") } == [
        "warning: App ... App 2: A.x: has no type, and so no column [undefined-type]",
        "warning: App 4: A.x: has no type, and so no column [undefined-type]",
      ])
  }

  @Test func versionsThatCoreDataCannotTellApartAreNamed() throws {
    let versions = try ModelVersions(
      #"<entity name="A"/>"#, #"<entity name="A" representedClassName="App.A"/>"#,
      #"<entity name="A" isAbstract="YES"/>"#)
    #expect(try versions.check().steps.map(\.verdict.name) == ["unchanged", "lightweight"])
    let findings = try versions.findings()
    #expect(
      findings.filter { !$0.contains("[made-abstract]") } == [
        "note: App: has the same hashes as App 2: Core Data can't tell them apart [equal-versions]"
      ])
    #expect(findings.contains { $0.contains("A: is abstract now: what a device does here") })
  }

  @Test func aNewerVersionThanTheCurrentOneIsNamed() throws {
    let versions = try ModelVersions(#"<entity name="A"/>"#, #"<entity name="B"/>"#, current: 0)
    #expect(
      try versions.findings().first
        == "warning: App: is the current version, but 'App 2' is newer [current-not-newest]")
  }
}
