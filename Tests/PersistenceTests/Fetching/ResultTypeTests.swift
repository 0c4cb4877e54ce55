import Persistence
import TestSupport
import Testing

@Suite("What a fetch gives")
struct ResultTypeTests {
  @Test(arguments: Backend.allCases)
  func identifiersAndCounts(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let ids = FetchRequest<ManagedObjectID>(entityName: "Item")
    ids.resultType = .managedObjectIDResultType
    ids.sortDescriptors = [SortDescriptor(key: "title", ascending: false)]
    ids.fetchLimit = 2
    #expect(try stack.context.fetch(ids).map(\.primaryKey) == [4, 3])
    _ = stack.insert("Item", ["title": "zz"])
    #expect(try stack.context.fetch(ids).map(\.primaryKey) == [4, 3], "nothing is sorted in")
    let count = FetchRequest<NSNumber>(entityName: "Item")
    count.resultType = .countResultType
    #expect(try stack.context.fetch(count) == [5])
    count.fetchOffset = 1
    count.fetchLimit = 3
    #expect(try stack.context.count(for: count) == 3)
    count.fetchOffset = 4
    #expect(try stack.context.count(for: count) == 1)
  }

  @Test(arguments: Backend.allCases)
  func groupsAreChosenByAnyKeyAndByOutputs(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let request = FetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToGroupBy = ["title"]
    #expect(request.propertiesToGroupBy as? [String] == ["title"])
    let links = try Self.computed("links", "count(tags)", .integer32)
    let number = try Self.computed("number", "count(pages)", .integer32)
    request.propertiesToFetch = ["title", number]
    for (format, count) in [
      ("pages >= 0", 3), ("$number > 1", 0), ("$number == 1", 3), ("$number == 0", 1),
    ] {
      request.havingPredicate = try Predicate.parse(format)
      #expect(try stack.context.fetch(request).count == count, "\(format)")
    }
    let groups = request.propertiesToGroupBy as? [AttributeDescription]
    #expect(groups?.map(\.name) == ["title"], "the entity is known")
    request.havingPredicate = Predicate(format: "%@ == 1", Expression(forVariable: "number"))
    #expect(try stack.context.fetch(request).count == 3, "one book has no pages")
    for format in ["number == 1", "count:(tags) == 1", "count:(pages) > 1"] {
      request.havingPredicate = try Predicate.parse(format)
      if format == "number == 1" || backend == .sqlite {
        #expect(throws: CoreDataError.self, "\(format)") { try stack.context.fetch(request) }
      }
    }
    let all = FetchRequest<NSDictionary>(entityName: "Item")
    all.resultType = .dictionaryResultType
    all.propertiesToFetch = [links]
    let tags = try stack.context.all("Item").reduce(0) {
      $0 + (($1.value(forKey: "tags") as? NSSet)?.count ?? 0)
    }
    #expect(try stack.context.fetch(all).map { $0["links"] as? Int } == [tags])
  }

