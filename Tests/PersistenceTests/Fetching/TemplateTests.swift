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
}
