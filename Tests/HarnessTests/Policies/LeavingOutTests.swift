import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Files of an app that don't compile here as a whole, beside policies that need a part of them.
@Suite(.tags(.compiles), .tiered)
struct LeavingOutTests {
  private let policy = """
    import CoreData

    final class Policy: NSEntityMigrationPolicy {
      @objc func kind(_ raw: NSNumber) -> String { Kind(rawValue: raw.intValue)!.title }
      @objc func key() -> String { #keyPath(Song._kind) }
      @objc func label() -> String { Song.label }
      @objc func shown() -> String { Album().shown() }
    }

    """

  private let song = """
    import CoreData
    import UIKit
    import Player

    enum Kind: Int {
      case single = 1
      case live
      var title: String { self == .live ? "live" : "single" }
      var colour: PlayerColour { .plain }
      func image() -> UIImage { PlayerImages.image(rawValue) }
    }

    @objc(Song)
    final class Song: Item, Playable {
      @NSManaged @objc(kind) private var _kind: Int16
      @NSManaged var player: PlayerItem?
      static let label = "song"
      static let players = [
        PlayerItem(),
      ]
      var length: Double {
        get { Player.length(of: self) }
        set { Player.set(newValue, of: self) }
      }
      required init(from decoder: PlayerDecoder) throws { super.init() }
      subscript(index: PlayerIndex) -> String { "" }
      var notes: [PlayerKey: String]?
      init(by player: PlayerItem, in context: NSManagedObjectContext) {
        super.init(entity: Song.entity(), insertInto: context)
        notes = player.notes
      }
    }

    extension Song: PlayerDelegate {
      func played() {}
    }

    final class SongController: PlayerController {
      let song: Song
      func tapped() {}
    }

    """

  private let album = """
    import CoreData
    import Player

    class Item: NSManagedObject {}
    protocol Playable {}
    struct Album {
      func shown() -> String { current() }
      func current() -> String { Player.shared.name }
    }

    """

  private func sources() -> [PolicySource] {
    [("Policy", policy), ("Song", song), ("Album", album)]
      .map { PolicySource(path: "\($0).swift", text: $1) }
  }

  @Test func whatPoliciesDontUseIsLeftOut() async throws {
    let folder = try PolicyFolder(module: "App")
    let library = try await folder.library(
      ["Policy.swift": policy, "Song.swift": song, "Album.swift": album])
    let policy = try library.policy("App.Policy")
    func result(_ selector: String, _ arguments: [Value] = []) throws -> Value {
      try policy.callFunction(selector: selector, arguments: arguments)
    }
    #expect(try result("kind:", [.integer(2)]) == .string("live"))
    #expect(try result("key") == .string("kind"))
    #expect(try result("label") == .string("song"))
  }

  @Test func whatIsUsedMustCompileWhereThatIsWanted() async throws {
    let folder = try PolicyFolder(module: "App")
    let files = try [("Policy", policy), ("Song", song), ("Album", album)].map {
      try folder.folder.write($1, to: "\($0).swift")
    }
    let compiler = PolicyCompiler(cacheDirectory: folder.cache, keepsUsed: true)
    let error = try await #require(throws: PolicyCompilationError.self) {
      try await compiler.prepare(files, module: "App", stubs: [])
    }
    let messages = error.diagnostics.filter { $0.severity == .error }.map(\.message)
    #expect(messages == ["cannot find 'Player' in scope"])
    #expect(error.diagnostics.first?.line == 8)
  }

  @Test func aStopSaysWhy() throws {
    let module = ModuleSources(name: "App", sources: sources())
    let error = PolicyDiagnostic(
      file: "Song.swift", line: 10, column: 31, severity: .error,
      message: "cannot find 'PlayerImages' in scope")
    let rest = try #require(module.leavingOut([error], keepsUsed: true))
    let lines = rest.sources[1].text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[9] == #"""
          func image() -> UIImage { fatalError("image is left out: it doesn\'t compile here: \#
        cannot find \'PlayerImages\' in scope") }
        """#)
    #expect(lines.count == song.split(separator: "\n", omittingEmptySubsequences: false).count)
  }

  @Test(arguments: [
    // The policies' own file, what each object has room for, a function that is used, and what overrides.
    ("Policy.swift", 4, 5), ("Song.swift", 6, 8), ("Song.swift", 8, 24),
    ("Begin.swift", 1, 19), ("Begin.swift", 2, 65),
  ])
  func whatCantGoStays(file: String, line: Int, column: Int) {
    let overriding = """
      extension Policy: PlayerDelegate {
        override func begin(_ mapping: NSEntityMapping, with manager: PlayerManager) {}
      }

      """
    let module = ModuleSources(
      name: "App", sources: sources() + [PolicySource(path: "Begin.swift", text: overriding)])
    let error = PolicyDiagnostic(
      file: file, line: line, column: column, severity: .error, message: "wrong")
    #expect(module.leavingOut([error], keepsUsed: true) == nil)
    #expect(line != 2 || module.leavingOut([error], keepsUsed: false) == nil)
  }

  /// Policies use the names, which may be those of something else.
  @Test func whatIsUsedGoesWhereNothingElseCanBeMeantByIt() throws {
    let file = """
      class Song: Item {
        var notes: [PlayerKey: String]?
        var more: [PlayerKey: String] = [:]
        @objc var shown: [PlayerKey: String]?
        init(player: PlayerItem) { super.init() }
        init(item: PlayerItem = .none) { super.init() }
        func played(by item: PlayerItem) -> PlayerItem { item }
      }
      struct Part {
        var notes: [PlayerKey: String]?
      }

      """
    let using = policy.replacing(
      "Song.label", with: "[Song.notes, a.more, a.shown, a.init, a.played, Song(), Part()]")
    let module = ModuleSources(
      name: "App",
      sources: [
        PolicySource(path: "Policy.swift", text: using),
        PolicySource(path: "Song.swift", text: file),
      ])
    func isLeftOut(_ line: Int, _ column: Int) throws -> Bool {
      let error = PolicyDiagnostic(
        file: "Song.swift", line: line, column: column, severity: .error, message: "wrong")
      #expect(module.leavingOut([error], keepsUsed: true) == nil)
      return module.leavingOut([error], keepsUsed: false) != nil
    }
    #expect(try isLeftOut(2, 15))
    #expect(try !isLeftOut(3, 14))
    #expect(try !isLeftOut(4, 21))
    #expect(try isLeftOut(5, 16))
    #expect(try !isLeftOut(6, 14))
    #expect(try isLeftOut(7, 24))
    #expect(try !isLeftOut(7, 38))
    #expect(try !isLeftOut(10, 15))
  }

  @Test func filesThatAreCutOffAreReadAsFarAsTheyGo() {
    let text = policy + song + album
    let error = { line in
      PolicyDiagnostic(
        file: "B.swift", line: line, column: 9, severity: .error, message: "expected '}'")
    }
    for length in 0...text.count {
      let cut = String(text.prefix(length))
      let declarations = SourceDeclarations(cut)
      #expect(declarations.all.allSatisfy { $0.tokens.upperBound < declarations.tokens.count })
      _ = SourceOutline(declarations)
    }
    for length in stride(from: 0, through: text.count, by: 23) {
      let sources = [(policy, "A.swift"), (String(text.prefix(length)), "B.swift")]
        .map { PolicySource(path: $1, text: $0) }
      let module = ModuleSources(name: "App", sources: sources)
      for keepsUsed in [false, true] {
        let rest = module.leavingOut((1...60).map(error), keepsUsed: keepsUsed)
        #expect(rest?.sources.count ?? 2 == 2)
      }
    }
  }
}
