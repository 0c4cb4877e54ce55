import Testing

@testable import Harness

/// `FUNCTION($entityPolicy, "selector:", …)` on compiled policies.
struct PolicyFunctionTests {
  @Test func callsMethodsWithUpToThreeArguments() async throws {
    let library = try await PolicyFolder(module: "Books").library(
      """
      import CoreData

      class BookPolicy: NSEntityMigrationPolicy {
        @objc func defaultShelf() -> String { "unsorted" }
        @objc func slug(for title: String) -> String { title.lowercased() }
        @objc func price(_ amount: NSNumber, currency: String?) -> String {
          "\\(amount) \\(currency ?? "?")"
        }
        @objc(join:with:and:) func joined(a: String, b: String, c: String) -> String { a + b + c }
      }
      """)
    let policy = try library.policy("Books.BookPolicy")
    #expect(try policy.callFunction(selector: "defaultShelf", arguments: []) == .string("unsorted"))
    #expect(
      try policy.callFunction(selector: "slugFor:", arguments: [.string("Emma")])
        == .string("emma"))
    #expect(
      try policy.callFunction(selector: "price:currency:", arguments: [.integer(12), .null])
        == .string("12 ?"))
    #expect(
      try policy.callFunction(
        selector: "join:with:and:", arguments: [.string("a"), .string("b"), .string("c")])
        == .string("abc"))
    #expect(
      library.selectors(ofClassNamed: "Books.BookPolicy")
        == ["defaultShelf", "join:with:and:", "price:currency:", "slugFor:"])
  }
}
