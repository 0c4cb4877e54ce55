import ObjectModel
import TestSupport
import Testing

@Suite("Composite attributes of models")
struct CompositeModelTests {
  private func model(_ composites: String, _ attribute: String) throws -> ManagedObjectModel {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Person">\(attribute)</entity>
        \(composites)
      </model>
      """, to: "App.xcdatamodel/contents")
    let loaded = try VersionedModel.load(
      contentsOf: folder.url.appending(path: "App.xcdatamodel"))
    return try #require(loaded.versions.first)
  }

  private let address = """
    <composite name="Address">
      <attribute name="city" optional="YES" attributeType="String"/>
      <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
    </composite>
    <composite name="Place">
      <attribute name="lat" attributeType="Double" defaultValueString="1.5"/>
    </composite>
    """

  @Test func areReadFromModelFiles() throws {
    let model = try model(
      address,
      """
      <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
      <attribute name="work" optional="YES" attributeType="Composite" composite="Address"/>
      """)
    let person = try #require(model.entity(named: "Person"))
    let home = try #require(person.attribute(named: "home"))
    #expect(home.compositeName == "Address")
    #expect(home.elements.map(\.name) == ["city", "place"])
    #expect(home.element(at: ["place", "lat"])?.attributeType == .double)
    #expect(home.element(at: ["place", "lat"])?.isOptional == false)
    #expect("\(home.typedDefaultValue)".contains("lat: 1.5"))
    let work = try #require(person.attribute(named: "work"))
    #expect(home.elements[0] !== work.elements[0], "each attribute has elements of its own")
  }

  @Test(arguments: [
    "<attribute name='home' attributeType='Composite'/>",
    "<attribute name='home' attributeType='Composite' composite='Nothing'/>",
    "<attribute name='home' attributeType='Composite' composite='Loop'/>",
  ])
  func mustBeInTheModel(_ attribute: String) throws {
    let loop = """
      <composite name="Loop">
        <attribute name="again" attributeType="Composite" composite="Loop"/>
      </composite>
      """
    #expect(throws: ModelFileError.self) { try model(loop, attribute) }
  }

  @Test func surviveTheArchiveOfAModel() throws {
    let model = try model(
      address, #"<attribute name="home" attributeType="Composite" composite="Address"/>"#)
    let again = try ModelArchive.decode(try ModelArchive.encode(model))
    let (before, after) = (
      try #require(model.entity(named: "Person")), try #require(again.entity(named: "Person"))
    )
    #expect(before.versionHash == after.versionHash)
    let home = try #require(after.attribute(named: "home"))
    #expect(home.compositeName == nil, "Core Data's archives don't name the type")
    #expect(home.element(at: ["place", "lat"])?.attributeType == .double)
    #expect(home.element(at: ["place", "lat"])?.typedDefaultValue == .double(1.5))
    #expect(home.element(at: ["city"])?.isOptional == true)
  }

  /// What a change of an element does to the hash wasn't observed in real stores; that it does
  /// something must be, or a changed model would open an old store.
  @Test func aChangedElementIsAnotherVersion() throws {
    func hash(_ element: String) throws -> Data? {
      try ManagedObjectModel(entities: [
        ModelNotation.entity("A", properties: ["x": "composite(\(element))?"])
      ]).entity(named: "A")?.versionHash
    }
    let first = try hash("a: string?")
    #expect(try hash("a: string? = none") == first, "defaults play no part")
    for other in ["b: string?", "a: int64?", "a: string", "a: string?, b: string?"] {
      #expect(try hash(other) != first, "\(other)")
    }
  }

  @Test(arguments: [
    ("composite", "expected '(' and the elements"),
    ("composite(a)", "expected ':' and the element's type"),
    ("composite(a: Thing)", "expected an attribute's type"),
    ("composite(a: string", "expected ',' or ')'"),
    ("composite(a: int99)", "unknown type 'int99'"),
  ])
  func theNotationIsChecked(_ text: String, _ message: String) {
    let error = #expect(throws: ModelNotationError.self) {
      try ModelNotation.property(named: "x", text)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
