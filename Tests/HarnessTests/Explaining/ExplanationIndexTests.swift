import TestSupport
import Testing

@testable import Benching
@testable import PolicyCompiler
@testable import Reports
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import StoreTools
@testable import Terminal

@Suite struct ExplanationIndexTests {
  private static let topics = ExplanationIndex.groups.flatMap(\.topics)

  @Test(arguments: [
    ("1570", "1570"), ("NSValidationMissingMandatoryPropertyError", "1570"),
    ("nsmigrationmissingsourcemodelerror", "134130"), ("missing-module", "missing-module"),
    ("NSCocoaErrorDomain Code=134140", "134140"), ("error 1550", "1550"),
    ("mapping-outdated", "mapping-outdated"), ("stale-maximum", "stale-maximum"),
    ("createRelationships", "createRelationships"), ("exit-2", "exit-2"),
    ("exit status 3", "exit-3"), ("Exit 0", "exit-0"),
  ])
  func findsBy(word: String, identifier: String) {
    #expect(ExplanationIndex.find(word).map(\.identifier) == [identifier])
  }

  @Test func aWordOfSeveralPlacesIsExplainedForEach() {
    #expect(
      ExplanationIndex.find("one-sided-inverse").map(\.name) == [
        "finding of `heavyweight check`, error", "finding of `heavyweight inspect`, error",
      ])
  }

  @Test(arguments: [
    ("1571", "; did you mean '1570'?"), ("mapping-outdatet", "; did you mean 'mapping-outdated'?"),
    ("NSMigrationEror", "; did you mean 'NSMigrationError'?"),
    ("zzzzzzzz", "; `heavyweight explain --list` shows what can be explained"),
  ])
  func suggestsTheNearest(word: String, hint: String) {
    #expect(ExplanationIndex.find(word).isEmpty)
    #expect(ExplanationIndex.hint(for: word) == hint)
  }

  @Test func everythingThatReportsNameIsExplained() {
    for code in CoreDataErrorCode.allCases {
      #expect(!ExplanationIndex.find("\(code.rawValue)").isEmpty, "\(code)")
    }
    let words =
      CheckRule.allCases.map(\.rawValue) + IntegrityFinding.Kind.allCases.map(\.rawValue)
      + ScenarioReader.hooks + Trap.allCases.map(\.rawValue)
      + ExitStatus.allCases.map { "exit-\($0.rawValue)" }
    for word in words { #expect(!ExplanationIndex.find(word).isEmpty, "\(word)") }
  }

  @Test func eachExplanationSaysWhatItMeansAndWhatToDo() {
    for topic in Self.topics {
      #expect(topic.meaning.hasSuffix("."), "\(topic.identifier)")
      #expect(topic.remedies.allSatisfy { $0.hasSuffix(".") }, "\(topic.identifier)")
      #expect(!topic.remedies.isEmpty, "\(topic.identifier)")
    }
  }

  @Test func pagesShowMeaningCausesAndRemedies() throws {
    let topic = try #require(ExplanationIndex.find("mapping-outdated").first)
    #expect(
      ExplanationText.page(topic, TextStyle(isColoured: false)) == """
        mapping-outdated  finding of `heavyweight check`, error
        A mapping model no longer fits the versions it was made for, so that Core Data ignores it.

        usual causes
          - Either version was edited after the mapping model was made.

        what to do
          - Recreate the mapping model, or refresh its models in Xcode, after the last change to \
        either version.
          - If it is intended, accept it with a reason in .heavyweight-check.yaml.

        """)
  }
}
