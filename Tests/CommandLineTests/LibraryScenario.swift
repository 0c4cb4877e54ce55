import TestSupport

/// A small scenario that passes, and one that fails in its line 8.
enum LibraryScenario {
  static let passing = """
    scenario: A library grows
    models:
      v1: { Book: { title: string } }
      v2: { Book: { title: string, pages: int16 = 0 } }
    seed: { Book: [{ title: One }] }
    chain: [v1 -> v2]
    expect:
      - count: { Book: 1 }

    """
  static var failing: String { passing.replacing("Book: 1 }", with: "Book: 2 }") }
}
