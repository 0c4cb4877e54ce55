import TestSupport
import Testing

@testable import Persistence

@Suite("Links of copies in memory")
struct CopiedLinksTests {
  /// Rows are copied a thousand at a time, owners before their members.
  @Test(arguments: Backend.allCases)
  func membersKeepTheirOrder(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let book = stack.insert("Book")
    for number in 0..<1500 { stack.insert("Chapter", ["title": "\(number)", "book": book]) }
    try stack.context.save()
    let chapters = book.mutableOrderedSetValue(forKey: "chapters")
    chapters.moveObjects(at: IndexSet(integersIn: 500..<600), to: 1400)
    try stack.context.save()
    let copy = try InMemoryStore.copying(stack.store)
    #expect(try Self.chapters(in: copy) == Self.chapters(in: stack.store))
    #expect(try Self.chapters(in: copy)[500] == "600")
  }

  private static func chapters(in store: PersistentStore) throws -> [String?] {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator)
    let book = try #require(try context.all("Book").first)
    let relationship = try #require(book.entity.relationship(named: "chapters"))
    return book.destinations(of: relationship).map { $0.value(forKey: "title") as? String }
  }
}
