import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What a cached store depends on is in its key.
@Suite struct CacheKeyTests {
  private func key(_ format: String, in place: Place) throws -> String {
    let entity = EntityDescription(name: "Shelf")
    let items = RelationshipDescription(
      name: "items", destinationEntityName: "Shelf", toMany: true)
    let count = AttributeDescription(name: "count", type: .integer32)
    count.derivationExpression = "items.@count"
    if case .filter = place { count.filterPredicate = format }
    let request = FetchRequestTemplate(
      name: "some", entityName: "Shelf", predicateFormat: place == .fetched ? format : nil)
    entity.ownProperties = [
      items, count, FetchedPropertyDescription(name: "alike", fetchRequest: request),
    ]
    let template = FetchRequestTemplate(
      name: "wanted", entityName: "Shelf", predicateFormat: place == .template ? format : nil)
    var key = CacheKey()
    key.add(
      try ManagedObjectModel(entities: [entity], fetchRequestTemplates: ["wanted": template]))
    return key.text
  }

  enum Place: CaseIterable { case filter, fetched, template }

  /// The last ones have no form in an archive.
  @Test(arguments: Place.allCases)
  func aPredicateOfTheModelIsPartOfTheKey(place: Place) throws {
    let formats = ["count > 1", "count > 2", "items[FIRST] == nil", "items[LAST] == nil"]
    let keys = try formats.map { try key($0, in: place) }
    #expect(Set(keys).count == formats.count)
    #expect(try key(formats[0], in: place) == keys[0])
  }
}
