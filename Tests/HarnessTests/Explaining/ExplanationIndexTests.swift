import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct ExplanationIndexTests {
  private static let topics = ExplanationIndex.groups.flatMap(\.topics)

  /// What an argument of the command stands for that is no file.
  private static func find(_ word: String) -> [Explanation] {
    let named = ExplanationIndex.named(word)
    let told = ConsoleLog(word).messages.flatMap {
      ExplanationIndex.with(identifier: $0.identifier)
    }
    return named.isEmpty ? told.isEmpty ? ExplanationIndex.coded(word) : told : named
  }

  @Test(arguments: [
    ("1570", "1570"), ("NSValidationMissingMandatoryPropertyError", "1570"),
    ("nsmigrationmissingsourcemodelerror", "134130"), ("missing-module", "missing-module"),
    ("NSCocoaErrorDomain Code=134140", "134140"), ("error 1550", "1550"),
    ("mapping-outdated", "mapping-outdated"), ("stale-maximum", "stale-maximum"),
    ("createRelationships", "createRelationships"), ("exit-2", "exit-2"),
    ("exit status 3", "exit-3"), ("Exit 0", "exit-0"),
  ])
  func findsBy(word: String, identifier: String) {
    #expect(Self.find(word).map(\.identifier) == [identifier])
  }

  /// What reporters find in their consoles.
  @Test(arguments: [
    ("Can't find mapping model for migration", "134140"),
    ("Can't find or automatically infer mapping model for migration", "134140"),
    ("Can\u{2019}t find model for source store", "134130"),
    ("Couldn't create mapping policy for class named (NotePolicy)", "unknown-policy"),
    (
      "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination attribute",
      "missing-mandatory-value"
    ),
    (
      "Validation error missing attribute values on mandatory destination relationship",
      "missing-mandatory-value"
    ),
    (
      "The model used to open the store is incompatible with the one used to create the store",
      "134100"
    ),
    ("Mismatch between mapping and source/destination models", "stale-mapping"),
    (
      "Cannot merge multiple root entity source tables into one destination entity root table",
      "merged-roots"
    ),
    (
      "Illegal attempt to establish a relationship 'album' between objects in different contexts",
      "foreign-context"
    ),
    ("Cannot use staged migration with an unknown model version.", "134504"),
    ("Cannot use staged migration with an unknown coordinator model version.", "134504"),
    ("Duplicate version checksums across stages detected.", "duplicate-checksums"),
    (
      "Incompatible metadata after migration because the store version hashes didn't migrate.",
      "stage-gap"
    ),
    ("Persistent store migration failed, missing source managed object model.", "134130"),
    ("Persistent store migration failed, missing mapping model.", "134140"),
    ("An error occurred during persistent store migration.", "134110"),
    (
      "SwiftDataError(_error: SwiftData.SwiftDataError._Error.loadIssueModelContainer, _explanation: nil)",
      "swiftdata-container"
    ),
    (
      "CloudKit integration requires that all attributes be optional, or have a default value set.",
      "cloudkit-model"
    ),
    ("Cannot migrate store in-place: constraint violation during attempted migration", "134111"),
    ("UNIQUE constraint failed: ZMEMBER.ZCARD", "134111"),
    (
      "Cannot migrate store in-place: I/O error for database at /a/.Notes.sqlite.migrationdestination_1.  SQLite error "
        + "code:1, 'no such table: ZRECORD'", "no-such-table"
    ),
    (
      "The managed object model version used to open the persistent store is incompatible with the one that was used "
        + "to create the persistent store.", "134100"
    ),
    (
      "Staged Migration was requested with NSPersistentStoreStagedMigrationManagerOptionKey but without setting "
        + "NSMigratePersistentStoresAutomaticallyOption and NSInferMappingModelAutomaticallyOption to YES.",
      "staged-options"
    ),
    (
      "This NSPersistentStoreCoordinator has no persistent stores (schema mismatch or migration failure).  It cannot "
        + "perform a save operation.", "no-stores"
    ),
    ("134501", "134501"),
    ("A store file cannot be migrated backwards with staged migration.", "134506"),
    ("Source and destination attribute types are incompatible", "134190"),
  ])
  func sentencesOfConsolesAreExplained(sentence: String, identifier: String) {
    #expect(Self.find(sentence).map(\.identifier) == [identifier])
  }

  @Test func aWordOfSeveralPlacesIsExplainedForEach() {
    #expect(
      Self.find("one-sided-inverse").map(\.name) == [
        "finding of `heavyweight check`, error", "finding of `heavyweight inspect`, error",
      ])
  }

  @Test(arguments: [
    ("1571", "; did you mean '1570'?"), ("mapping-outdatet", "; did you mean 'mapping-outdated'?"),
    ("NSMigrationEror", "; did you mean 'NSMigrationError'?"),
    ("zzzzzzzz", "; `heavyweight explain --list` shows what can be explained"),
  ])
  func suggestsTheNearest(word: String, hint: String) {
    #expect(Self.find(word).isEmpty)
    #expect(ExplanationIndex.hint(for: word) == hint)
  }

  @Test func everythingThatReportsNameIsExplained() {
    for code in CoreDataErrorCode.allCases {
      #expect(!Self.find("\(code.rawValue)").isEmpty, "\(code)")
    }
    let words =
      CheckRule.allCases.map(\.rawValue) + IntegrityFinding.Kind.allCases.map(\.rawValue)
      + ScenarioReader.hooks + Trap.allCases.map(\.rawValue)
      + ExitStatus.allCases.map { "exit-\($0.rawValue)" }
    for word in words { #expect(!Self.find(word).isEmpty, "\(word)") }
  }

  @Test func eachExplanationSaysWhatItMeansAndWhatToDo() {
    for topic in Self.topics {
      #expect(topic.meaning.hasSuffix("."), "\(topic.identifier)")
      #expect(topic.remedies.allSatisfy { $0.hasSuffix(".") }, "\(topic.identifier)")
      #expect(!topic.remedies.isEmpty, "\(topic.identifier)")
    }
  }

  @Test func pagesShowMeaningCausesAndRemedies() throws {
    let topic = try #require(Self.find("mapping-outdated").first)
    #expect(
      ExplanationText.page(Explained(topic), TextStyle(isColoured: false)) == """
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
