import ObjectModel
import TestSupport
import Testing

/// What few model files have: requests with all their settings, indexes over expressions, composite
/// types, and what is for other frameworks.
@Suite struct RareModelFileTests {
  private func load(_ elements: String) throws -> VersionedModel {
    let folder = try TemporaryFolder()
    try folder.write("<model>\(elements)</model>", to: "App.xcdatamodel/contents")
    return try VersionedModel.load(contentsOf: folder.url.appending(path: "App.xcdatamodel"))
  }

  private func error(_ elements: String) -> ModelFileError? {
    #expect(throws: ModelFileError.self) { try load(elements) }
  }

  // MARK: Requests

  @Test func allSettingsOfAFetchRequestAreRead() throws {
    let model = try load(
      """
      <entity name="A"/>
      <fetchRequest name="some" entity="A" predicateString="x = 1" fetchLimit="5"
        fetchBatchSize="20" includeSubentities="NO" includePropertyValues="NO"
        includesPendingChanges="NO" returnObjectsAsFaults="NO" returnDistinctResults="YES"
        resultType="2"/>
      <fetchRequest name="plain" entity="A" predicateString=""/>
      """)
    var some = FetchRequestTemplate(name: "some", entityName: "A", predicateFormat: "x = 1")
    some.fetchLimit = 5
    some.fetchBatchSize = 20
    some.includesSubentities = false
    some.includesPropertyValues = false
    some.includesPendingChanges = false
    some.returnsObjectsAsFaults = false
    some.returnsDistinctResults = true
    some.resultType = 2
    let plain = FetchRequestTemplate(name: "plain", entityName: "A")
    #expect(model.versions[0].fetchRequestTemplates == ["some": some, "plain": plain])
    #expect(model.notes == [])
  }

