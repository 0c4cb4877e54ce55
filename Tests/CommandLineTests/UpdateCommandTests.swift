import Foundation
import TestSupport
import Testing

@Suite(.tags(.process), .tiered)
struct UpdateCommandTests {
  private static let wrong = """
    # A story.
    scenario: A library grows
    models:
      v1: { Book: { title: string } }
      v2: { Book: { title: string, pages: int16 = 0 } }
    seed: { Book: [{ id: one, title: One }, { title: More }] }
    chain: [v1 -> v2]
    expect:   # what must hold
      - count: { Book: 3 }\t# all
      - { object: Book one, has: { title: 'Two', pages: 7 } }
      - unique: Book.title

    """.replacing("\n", with: "\r\n")

  private func update(
    _ text: String, ci: String = ""
  ) throws -> (Tool.Result, text: String, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "A.scenario.yaml")
    let result = try Tool.run(
      script: "CI=\(ci) \"$0\" run . --update", [Tool.executable().path], in: folder)
    return (result, try String(contentsOf: file, encoding: .utf8), folder)
  }

  @Test func showsTheChangeAndThenRunsGreen() throws {
    let (result, text, folder) = try update(Self.wrong)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(
      text
        == Self.wrong.replacing("Book: 3", with: "Book: 2")
        .replacing("'Two', pages: 7", with: "'One', pages: 0"))
    #expect(
      result.errors == """
        ./A.scenario.yaml:9
        -   - count: { Book: 3 }\t# all
        -   - { object: Book one, has: { title: 'Two', pages: 7 } }
        +   - count: { Book: 2 }\t# all
        +   - { object: Book one, has: { title: 'One', pages: 0 } }
        updated 3 values in 1 file

        """)
    #expect(result.output.contains("1 scenario, 2 runs: 2 passed"))
    let again = try Tool.run(
      script: "CI= \"$0\" run . --update", [Tool.executable().path], in: folder)
    #expect(again.status == 0)
    #expect(again.errors == "nothing updated\n")
  }

  @Test func aRuleThatDoesNotHoldStaysAndFails() throws {
    let text = Self.wrong.replacing(
      "{ title: More }", with: "{ title: One }")
    let (result, updated, _) = try update(text)
    #expect(result.status == 1)
    #expect(updated.contains("- unique: Book.title"))
    #expect(updated.contains("count: { Book: 2 }"))
    #expect(result.output.contains("Book.title"))
  }

  @Test func nothingIsUpdatedInContinuousIntegration() throws {
    let (result, text, _) = try update(Self.wrong, ci: "true")
    #expect(result.status == 2)
    #expect(text == Self.wrong)
    #expect(result.errors.contains("nothing is updated where the environment variable CI is set"))
  }

  @Test func anchorsAreLeftAlone() throws {
    let text = """
      scenario: With an anchor
      models:
        v1: { Book: { title: string } }
      seed: { Book: [{ title: One }] }
      expect:
        - count: { Book: &n 3 }
        - exactly: 1 Book
      """
    let (result, updated, _) = try update(text)
    #expect(result.status == 1)
    #expect(updated == text)
    #expect(
      result.errors.contains(
        "A.scenario.yaml:6:20: error: not updated: it has an anchor, an alias or a tag"))
  }
}
