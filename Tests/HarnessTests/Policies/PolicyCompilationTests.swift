import Synchronization
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Compiling: what errors say, what is kept, and what happens without a compiler.
@Suite(.tags(.compiles), .tiered)
struct PolicyCompilationTests {
  private let emptyPolicy = "import CoreData\nclass Policy: NSEntityMigrationPolicy {}\n"

  private func failure(
    _ folder: PolicyFolder, _ files: KeyValuePairs<String, String>
  ) async throws -> PolicyCompilationError {
    try #require(
      await #expect(throws: PolicyCompilationError.self) { try await folder.library(files) })
  }

  // MARK: Errors

  @Test func namesThePlaceInTheUsersFile() async throws {
    let folder = try PolicyFolder()
    let error = try await failure(
      folder,
      [
        "First.swift": emptyPolicy,
        "Second.swift": """
        import CoreData

        class Other: NSEntityMigrationPolicy {
          @objc func slug(for title: String) -> String { #keyPath(Song.title) + titel }
        }
        """,
      ])
    let file = folder.folder.url.appending(path: "Policies/Second.swift").path
    #expect(
      error.diagnostics == [
        PolicyDiagnostic(
          file: file, line: 4, column: 73, severity: .error,
          message: "cannot find 'titel' in scope")
      ])
    #expect(
      error.description == """
        the policies of module SongbookSimple don't compile
        \(file):4:73: error: cannot find 'titel' in scope
        do: Only the policies' sources are compiled; if 'titel' is declared in another file of the app, \
        add that file to them; '--stub-missing FOLDER' writes stubs of all that is missing.
        """)
  }

  /// The compiler takes twice as long for each interpolation.
  private func literals(nested count: Int) -> String {
    #"let text = ""# + String(repeating: #"\(""#, count: count)
      + String(repeating: #"")"#, count: count) + "\"\n"
  }

  @Test func refusesLiteralsThatAreNestedTooDeep() async throws {
    let error = try await failure(
      PolicyFolder(), ["P.swift": emptyPolicy + literals(nested: 20_000)])
    #expect(error.diagnostics.first?.message.contains("nesting level exceeded") == true)
  }

  @Test(arguments: [[], ["-frontend"]])
  func endsACompilerThatDoesntComeToAnEnd(_ start: [String]) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "Endless.swift")
    try literals(nested: 100).write(to: file, atomically: true, encoding: .utf8)
    let error = try await #require(
      #expect(throws: PolicyCompilationError.self) {
        _ = try await SwiftToolchain().run(
          start + ["-typecheck", file.path], mostSeconds: 1)
      })
    #expect(error.message.contains("needs more than 1 s"))
  }

  @Test func refusesWhatObjectiveCCantRepresent() async throws {
    let folder = try PolicyFolder()
    let error = try await failure(
      folder,
      [
        "P.swift": """
        import CoreData
        struct Size {}
        final class Plain {}
        enum Kind { case one }
        class P: NSEntityMigrationPolicy {
          @objc func a(_ text: String, _ count: Int?) -> String { text }
          @objc func b(_ pair: (Int, Int)) {}
          @objc func c() -> Size { Size() }
          @objc func d(_ text: inout String) {}
          @objc func e(_ counts: [Int?]) {}
          @objc func f(_ plain: Plain, _ text: String) {}
          @objc var g: Result<Int, any Error>? { nil }
          @objc func h(_ kind: Kind) {}
          @objc func i(_ done: @escaping (Size, Int) -> Void) {}
          @objc func j(_ text: String) throws -> Bool { true }
          @objc func k(_ text: String) throws -> String? { nil }
          @objc func l<T>(_ any: T) {}
          @objc func m(_ texts: String...) {}
          @objc func fine(
            _ a: Any, _ b: Any?, _ c: [Int], _ d: [String: Any]?, _ e: (String) -> Void, _ f: CGFloat,
            _ g: Set<NSManagedObject>, _ h: Date?, _ i: AnyClass?, _ j: NSNumber, _ k: Decimal?
          ) -> (any Error)? { nil }
          @objc func alsoFine(_ done: @escaping (Int, String?) -> Void) throws -> String { "" }
          @objc class func shared() -> P { P() }
        }
        """
      ])
    let texts = error.diagnostics.map { "\($0.line) \($0.message)" }
    let end = "cannot be represented in Objective-C"
    let throwing = "Throwing method cannot be marked @objc because it returns a value of"
    #expect(
      texts == [
        "6 Method cannot be marked @objc because the type of the parameter 2 \(end)",
        "7 Method cannot be marked @objc because the type of the parameter \(end)",
        "8 Method cannot be marked @objc because its result type \(end)",
        "9 Method cannot be marked @objc because the type of the parameter \(end)",
        "10 Method cannot be marked @objc because the type of the parameter \(end)",
        "11 Method cannot be marked @objc because the type of the parameter 1 \(end)",
        "12 Property cannot be marked @objc because its type \(end)",
        "13 Method cannot be marked @objc because the type of the parameter \(end)",
        "14 Method cannot be marked @objc because the type of the parameter \(end)",
        "15 \(throwing) type 'Bool'; return 'Void' or a type that bridges to an Objective-C class",
        "16 \(throwing) optional type 'String?'; 'nil' indicates failure to Objective-C",
        "17 Method cannot be marked @objc because it has generic parameters",
        "18 Method cannot be marked @objc because it has a variadic parameter",
      ])
  }

  @Test func placesTheEndOfAFileInTheUsersFile() async throws {
    let folder = try PolicyFolder()
    let error = try await failure(
      folder, ["Open.swift": "import CoreData\nclass Policy: NSEntityMigrationPolicy {\n"])
    let file = folder.folder.url.appending(path: "Policies/Open.swift").path
    #expect(Set(error.diagnostics.map(\.file)) == [file])
    #expect(
      error.diagnostics.map { "\($0.line):\($0.column) \($0.message)" }
        .contains("3:1 expected '}' in class"))
  }

  @Test func reportsErrorsInDeclarationsAndBodiesTogether() async throws {
    let error = try await failure(
      try PolicyFolder(),
      [
        "Policy.swift": """
        import CoreData
        class Policy: NSEntityMigrationPolicy {
          func one(_ song: Song) {}
          func two() -> Int { "two" }
        }
        """
      ])
    #expect(
      error.diagnostics.map { "\($0.line):\($0.column) \($0.message)" } == [
        "3:20 cannot find type 'Song' in scope",
        "4:23 cannot convert return expression of type 'String' to return type 'Int'",
      ])
  }

  @Test(arguments: [
    (
      "import HealthKit", "HKUnit",
      "comes from HealthKit, imported in line 1, which isn't available here"
    ),
    ("import CoreLocation", "CLLocation", "comes from CoreLocation, imported in line 1, "),
    ("import SharedKit", "Shared", "it may come from an import that isn't available here: "),
    (
      "import UIKit", "UIFont",
      "comes from UIKit, of which only UIColor, CGColor and UIImage are available here"
    ),
    (
      "import Cocoa", "NSFont",
      "comes from AppKit, of which only NSColor, CGColor and NSImage are available here"
    ),
    (
      "import Foundation", "NSFont",
      "is none of Foundation's and Core Data's names that are available here"
    ),
    ("import Foundation", "MKMapItem", "comes from MapKit, which isn't available here"),
  ])
  func namesTheModuleOfWhatIsMissing(
    of line: String, name: String, remark: String
  ) async throws {
    let text = line + "\n" + emptyPolicy + "\nlet used: \(name)? = nil\n"
    let error = try await failure(try PolicyFolder(), ["A.swift": text])
    #expect(error.diagnostics.count == 2)
    #expect(error.diagnostics.first?.message == "cannot find type '\(name)' in scope")
    #expect(error.diagnostics.last?.severity == .note)
    #expect(error.diagnostics.last?.message.contains(remark) == true)
    // What may be of any module may be the app's own.
    if remark.hasPrefix("is none of") {
      #expect(
        error.advice
          == "Only the policies' sources are compiled; if '\(name)' is declared in another file of the app, add that "
          + "file to them; '--stub-missing FOLDER' writes stubs of all that is missing.")
      return
    }
    #expect(error.advice?.contains("stubs:") == true || remark.contains("only"))
  }

  @Test func refusesAModuleNameThatSwiftCannotHave() async throws {
    let error = try await failure(try PolicyFolder(module: "My App"), ["A.swift": emptyPolicy])
    #expect(error.message == "'My App' can't be the name of a Swift module")
  }

  @Test func namesASourceThatIsMissing() async throws {
    let folder = try PolicyFolder()
    let missing = folder.folder.url.appending(path: "Missing.swift")
    let error = await #expect(throws: PolicyCompilationError.self) {
      try await folder.compiler().library(of: [missing], module: "App")
    }
    #expect(error?.message == "can't read the policy source \(missing.path)")
  }

  @Test func refusesObjectiveC() async throws {
    let error = try await failure(try PolicyFolder(), ["Policy.m": "@implementation Policy\n@end"])
    #expect(error.message.hasSuffix("Policy.m isn't a Swift file"))
  }

  @Test func saysSoWhenThereIsNoCompiler() async throws {
    let folder = try PolicyFolder()
    let error = await #expect(throws: PolicyCompilationError.self) {
      try await folder.library(emptyPolicy, compiler: "swiftc-that-is-not-there")
    }
    #expect(error?.message.contains("swiftc-that-is-not-there") == true)
    #expect(error?.advice?.contains("HEAVYWEIGHT_SWIFTC") == true)
  }

  @Test func acceptsWhatSwift5Accepts() async throws {
    let library = try await PolicyFolder().library(
      """
      import CoreData
      var calls = 0
      class Policy: NSEntityMigrationPolicy {
        @objc dynamic func next() -> NSNumber {
          let unused = 1
          calls += 1
          return NSNumber(value: calls)
        }
      }
      """)
    let policy = try library.policy("SongbookSimple.Policy")
    #expect(try policy.callFunction(selector: "next", arguments: []) == .integer(1))
  }

  // MARK: The cache

  @Test func compilesTheSameSourcesOnce() async throws {
    let folder = try PolicyFolder()
    _ = try await folder.library(emptyPolicy)
    let again = try await folder.library(emptyPolicy, compiler: "swiftc-that-is-not-there")
    #expect(again.policyNames == ["SongbookSimple.Policy"])
    await #expect(throws: PolicyCompilationError.self, "a change must be compiled") {
      try await folder.library(emptyPolicy + "// changed\n", compiler: "swiftc-that-is-not-there")
    }
  }

  @Test func leavesNothingBehindButTheLibrary() async throws {
    let folder = try PolicyFolder()
    _ = try await folder.library(emptyPolicy)
    let broken = try? await folder.library("class Broken: Missing {}")
    #expect(broken == nil)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.cache.path)
    // The folders of all and of this one, the library, the policies it has, and their digest.
    #expect(kept.filter { $0.hasSuffix(".so") }.count == 1)
  }

  @Test func servesSeveralCompilersAtOnce() async throws {
    let folder = try PolicyFolder()
    let source = try folder.folder.write(emptyPolicy, to: "Policy.swift")
    let names = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await folder.compiler().library(of: [source], module: "App").policyNames ?? []
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(names == [["App.Policy"], ["App.Policy"], ["App.Policy"]])
  }

  /// From one cache, where the two don't take each other's place.
  @Test func assertionsAreCheckedUnlessCompiledAsForRelease() async throws {
    let folder = try PolicyFolder()
    let source = try folder.folder.write(
      """
      import CoreData

      class Policy: NSEntityMigrationPolicy {
        @objc func kind(of text: String) -> String {
          var kind = "release"
          assert({ kind = "debug"; return true }())
          return text + kind
        }
      }
      """, to: "Policy.swift")
    for (optimizes, wanted) in [(false, "a debug"), (true, "a release"), (false, "a debug")] {
      let compiler = PolicyCompiler(cacheDirectory: folder.cache, optimizes: optimizes)
      let library = try await compiler.library(of: [source], module: "App")
      #expect(try library.call("kindOf:", of: "App.Policy", "a ") == wanted)
    }
  }

  /// By the library of a damaged file every run would fail, or do something else.
  @Test func makesADamagedLibraryAnew() async throws {
    let folder = try TemporaryFolder()
    let cache = try PolicyCache(directory: folder.url.appending(path: "cache"))
    let made = Mutex(0)
    func library() async throws -> URL {
      try await cache.library("key") { _, library in
        made.withLock { $0 += 1 }
        try Data("whole".utf8).write(to: library)
      }
    }
    let kept = try await library()
    #expect(try await library() == kept)
    #expect(made.withLock(\.self) == 1)
    let digest = kept.deletingLastPathComponent().appending(path: "digest")
    let damages: [(URL, String?)] = [(kept, "whol3"), (kept, ""), (kept, nil), (digest, "0")]
    for (count, (file, text)) in damages.enumerated() {
      try FileManager.default.removeItem(at: file)
      if let text { try Data(text.utf8).write(to: file) }
      #expect(try await library() == kept)
      #expect(made.withLock(\.self) == count + 2)
      #expect(try Data(contentsOf: kept) == Data("whole".utf8))
    }
  }

  /// Once a day it is looked whether any are.
  @Test func librariesThatNobodyUsedForAMonthGo() async throws {
    let folder = try TemporaryFolder()
    let cache = try PolicyCache(directory: folder.url)
    func unusedLibrary(_ key: String) async throws -> URL {
      let library = try await cache.library(key) { _, library in try Data().write(to: library) }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -31 * 24 * 3600)],
        ofItemAtPath: library.deletingLastPathComponent().path)
      return library
    }
    func isThere(_ library: URL) -> Bool { FileManager.default.fileExists(atPath: library.path) }
    let used = try await cache.library("used") { _, library in try Data().write(to: library) }
    let first = try await unusedLibrary("first")
    cache.removeUnused()
    #expect(isThere(used))
    #expect(!isThere(first))
    let second = try await unusedLibrary("second")
    cache.removeUnused(now: Date(timeIntervalSinceNow: 3600))
    #expect(isThere(second))
    cache.removeUnused(now: Date(timeIntervalSinceNow: 25 * 3600))
    #expect(isThere(used))
    #expect(!isThere(second))
    let third = try await unusedLibrary("third")
    cache.removeUnused()
    #expect(isThere(third))
  }

  @Test func refusesACacheThatIsNoFolder() async throws {
    let folder = try PolicyFolder()
    let file = try folder.folder.write("", to: "file")
    let source = try folder.folder.write(emptyPolicy, to: "Policy.swift")
    await #expect(throws: (any Error).self) {
      try await PolicyCompiler(cacheDirectory: file).library(of: [source], module: "App")
    }
  }

  @Test func keepsLibrariesWhereCachesBelong() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("", to: "file").path
    func directory(_ environment: [String: String]) throws -> String {
      try PolicyCache(environment: environment).directory.path
    }
    let home = folder.url.path
    #expect(
      try directory(["XDG_CACHE_HOME": home + "/xdg", "HOME": home]) == home + "/xdg/heavyweight")
    #expect(
      try directory(["XDG_CACHE_HOME": "relative", "HOME": home]) == home + "/.cache/heavyweight")
    #expect(
      try directory(["XDG_CACHE_HOME": file, "HOME": home]) == home + "/.cache/heavyweight")
    let temporary = FileManager.default.temporaryDirectory.path
    #expect(try directory(["HOME": file]).hasPrefix(temporary))
  }
}
