import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A list of an app's, with its finders and its fetched results controller, compiled unchanged.
@Suite(.tags(.compiles), .tiered)
struct SongListTests {
  private static let app = Task { try await AppCode.library("Songs", module: "Songs") }

  private func show(searching term: String) async throws -> String {
    try await Self.app.value.call("showWithSearching:", of: "Songs.Show", term)
  }

  @Test func isToldWhatChanges() async throws {
    #expect(
      try await show(searching: "an") == """
        A: Angie, Anna; B: Banana
        begin, insert section 2, delete 0.1, insert 0.0, move 0 to 2, end
        A: Anthem; B: Banana; C: Candy
        """)
  }

  @Test func isToldOfWhatItShowsOnly() async throws {
    #expect(
      try await show(searching: "banana") == """
        B: Banana

        B: Banana
        """)
  }
}
