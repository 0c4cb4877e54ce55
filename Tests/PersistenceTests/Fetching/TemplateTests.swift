import Persistence
import TestSupport
import Testing

@Suite("Requests that a model states")
struct TemplateTests {
  private func model() throws -> ManagedObjectModel {
    let shelf = LibraryModel.entity("Shelf", [LibraryModel.attribute("name", .string)])
    let namesakes = FetchRequestTemplate(
      name: "fetchedPropertyFetchRequest", entityName: "Shelf",
      predicateFormat: "name == $FETCH_SOURCE.name AND SELF != $FETCH_SOURCE")
    shelf.ownProperties.append(
      FetchedPropertyDescription(name: "namesakes", fetchRequest: namesakes))
    var named = FetchRequestTemplate(
      name: "named", entityName: "Shelf", predicateFormat: "name == $name")
    named.fetchLimit = 2
    return try ManagedObjectModel(entities: [shelf], fetchRequestTemplates: ["named": named])
  }

  @Test(arguments: Backend.allCases)
  func areFetchedWithValuesForTheirVariables(_ backend: Backend) throws {
    let stack = try Stack(backend, try model())
    for name in ["a", "b", "a", "a"] { _ = stack.insert("Shelf", ["name": name]) }
    try stack.context.save()
    let request = try #require(
      stack.model.fetchRequestFromTemplate(
        withName: "named", substitutionVariables: ["name": "a"]))
    let found = try stack.context.fetch(request).compactMap { ($0 as? ManagedObject)?.objectID }
    #expect(found.map(\.primaryKey) == [1, 3])
    #expect(
      stack.model.fetchRequestTemplate(forName: "named")?.predicate?.predicateFormat
        == "name == $name")
    #expect(stack.model.fetchRequestTemplate(forName: "other") == nil)
    #expect(Array(stack.model.fetchRequestTemplatesByName.keys) == ["named"])
    let error = #expect(throws: CoreDataError.self) {
      try ExceptionTrap.catching {
        _ = stack.model.fetchRequestFromTemplate(withName: "named", substitutionVariables: [:])
      }
    }
    #expect(
      error?.reason == "Missing substitution variable: $name of fetch request 'named'")
  }

  @Test(arguments: Backend.allCases)
  func areFetchedPropertiesKeptUntilTheObjectIsAFault(_ backend: Backend) throws {
    let stack = try Stack(backend, try model())
    let shelves = ["a", "b", "a"].map { stack.insert("Shelf", ["name": $0]) }
    try stack.context.save()
    func namesakes(_ shelf: ManagedObject) -> [ManagedObject]? {
      shelf.value(forKey: "namesakes") as? [ManagedObject]
    }
    #expect(namesakes(shelves[0]) == [shelves[2]])
    #expect(namesakes(shelves[1]) == [])
    shelves[1].setValue("a", forKey: "name")
    try stack.context.save()
    #expect(namesakes(shelves[0]) == [shelves[2]], "evaluated once")
    stack.context.refresh(shelves[0], mergeChanges: false)
    #expect(namesakes(shelves[0]) == [shelves[1], shelves[2]])
    #expect(try stack.freshContext().all("Shelf", "name == 'a'").count == 3)
  }

  @Test(arguments: Backend.allCases)
  func keepAllTheirSettings(_ backend: Backend) throws {
    let request = FetchRequest<any FetchRequestResult>(entityName: "Shelf")
    request.predicate = try Predicate.parse("name != $name")
    request.sortDescriptors = [SortDescriptor(key: "name", ascending: false)]
    request.fetchLimit = 2
    request.fetchBatchSize = 10
    request.includesSubentities = false
    request.includesPendingChanges = false
    request.includesPropertyValues = false
    request.returnsObjectsAsFaults = false
    request.returnsDistinctResults = true
    request.resultType = .dictionaryResultType
    let model = ManagedObjectModel()
    model.replaceEntities(by: try self.model().entities.map { $0.unattachedCopy() })
    model.setFetchRequestTemplate(request, forName: "others")
    let stack = try Stack(backend, model)
    for name in ["a", "b", "c", "d"] { _ = stack.insert("Shelf", ["name": name]) }
    try stack.context.save()

    let stated = try #require(
      stack.model.fetchRequestFromTemplate(
        withName: "others", substitutionVariables: ["name": "d"]))
    #expect(stated.fetchLimit == 2 && stated.fetchBatchSize == 10)
    #expect(!stated.includesSubentities && !stated.includesPendingChanges)
    #expect(!stated.includesPropertyValues && !stated.returnsObjectsAsFaults)
    #expect(stated.returnsDistinctResults)
    stated.fetchBatchSize = 0
    let names = try stack.context.fetch(stated).compactMap {
      ($0 as? NSDictionary)?["name"] as? String
    }
    #expect(names == ["c", "b"])
  }

  @Test(arguments: Backend.allCases)
  func aFetchedPropertyGivesObjectsInItsOrder(_ backend: Backend) throws {
    let shelf = LibraryModel.entity("Shelf", [LibraryModel.attribute("name", .string)])
    var request = FetchRequestTemplate(
      name: "fetchedPropertyFetchRequest", entityName: "Shelf",
      predicateFormat: "SELF != $FETCH_SOURCE")
    request.sortKeys = [.init(keyPath: "name", isAscending: false)]
    request.fetchLimit = 2
    request.resultType = 4
    shelf.ownProperties.append(FetchedPropertyDescription(name: "others", fetchRequest: request))
    let stack = try Stack(backend, try ManagedObjectModel(entities: [shelf]))
    let shelves = ["a", "b", "c", "d"].map { stack.insert("Shelf", ["name": $0]) }
    try stack.context.save()
    #expect(shelves[0].value(forKey: "others") as? [ManagedObject] == [shelves[3], shelves[2]])
  }

  @Test(arguments: Backend.allCases)
  func aFetchedPropertysPredicateSeesItsUserInfo(_ backend: Backend) throws {
    let shelf = LibraryModel.entity("Shelf", [LibraryModel.attribute("name", .string)])
    let named = FetchedPropertyDescription(
      name: "named",
      fetchRequest: FetchRequestTemplate(
        name: "fetchedPropertyFetchRequest", entityName: "Shelf",
        predicateFormat: "name == $FETCHED_PROPERTY.userInfo.wanted"))
    named.userInfo = ["wanted": "b"]
    shelf.ownProperties.append(named)
    let stack = try Stack(backend, try ManagedObjectModel(entities: [shelf]))
    let shelves = ["a", "b"].map { stack.insert("Shelf", ["name": $0]) }
    try stack.context.save()
    #expect(shelves[0].value(forKey: "named") as? [ManagedObject] == [shelves[1]])
  }
}
