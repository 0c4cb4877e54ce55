import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// `FUNCTION($entityPolicy, "selector:", …)` on compiled policies.
@Suite(.tags(.compiles), .tiered)
struct PolicyFunctionTests {
  private static let source = """
    import CoreData

    class BasePolicy: NSEntityMigrationPolicy {
      @objc func defaultShelf() -> String { "unsorted" }
      @objc func kind() -> String { "base" }
    }

    class BookPolicy: BasePolicy {
      private var count = 0

      override func kind() -> String { "book" }
      @objc func slug(for title: String) -> String { title.lowercased() }
      @objc func price(_ amount: NSNumber, currency: String?) -> String {
        "\\(amount) \\(currency ?? "?")"
      }
      @objc(join:with:and:) func joined(a: String, b: String, c: String) -> String { a + b + c }
      @objc func note(_ text: String) { count += text.count }
      @objc private var noted: Int { count }
      @objc func nothing() -> String? { nil }
      @objc func check(_ text: String) throws -> String {
        if text.isEmpty { throw NSError(domain: "Books", code: 7) }
        return text
      }
      @objc func title(of book: Book) -> String { "" }
      func titles(_ books: Set<NSManagedObject>) -> [String] { [] }
      func generic<T>(_ value: T) -> T { value }
      func later() async -> String { "" }
      static func shared() -> String { "" }
      @MainActor @objc func onMain() -> String { "" }
    }

    class Book: NSManagedObject {}

    extension BookPolicy {
      @objc private func secret() -> String { "secret" }
    }

    extension NSEntityMigrationPolicy {
      @objc func year(of date: Date?) -> NSNumber? {
        date.map { NSNumber(value: Calendar(identifier: .gregorian).component(.year, from: $0)) }
      }
    }
    """

  /// Compiled once for all tests here.
  private static let library = SharedLibrary(module: "Books", ["Policy.swift": source])

  private func policy() async throws -> EntityMigrationPolicy {
    try await Self.library.value.policy("Books.BookPolicy")
  }