  @Test func whatIsNotKnownAboutARequestIsNoted() throws {
    let model = try load(
      """
      <entity name="A"/>
      <fetchRequest name="some" entity="A" resultType="Objects"><sortDescriptor key="x"/></fetchRequest>
      <fetchRequest name="some" entity="A" fetchLimit="1"/>
      """)
    #expect(
      model.notes.map(\.message) == [
        "unknown element <sortDescriptor> in <fetchRequest>",
        "unknown resultType 'Objects' of <fetchRequest>; read as objects",
        "a second fetch request named 'some'",
      ])
    #expect(model.versions[0].fetchRequestTemplates["some"]?.fetchLimit == 0)
  }

  @Test func aFetchedPropertyKeepsItsRequestsSettings() throws {
    let model = try load(
      """
      <entity name="A"><fetchedProperty name="first" optional="YES">
        <fetchRequest name="fetchedPropertyFetchRequest" entity="A" fetchLimit="1"
          predicateString="self != $FETCH_SOURCE"/>
        <userInfo><entry key="k" value="v"/></userInfo>
      </fetchedProperty></entity>
      """)
    let first = try #require(
      model.versions[0].entity(named: "A")?.property(named: "first")
        as? FetchedPropertyDescription)
    #expect(first.fetchRequest.fetchLimit == 1)
    #expect(first.fetchRequest.predicateFormat == "self != $FETCH_SOURCE")
    #expect(first.userInfo == ["k": "v"])
    #expect(
      error(#"<entity name="A"><fetchedProperty name="first"/></entity>"#)?.kind
        == .missingElement("fetchRequest", element: "fetchedProperty"))
  }

  // MARK: Indexes

  @Test func indexesOverExpressionsAndOfSomeObjectsAreRead() throws {
    let model = try load(
      """
      <entity name="A">
        <attribute name="title" attributeType="String"/>
        <attribute name="x" attributeType="Double"/><attribute name="y" attributeType="Double"/>
        <fetchIndex name="byTitle" partialIndexPredicate="x &gt; 0">
          <fetchIndexElement expression="lowercase:(title)" expressionType="String" type="Binary"
            order="descending"/>
          <fetchIndexElement property="x" type="Binary" order="ascending"/>
        </fetchIndex>
        <fetchIndex name="byPlace">
          <fetchIndexElement property="x" type="RTree" order="ascending"/>
          <fetchIndexElement property="y" type="RTree" order="ascending"/>
        </fetchIndex>
      </entity>
      """)
    var (x, y) = (
      FetchIndexDescription.Element(propertyName: "x"),
      FetchIndexDescription.Element(propertyName: "y")
    )
    let byTitle = FetchIndexDescription(
      name: "byTitle",
      elements: [
        .init(expressionFormat: "lowercase:(title)", type: .string, isAscending: false), x,
      ], partialPredicateFormat: "x > 0")
    x.collation = .rTree
    y.collation = .rTree
    #expect(
      model.versions[0].entity(named: "A")?.indexes == [
        byTitle, FetchIndexDescription(name: "byPlace", elements: [x, y]),
      ])
    #expect(model.notes == [])
  }

  @Test(
    "What an index can't be is named",
    arguments: [
      (
        #"order="ascending""#,
        ModelFileError.Kind.missingAttribute("property", element: "fetchIndexElement")
      ),
      (
        #"property="x" type="Hash""#,
        .invalidValue("Hash", attribute: "type", element: "fetchIndexElement")
      ),
      (
        #"expression="x" expressionType="Text""#,
        .invalidValue("Text", attribute: "expressionType", element: "fetchIndexElement")
      ),
    ])
  func impossibleIndexElementsAreNamed(attributes: String, kind: ModelFileError.Kind) {
    let found = error(
      """
      <entity name="A">
      <fetchIndex name="i"><fetchIndexElement \(attributes)/></fetchIndex></entity>
      """)
    #expect(found?.kind == kind)
    #expect(found?.line == 2)
    #expect(found?.column == 22)
  }

  // MARK: Composite types

  @Test func aCompositeAttributeHasThePartsOfItsType() throws {
    let model = try load(
      """
      <entity name="A">
        <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
        <attribute name="work" optional="YES" attributeType="Composite" composite="Address"/>
      </entity>
      <composite name="Address">
        <attribute name="street" attributeType="String" defaultValueString="?"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
      </composite>
      <composite name="Place"><attribute name="latitude" attributeType="Double"/></composite>
      """)
    let entity = try #require(model.versions[0].entity(named: "A"))
    let home = try #require(entity.attribute(named: "home"))
    #expect(home.compositeName == "Address")
    #expect(home.elements.map(\.name) == ["street", "place"])
    #expect(home.elements[1].elements.map(\.attributeType) == [.double])
    #expect(home.elements[0].typedDefaultValue == .string("?"))
    #expect(entity.attribute(named: "work")?.elements.first !== home.elements[0])
    #expect(model.notes == [])
  }

  @Test func anotherPartMakesAnotherVersion() throws {
    func version(_ part: String) throws -> ManagedObjectModel {
      try load(
        """
        <entity name="A"><attribute name="p" attributeType="Composite" composite="C"/></entity>
        <composite name="C"><attribute name="\(part)" attributeType="Double"/></composite>
        """
      ).versions[0]
    }
    let (one, two) = (try version("x"), try version("y"))
    #expect(one.entityVersionHashesByName != two.entityVersionHashesByName)
    #expect(
      try one.entityVersionHashesByName == version("x").entityVersionHashesByName)
    #expect(
      ModelDifference(from: one, to: two).entities.first?.properties.first?.features.map(\.feature)
        == [.compositeElements])
  }

  @Test func compositeTypesWithoutEndAreRefused() {
    let attribute =
      #"<entity name="A"><attribute name="x" attributeType="Composite" composite="C0"/></entity>"#
    let circle = """
      <composite name="C0"><attribute name="x" attributeType="Composite" composite="C1"/></composite>
      <composite name="C1"><attribute name="x" attributeType="Composite" composite="C0"/></composite>
      """
    let flood = (0..<30).map { level in
      let parts = (0..<9).map {
        #"<attribute name="x\#($0)" attributeType="Composite" composite="C\#(level + 1)"/>"#
      }
      return #"<composite name="C\#(level)">\#(parts.joined())</composite>"#
    }
    #expect(error(attribute + circle)?.kind == .endlessComposite("C0"))
    #expect(error(attribute + flood.joined())?.kind == .endlessComposite("C0"))
    #expect(error(attribute)?.kind == .unknownComposite("C0"))
    #expect(
      error(#"<composite name="C"/><composite name="C"/>"#)?.kind
        == .invalidValue("C", attribute: "name", element: "composite"))
  }

  // MARK: Counts and other frameworks

  @Test func minusOneIsNoLimit() throws {
    let model = try load(
      #"<entity name="A"><relationship name="r" toMany="YES" maxCount="-1" destinationEntity="A"/></entity>"#
    )
    let relationship = try #require(model.versions[0].entities[0].relationships.first)
    #expect(relationship.isToMany)
    #expect([0, 1, 1000].allSatisfy(relationship.allows))
    // Whether a device has 0 or -1 in the hash, no file tells.
    #expect(!model.versions[0].versionHashesAreReliable)
    let cached = try ModelArchive.decode(ModelArchive.encode(model.versions[0]))
    #expect(cached.entities[0].relationships.map(\.maxCount) == [-1])
  }

  @Test(arguments: ["99999999999999", "-2", "1.5", "2147483648"])
  func impossibleCountsAreNamed(count: String) {
    let found = error(
      #"<entity name="A"><relationship name="r" toMany="YES" maxCount="\#(count)" destinationEntity="A"/></entity>"#
    )
    #expect(found?.kind == .invalidValue(count, attribute: "maxCount", element: "relationship"))
    let limit = error(
      #"<entity name="A"/><fetchRequest name="f" entity="A" fetchLimit="\#(count)"/>"#)
    #expect(limit?.kind == .invalidValue(count, attribute: "fetchLimit", element: "fetchRequest"))
  }

  @Test func whatIsForOtherFrameworksIsKeptAndChangesNoHash() throws {
    let model = try load(
      """
      <entity name="A" coreSpotlightDisplayNameExpression="title">
        <attribute name="title" attributeType="String" spotlightIndexingEnabled="YES"
          storedInTruthFile="YES" allowsCloudEncryption="YES"/>
      </entity>
      """
    ).versions[0]
    let entity = try #require(model.entity(named: "A"))
    let title = try #require(entity.attribute(named: "title"))
    #expect(entity.coreSpotlightDisplayNameFormat == "title")
    #expect(title.isIndexedBySpotlight && title.isStoredInExternalRecord)
    #expect(title.allowsCloudEncryption)
    let plain = try load(
      #"<entity name="A"><attribute name="title" attributeType="String"/></entity>"#
    ).versions[0]
    #expect(plain.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test func aDerivedAttributeWithoutExpressionIsNoted() throws {
    let model = try load(
      #"<entity name="A"><attribute name="x" attributeType="Double" derived="YES"/></entity>"#)
    #expect(
      model.notes.map(\.message) == [
        "'x' is derived, but <attribute> lacks 'derivationExpression'"
      ])
  }
}