  /// The type that a request is declared with says nothing of what it gives, and a device traps.
  @Test(arguments: Backend.allCases)
  func identifiersAreGivenToWhoSaysSoOnly(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let ids = FetchRequest<ManagedObjectID>(entityName: "Book")
    let error = try #require(throws: CoreDataError.self) { try stack.context.fetch(ids) }
    #expect(
      error.reason
        == "Could not cast value of type 'NSManagedObject_Book_' to 'Persistence.ManagedObjectID'.")
    ids.predicate = try Predicate.parse("title == 'nowhere'")
    #expect(try stack.context.fetch(ids) == [])
  }

  @Test(arguments: Backend.allCases)
  func dictionariesOfChosenProperties(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let request = FetchRequest<NSDictionary>(entityName: "Book")
    request.resultType = .dictionaryResultType
    let twice = ExpressionDescription()
    twice.name = "twice"
    twice.expression = try Expression.parse("pages * 2")
    twice.expressionResultType = .integer64
    request.propertiesToFetch = ["title", "shelf.name", twice]
    request.sortDescriptors = [SortDescriptor(key: "title", ascending: true)]
    let expected: [NSDictionary] = [
      ["title": "a", "shelf.name": "left", "twice": 20],
      ["title": "c", "shelf.name": "right", "twice": 60], ["title": "d"],
    ]
    #expect(try stack.context.fetch(request) == expected)
    stack.context.delete(try stack.context.all("Book")[0])
    #expect(try stack.context.fetch(request) == expected, "unsaved changes play no part")
  }

  @Test(arguments: Backend.allCases)
  func dictionariesOfAllStoredProperties(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let request = FetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.predicate = try Predicate.parse("title == 'b'")
    let only = try #require(try stack.context.fetch(request).first)
    #expect(Set(only.allKeys.compactMap { $0 as? String }) == ["title", "pages", "shelf"])
    let shelf = try #require(only["shelf"] as? ManagedObjectID)
    #expect(shelf.entity.name == "Shelf" && shelf.primaryKey == 1)
  }

  @Test(arguments: Backend.allCases)
  func distinctDictionariesInTheOrderOfTheirFirstObjects(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    for (title, pages) in [("x", 7), ("y", 8), ("x", 7), ("x", 9)] {
      _ = stack.insert("Item", ["title": title, "pages": pages])
    }
    try stack.context.save()
    let request = FetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title"]
    request.returnsDistinctResults = true
    let titles = { try stack.context.fetch(request).map { $0["title"] as? String } }
    #expect(try titles() == ["a", "b", "c", "d", "x", "y"])
    request.fetchLimit = 2
    request.fetchOffset = 3
    #expect(try titles() == ["d", "x"])
    request.sortDescriptors = [SortDescriptor(key: "pages", ascending: false)]
    #expect(try titles() == ["x", "y"])
  }

  @Test(
    "A predicate that fails behind the page fails whoever sorts", arguments: Backend.allCases,
    [false, true])
  func aPredicateIsAskedAboutAllSortedRows(_ backend: Backend, distinct: Bool) throws {
    let stack = try Stack.withBooks(backend)
    let request = FetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title"]
    request.returnsDistinctResults = distinct
    request.sortDescriptors = [SortDescriptor(key: "title", ascending: true)]
    request.fetchLimit = 1
    // Only the first has the number; text and a number have no sum.
    request.predicate = try Predicate.parse("{10, 2.0, nil} CONTAINS pages OR title + 1 == 2")
    #expect(throws: (any Error).self) {
      try ExceptionTrap.catching { try stack.context.fetch(request) }
    }
  }

  @Test(arguments: Backend.allCases)
  func groupsWithAggregates(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let request = FetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToGroupBy = ["shelf.name"]
    request.propertiesToFetch = [
      "shelf.name", try Self.computed("count", "count:(title)", .integer32),
      try Self.computed("pages", "sum:(pages)", .integer64),
      try Self.computed("mean", "average:(pages)", .double),
      try Self.computed("longest", "@max.pages", .integer32),
    ]
    request.sortDescriptors = [SortDescriptor(key: "shelf.name", ascending: false)]
    let groups = try stack.context.fetch(request)
    let expected: [NSDictionary] = [
      ["shelf.name": "right", "count": 1, "pages": 30, "mean": 30.0, "longest": 30],
      ["shelf.name": "left", "count": 2, "pages": 30, "mean": 15.0, "longest": 20],
      ["count": 1, "pages": 0],
    ]
    #expect(groups == expected)
    request.havingPredicate = try Predicate.parse("$count > 1 AND max:(pages) < 25")
    #expect(try stack.context.fetch(request) == [expected[1]])
  }

  @Test(arguments: Backend.allCases)
  func oneGroupOfAllWithoutKeys(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let request = FetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [
      try Self.computed("number", "@count", .integer64),
      try Self.computed("sum", "sum:(pages)", .undefined),
      try Self.computed("share", "sum:(pages) / count:(pages)", .double),
      try Self.computed("first", "min:(title)", .string),
    ]
    #expect(
      try stack.context.fetch(request) == [
        ["number": 4, "sum": 60, "share": 20.0, "first": "a"]
      ])
    request.predicate = try Predicate.parse("title == 'none'")
    #expect(try stack.context.fetch(request) == [["number": 0, "sum": 0]])
  }

  @Test(arguments: Backend.allCases)
  func groupsHaveTheNumberOfTheirLinks(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    stack.insert("Shelf", ["name": "left"])
    try stack.context.save()
    let request = FetchRequest<NSDictionary>(entityName: "Shelf")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [
      "name", try Self.computed("number", "items.title.@count", .integer64),
    ]
    request.sortDescriptors = [SortDescriptor(key: "name", ascending: true)]
    #expect(
      try stack.context.fetch(request).map { $0["number"] as? Int }.sorted { $0! < $1! } == [
        0, 1, 2,
      ])
    request.propertiesToGroupBy = ["name"]
    #expect(
      try stack.context.fetch(request) == [
        ["name": "left", "number": 2], ["name": "right", "number": 1],
      ])
  }

  @Test(arguments: Backend.allCases)
  func errorsForWhatCannotBeFetched(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    func message(_ change: (FetchRequest<NSDictionary>) throws -> Void) throws -> String? {
      let request = FetchRequest<NSDictionary>(entityName: "Item")
      request.resultType = .dictionaryResultType
      try change(request)
      let error = #expect(throws: CoreDataError.self) { try stack.context.fetch(request) }
      return error?.reason
    }
    #expect(
      try message { $0.propertiesToFetch = ["tags"] }
        == "Invalid to many relationship in setPropertiesToFetch: (tags)")
    #expect(
      try message { $0.propertiesToFetch = ["isbn"] } == "keypath isbn not found in entity Item")
    #expect(
      try message {
        $0.propertiesToGroupBy = ["title"]
        $0.propertiesToFetch = ["title", "pages"]
      }
        == "SELECT clauses in queries with GROUP BY components can only contain properties named in "
        + "the GROUP BY or aggregate functions (pages is not in the GROUP BY)")
    #expect(
      try message { $0.havingPredicate = try Predicate.parse("pages > 1") }
        == "Invalid fetch request: HAVING requires GROUP BY")
    #expect(
      try message {
        $0.resultType = []
        $0.propertiesToGroupBy = ["title"]
      } == "Invalid fetch request: GROUP BY requires NSDictionaryResultType")
  }

  static func computed(
    _ name: String, _ format: String, _ type: AttributeType
  ) throws -> ExpressionDescription {
    let description = ExpressionDescription(name: name)
    description.expression =
      format.hasPrefix("@") ? Expression(forKeyPath: format) : try Expression.parse(format)
    description.expressionResultType = type
    return description
  }
}

extension Stack {
  /// Two shelves; the books a, c, d and the item b, of which d stands nowhere and has no pages.
  static func withBooks(_ backend: Backend) throws -> Stack {
    let stack = try Stack(backend, try LibraryModel.make())
    let shelves = ["left", "right"].map { stack.insert("Shelf", ["name": $0]) }
    for (number, title) in ["a", "b", "c", "d"].enumerated() {
      let object = stack.insert(number == 1 ? "Item" : "Book", ["title": title])
      if number == 3 { continue }
      object.setValue((number + 1) * 10, forKey: "pages")
      object.setValue(shelves[number / 2], forKey: "shelf")
    }
    try stack.context.save()
    return stack
  }
}
