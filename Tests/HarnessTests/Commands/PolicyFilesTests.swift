import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios

/// Which of an app's Swift files make up the policies that mapping models name.
@Suite struct PolicyFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let policy = "class Note: NSEntityMigrationPolicy {}"

  /// Files by name, and those that `App.Note` is made of.
  private static let apps: [(files: [String: String], taken: [String])] = [
    (["Note.swift": policy, "Other.swift": "class Other: Note {}"], ["Note.swift"]),
    // A base class, and its own.
    (
      ["A.swift": "class Root: NSEntityMigrationPolicy {}", "B.swift": "open class Base: Root {}"]
        .merging(["Note.swift": "final class Note: Base {}"]) { $1 },
      ["A.swift", "B.swift", "Note.swift"]
    ),
    // Extensions of the class, of its base class, and of Core Data's.
    (
      [
        "Note.swift": "class Note: Base {}", "Base.swift": "class Base: NSEntityMigrationPolicy {}",
        "Note+Make.swift": "extension Note { override func end() {} }",
        "Base+Make.swift": "@objc\nextension Base where Self: Any {}",
        "All.swift":
          "extension NSEntityMigrationPolicy { @objc func same(_ it: Any) -> Any { it } }",
        "Text.swift": "extension String { var trimmed: String { self } }",
        "Nested.swift": "extension Other { class Note {} }",
      ], ["All.swift", "Base+Make.swift", "Base.swift", "Note+Make.swift", "Note.swift"]
    ),
    // What the class names, and what that is made of; but no words in texts, remarks and key paths.
    (
      [
        "Note.swift": """
        class Note: NSEntityMigrationPolicy, Making {
          // Remark and #keyPath(Remark.text)
          let text = "Remark \\(Words.made)"; let key = #keyPath(Remark.text), it = other.Remark
          enum Kind { case a }
          let kind = Kind.a
        }
        """,
        "Making.swift": "protocol Making {}", "Words.swift": "enum Words {}",
        "Words+More.swift": "extension Words { static let made = Default.text }",
        "Default.swift": "struct Default { static let text = \"\" }",
        "Remark.swift": "class Remark: NSManagedObject {}", "Kind.swift": "enum Kind {}",
      ], ["Default.swift", "Making.swift", "Note.swift", "Words+More.swift", "Words.swift"]
    ),
  ]

  @Test(arguments: apps.indices) func aClassIsTakenWhole(_ index: Int) throws {
    let app = Self.apps[index]
    for (name, text) in app.files { try folder.write(text, to: name) }
    let found = try StepPolicies(of: ["App.Note"], given: [], module: nil, below: folder.url)
    #expect(found.sources.map(\.lastPathComponent).sorted() == app.taken)
    #expect(found.module == "App")
  }

  @Test(
    arguments: [
      (
        "@objc(Fancy)\n@available(iOS 13, *) public final class Note: NSEntityMigrationPolicy {}",
        true
      ),
      (
        "class Note: NSEntityMigrationPolicy { @objc(Fancy) func it() {}; class func it() {} }",
        false
      ),
      ("@objc(Fancy) extension Note {}\nclass Note: NSEntityMigrationPolicy {}", false),
    ])
  func aClassIsFoundByItsNameInObjectiveC(_ text: String, _ isFound: Bool) throws {
    try folder.write(text, to: "Note.swift")
    let found = try StepPolicies(of: ["Fancy"], given: [], module: nil, below: folder.url)
    #expect(found.sources.map(\.lastPathComponent) == (isFound ? ["Note.swift"] : []))
    #expect(found.missing == (isFound ? [] : ["Fancy"]))
    #expect(found.module == (isFound ? StepPolicies.moduleOfBareNames : nil))
  }

  /// An extension may override: without it the class would do something else.
  @Test(.tags(.compiles), .tiered) func aClassOfWhichAPartIsFaultyIsNotUsed() async throws {
    try folder.write("import CoreData\n\(Self.policy)", to: "Note.swift")
    try folder.write(
      "extension Note { override func begin(_ mapping: NSEntityMapping, with manager: Missing) {} }",
      to: "Note+It.swift")
    try folder.write("import CoreData\nclass Good: NSEntityMigrationPolicy {}", to: "Good.swift")
    let all = try StepPolicies(
      of: ["App.Note", "App.Good"], given: [], module: nil, below: folder.url)
    let compiler = PolicyCompiler(cacheDirectory: folder.url.appending(path: "cache"))
    let error = try await #require(throws: PolicyCompilationError.self) {
      try await compiler.prepare(all.sources, module: "App", stubs: [])
    }
    let sound = await compiler.prepareSound(of: all, stubs: [], after: error)
    #expect(sound.sources.map(\.lastPathComponent) == ["Good.swift"])
    #expect(Set(sound.files.keys) == ["App.Good"])
  }
}
