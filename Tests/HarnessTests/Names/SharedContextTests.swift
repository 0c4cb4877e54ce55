import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A simple set-up as an app writes it, with one shared context of the main queue that merges what
/// all others save: compiled unchanged.
@Suite(.tags(.compiles), .tiered)
struct SharedContextTests {
  @Test func theSharedContextFollowsTheOthers() async throws {
    let app = try await AppCode.library(
      "Shared", module: "Events",
      with: ["SharedContext/Policies/NSManagedObjectContext+Shared.swift"])
    let folder = try TemporaryFolder()
    let place = folder.url.appending(path: "data.sqlite").path
    #expect(try app.call("begin:", of: "Events.SharedTests", place) == "one shared, opened 1")
    #expect(try await onMain(app, "seen:") == "Dance 10, Fair 10")
    #expect(try app.call("change:", of: "Events.SharedTests", "") == "saved")
    #expect(try await onMain(app, "seen:") == "Fair 20, Walk 0")
  }

  @MainActor private func onMain(_ app: PolicyLibrary, _ selector: String) throws -> String {
    try app.call(selector, of: "Events.SharedTests", "")
  }
}
