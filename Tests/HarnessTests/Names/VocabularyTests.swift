import Testing

@testable import Harness

/// Every name that docs/names.md promises compiles as Apple spells it.
@Suite struct VocabularyTests {
  @Test func everyNameOfferedCompiles() async throws {
    let library = try await AppCode.library("Vocabulary", module: "Vocabulary")
    #expect(library.classNames == ["Vocabulary.Types_Entry"])
  }
}
