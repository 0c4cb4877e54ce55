import ObjectModel
import TestSupport
import Testing

@Suite struct XcodeModelTests {
  @Test func everythingInAModelFileIsRead() throws {
    let folder = try TemporaryFolder()
    let model = try Self.load(Self.sample, in: folder)

    #expect(model.name == "Sample")
    #expect(model.versionIdentifiers == ["2"])
    #expect(model.configurations == ["Local": ["Tag"]])
    #expect(
      model.fetchRequestTemplates == [
        "untitled": FetchRequestTemplate(
          name: "untitled", entityName: "Media", predicateFormat: "title == nil")
      ])
    #expect(
      lines(of: model) == [
        #"versions ["2"]"#,
        #"configuration Local ["Tag"]"#,
        #"Media: - abstract true id Media modifier - unique [] indexes ["added(added true)", "added_title(added truetitle true)", "byTitle(title false)"]"#,
        "  0 added optional false transient false id added modifier - date default date(2001-01-01 00:00:00 +0000) bounds null null - external false preserve false transformer - indexed true class - derived -",
        "  1 tags optional true transient false id tags modifier - -> Tag <- media nullify 0...0 ordered false",
        #"  2 title optional true transient false id title modifier - string default string("untitled") bounds null integer(80) [A-Z].* external false preserve false transformer - indexed false class - derived -"#,
        #"Song: Media abstract false id Track modifier m unique [] indexes []"#,
        "  0 added optional false transient false id added modifier - date default date(2001-01-01 00:00:00 +0000) bounds null null - external false preserve false transformer - indexed true class - derived -",
        "  1 tags optional true transient false id tags modifier - -> Tag <- media nullify 0...0 ordered false",
        #"  2 title optional true transient false id title modifier - string default string("untitled") bounds null integer(80) [A-Z].* external false preserve false transformer - indexed false class - derived -"#,
        "  3 alike optional true transient true id alike modifier - fetches Song",
        "  4 cover optional true transient false id cover modifier - binaryData default null bounds null null - external true preserve true transformer - indexed false class - derived -",
        "  5 seconds optional false transient false id length modifier - double default double(0.0) bounds double(0.5) null - external false preserve false transformer - indexed false class - derived -",
        #"Tag: - abstract false id Tag modifier - unique [["name"]] indexes []"#,
        "  0 colors optional true transient true id colors modifier - transformable default null bounds null null - external false preserve false transformer NSSecureUnarchiveFromData indexed false class [String] derived -",
        "  1 media optional false transient false id media modifier - -> Media <- tags cascade 1...9 ordered true",
        "  2 name optional false transient false id name modifier n string default null bounds null null - external false preserve false transformer - indexed false class - derived -",
        "  3 nothing optional false transient true id nothing modifier - undefined default null bounds null null - external false preserve false transformer - indexed false class - derived -",
        "  4 owner optional true transient false id owner modifier - -> Song <- - noAction 0...1 ordered false",
        "  5 uses optional true transient false id uses modifier - integer64 default null bounds null null - external false preserve false transformer - indexed false class - derived count:(media)",
      ])
    #expect(model.entity(named: "Media")?.managedObjectClassName == ".Media")
    #expect(model.entity(named: "Media")?.userInfo == ["sync": "never", "x.1": ""])
    #expect(model.entity(named: "Tag")?.attribute(named: "name")?.userInfo == ["a": "b"])
    #expect(model.entity(named: "Song")?.attribute(named: "seconds")?.usesScalarValueType == true)
    let alike = model.entity(named: "Song")?.property(named: "alike") as? FetchedPropertyDescription
    #expect(alike?.fetchRequest.predicateFormat == "title == $FETCH_SOURCE.title")
  }

  @Test(
    "Defaults are read leniently, since Xcode keeps their text when a type changes",
    arguments: [
      ("Integer 32", "NO", .integer(0)), ("Integer 64", "-1", .integer(-1)),
      ("Integer 64", "0.0", .integer(0)), ("Integer 16", "12abc", .integer(12)),
      ("Integer 16", "abc", .integer(0)), ("Integer 64", "YES", .integer(1)),
      ("Boolean", "YES", .integer(1)), ("Boolean", "0", .integer(0)),
      ("Boolean", "0.0", .integer(0)), ("Boolean", "2", .integer(1)),
      ("Decimal", "0.10", .decimal(Decimal(string: "0.1")!)), ("Double", ".5e1", .double(5)),
      ("Float", "0.1", .double(Double(Float(0.1)))), ("String", "", .string("")),
      ("String", "NO", .string("NO")), ("Binary", "x", .null), ("Transformable", "x", .null),
      (
        "UUID", "00112233-4455-6677-8899-AABBCCDDEEFF",
        .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!)
      ),
      ("URI", "a:b", .uri(URL(string: "a:b")!)),
    ] as [(String, String, Value)])
  func defaultsAreLenient(type: String, text: String, value: Value) throws {
    let folder = try TemporaryFolder()
    let model = try Self.load(
      """
      <model><entity name="E">
        <attribute name="a" attributeType="\(type)" defaultValueString="\(text)"/>
      </entity></model>
      """, in: folder)
    let attribute = try #require(model.entity(named: "E")?.attribute(named: "a"))
    #expect(attribute.typedDefaultValue == value)
    #expect(attribute.defaultValueString == text)
  }

  @Test func versionsAreInNumericOrderAndTheCurrentOneIsKnown() throws {
    let folder = try TemporaryFolder()
    for name in ["App 10", "App", "App 9", "App 2.1"] {
      try folder.write("<model/>", to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    let plist = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "App 9.xcdatamodel"], format: .xml, options: 0)
    try plist.write(to: folder.url.appending(path: "App.xcdatamodeld/.xccurrentversion"))
    let model = try XcodeModel.load(contentsOf: folder.url.appending(path: "App.xcdatamodeld"))

    #expect(model.name == "App")
    #expect(model.versions.map(\.name) == ["App", "App 2.1", "App 9", "App 10"])
    #expect(model.currentVersionName == "App 9")
    #expect(model.currentVersion === model.versions[2])
    #expect(model.notes == [])
  }

  @Test func ofSeveralVersionsTheNewestIsCurrentUnlessSomethingElseIsSaid() throws {
    let folder = try TemporaryFolder()
    try folder.write("<model/>", to: "App.xcdatamodeld/App.xcdatamodel/contents")
    let url = folder.url.appending(path: "App.xcdatamodeld")
    #expect(try XcodeModel.load(contentsOf: url).currentVersionName == "App")

    try folder.write("<model/>", to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
    #expect(try XcodeModel.load(contentsOf: url).currentVersionName == "App 2")

    try folder.write("broken", to: "App.xcdatamodeld/.xccurrentversion")
    let broken = try XcodeModel.load(contentsOf: url)
    #expect(broken.currentVersionName == nil)
    #expect(broken.notes.map(\.message) == ["not a property list, or one without keys"])
  }

  @Test func ofASingleVersionTooABrokenFileSaysNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write("<model/>", to: "App.xcdatamodeld/App.xcdatamodel/contents")
    try folder.write("broken", to: "App.xcdatamodeld/.xccurrentversion")
    let model = try XcodeModel.load(contentsOf: folder.url.appending(path: "App.xcdatamodeld"))
    #expect(model.currentVersionName == nil)
    #expect(throws: ModelFileError.self) { try model.requiredCurrentVersion() }
  }

  @Test func unknownElementsAndAttributesAreNotedOnce() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model shiny="YES">
        <entity name="A" glow="1"><sparkle/><attribute name="x"/></entity>
        <entity name="B" glow="1"/>
      </model>
      """, to: "App.xcdatamodel/contents")
    let url = folder.url.appending(path: "App.xcdatamodel")
    let model = try XcodeModel.load(contentsOf: url)
    let file = url.appending(path: "contents").standardizedFileURL.path
    #expect(model.versions[0].entities.map(\.name) == ["A", "B"])
    #expect(
      model.notes.map(\.description) == [
        "\(file):2: note: unknown attribute 'shiny' of <model>",
        "\(file):3: note: unknown attribute 'glow' of <entity>",
        "\(file):3: note: unknown element <sparkle> in <entity>",
      ])
  }

  static let sample = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model userDefinedModelVersionIdentifier="2" type="com.apple.IDECoreDataModeler.DataModel">
      <entity name="Tag" representedClassName="Tag" syncable="YES">
        <attribute name="name" attributeType="String" versionHashModifier="n">
          <userInfo><entry key="a" value="b"/></userInfo>
        </attribute>
        <attribute name="nothing" transient="YES"/>
        <attribute name="colors" optional="YES" transient="YES" attributeType="Transformable"
          valueTransformerName="NSSecureUnarchiveFromData" customClassName="[String]"/>
        <attribute name="uses" optional="YES" attributeType="Integer 64" derived="YES"
          derivationExpression="media.@count"/>
        <relationship name="media" toMany="YES" ordered="YES" minCount="1" maxCount="9"
          deletionRule="Cascade" destinationEntity="Media" inverseName="tags"
          inverseEntity="Media"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Song"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Media" representedClassName=".Media" isAbstract="YES">
        <attribute name="title" optional="YES" attributeType="String" maxValueString="80"
          regularExpressionString="[A-Z].*" defaultValueString="untitled"/>
        <attribute name="added" attributeType="Date" defaultDateTimeInterval="0" indexed="YES"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify"
          destinationEntity="Tag" inverseName="media" inverseEntity="Tag"/>
        <fetchIndex name="byTitle">
          <fetchIndexElement property="title" type="Binary" order="descending"/>
        </fetchIndex>
        <compoundIndexes>
          <compoundIndex><index value="added"/><index value="title"/></compoundIndex>
        </compoundIndexes>
        <userInfo><entry key="sync" value="never"/><entry key="x.1"/></userInfo>
      </entity>
      <entity name="Song" parentEntity="Media" elementID="Track" versionHashModifier="m">
        <attribute name="seconds" attributeType="Double" defaultValueString="0.0"
          minValueString="0.5" usesScalarValueType="YES" elementID="length"/>
        <attribute name="cover" optional="YES" attributeType="Binary"
          allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>
        <fetchedProperty name="alike" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Song"
            predicateString="title == $FETCH_SOURCE.title"/>
        </fetchedProperty>
      </entity>
      <fetchRequest name="untitled" entity="Media" predicateString="title == nil"/>
      <configuration name="Local"><memberEntity name="Tag"/></configuration>
      <elements><element name="Tag" positionX="0" positionY="0" width="128" height="88"/></elements>
    </model>
    """

  static func load(_ text: String, in folder: TemporaryFolder) throws -> ManagedObjectModel {
    try folder.write(text, to: "Sample.xcdatamodel/contents")
    return try XcodeModel.load(contentsOf: folder.url.appending(path: "Sample.xcdatamodel"))
      .versions[0]
  }
}
