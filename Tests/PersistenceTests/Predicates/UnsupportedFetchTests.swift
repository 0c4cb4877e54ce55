import Persistence
import TestSupport
import Testing

/// What a device's SQLite store refuses fails on SQLite, before anything is fetched, and only there.
@Suite struct UnsupportedFetchTests {
  private func stack(_ backend: Backend) throws -> Stack {
    let model = try LibraryModel.make { entities in
      let initial = LibraryModel.attribute("initial", .string, optional: true)
      initial.isTransient = true
      entities["Item"]?.ownProperties.append(initial)
    }
    let stack = try Stack(backend, model)
    let tag = stack.insert("Tag", ["name": "old"])
    for title in ["b", "a"] {
      stack.insert("Item", ["title": title]).setValue(NSSet(array: [tag]), forKey: "tags")
    }
    try stack.context.save()
    return stack
  }

  private func fetch(
    _ stack: Stack, _ format: String? = nil, sortedBy descriptor: SortDescriptor? = nil
  ) -> Result<[String], any Error> {
    Result {
      let request = FetchRequest<ManagedObject>(entityName: "Item")
      request.predicate = try format.map { try Predicate.parse($0) }
      request.sortDescriptors = descriptor.map { [$0] }
      return try stack.context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
  }

  private func reason(_ result: Result<[String], any Error>) -> String? {
    if case .failure(let error) = result { (error as? CoreDataError)?.reason } else { nil }
  }

  @Test(arguments: [
    (
      "ALL tags.name == 'old'",
      "unimplemented SQL generation for predicate : (ALL tags.name == \"old\")"
    ),
    ("initial == nil", "keypath initial not found in entity Item"),
    ("title.length == 1", "keypath title.length not found in entity Item"),
    ("'old' IN tags.name", "to-many key not allowed here: tags.name"),
    (
      "FUNCTION(title, 'length') == 1",
      "Unsupported function expression FUNCTION(title, \"length\")"
    ),
  ])
  func aPredicateIsRefusedBySQLiteAndAnsweredByMemory(format: String, text: String) throws {
    #expect(try fetch(stack(.memory), format).get().sorted() == ["a", "b"])
    let sqlite = try stack(.sqlite)
    #expect(reason(fetch(sqlite, format)) == text)
    #expect(sqlite.context.registeredObjects.isEmpty, "nothing is read")
    sqlite.context.unsupportedFetches = .evaluatedInMemory
    #expect(try fetch(sqlite, format).get().sorted() == ["a", "b"])
  }

  @Test func anEmptyStoreRefusesAsWell() throws {
    let stack = try Stack(.sqlite, LibraryModel.make())
    #expect(reason(fetch(stack, "nothing == 1")) == "keypath nothing not found in entity Item")
    let request = FetchRequest<ManagedObject>(entityName: "Item")
    request.predicate = Predicate(block: { _, _ in true })
    #expect(throws: CoreDataError.self) { try stack.context.count(for: request) }
    #expect(throws: CoreDataError.self) { try stack.context.enumerate(request) { _ in } }
  }

  @Test func aSortKeyIsStoredAndItsSelectorKnown() throws {
    let sqlite = try stack(.sqlite)
    func refusal(_ key: String, _ selector: String? = nil) -> String? {
      let descriptor = SortDescriptor(key: key, ascending: true, selectorName: selector)
      return reason(fetch(sqlite, sortedBy: descriptor))
    }
    #expect(refusal("initial") == "keypath initial not found in entity Item")
    #expect(refusal("tags.name") == "to-many key not allowed here: tags.name")
    #expect(
      refusal("tags.@count") == "Keypath containing KVC aggregate where there shouldn't be one; "
        + "failed to handle tags.@count")
    #expect(
      refusal("title", "compareByLength:")
        == "unsupported NSSortDescriptor selector: compareByLength:")
    #expect(refusal("title", "localizedStandardCompare:") == nil)
    #expect(refusal("shelf.name") == nil)
    let memory = SortDescriptor(key: "initial", ascending: true)
    #expect(try fetch(stack(.memory), sortedBy: memory).get().count == 2)
  }

  @Test func codeThatSortsIsForMemory() throws {
    let byLastLetter = SortDescriptor(key: "title", ascending: false) { a, b in
      ((a as? String)?.last.map(String.init) ?? "").compare(
        (b as? String)?.last.map(String.init) ?? "")
    }
    let memory = try stack(.memory)
    memory.insert("Item", ["title": "za"])
    memory.insert("Item")
    memory.insert("Item", ["title": "ac"])
    #expect(try fetch(memory, sortedBy: byLastLetter).get() == ["ac", "b", "a", "za"])
    let sqlite = try stack(.sqlite)
    #expect(
      reason(fetch(sqlite, sortedBy: byLastLetter))
        == "unsupported NSSortDescriptor (comparator blocks are not supported)")
    sqlite.context.unsupportedFetches = .evaluatedInMemory
    #expect(try fetch(sqlite, sortedBy: byLastLetter).get() == ["b", "a"])
  }

  @Test func theErrorNamesTheEntityAndWhatToDo() throws {
    guard case .failure(let error) = try fetch(stack(.sqlite), "title.length == 1") else {
      Issue.record("the fetch was answered")
      return
    }
    #expect(
      "\(error)" == """
        NSCocoaErrorDomain 134060: keypath title.length not found in entity Item
          entity: Item
          value: title.length
          do: The SQLite store of a device raises an exception here. Use a stored property of the \
        model, or fetch without this part and filter in memory.
        """)
  }

  /// On a device it is an exception, which Swift can't catch.
  @Test func anExceptionIsNotHiddenByATry() throws {
    let stack = try stack(.sqlite)
    #expect(throws: CoreDataError.self) {
      try ExceptionTrap.catching { _ = try? fetch(stack, "nothing == 1").get() }
    }
  }
}

/// SQLite has no "not a number", and keeps nil in its place, in a Decimal's column a text; so does the store in
/// memory.
@Suite struct NotANumberTests {
  @Test(arguments: Backend.allCases)
  func isStoredAsNilOrAsADecimalsText(backend: Backend) throws {
    let entity = LibraryModel.entity(
      "Reading",
      [
        LibraryModel.attribute("double", .double), LibraryModel.attribute("float", .float),
        LibraryModel.attribute("decimal", .decimal), LibraryModel.attribute("date", .date),
      ])
    let stack = try Stack(backend, ManagedObjectModel(entities: [entity]))
    let reading = stack.insert(
      "Reading",
      [
        "double": Double.nan, "float": Float.nan, "decimal": NSDecimalNumber.notANumber,
        "date": Date(timeIntervalSinceReferenceDate: .nan),
      ])
    try stack.context.save()
    #expect((reading.value(forKey: "double") as? Double)?.isNaN == true, "the object keeps it")
    let read = try #require(try stack.freshContext().all("Reading").first)
    for attribute in entity.attributes where attribute.name != "decimal" {
      #expect(read.value(forKey: attribute.name) == nil, "\(attribute.name)")
    }
    #expect((read.value(forKey: "decimal") as? NSDecimalNumber) == .notANumber)
    #expect(try stack.freshContext().all("Reading", "double == nil").count == 1)
    #expect(try stack.freshContext().all("Reading", "decimal == nil").count == 0)
    // SQL compares by the text, Foundation by the number.
    let isText = backend == .sqlite
    #expect(try stack.freshContext().all("Reading", "decimal > 1").count == (isText ? 1 : 0))
  }
}
