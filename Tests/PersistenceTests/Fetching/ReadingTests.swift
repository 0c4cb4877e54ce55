import Persistence
import TestSupport
import Testing

@Suite("How much a fetch reads")
struct ReadingTests {
  @Test(arguments: Backend.allCases)
  func sortsByKeyPathsAndSelectors(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    for title in ["B10", "b9", "B9"] { _ = stack.insert("Item", ["title": title]) }
    try stack.context.save()
    let context = stack.freshContext()
    func titles(_ descriptors: SortDescriptor...) throws -> [String] {
      let request = FetchRequest<ManagedObject>(entityName: "Item")
      request.sortDescriptors = descriptors
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
    let byTitle = SortDescriptor(key: "title", ascending: true)
    #expect(
      try titles(SortDescriptor(key: "shelf.name", ascending: false), byTitle)
        == ["c", "a", "b", "B10", "B9", "b9", "d"])
    #expect(
      try titles(
        SortDescriptor(key: "title", ascending: true, selectorName: "caseInsensitiveCompare:"))
        == ["a", "b", "B10", "b9", "B9", "c", "d"])
    #expect(
      try titles(
        SortDescriptor(key: "title", ascending: false, selectorName: "localizedStandardCompare:"),
        byTitle
      ).suffix(3) == ["b9", "b", "a"])
    #expect(throws: CoreDataError.self) {
      try titles(SortDescriptor(key: "title", ascending: true, selectorName: "byColour:"))
    }
  }

  @Test func sortsInSQL() throws {
    let stack = try Stack.withBooks(.sqlite)
    var query = StoreQuery(entity: try #require(stack.model.entity(named: "Item")))
    query.sortDescriptors = [
      SortDescriptor(key: "shelf.name", ascending: true),
      SortDescriptor(key: "title", ascending: true, selectorName: "localizedStandardCompare:"),
    ]
    #expect(stack.store.capability(for: query) == .all)
  }

  @Test(arguments: Backend.allCases)
  func readsRowsInBatches(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    for number in 0..<100 { _ = stack.insert("Tag", ["name": "t\(number)"]) }
    try stack.context.save()
    let context = stack.freshContext()
    let request = FetchRequest<ManagedObject>(entityName: "Tag")
    request.fetchBatchSize = 20
    let tags = try context.fetch(request)
    #expect(tags.count == 100 && tags.allSatisfy(\.isFault))
    let store = stack.store as? SQLiteStore
    let before = store?.activity
    #expect(tags[25].value(forKey: "name") as? String == "t25")
    #expect(tags.filter { !$0.isFault } == Array(tags[20..<40]))
    #expect(tags.compactMap { $0.value(forKey: "name") as? String } == (0..<100).map { "t\($0)" })
    if let store, let before {
      #expect(store.activity - before == StoreActivity(statements: 5, rows: 100))
    }
  }

  @Test(arguments: Backend.allCases)
  func leavesValuesUnreadWhenTold(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let context = stack.freshContext()
    let request = FetchRequest<ManagedObject>(entityName: "Shelf")
    request.includesPropertyValues = false
    let shelves = try context.fetch(request)
    #expect(shelves.count == 2 && shelves.allSatisfy(\.isFault))
    #expect(shelves.map { $0.value(forKey: "name") as? String } == ["left", "right"])
  }

  @Test(arguments: Backend.allCases)
  func prefetchesRelationshipsTogether(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    for number in 0..<30 {
      let book = stack.insert("Book", ["title": "b\(number)"])
      book.setValue(stack.insert("Shelf", ["name": "s\(number)"]), forKey: "shelf")
      let chapters = (0..<3).map { stack.insert("Chapter", ["title": "c\(number).\($0)"]) }
      book.setValue(NSOrderedSet(array: chapters.reversed()), forKey: "chapters")
    }
    try stack.context.save()
    func text(_ book: ManagedObject) -> String {
      let chapters = (book.value(forKey: "chapters") as? NSOrderedSet)?.array ?? []
      let titles = chapters.compactMap { ($0 as? ManagedObject)?.value(forKey: "title") as? String }
      return "\(book.value(forKeyPath: "shelf.name") ?? ""): \(titles.joined(separator: " "))"
    }
    func statements(_ paths: [String]?) throws -> (count: Int, texts: [String]) {
      let context = stack.freshContext()
      let request = FetchRequest<ManagedObject>(entityName: "Book")
      request.relationshipKeyPathsForPrefetching = paths
      let before = (stack.store as? SQLiteStore)?.activity.statements ?? 0
      let texts = try context.fetch(request).map(text)
      return (((stack.store as? SQLiteStore)?.activity.statements ?? 0) - before, texts)
    }
    let plain = try statements(nil)
    let prefetched = try statements(["shelf", "chapters"])
    #expect(prefetched.texts == plain.texts)
    #expect(plain.texts[7] == "s7: c7.2 c7.1 c7.0")
    if backend == .sqlite {
      #expect(plain.count >= 30 * 5)
      #expect(prefetched.count == 4, "the books, their shelves, their links, their chapters")
    }
    #expect(throws: CoreDataError.self) { try statements(["title"]) }
  }

  @Test(arguments: Backend.allCases)
  func noRequestRefreshesObjects(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let other = stack.freshContext()
    let shelf = try #require(try other.all("Shelf").first)
    try stack.context.all("Shelf")[0].setValue("renamed", forKey: "name")
    try stack.context.save()
    let request = FetchRequest<ManagedObject>(entityName: "Shelf")
    #expect(try other.fetch(request)[0].value(forKey: "name") as? String == "left")
    request.shouldRefreshRefetchedObjects = true
    #expect(try other.fetch(request)[0] === shelf)
    #expect(shelf.value(forKey: "name") as? String == "left")
  }

  @Test(arguments: Backend.allCases)
  func refreshedNewObjectLosesWhatWasSet(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let context = stack.context
    let shelf = try #require(try context.all("Shelf").first)
    let book = stack.insert("Book", ["title": "lost"])
    book.setValue(shelf, forKey: "shelf")
    context.refresh(book, mergeChanges: true)
    #expect(!book.isFault && book.value(forKey: "title") as? String == "lost")
    context.refresh(book, mergeChanges: false)
    #expect(book.isFault && book.isInserted && context.insertedObjects.contains(book))
    #expect(book.value(forKey: "title") == nil && book.value(forKey: "shelf") == nil)
    #expect(!book.isFault)
    let books = try #require(shelf.value(forKey: "items") as? Set<ManagedObject>)
    #expect(!books.contains(book))
    book.setValue("kept", forKey: "title")
    try context.save()
    let titles = try stack.freshContext().all("Book").map { $0.value(forKey: "title") as? String }
    #expect(titles.contains("kept") && !titles.contains("lost"))
  }

  @Test(arguments: Backend.allCases)
  func executesFetchesForABlock(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    var titles: [String] = []
    let request = AsynchronousFetchRequest(
      fetchRequest: FetchRequest<ManagedObject>(entityName: "Shelf")
    ) { result in
      titles = (result.finalResult ?? []).compactMap { $0.value(forKey: "name") as? String }
    }
    let result = try stack.context.execute(request) as? AsynchronousFetchResult<ManagedObject>
    #expect(titles == ["left", "right"])
    #expect(result?.finalResult?.count == 2)
    request.fetchRequest.affectedStores = []
    try stack.context.execute(request)
    #expect(titles == [], "no store is asked")
  }
}
