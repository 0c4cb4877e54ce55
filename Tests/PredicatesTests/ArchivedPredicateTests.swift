import TestSupport
import Testing

@testable import Predicates

/// Predicates and expressions in archives of models: what is written is read back.
@Suite struct ArchivedPredicateTests {
  /// What a model's archive has for a predicate of an index.
  private func archived(_ format: String) throws -> String? {
    let entity = EntityDescription(name: "A")
    entity.indexes = [
      FetchIndexDescription(
        name: "i", elements: [.init(propertyName: "x")], partialPredicateFormat: format)
    ]
    let model = try ManagedObjectModel(entities: [entity])
    let read = try ModelArchive.decode(
      ModelArchive.encode(model, predicates: PredicateArchiver()))
    return read.entity(named: "A")?.indexes.first?.partialPredicateFormat
  }

  @Test(
    "Each form of a predicate comes back",
    arguments: [
      "TRUEPREDICATE", "FALSEPREDICATE", "title == nil", "NOT (a == 1 OR b > 2.5) AND c != \"x\"",
      "ANY tags.name BEGINSWITH[cd] \"a\\\"b\"", "ALL tags.weight BETWEEN {1, 2}",
      "name IN {\"a\", \"b\"}", "name CONTAINS \"x\"", "name MATCHES \"a.*\"",
      "name LIKE[c] \"a*\"",
      "name ENDSWITH[n] \"z\"", "added < CAST(0.5, \"NSDate\")",
      "SELF == $FETCH_SOURCE", "owner.name == $FETCH_SOURCE.owner.name", "tags.@count > 3",
      "SUBQUERY(tags, $t, $t.name == \"a\").@count > 1", "TERNARY(a == 1, b, c) == 2",
      "(a + 2) * b >= abs(c)", "sum(tags.weight) > 0", "CAST(a, \"NSDate\") < now()",
      "tags UNION others == {1, 2}", "#in.#\"with space\" == 1",
      "FUNCTION(a, \"length\") == FUNCTION($manager, \"join:with:\", a, SELF)",
      "id == CAST(\"00112233-4455-6677-8899-AABBCCDDEEFF\", \"NSUUID\")",
      "price <= CAST(\"1.10\", \"NSDecimalNumber\")",
    ])
  func formsSurvive(format: String) throws {
    let predicate = try Predicate.parse(format)
    let read = try #require(try archived(format), "left out")
    #expect(try Predicate.parse(read) == predicate, "\(read)")
  }

  /// In a store's model cache and in a compiled model, and once more out of what was read.
  @Test(arguments: [
    "price < 5", "ANY tags.name == \"x\" OR tags.@count > 1", "shelf.name BEGINSWITH[cd] \"a\"",
    "TERNARY(price == nil, 0, price) IN {0, 1}",
  ])
  func theFilterOfADerivedAttributeSurvives(format: String) throws {
    let count = AttributeDescription(name: "count", type: .integer32)
    (count.derivationExpression, count.filterPredicate) = ("items.@count", format)
    let entity = EntityDescription(name: "Shelf")
    entity.ownProperties = [
      count, RelationshipDescription(name: "items", destinationEntityName: "Shelf", toMany: true),
    ]
    let model = try ManagedObjectModel(entities: [entity])
    let archiver = PredicateArchiver()
    func filter(_ model: ManagedObjectModel) throws -> Predicate? {
      try model.entity(named: "Shelf")?.attribute(named: "count")?.filterPredicate
        .map { try Predicate.parse($0) }
    }
    let expected = try Predicate.parse(format)
    let cached = try ModelArchive.decode(ModelArchive.encode(model, predicates: archiver))
    #expect(try filter(cached) == expected)
    let compiled = try ModelArchive.decodeCompiledModel(
      ModelArchive.encodeCompiledModel(cached, predicates: archiver))
    #expect(try filter(compiled) == expected)
    #expect(compiled.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test func generatedPredicatesSurviveOrAreLeftOut() throws {
    var survived = 0
    for seed in GeneratedPredicateTests.seeds {
      var generator = PredicateGenerator(seed: seed)
      let predicate = generator.predicate()
      guard let read = try archived(predicate.predicateFormat) else { continue }
      survived += 1
      // `SELF.name` is archived as `name` is.
      let (before, after) = (predicate.predicateFormat, try Predicate.parse(read).predicateFormat)
      #expect(
        after.replacing("SELF.", with: "") == before.replacing("SELF.", with: ""), "seed \(seed)")
    }
    #expect(survived > 50)
  }

  @Test func whatCannotBeParsedIsLeftOut() throws { #expect(try archived("x ==") == nil) }

  @Test func theReservedWordsAreTheLanguages() {
    #expect(FormatConstant.reservedWords == Set(Keyword.allCases.map(\.rawValue)))
  }

  @Test func aCompiledModelHasItsRequestsAndIndexes() throws {
    let song = EntityDescription(name: "Song")
    song.coreSpotlightDisplayNameFormat = "title"
    song.userInfo = ["a": "b"]
    let title = AttributeDescription(name: "title", type: .string)
    title.isIndexedBySpotlight = true
    title.isStoredInExternalRecord = true
    title.allowsCloudEncryption = true
    title.userInfo = ["c": "d"]
    let place = AttributeDescription(name: "place", type: .composite)
    place.compositeName = "Place"
    place.elements = [AttributeDescription(name: "x", type: .double)]
    var request = FetchRequestTemplate(
      name: FetchRequestTemplate.fetchedPropertyName, entityName: "Song",
      predicateFormat: "title == $FETCH_SOURCE.title")
    request.sortKeys = [.init(keyPath: "title", isAscending: false, selectorName: "compare:")]
    song.ownProperties = [
      title, place, FetchedPropertyDescription(name: "alike", fetchRequest: request),
    ]
    song.indexes = [
      FetchIndexDescription(
        name: "byTitle",
        elements: [
          .init(expressionFormat: "lowercase(title)", type: .string, isAscending: false),
          .init(propertyName: "title"),
        ], partialPredicateFormat: "title != nil")
    ]
    song.indexes[0].elements[1].collation = .rTree
    var template = FetchRequestTemplate(
      name: "some", entityName: "Song", predicateFormat: "title == $title")
    template.fetchLimit = 3
    template.fetchOffset = 2
    template.fetchBatchSize = 20
    template.resultType = 2
    template.includesSubentities = false
    template.includesPendingChanges = false
    template.includesPropertyValues = false
    template.returnsObjectsAsFaults = false
    template.returnsDistinctResults = true
    let model = try ManagedObjectModel(
      entities: [song], configurations: ["Local": ["Song"]],
      fetchRequestTemplates: ["some": template])

    let compiled = try ModelArchive.decodeCompiledModel(
      ModelArchive.encodeCompiledModel(model, predicates: PredicateArchiver()))
    #expect(ModelDifference(from: model, to: compiled).entities == [])
    #expect(compiled.fetchRequestTemplates == model.fetchRequestTemplates)
    #expect(compiled.configurations == model.configurations)

    let cached = try ModelArchive.decode(
      ModelArchive.encode(model, predicates: PredicateArchiver()))
    // A store's cache lists no R-tree.
    #expect(
      ModelDifference(from: model, to: cached).keptInStores.entities.map(\.description) == [
        "~ Song: indexes: byTitle(lowercase(title) descending, title R-tree) where title != nil -> none"
      ])
    #expect(cached.fetchRequestTemplates == [:])
    let alike = cached.entity(named: "Song")?.property(named: "alike")
    #expect((alike as? FetchedPropertyDescription)?.fetchRequest == request)
  }
}
