import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Every name that docs/names.md promises compiles as Apple spells it.
@Suite(.tags(.compiles), .tiered)
struct VocabularyTests {
  @Test func everyNameOfferedCompiles() async throws {
    let library = try await AppCode.library("Vocabulary", module: "Vocabulary")
    #expect(library.policyNames == ["Vocabulary.Types_Entry"])
  }

  /// The files that are compiled say each name that the page lists.
  @Test func everyNameOfThePageIsCompiled() throws {
    let words = try Self.words(in: "Tests/HarnessTests/AppCode/Vocabulary")
    let names = try Self.namesOfThePage()
    #expect(names.count > 300)
    #expect(names.subtracting(words).sorted() == [], "promised and not compiled")
  }

  /// The page lists each of Apple's names that the module declares.
  @Test func thePageListsEveryNameDeclared() throws {
    let declaration =
      #/public (?:static |final |class )*(?:typealias|class|struct|enum|let|func|protocol) (?<name>NS\w+|objc_\w+)/#
    let declared = try Self.texts(in: "Sources/CoreDataNames").flatMap { text in
      text.matches(of: declaration).map { String($0.name) }
    }
    #expect(declared.count > 150)
    #expect(Set(declared).subtracting(try Self.namesOfThePage()).sorted() == [], "not on the page")
  }

  @Test(arguments: [
    "final class Store: NSAtomicStore {}", "final class Store: NSIncrementalStore {}",
    "let container = NSPersistentCloudKitContainer(name: \"App\")",
    "func undo(_ context: NSManagedObjectContext) { context.undoManager = UndoManager() }",
  ])
  func whatIsLeftOutOnPurposeSaysSo(_ code: String) async throws {
    let error = await #expect(throws: PolicyCompilationError.self) {
      try await PolicyFolder().library("import CoreData\n" + code)
    }
    #expect(error?.diagnostics.first?.message.contains("left out on purpose") == true)
  }

  // MARK: Reading

  /// The names in the page's lists of names, without what stands before a dot and in parentheses.
  private static func namesOfThePage() throws -> Set<String> {
    let page = try String(
      contentsOf: DocumentationTests.package.appending(path: "docs/names.md"), encoding: .utf8)
    let section = try #require(page.split(separator: "## Name by name\n").last)
    let rows = section.prefix { $0 != "#" }.split(separator: "\n").filter {
      $0.hasPrefix("- ") || $0.hasPrefix("  ") || $0.hasPrefix("|")
    }
    return Set(
      rows.flatMap { row in
        row.matches(of: #/`(?:\w*\.)?(?<name>\w+)[^`]*`/#).map { String($0.name) }
      })
  }

  private static func words(in folder: String) throws -> Set<String> {
    Set(try texts(in: folder).flatMap { $0.matches(of: #/\w+/#).map { String($0.0) } })
  }

  private static func texts(in folder: String) throws -> [String] {
    let root = DocumentationTests.package.appending(path: folder)
    let paths =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOf: root.appending(path: $0), encoding: .utf8)
    }
  }
}
