import ObjectModel
import TestSupport
import Testing

/// Models written as Xcode's files, and read back.
@Suite struct ModelFileWriterTests {
  /// Everything that a file can have, as Xcode 16 writes it.
  static let everything = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="23507" systemVersion="24B83" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="2 &amp; more">
        <entity name="Media" representedClassName=".Media" isAbstract="YES" coreSpotlightDisplayNameExpression="title" syncable="YES">
            <attribute name="added" attributeType="Date" minDateTimeInterval="-0.5" maxDateTimeInterval="700000000" defaultDateTimeInterval="0" usesScalarValueType="NO" indexed="YES"/>
            <attribute name="price" optional="YES" attributeType="Decimal" minValueString="0.1" maxValueString="99" defaultValueString="0.0"/>
            <attribute name="title" optional="YES" attributeType="String" minValueString="1" maxValueString="80" defaultValueString="untitled &quot;x&quot;&#10;&lt;y&gt;" regularExpressionString="[A-Z].*" spotlightIndexingEnabled="YES" storedInTruthFile="YES"/>
            <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="media" inverseEntity="Tag"/>
            <fetchIndex name="byPlace" partialIndexPredicate="title != nil">
                <fetchIndexElement property="added" type="RTree" order="ascending"/>
                <fetchIndexElement expression="lowercase:(title)" expressionType="String" type="Binary" order="descending"/>
            </fetchIndex>
            <userInfo>
                <entry key="sync" value="never"/>
                <entry key="x.1" value=""/>
            </userInfo>
        </entity>
        <entity name="Song" representedClassName="App.Song" parentEntity="Media" elementID="Track" versionHashModifier="m" syncable="YES">
            <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" allowsCloudEncryption="YES"/>
            <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
            <attribute name="identifier" optional="YES" attributeType="UUID" defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5F" usesScalarValueType="NO" preserveAfterDeletion="YES"/>
            <attribute name="isLoud" optional="YES" attributeType="Boolean" defaultValueString="YES" usesScalarValueType="YES"/>
            <attribute name="seconds" attributeType="Double" minValueString="0.5" defaultValueString="0.0" usesScalarValueType="YES" elementID="length" versionHashModifier="n"/>
            <relationship name="owner" optional="YES" minCount="1" maxCount="1" deletionRule="Deny" destinationEntity="Tag" elementID="holder" versionHashModifier="o"/>
            <fetchedProperty name="alike" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Song" predicateString="title == $FETCH_SOURCE.title" fetchLimit="3"/>
                <userInfo>
                    <entry key="a" value="b"/>
                </userInfo>
            </fetchedProperty>
        </entity>
        <entity name="Tag" representedClassName="Tag" syncable="YES">
            <attribute name="colors" optional="YES" transient="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData" customClassName="[String]"/>
            <attribute name="name" attributeType="String"/>
            <attribute name="nothing" optional="YES" transient="YES"/>
            <attribute name="uses" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="media.@count" usesScalarValueType="YES"/>
            <relationship name="bin" toMany="YES" minCount="1" maxCount="9" deletionRule="No Action" ordered="YES" destinationEntity="Tag"/>
            <relationship name="media" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Media" inverseName="tags" inverseEntity="Media"/>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="name"/>
                    <constraint value="uses"/>
                </uniquenessConstraint>
                <uniquenessConstraint>
                    <constraint value="uses"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <fetchRequest name="some" entity="Media" predicateString="title == nil" fetchLimit="5" fetchBatchSize="20" resultType="2" includeSubentities="NO" includePropertyValues="NO" includesPendingChanges="NO" returnObjectsAsFaults="NO" returnDistinctResults="YES"/>
        <configuration name="Local" usedWithCloudKit="YES">
            <memberEntity name="Tag"/>
            <memberEntity name="Media"/>
        </configuration>
        <composite name="Address">
            <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
            <attribute name="street" attributeType="String" defaultValueString="?"/>
        </composite>
        <composite name="Place">
            <attribute name="latitude" attributeType="Double"/>
        </composite>
    </model>
    """

  private static func load(_ contents: String) throws -> ManagedObjectModel {
    let folder = try TemporaryFolder()
    try folder.write(contents, to: "App.xcdatamodel/contents")
    let loaded = try VersionedModel.load(contentsOf: folder.url.appending(path: "App.xcdatamodel"))
    #expect(loaded.notes == [])
    return loaded.versions[0]
  }

  private static func text(_ model: ManagedObjectModel) -> String {
    String(decoding: ModelFileWriter.contents(of: model), as: UTF8.self)
  }

  @Test func everythingThatIsReadIsWrittenAsXcodeWritesIt() throws {
    let model = try Self.load(Self.everything)
    #expect(Self.text(model) == Self.everything)
    #expect(try ModelFileWriter.losses(of: model, in: Data(Self.everything.utf8)) == [])
  }

  @Test func whatAFileLacksIsALoss() throws {
    let model = try Self.load(Self.everything)
    for (old, new, loss) in [
      (#" defaultValueString="YES""#, "", "    ~ isLoud: default: 1 -> none"),
      (#" fetchBatchSize="20""#, "", nil),
      (#" defaultValueString="?""#, "", "- Song.home: street: default \"?\""),
      (#" composite="Place""#, #" composite="Address2""#, nil),
    ] as [(String, String, String?)] {
      let changed = Self.everything.replacing(old, with: new)
        .replacing(
          "<composite name=\"Place\">",
          with: "<composite name=\"\(new.contains("2") ? "Address2" : "Place")\">")
      let losses = try ModelFileWriter.losses(of: model, in: Data(changed.utf8))
      #expect(!losses.isEmpty, "\(old)")
      if let loss { #expect(losses.contains(loss), "\(losses)") }
    }
  }

  @Test func whatFilesHaveNoFormForIsTold() throws {
    let attribute = AttributeDescription(name: "derived", type: .integer64)
    attribute.derivationExpression = "items.@count"
    attribute.filterPredicate = "x > 1"
    let data = AttributeDescription(name: "bytes", type: .binaryData)
    data.typedDefaultValue = .data(Data([1, 2]))
    let color = AttributeDescription(name: "color", type: .transformable)
    color.defaultValueString = "<NSColor>"
    let odd = AttributeDescription(name: "odd", type: .string)
    odd.typedDefaultValue = .string("a\u{1}b")
    odd.validationConditions = [ValidationCondition(predicateFormat: "SELF != 'x'")]
    let entity = EntityDescription(name: "A")
    entity.ownProperties = [attribute, data, color, odd]
    var request = FetchRequestTemplate(name: "all", entityName: "A")
    request.sortKeys = [.init(keyPath: "odd")]
    let model = try ManagedObjectModel(
      entities: [entity], name: "App", versionIdentifiers: ["1", "2"],
      fetchRequestTemplates: ["all": request])
    let contents = ModelFileWriter.contents(of: model)
    #expect(
      try ModelFileWriter.losses(of: model, in: contents) == [
        "~ A", "    ~ bytes: default: 2 bytes -> none",
        "    ~ derived: derivation filter: x > 1 -> none",
        "    ~ odd: default: \"a\u{1}b\" -> \"ab\", condition: SELF != 'x' -> none",
        "- version identifiers: 2", "- fetch request: all: A by odd",
        "- A.color: default <NSColor>",
      ])
  }

  @Test func compositeTypesOfOneNameAndOtherPartsAreTwo() throws {
    func home(_ name: String, _ part: AttributeType) -> AttributeDescription {
      let attribute = AttributeDescription(name: name, type: .composite)
      attribute.compositeName = "Place"
      attribute.elements = [AttributeDescription(name: "x", type: part)]
      return attribute
    }
    let entity = EntityDescription(name: "A")
    entity.ownProperties = [home("a", .double), home("b", .string), home("c", .double)]
    let model = try ManagedObjectModel(entities: [entity], name: "App")
    let contents = ModelFileWriter.contents(of: model)
    #expect(
      try ModelFileWriter.losses(of: model, in: contents) == ["- A.b: of type Place"])
    #expect(
      try Self.load(String(decoding: contents, as: UTF8.self)).entities[0].attributes.map {
        $0.compositeName
      } == ["Place", "Place2", "Place"])
  }
}

/// Real models, written and read back.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
struct RealModelsWrittenTests {
  @Test(arguments: [
    "woocommerce/WooCommerce.xcdatamodeld", "wire/zmessaging.xcdatamodeld",
    "wire/ZMEventModel.xcdatamodeld", "posts/CoreDataMigration_Example.xcdatamodeld",
    "bookmigration/Model.xcdatamodeld",
  ])
  func everyVersionIsTheSameAgain(path: String) throws {
    for version in try XcodeModel.load(contentsOf: Corpus.url(path)).versions {
      let contents = ModelFileWriter.contents(of: version)
      #expect(try ModelFileWriter.losses(of: version, in: contents) == [], "\(version)")
      // As a compiled model, too, and in a store.
      for archived in try [
        ModelArchive.decodeCompiledModel(ModelArchive.encodeCompiledModel(version)),
        ModelArchive.decode(ModelArchive.encode(version)),
      ] {
        let file = ModelFileWriter.contents(of: archived)
        #expect(try ModelFileWriter.losses(of: archived, in: file) == [], "\(version)")
      }
    }
  }

  /// The newest files of the corpus, line by line but for what Xcode alone has, and who wrote them.
  @Test func theNewestFileIsWrittenAsXcodeDid() throws {
    let folder = try Corpus.url("woocommerce/WooCommerce.xcdatamodeld/Model 117.xcdatamodel")
    let model = try XcodeModel.loadVersion(contentsOf: folder).model
    let text = try String(contentsOf: folder.appending(path: "contents"), encoding: .utf8)
    let written = String(decoding: ModelFileWriter.contents(of: model), as: UTF8.self)
    func lines(_ text: String) -> [Substring] {
      text.split(separator: "\n", omittingEmptySubsequences: false).filter {
        !$0.hasPrefix("<model ")
      }
    }
    #expect(lines(written) == lines(text))
  }

  @Test func theModelsInStoresAreTheSameAgain() throws {
    #expect(RealModelCacheTests.stores.count > 20)
    for store in RealModelCacheTests.stores {
      guard let cache = try StoreFile(store).modelCache else { continue }
      let cached = try ModelArchive.decode(cache)
      let contents = ModelFileWriter.contents(of: cached)
      #expect(try ModelFileWriter.losses(of: cached, in: contents) == [], "\(store)")
    }
  }
}
