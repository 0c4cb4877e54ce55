import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct StoredContentTests {
  @Test func everyValueComesBackAsItWas() throws {
    let values: [Value] = [
      .null, .integer(.min), .double(-0.0), .double(.infinity), .double(.leastNonzeroMagnitude),
      .date(Date(timeIntervalSinceReferenceDate: 0.1)), .string("e\u{301} 𝄞\0"), .string(""),
      .data(Data([0, 255])), .data(Data()), .uuid(UUID()),
      .uri(try #require(URL(string: "a:b%20c"))),
      .decimal(try #require(Decimal(string: "-12345678901234567890.123456789"))),
      .transformable(TransformableValue(archived: Data([1, 2, 3]))),
    ]
    #expect(try travelled(values) == values)
  }

  @Test func compositesComeBackAsTheyWere() throws {
    let place = try ModelNotation.property(
      named: "place", "composite(city: string?, spot: composite(x: int16?, y: decimal?)?)?")
    let song = EntityDescription(name: "Song")
    song.ownProperties = [place]
    let model = try ManagedObjectModel(entities: [song], name: "v1")
    let attribute = try #require(place as? AttributeDescription)
    let value = CompositeValue.value(
      of: attribute.elements,
      [
        .null,
        CompositeValue.value(of: attribute.elements[1].elements, [.integer(0), .decimal(.nan)]),
      ])
    let content = ContentSnapshot(objects: [
      .init(entity: song, values: [value], links: [], origins: [], label: "")
    ])
    let back = try StoredContent(stage: "v1", content).snapshot(model: model)
    #expect(back.objects.map(\.values) == [[value]])
  }

  @Test func objectsKeepTheirLinksOriginsAndLabels() throws {
    let model = try model(attributeCount: 1)
    let entity = try #require(model.entity(named: "Song"))
    let objects = [
      ContentSnapshot.Object(
        entity: entity, values: [.string("Waltz")], links: [[1], [], [1, 0]], origins: [7, 8],
        label: "Song waltz"),
      ContentSnapshot.Object(
        entity: entity, values: [.null], links: [[], [], []], origins: [], label: ""),
    ]
    let content = try StoredContent(stage: "v1", ContentSnapshot(objects: objects))
    let data = try PropertyListEncoder().encode(content)
    let back = try PropertyListDecoder().decode(StoredContent.self, from: data)
      .snapshot(model: model).objects
    #expect(back.map(\.links) == objects.map(\.links))
    #expect(back.map(\.origins) == objects.map(\.origins))
    #expect(back.map(\.label) == objects.map(\.label))
    #expect(back.map(\.values) == objects.map(\.values))
    #expect(back.allSatisfy { $0.entity === entity })
  }

  @Test func contentOfAnotherModelIsRefused() throws {
    let content = try StoredContent(
      stage: "v1", try snapshot([.null], of: try model(attributeCount: 1)))
    let other = try ManagedObjectModel(entities: [], name: "v2")
    #expect(throws: CocoaError.self) { try content.snapshot(model: other) }
  }

  @Test func contentsTravelOnlyWhereTheyAreCompared() throws {
    let model = try ManagedObjectModel(entities: [], name: "v1")
    let id = RunID(
      path: "a", title: "a", start: "v1", backend: .memory, hasSeveralStarts: false)
    var played = PlayedRun(result: RunResult(id: id))
    played.snapshots = [
      ("v1", try ContentSnapshot(of: InMemoryStore(model: model), provenance: Provenance()))
    ]
    #expect(try PlayAnswer(played, withContents: true).contents.map(\.stage) == ["v1"])
    #expect(try PlayAnswer(played, withContents: false).contents.isEmpty)
  }

  @Test func notANumberKeepsItsBits() throws {
    guard case .double(let number) = try travelled([.double(.nan)])[0] else {
      Issue.record("no double")
      return
    }
    #expect(number.bitPattern == Double.nan.bitPattern)
  }

  /// Nothing else may keep it: `smoke` follows links after a play of models that stores keep of themselves.
  @Test func contentKeepsItsModel() throws {
    weak var kept: ManagedObjectModel?
    let content = try {
      let model = try model(attributeCount: 1)
      kept = model
      return try snapshot([.null], of: model)
    }()
    try #require(kept != nil)
    #expect(content.objects[0].entity.relationships[0].destinationEntity.name == "Song")
  }

  private func model(attributeCount: Int) throws -> ManagedObjectModel {
    let song = EntityDescription(name: "Song")
    song.ownProperties =
      try ["next", "parts", "sources"].map { try ModelNotation.property(named: $0, "[Song]") }
      + (0..<attributeCount).map { try ModelNotation.property(named: "a\($0)", "string?") }
    return try ManagedObjectModel(entities: [song], name: "v1")
  }

  private func snapshot(_ values: [Value], of model: ManagedObjectModel) throws -> ContentSnapshot {
    let entity = try #require(model.entity(named: "Song"))
    return ContentSnapshot(objects: [
      .init(entity: entity, values: values, links: [[], [], []], origins: [], label: "Song song1")
    ])
  }

  /// Values on the other side.
  private func travelled(_ values: [Value]) throws -> [Value] {
    let model = try model(attributeCount: values.count)
    return try StoredContent(stage: "v1", snapshot(values, of: model)).snapshot(model: model)
      .objects[0].values
  }
}
