import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Optional requirements of an app's `@objc` protocols, which Swift has on Apple's systems only.
@Suite(.tags(.compiles), .tiered)
struct OptionalRequirementTests {
  private static let watching = """
    import CoreData
    @objc public protocol Watching {
      func song(_ title: String)
      @objc optional func song(_ title: String, didEnd count: Int,
                               // A line of its own.
                               then done: @escaping (Bool) -> Void) -> String?
      @available(iOS 12, *)
      @objc(titleOf:) optional func title(of song: String) throws -> String
      @objc optional func stop()
      @objc optional var name: String? { get }
    }
    open class Base: NSObject, Watching { public func song(_ title: String) {} }

    """

  private static let policy = """
    import CoreData
    final class Watcher: Base {
      var stops = 0
      func song(_ title: String, didEnd count: Int, then done: @escaping (Bool) -> Void) -> String? {
        done(true)
        return "\\(title)\\(count)"
      }
      func title(of song: String) throws -> String {
        if song.isEmpty { throw CocoaError(.coreData) }
        return "the " + song
      }
      func stop() { stops += 1 }
      var name: String? { "watcher" }
    }
    final class Policy: NSEntityMigrationPolicy {
      weak var delegate: Watching?
      @objc func met() -> String {
        let watcher = Watcher()
        delegate = watcher
        var isDone = false
        let text = delegate?.song?("waltz", didEnd: 3, then: { isDone = $0 }) ?? "none"
        delegate?.stop?()
        if let stop = delegate?.stop { stop() }
        let thrown = (try? delegate!.title!(of: "")) ?? "thrown"
        let title = try? delegate?.title?(of: "waltz")
        let name = (delegate?.name ?? nil) ?? "none"
        return "\\(text) \\(isDone) \\(watcher.stops) \\(thrown) \\(title ?? "none") \\(name)"
      }
      @objc func missing() -> String {
        let base: Watching = Base()
        let text = base.song?("waltz", didEnd: 3, then: { _ in }) ?? "none"
        return "\\(text) \\(base.stop == nil) \\(base.stop?() == nil) \\(base.name == nil)"
      }
    }

    """

  @Test(arguments: [false, true])
  func theyAreCalledWhereAClassMeetsThem(inAnotherModule: Bool) async throws {
    let folder = try PolicyFolder()
    var modules = [
      ModuleSources(
        name: "Kit", sources: [PolicySource(path: "Kit.swift", text: Self.watching)]),
      ModuleSources(
        name: "App", sources: [PolicySource(path: "P.swift", text: "import Kit\n" + Self.policy)]),
    ]
    if !inAnotherModule {
      let sources = [("Kit.swift", Self.watching), ("P.swift", Self.policy)]
      modules = [
        ModuleSources(name: "App", sources: sources.map { PolicySource(path: $0, text: $1) })
      ]
    }
    let library = try #require(try await folder.compiler().libraries(of: modules).last)
    let policy = try library.policy("App.Policy")
    func text(_ selector: String) throws -> String? {
      try policy.functionDispatcher?(policy, selector, []) as? String
    }
    #expect(try text("met") == "waltz3 true 2 thrown the waltz watcher")
    #expect(try text("missing") == "none true true true")
  }

  @Test func theLinesOfTheFileStay() throws {
    let rewritten = SourceRewriter(Self.watching).rewritten().split(
      separator: "\n", omittingEmptySubsequences: false)
    let written = Self.watching.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rewritten.count == written.count)
    #expect(rewritten.last { !$0.isEmpty } == written.last { !$0.isEmpty })
  }
}
