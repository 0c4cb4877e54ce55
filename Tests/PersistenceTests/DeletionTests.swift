import Persistence
import Testing

@Suite("Delete rules")
struct DeletionTests {
  private func model(_ rule: DeleteRule) throws -> ManagedObjectModel {
    try LibraryModel.make { entities in
      let items = entities["Shelf"]?.ownProperties.first { $0.name == "items" }
      (items as? RelationshipDescription)?.deleteRule = rule
    }
  }

  private func shelfWithTwoBooks(_ backend: Backend, _ rule: DeleteRule) throws -> Stack {
    let stack = try Stack(backend, try model(rule))
    let shelf = stack.insert("Shelf", ["name": "left"])
    for title in ["a", "b"] { _ = stack.insert("Book", ["title": title, "shelf": shelf]) }
    try stack.context.save()
    return stack
  }

  @Test(arguments: Backend.allCases)
  func nullifyKeepsTheOthersWithoutTheLink(_ backend: Backend) throws {
    let stack = try shelfWithTwoBooks(backend, .nullify)
    stack.context.delete(try #require(try stack.context.all("Shelf").first))
    try stack.context.save()
    let books = try stack.freshContext().all("Book")
    #expect(books.count == 2)
    #expect(books.allSatisfy { $0.value(forKey: "shelf") == nil })
  }

  @Test(arguments: Backend.allCases)
  func cascadeDeletesTheOthers(_ backend: Backend) throws {
    let stack = try shelfWithTwoBooks(backend, .cascade)
    stack.context.delete(try #require(try stack.context.all("Shelf").first))
    try stack.context.save()
    #expect(try stack.freshContext().all("Item").isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func denyRefusesUntilTheOthersGoToo(_ backend: Backend) throws {
    let stack = try shelfWithTwoBooks(backend, .deny)
    stack.context.delete(try #require(try stack.context.all("Shelf").first))
    let error = try #require(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error.code == .validationRelationshipDeniedDelete)
    #expect(error.place.property == "items")
    for book in try stack.context.all("Book") { stack.context.delete(book) }
    try stack.context.save()
    #expect(try stack.freshContext().all("Shelf").isEmpty)
  }

  @Test("What is gone already denies no deletion", arguments: Backend.allCases)
  func aReferenceThatLeadsNowhereDeniesNothing(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      for (entity, rule) in [("Cover", DeleteRule.noAction), ("Book", .deny)] {
        for case let link as RelationshipDescription in entities[entity]?.ownProperties ?? [] {
          link.deleteRule = rule
        }
      }
    }
    let stack = try Stack(backend, model)
    stack.insert("Book").setValue(stack.insert("Cover"), forKey: "cover")
    try stack.context.save()
    let context = stack.freshContext()
    context.shouldDeleteInaccessibleFaults = true
    let book = try #require(try context.all("Book").first)
    context.delete(book)
    #expect(throws: CoreDataError.self) { try context.save() }
    let other = stack.freshContext()
    other.delete(try #require(try other.all("Cover").first))
    try other.save()
    context.reset()
    context.delete(try #require(try context.all("Book").first))
    try context.save()
    #expect(try stack.freshContext().all("Book").isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func nullifyOnARequiredInverseFailsWith1570(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      entities["Item"]?.ownProperties.first { $0.name == "shelf" }?.isOptional = false
    }
    let stack = try Stack(backend, model)
    let shelf = stack.insert("Shelf", ["name": "left"])
    _ = stack.insert("Book", ["shelf": shelf])
    try stack.context.save()
    stack.context.delete(shelf)
    let error = try #require(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error.code == .validationMissingMandatoryProperty)
    #expect(error.place.property == "shelf")
  }

  @Test(arguments: Backend.allCases)
  func deletingOneSideOfAManyToManyRemovesTheLink(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let book = stack.insert("Book")
    let (x, y) = (stack.insert("Tag", ["name": "x"]), stack.insert("Tag", ["name": "y"]))
    book.setValue(Set([x, y]), forKey: "tags")
    try stack.context.save()
    stack.context.delete(x)
    try stack.context.save()
    let stored = try #require(try stack.freshContext().all("Book").first)
    #expect((stored.value(forKey: "tags") as? Set<ManagedObject>)?.count == 1)
  }
}
