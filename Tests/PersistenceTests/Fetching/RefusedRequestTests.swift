import Persistence
import TestSupport
import Testing

/// Requests that can't be answered are refused before anything is fetched: by both stores alike where
/// the request makes no sense, by SQLite only where a device's store has no SQL for it.
@Suite struct RefusedRequestTests {
  typealias Change = @Sendable (FetchRequest<any FetchRequestResult>) throws -> Void

  struct Refusal: CustomTestStringConvertible, Sendable {
    let name: String
    let reason: String
    let change: Change
    var testDescription: String { name }

    init(_ name: String, _ reason: String, _ change: @escaping Change) {
      (self.name, self.reason, self.change) = (name, reason, change)
    }
  }

  private static let ungrouped =
    "SELECT clauses in queries with GROUP BY components can only contain properties named in the "
    + "GROUP BY or aggregate functions "

  /// What a device raises for, an app can't catch: no `try?` keeps it from whoever set a trap.
  @Test(
    "An exception isn't caught with errors",
    arguments: [
      ("Nothing", "title", "could not locate an entity named 'Nothing' in this model."),
      ("Item", "isbn", "keypath isbn not found in entity Item"),
    ])
  func catchingHidesNoException(entity: String, key: String, reason: String) throws {
    for backend in Backend.allCases {
      let context = try Stack.withBooks(backend).context
      let request = FetchRequest<ManagedObject>(entityName: entity)
      request.sortDescriptors = [SortDescriptor(key: key, ascending: true)]
      let error = #expect(throws: CoreDataError.self) {
        try ExceptionTrap.catching { _ = try? context.fetch(request) }
      }
      #expect(error?.reason == reason)
      let controller = FetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      #expect(throws: CoreDataError.self) {
        try ExceptionTrap.catching { try? controller.performFetch() }
      }
    }
  }

  static let senseless = [
    Refusal("an unknown property", "keypath isbn not found in entity Item") {
      $0.propertiesToFetch = ["isbn"]
    },
    Refusal(
      "a to-many relationship", "Invalid to many relationship in setPropertiesToFetch: (tags)"
    ) { $0.propertiesToFetch = ["tags"] },
    Refusal(
      "no property", "Invalid property (5) passed to setPropertiesToFetch: it isn't a property"
    ) { $0.propertiesToFetch = [5] },
    Refusal(
      "no expression",
      "Invalid property (x) passed to setPropertiesToFetch: it has no expression"
    ) { $0.propertiesToFetch = [ExpressionDescription(name: "x")] },
    Refusal("an unknown key in an expression", "keypath isbn not found in entity Item") {
      $0.propertiesToFetch = [try ResultTypeTests.computed("x", "isbn", .string)]
    },
    Refusal("an unknown key in an aggregate", "keypath isbn not found in entity Item") {
      $0.propertiesToFetch = [try ResultTypeTests.computed("x", "max:(isbn)", .string)]
    },
    Refusal("groups of an unknown property", "keypath isbn not found in entity Item") {
      $0.propertiesToGroupBy = ["isbn"]
      $0.propertiesToFetch = ["title"]
    },
    Refusal("a value of a group's objects", ungrouped + "(pages is not in the GROUP BY)") {
      $0.propertiesToGroupBy = ["title"]
      $0.propertiesToFetch = ["title", "pages"]
    },
    Refusal("an expression of a group's objects", ungrouped + "(pages is not in the GROUP BY)") {
      $0.propertiesToGroupBy = ["title"]
      $0.propertiesToFetch = [try ResultTypeTests.computed("x", "max:(pages) - pages", .integer32)]
    },
    Refusal("an order of groups by another key", ungrouped + "(pages is not in the GROUP BY)") {
      $0.propertiesToGroupBy = ["title"]
      $0.propertiesToFetch = ["title"]
      $0.sortDescriptors = [SortDescriptor(key: "pages", ascending: true)]
    },
    Refusal("a choice of groups without groups", "Invalid fetch request: HAVING requires GROUP BY")
    {
      $0.havingPredicate = try Predicate.parse("pages > 1")
    },
    Refusal("an unknown sort key", "keypath isbn not found in entity Item") {
      $0.sortDescriptors = [SortDescriptor(key: "isbn", ascending: true)]
    },
    Refusal("an unknown key in the predicate", "keypath isbn not found in entity Item") {
      $0.predicate = try Predicate.parse("isbn == nil")
    },
  ]

  private func stack(_ backend: Backend, isEmpty: Bool) throws -> Stack {
    isEmpty ? try Stack(backend, LibraryModel.make()) : try .withBooks(backend)
  }

  private func reason(
    _ stack: Stack, _ type: FetchRequestResultType, _ change: Change
  ) throws -> String? {
    let request = FetchRequest<any FetchRequestResult>(entityName: "Item")
    request.resultType = type
    try change(request)
    let context = stack.freshContext()
    let error = #expect(throws: CoreDataError.self) { try context.fetch(request) }
    let counting = #expect(throws: CoreDataError.self) { try context.count(for: request) }
    #expect(error?.reason == counting?.reason)
    #expect(context.registeredObjects.isEmpty, "nothing is read")
    return error?.reason
  }

  @Test(arguments: Backend.allCases, senseless)
  func whatMakesNoSenseIsRefusedByBothStoresEvenEmpty(backend: Backend, refusal: Refusal) throws {
    for isEmpty in [true, false] {
      let stack = try stack(backend, isEmpty: isEmpty)
      #expect(try reason(stack, .dictionaryResultType, refusal.change) == refusal.reason)
    }
  }

  static let plainTypes: [FetchRequestResultType] = [
    .managedObjectResultType, .managedObjectIDResultType, .countResultType,
  ]

  @Test(arguments: Backend.allCases, plainTypes)
  func onlyDictionariesAreGrouped(backend: Backend, type: FetchRequestResultType) throws {
    let stack = try Stack.withBooks(backend)
    #expect(
      try reason(stack, type) { $0.propertiesToGroupBy = ["title"] }
        == "Invalid fetch request: GROUP BY requires NSDictionaryResultType")
    #expect(
      try reason(stack, type) { $0.havingPredicate = try Predicate.parse("pages > 1") }
        == "Invalid fetch request: HAVING requires GROUP BY")
    #expect(
      try reason(stack, type) { $0.propertiesToFetch = ["title", "isbn"] }
        == "keypath isbn not found in entity Item")
  }

  static let withoutSQL = [
    Refusal("a method", "Unsupported function expression FUNCTION(title, \"length\")") {
      $0.propertiesToFetch = [
        try ResultTypeTests.computed("x", "FUNCTION(title, 'length')", .integer32)
      ]
    },
    Refusal("a key that text answers", "keypath title.length not found in entity Item") {
      $0.propertiesToFetch = [try ResultTypeTests.computed("x", "title.length", .integer32)]
    },
    Refusal("values of all", "Unsupported function expression tags.@distinctUnionOfObjects.name") {
      $0.propertiesToFetch = [
        try ResultTypeTests.computed("x", "count(tags.@distinctUnionOfObjects.name)", .undefined)
      ]
    },
    Refusal(
      "a condition with ALL",
      "unimplemented SQL generation for predicate : (ALL tags.name == \"x\")"
    ) {
      $0.propertiesToFetch = [
        try ResultTypeTests.computed("x", "TERNARY(ALL tags.name == 'x', 1, 2)", .integer32)
      ]
    },
    Refusal("groups by what code says", "Unsupported predicate BLOCKPREDICATE") {
      $0.propertiesToGroupBy = ["title"]
      $0.propertiesToFetch = ["title"]
      $0.havingPredicate = Predicate(block: { _, _ in true })
    },
  ]

  @Test(arguments: withoutSQL)
  func whatHasNoSQLOnADeviceIsRefusedBySQLiteOnly(refusal: Refusal) throws {
    for isEmpty in [true, false] {
      let sqlite = try stack(.sqlite, isEmpty: isEmpty)
      #expect(try reason(sqlite, .dictionaryResultType, refusal.change) == refusal.reason)
    }
    var answers: [[NSDictionary]] = []
    for backend in Backend.allCases {
      let stack = try stack(backend, isEmpty: false)
      stack.context.unsupportedFetches = .evaluatedInMemory
      let request = FetchRequest<any FetchRequestResult>(entityName: "Item")
      request.resultType = .dictionaryResultType
      try refusal.change(request)
      answers.append(try stack.context.fetch(request).compactMap { $0 as? NSDictionary })
    }
    #expect(answers[0] == answers[1] && !answers[0].isEmpty)
  }
}
