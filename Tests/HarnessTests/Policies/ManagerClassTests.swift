import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios

/// An app's own migration manager in a scenario: which classes serve, and what is wrong with others.
@Suite(.tags(.compiles), .tiered)
struct ManagerClassTests {
  private static let code = """
    import CoreData

    class Counting: NSMigrationManager {}
    @objc(Numbered) private final class Hidden: Counting {}
    final class Own: NSMigrationManager {
      override func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
      ) throws {}
    }
    final class Other: NSMigrationManager {
      init() {
        super.init(sourceModel: NSManagedObjectModel(), destinationModel: NSManagedObjectModel())
      }
    }
    """

  @Test func classesThatAreMadeOfTwoModelsAreFound() async throws {
    let library = try await PolicyFolder(module: "App").library(Self.code)
    #expect(library.managers.keys.sorted() == ["App.Counting", "App.Own", "Numbered"])
    #expect(library.managers["App.Counting"]?.ownMigration == nil)
    #expect(library.managers["App.Own"]?.ownMigration?.hasPrefix("migrateStore(from:") == true)
    let model = try ManagedObjectModel(entities: [], name: "v1")
    let manager = try #require(library.managers["Numbered"]).make(model, model)
    #expect("\(type(of: manager))" == "Hidden")
  }

  private static let scenario = """
    scenario: s
    models:
      v1: { Song: { title: string } }
      v2: { Song: { title: string, plays: int16 = 0 } }
    seed: { Song: [{ title: Waltz }] }
    chain: [v1 -> v2]
    expect: [count: { Song: 1 }]

    """

  @Test func mistakesAreNamedWithTheirPlaces() throws {
    #expect(
      complaints(
        Self.scenario
          + "manager: { clas: App.M, userInfo: [a], usesStoreSpecificMigrationManager: no }\n"
      ).split(separator: "\n").filter { $0.contains("error:") }.map(String.init) == [
        "test.scenario.yaml:8:12: error: unknown key 'clas' in manager; did you mean 'class'?",
        "test.scenario.yaml:8:35: error: 'userInfo' must be a map, not a list",
        "test.scenario.yaml:8:75: error: 'usesStoreSpecificMigrationManager' must be true or false, not 'no'",
      ])
    for line in try outcomes(Self.scenario + "manager: { class: App.M }\n") {
      #expect(
        line.first?.contains(
          "among the policies there is no class 'App.M' that is a migration manager and has "
            + "init(sourceModel:destinationModel:); there are no managers") == true, "\(line)")
    }
  }
}
