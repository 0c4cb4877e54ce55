import Foundation
import ObjectModel
import TestSupport
import Testing

/// Entities with composite attributes, as stores that SwiftData wrote record them.
@Suite("Version hashes of entities with composite attributes")
struct CompositeHashTests {
  @Test(arguments: try RecordedEntity.all())
  func areAsRecorded(_ recorded: RecordedEntity) throws {
    let hash = try recorded.entityDescription().versionHash
    #expect(hash.map { String(format: "%02x", $0) }.joined() == recorded.hash)
  }

  @Test(arguments: [
    ("a: string?, b: int64", true), ("a: string? modifier \"x\"", false),
    ("B: string?, a: string?", false),
    ("a: composite(b: string?)?", false),
  ])
  func areReliableAsFarAsRecorded(_ elements: String, isReliable: Bool) throws {
    let entity = try ModelNotation.entity("A", properties: ["x": "composite(\(elements))?"])
    let model = try ManagedObjectModel(entities: [entity])
    #expect(model.versionHashesAreReliable == isReliable)
  }

  @Test func nameAndOptionalityOfTheCompositePlayNoPart() throws {
    func hash(_ name: String, _ mark: String) throws -> Data {
      try ModelNotation.property(named: name, "composite(a: string?, b: int64)\(mark)").versionHash
    }
    #expect(try hash("x", "?") == hash("y", ""))
    #expect(
      try hash("x", "")
        == ModelNotation.property(named: "x", "composite(b: int64, a: string?)").versionHash,
      "elements are sorted by name")
  }
}