  @Test func callsMethodsBySelector() async throws {
    let policy = try await policy()
    func call(_ selector: String, _ arguments: Value...) throws -> Value {
      try policy.callFunction(selector: selector, arguments: arguments)
    }
    #expect(try call("defaultShelf") == .string("unsorted"))
    #expect(try call("kind") == .string("book"))
    #expect(try call("slugFor:", .string("Emma")) == .string("emma"))
    #expect(try call("price:currency:", .integer(12), .null) == .string("12 ?"))
    #expect(
      try call("join:with:and:", .string("a"), .string("b"), .string("c")) == .string("abc"))
    #expect(try call("note:", .string("four")) == .null)
    #expect(try call("noted") == .integer(4))
    #expect(try call("nothing") == .null)
    #expect(try call("secret") == .string("secret"))
    #expect(try call("yearOf:", .date(Date(timeIntervalSince1970: 0))) == .integer(1970))
    #expect(try call("yearOf:", .null) == .null)
    #expect(try call("check:error:", .string("fine"), .null) == .string("fine"))
  }

  @Test func listsTheSelectorsThatCanBeCalled() async throws {
    let library = try await Self.library.value
    #expect(
      library.selectors(ofClassNamed: "Books.BookPolicy") == [
        "check:error:", "defaultShelf", "join:with:and:", "kind", "note:", "noted", "nothing",
        "price:currency:", "secret", "slugFor:", "titleOf:", "titles:", "yearOf:",
      ])
    #expect(
      library.selectors(ofClassNamed: "Books.BasePolicy") == ["defaultShelf", "kind", "yearOf:"])
    #expect(library.selectors(ofClassNamed: "BookPolicy") == [])
  }

  @Test func knowsWhatObjectiveCSees() async throws {
    let folder = try PolicyFolder(module: "Shown")
    let library = try await folder.library(
      """
      import CoreData
      @objc protocol Shown {
        func byProtocol(_ text: String) -> String
        @objc(renamed:) func other(_ text: String) -> String
      }
      protocol Hidden { func bySwift(_ text: String) -> String }
      class Base: NSEntityMigrationPolicy, Shown {
        func byProtocol(_ text: String) -> String { text }
        func other(_ text: String) -> String { text }
      }
      @objcMembers final class P: Base, Hidden {
        func bySwift(_ text: String) -> String { text }
        private func secret(_ text: String) -> String { text }
        @objc private func shown(_ text: String) -> String { text }
        @nonobjc func hidden(_ text: String) -> String { text }
        func strange(_ count: Int?) -> String { "" }
        func any(_ value: Any) -> String { "\\(value)" }
        func same(_ value: Any?) -> Any? { value }
      }
      """)
    let policy = try library.policy("Shown.P")
    func call(_ selector: String, _ argument: Value = .string("x")) throws -> Value {
      try policy.callFunction(selector: selector, arguments: [argument])
    }
    for selector in ["byProtocol:", "renamed:", "bySwift:", "shown:", "any:", "same:"] {
      #expect(try call(selector) == .string("x"), "\(selector)")
    }
    for selector in ["secret:", "hidden:", "strange:"] {
      let error = #expect(throws: CoreDataError.self) { try call(selector) }
      #expect(error?.reason.contains("isn't marked @objc") == true, "\(selector)")
    }
    let values: [Value] = [
      .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data([1])), .uuid(UUID()), .integer(1),
      .double(2.5), .decimal(3), .uri(URL(fileURLWithPath: "/")), .null,
    ]
    for value in values { #expect(try call("same:", value) == value) }
    #expect(try call("any:", .double(5)) == .string("5"))
    #expect(try call("any:", .double(0.5)) == .string("0.5"))
    #expect(try call("any:", .null) == .string("nil"))
  }

  @Test func passesOnWhatAMethodThrows() async throws {
    let policy = try await policy()
    let error = #expect(throws: NSError.self) {
      try policy.callFunction(selector: "check:error:", arguments: [.string(""), .null])
    }
    #expect(error?.domain == "Books")
    #expect(error?.code == 7)
  }

  @Test func refusesAnArgumentOfAnotherClass() async throws {
    let policy = try await policy()
    let model = try ManagedObjectModel(entities: [EntityDescription("Book", [])])
    let context = ManagedObjectContext(coordinator: .init(managedObjectModel: model))
    let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
    let error = #expect(throws: CoreDataError.self) {
      try policy.callFunction(selector: "titleOf:", arguments: [.object(book)])
    }
    #expect(
      error?.reason == "Could not cast value of type 'NSManagedObject_Book_' to 'Books.Book'.")
    // Swift's types get the empty value for nil, objects don't.
    #expect(try policy.callFunction(selector: "slugFor:", arguments: [.null]) == .string(""))
    let missing = #expect(throws: CoreDataError.self) {
      try policy.callFunction(selector: "titleOf:", arguments: [.null])
    }
    #expect(missing?.reason == "Unexpectedly found nil for argument 1 of titleOf:")
    #expect(missing?.originalMistake == .nilArgument)
  }

  @Test func refusesAnUnknownSelectorAndAWrongNumberOfArguments() async throws {
    let policy = try await policy()
    let unknown = #expect(throws: CoreDataError.self) {
      try policy.callFunction(selector: "slug:", arguments: [.string("Emma")])
    }
    #expect(unknown?.reason == "policy Books.BookPolicy does not respond to slug:")
    #expect(unknown?.advice?.contains("slugFor:") == true)
    let miscounted = #expect(throws: CoreDataError.self) {
      try policy.callFunction(selector: "slugFor:", arguments: [])
    }
    #expect(
      miscounted?.reason
        == "policy Books.BookPolicy: slugFor: takes 1 argument, the expression gives 0")
  }

  @Test func refusesMethodsThatADeviceCouldNotCall() async throws {
    let library = try await PolicyFolder(module: "App").library(
      """
      import CoreData
      @objcMembers class Exposed: NSEntityMigrationPolicy {
        func shelf() -> String { "a" }
      }
      class Inheriting: Exposed {
        func row() -> String { "b" }
      }
      extension Exposed {
        func column() -> String { "c" }
      }
      class Plain: NSEntityMigrationPolicy {
        func shelf() -> String { "d" }
        @objc func count(_ shelf: String) -> Int { 1 }
        @objc func isFull(_ isFull: Bool) -> NSNumber { 1 }
      }
      """)
    let exposed = try library.policy("App.Inheriting")
    #expect(try exposed.callFunction(selector: "shelf", arguments: []) == .string("a"))
    #expect(try exposed.callFunction(selector: "row", arguments: []) == .string("b"))
    #expect(try exposed.callFunction(selector: "column", arguments: []) == .string("c"))
    let plain = try library.policy("App.Plain")
    for (selector, arguments, text) in [
      ("shelf", [], "App.Plain.shelf() isn't marked @objc"),
      ("count:", [.string("a")], "returns Int"), ("isFull:", [.integer(1)], "takes Bool"),
    ] as [(String, [Value], String)] {
      let error = #expect(throws: CoreDataError.self) {
        try plain.callFunction(selector: selector, arguments: arguments)
      }
      #expect("\(error as Any)".contains(text))
    }
  }
}
