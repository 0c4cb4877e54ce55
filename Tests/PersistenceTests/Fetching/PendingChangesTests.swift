import Persistence
import TestSupport
import Testing

@Suite("A fetch beside unsaved changes")
struct PendingChangesTests {
  private func request(
    _ entity: String = "Item", _ format: String? = nil,
    _ change: (FetchRequest<ManagedObject>) -> Void = { _ in }
  ) throws -> FetchRequest<ManagedObject> {
    let request = FetchRequest<ManagedObject>(entityName: entity)
    request.predicate = try format.map { try Predicate.parse($0) }
    change(request)
    return request
  }

  private func titles(_ stack: Stack, _ request: FetchRequest<ManagedObject>) throws -> [String] {
    try stack.context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
  }

  @Test(arguments: Backend.allCases)
  func sortsAndLimitsAllTogether(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let items = try stack.context.all("Item")
    items[0].setValue("e", forKey: "title")
    stack.context.delete(items[1])
    _ = stack.insert("Book", ["title": "cc"])
    let sorted = try request {
      $0.sortDescriptors = [SortDescriptor(key: "title", ascending: true)]
    }
    #expect(try titles(stack, sorted) == ["c", "cc", "d", "e"])
    // Of what is saved, a and b are in the page, which are e and gone by now.
    sorted.fetchLimit = 2
    #expect(try titles(stack, sorted) == ["cc", "e"])
    sorted.fetchOffset = 2
    #expect(try titles(stack, sorted) == ["c", "cc"])
    #expect(try stack.context.count(for: sorted) == 2)
    sorted.includesPendingChanges = false
    #expect(try stack.context.fetch(sorted).map(\.objectID.primaryKey) == [3, 4])
    sorted.predicate = try Predicate.parse("title == 'a'")
    sorted.fetchOffset = 0
    #expect(try stack.context.fetch(sorted) == [items[0]], "judged as it is stored")
  }

  @Test(arguments: Backend.allCases)
  func judgesUnchangedObjectsByTheStore(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let shelf = try #require(try stack.context.all("Shelf").first)
    shelf.setValue("renamed", forKey: "name")
    #expect(try titles(stack, request("Item", "shelf.name == 'left'")) == ["a", "b"])
    try stack.context.all("Item")[0].setValue(11, forKey: "pages")
    #expect(try titles(stack, request("Item", "shelf.name == 'renamed'")) == ["a"])
    try stack.context.save()
    #expect(try titles(stack, request("Item", "shelf.name == 'renamed'")) == ["a", "b"])
  }

  @Test func leavesLimitsToSQLWhateverElseIsUnsaved() throws {
    let stack = try Stack.withBooks(.sqlite)
    let store = try #require(stack.store as? SQLiteStore)
    for number in 0..<200 { _ = stack.insert("Item", ["title": "t\(number)"]) }
    try stack.context.save()
    _ = stack.insert("Tag", ["name": "elsewhere"])
    let limited = try request {
      $0.sortDescriptors = [SortDescriptor(key: "title", ascending: true)]
      $0.fetchLimit = 3
    }
    _ = try stack.context.fetch(limited)
    var before = store.activity
    #expect(try titles(stack, limited) == ["a", "b", "c"])
    #expect((store.activity - before).rows == 3)
    try stack.context.all("Item", "title == 'a'")[0].setValue("zz", forKey: "title")
    before = store.activity
    #expect(try titles(stack, limited) == ["b", "c", "zz"])
    #expect((store.activity - before).rows == 3)
  }

  @Test(arguments: Backend.allCases)
  func givesNewObjectsInTheOrderOfInsertion(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let tags = (0..<60).map { stack.insert("Tag", ["name": "t\($0)"]) }
    #expect(try stack.context.all("Tag", "name == 't3'") == [tags[3]], "the index is there")
    for tag in [tags[50], tags[10], tags[30]] { tag.setValue("same", forKey: "name") }
    #expect(try stack.context.all("Tag", "name == 'same'") == [tags[10], tags[30], tags[50]])
    let first = try request("Tag", "name == 'same'") { $0.fetchLimit = 1 }
    #expect(try stack.context.fetch(first) == [tags[10]])
    try stack.context.obtainPermanentIDs(for: [tags[50]])
    #expect(try stack.context.all("Tag", "name == 'same'") == [tags[10], tags[30], tags[50]])
  }

  /// The order is found out once, and must hold whatever happens to the objects after that.
  @Test(arguments: Backend.allCases)
  func keepsEqualNewObjectsInOrderAfterFurtherChanges(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let tags = (0..<60).map { stack.insert("Tag", ["name": "t\($0)"]) }
    func places() throws -> [Int?] {
      try stack.context.all("Tag", "name == 'same'").map { tags.firstIndex(of: $0) }
    }
    for place in [40, 20, 30] { tags[place].setValue("same", forKey: "name") }
    #expect(try places() == [20, 30, 40])
    tags[10].setValue("same", forKey: "name")
    #expect(try places() == [10, 20, 30, 40])
    tags[20].setValue("other", forKey: "name")
    stack.context.delete(tags[30])
    #expect(try places() == [10, 40])
    try stack.context.obtainPermanentIDs(for: [tags[40], tags[5]])
    tags[5].setValue("same", forKey: "name")
    tags[50].setValue("same", forKey: "name")
    #expect(try places() == [5, 10, 40, 50])
    tags[40].setValue("other", forKey: "name")
    tags[41].setValue("same", forKey: "name")
    #expect(try places() == [5, 10, 41, 50])
  }

  /// A policy that looks up "the" library for each song must not look at the songs.
  @Test(arguments: Backend.allCases)
  func looksAtTheFetchedFamilyOnlyAndStopsEarly(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    _ = stack.insert("Shelf", ["name": "only"])
    for number in 0..<40 { _ = stack.insert("Tag", ["name": "t\(number)"]) }
    stack.context.unsupportedFetches = .evaluatedInMemory
    let first = try request("Shelf") { $0.fetchLimit = 1 }
    let evaluated = Tally()
    first.predicate = Predicate(block: { object, _ in
      evaluated.count += (object as? ManagedObject)?.entity.name == "Shelf" ? 1 : 100
      return true
    })
    for number in 0..<20 {
      #expect(try stack.context.fetch(first).count == 1)
      _ = stack.insert("Shelf", ["name": "s\(number)"])
    }
    #expect(evaluated.count == 20, "one each")
    let offset = try request("Shelf") { ($0.fetchOffset, $0.fetchLimit) = (3, 2) }
    #expect(
      try stack.context.fetch(offset).compactMap { $0.value(forKey: "name") as? String }
        == ["only", "s0"], "an offset leaves out what is saved")
    #expect(try stack.context.count(for: offset) == 2)
  }

  @Test(arguments: Backend.allCases)
  func refusesPropertiesOfSubentities(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    #expect(try stack.context.fetch(request("Book", "isbn == nil")).count == 3)
    for format in ["isbn == nil", "shelf.colour == 1", "NOT (pages > 1 AND nothing == 2)"] {
      #expect(throws: CoreDataError.self, "\(format)") {
        try stack.context.fetch(request("Item", format))
      }
    }
    let sorted = try request {
      $0.sortDescriptors = [SortDescriptor(key: "isbn", ascending: true)]
    }
    let error = #expect(throws: CoreDataError.self) { try stack.context.fetch(sorted) }
    #expect(error?.reason == "keypath isbn not found in entity Item")
  }
}

/// A number that a block changes.
private final class Tally: @unchecked Sendable { var count = 0 }
