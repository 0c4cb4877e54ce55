import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Scenarios

/// What is kept from call to call, and what people accept.
@Suite struct MutationStateTests {
  @Test func whatWasKeptIsKnownToTheNextCallAlsoAfterHalfALine() throws {
    let folder = try TemporaryFolder()
    let first = try MutationState(in: folder.url, shownAs: "state", isFresh: false)
    try first.keep(MutantVerdict.alive, under: "a")
    let file = folder.url.appending(path: "verdicts.jsonl")
    var text = try String(contentsOf: file, encoding: .utf8)
    text += #"{"key":"b","verdict":{"ali"#
    try Data(text.utf8).write(to: file)
    let second = try MutationState(in: folder.url, shownAs: "state", isFresh: false)
    #expect(second.verdict("a") == .alive)
    #expect(second.verdict("b") == nil)
    try second.keep(.uncompilable("no"), under: "b")
    let third = try MutationState(in: folder.url, shownAs: "state", isFresh: false)
    #expect(third.verdict("b") == .uncompilable("no"))
    let fresh = try MutationState(in: folder.url, shownAs: "state", isFresh: true)
    #expect(fresh.verdict("a") == nil)
  }

  @Test func aFolderThatCantBeUsedIsSaid() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("", to: "file")
    #expect {
      _ = try MutationState(in: file.appending(path: "x"), shownAs: "file/x", isFresh: false)
    } throws: {
      "\($0)".hasPrefix("file/x: error: can't save verdicts here: ")
    }
  }

  // MARK: Accepted mutants

  private func load(_ text: String) throws -> [AcceptedMutant] {
    try AcceptanceFile.load(SourceFile(path: "accepted.yaml", text: text))
  }

  private func complaint(_ text: String) -> String {
    do {
      _ = try load(text)
      return ""
    } catch { return "\(error)" }
  }

  private func mutant(_ kind: Mutant.Kind, _ file: String, _ title: String) -> Mutant {
    Mutant(kind: kind, file: file, line: 1, title: title, removed: [], added: [], targets: [])
  }

  @Test func anEntryAcceptsWhatAllOfItFits() throws {
    let entries = try load(
      """
      accepted:
        - { file: A.swift, mutant: leave out 'x()', reason: It does nothing. }
        - { file: Models/, kind: inverse, reason: Nothing writes there. }

      """)
    #expect(entries[0].applies(to: mutant(.call, "A.swift", "leave out 'x()'")))
    #expect(!entries[0].applies(to: mutant(.call, "A.swift", "leave out 'y()'")))
    #expect(!entries[0].applies(to: mutant(.call, "B.swift", "leave out 'x()'")))
    #expect(entries[1].applies(to: mutant(.inverse, "Models/a/b", "any")))
    #expect(!entries[1].applies(to: mutant(.default, "Models/a/b", "any")))
    #expect(!entries[1].applies(to: mutant(.inverse, "Other/a", "any")))
  }

  @Test func mistakesInTheFileAreToldWithTheirPlaces() {
    #expect(
      complaint("accepted:\n  - { reason: All of them. }\n")
        == """
        accepted.yaml:2:5: error: this would accept every mutant; choose some with 'file', 'kind' or 'mutant'
          2 |   - { reason: All of them. }
            |     ^
        """)
    #expect(
      complaint("accepted:\n  - { kind: invers, reason: x }\n")
        == """
        accepted.yaml:2:13: error: there is no kind 'invers'; did you mean 'inverse'?
          2 |   - { kind: invers, reason: x }
            |             ^~~~~~
        """)
    #expect(
      complaint("accepted:\n  - { file: a }\n").contains("an accepted mutant needs a 'reason'"))
  }
}
