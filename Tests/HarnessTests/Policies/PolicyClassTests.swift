import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Which classes are found, under which names, and how they are made.
@Suite(.tags(.compiles), .tiered)
struct PolicyClassTests {
  @Test func findsClassesByTheNamesADeviceKnows() async throws {
    let library = try await PolicyFolder(module: "App").library([
      "Plain.swift": "import CoreData\nclass Plain: NSEntityMigrationPolicy {}",
      "Named.swift": "import CoreData\n@objc(LegacyNamed) class Named: Plain {}",
      "Nested.swift": """
      import CoreData
      enum Policies {
        class Inner: NSEntityMigrationPolicy {}
        @objc(Exported) class Other: NSEntityMigrationPolicy {}
        private class Inaccessible: NSEntityMigrationPolicy { func call() {} }
      }
      private class Hidden: NSEntityMigrationPolicy {}
      class Unrelated: NSObject {}
      class Generic<Element>: NSEntityMigrationPolicy { func call() {} }
      """,
    ])
    #expect(library.policyNames == ["App.Named", "App.Plain", "Exported", "LegacyNamed"])
    #expect(try library.makePolicy(named: "Plain") == nil)
    #expect(String(reflecting: type(of: try library.policy("LegacyNamed"))) == "App.Named")
  }

  @Test func makesPoliciesWithInitializersOfTheirOwn() async throws {
    let library = try await PolicyFolder(module: "App").library(
      """
      import CoreData

      class Counting: NSEntityMigrationPolicy {
        let start: Int
        override init() {
          start = 5
          super.init()
        }
        @objc func first() -> NSNumber { NSNumber(value: start) }
      }

      class Inheriting: Counting {}

      class Demanding: NSEntityMigrationPolicy {
        let start: Int
        init(start: Int) {
          self.start = start
          super.init()
        }
      }
      """)
    let policy = try library.policy("App.Inheriting")
    #expect(try policy.callFunction(selector: "first", arguments: []) == .integer(5))
    let error = #expect(throws: CoreDataError.self) {
      try library.makePolicy(named: "App.Demanding")
    }
    #expect(error?.reason == "Use of unimplemented initializer 'init()' for class 'App.Demanding'")
  }

  /// What isn't overridden needs no call for each object; what isn't known is called.
  @Test func knowsWhichClassesLinkNothing() async throws {
    let library = try await PolicyFolder(module: "App").library(
      """
      import CoreData

      class Creating: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource source: NSManagedObject, in mapping: NSEntityMapping,
          manager: NSMigrationManager
        ) throws {}
        func createRelationships(of song: NSManagedObject) {}
      }

      class Linking: Creating {
        override func createRelationships(
          forDestination song: NSManagedObject, in mapping: NSEntityMapping,
          manager: NSMigrationManager
        ) throws {}
      }

      class Inheriting: Linking {}

      class Extended: NSEntityMigrationPolicy {}
      """)
    func leavesLinking(_ name: String) throws -> Bool {
      try library.policy("App.\(name)").leavesLinkingToCoreData
    }
    #expect(try leavesLinking("Creating"))
    #expect(try leavesLinking("Extended"))
    #expect(try !leavesLinking("Linking"))
    #expect(try !leavesLinking("Inheriting"))
  }

  @Test func givesEachMappingAPolicyOfItsOwn() async throws {
    let library = try await PolicyFolder(module: "App").library(
      """
      import CoreData
      class Counter: NSEntityMigrationPolicy {
        var count = 0
        @objc func next() -> NSNumber {
          count += 1
          return NSNumber(value: count)
        }
      }
      """)
    let (one, two) = (try library.policy("App.Counter"), try library.policy("App.Counter"))
    #expect(try one.callFunction(selector: "next", arguments: []) == .integer(1))
    #expect(try one.callFunction(selector: "next", arguments: []) == .integer(2))
    #expect(try two.callFunction(selector: "next", arguments: []) == .integer(1))
  }

  @Test func loadsTwoVersionsOfAModuleSideBySide() async throws {
    func library(answering answer: String) async throws -> PolicyLibrary {
      try await PolicyFolder(module: "App").library(
        """
        import CoreData
        struct Words { static let answer = "\(answer)" }
        class Policy: NSEntityMigrationPolicy {
          private let words = [Words.answer]
          @objc func answer() -> String { words.joined() }
        }
        """)
    }
    let old = try await library(answering: "old")
    let new = try await library(answering: "new")
    for (library, answer) in [(old, "old"), (new, "new"), (old, "old")] {
      let policy = try library.policy("App.Policy")
      #expect(try policy.callFunction(selector: "answer", arguments: []) == .string(answer))
    }
  }

  @Test(arguments: ["Persistence", "Migration", "Commands", "CDigest"])
  func compilesModulesNamedLikeTheEnginesOwn(_ module: String) async throws {
    let library = try await PolicyFolder(module: module).library(
      """
      import CoreData
      struct Thing { static let name = "thing" }
      class Policy: NSEntityMigrationPolicy {
        @objc func thing() -> String { Thing.name }
      }
      """)
    let policy = try library.policy("\(module).Policy")
    #expect(try policy.callFunction(selector: "thing", arguments: []) == .string("thing"))
  }
}
