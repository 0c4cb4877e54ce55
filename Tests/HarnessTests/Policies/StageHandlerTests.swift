import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Functions of an app that a staged migration's custom stages call.
@Suite(.tags(.compiles), .tiered)
struct StageHandlerTests {
  private static let stages = """
    import CoreData

    func plain(_ migrationManager: NSStagedMigrationManager, _ currentStage: NSCustomMigrationStage) {}

    private func hidden(manager: NSStagedMigrationManager, of stage: NSCustomMigrationStage) throws {
      struct Called: Error {}
      throw Called()
    }

    enum Stages {
      static func nested(_ manager: NSStagedMigrationManager, in stage: NSCustomMigrationStage) {}
      private static func secret(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage) {}
      func method(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage) {}
    }

    @MainActor
    func isolated(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage) {}
    func later(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage) async {}
    func other(_ manager: NSMigrationManager, _ stage: NSCustomMigrationStage) {}
    func generic<T>(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage, _: T) {}
    """

  @Test func functionsThatTakeManagerAndStageAreFound() async throws {
    let library = try await PolicyFolder(module: "App").library(Self.stages)
    #expect(library.stageHandlerNames == ["App.Stages.nested", "App.hidden", "App.plain"])
    #expect(library.stageHandler(named: "Stages.nested") == nil)
    #expect(library.stageHandler(named: "Other.plain") == nil)
    let model = try ManagedObjectModel(entities: [], name: "v1")
    let reference = ManagedObjectModelReference(
      model: model, versionChecksum: model.versionChecksum)
    let stage = CustomMigrationStage(migratingFrom: reference, to: reference)
    let hidden = try #require(library.stageHandler(named: "App.hidden"))
    #expect(throws: (any Error).self) { try hidden(StagedMigrationManager([stage]), stage) }
    try library.stageHandler(named: "App.plain")?(StagedMigrationManager([stage]), stage)
  }

  /// An app's own managers, as apps make them.
  @Test func functionsThatMakeAManagerAreFound() async throws {
    let library = try await PolicyFolder(module: "App").library(
      """
      import CoreData

      struct Factory {
        let old: NSManagedObjectModelReference
        let new: NSManagedObjectModelReference
        var label = "x"
        func make() -> NSStagedMigrationManager {
          NSStagedMigrationManager([NSCustomMigrationStage(migratingFrom: old, to: new)])
        }
      }
      final class Plan {
        private let all: [NSManagedObjectModelReference]
        init(from a: NSManagedObjectModelReference, _ b: NSManagedObjectModelReference, c: NSManagedObjectModelReference) {
          all = [a, b, c]
        }
        func manager() throws -> NSStagedMigrationManager {
          NSStagedMigrationManager([
            NSCustomMigrationStage(migratingFrom: all[0], to: all[1]),
            NSCustomMigrationStage(migratingFrom: all[1], to: all[2]),
          ])
        }
        func other(_ number: Int) -> NSStagedMigrationManager { NSStagedMigrationManager([]) }
      }
      enum Stages {
        static func empty() -> NSStagedMigrationManager { NSStagedMigrationManager([]) }
      }
      func light(_ old: NSManagedObjectModelReference, to new: NSManagedObjectModelReference) -> NSStagedMigrationManager {
        NSStagedMigrationManager([NSLightweightMigrationStage([old.versionChecksum, new.versionChecksum])])
      }
      """)
    let makers = library.stagedManagers
    #expect(
      makers.keys.sorted() == [
        "App.Factory.make", "App.Plan.manager", "App.Stages.empty", "App.light",
      ])
    let models = try ["v1", "v2", "v3"].map { try ManagedObjectModel(entities: [], name: $0) }
    for (name, count, stages) in [
      ("App.Factory.make", 2, 1), ("App.Plan.manager", 3, 2), ("App.Stages.empty", 0, 0),
      ("App.light", 2, 1),
    ] {
      let maker = try #require(makers[name])
      #expect(maker.modelCount == count)
      #expect(try maker.make(Array(models.prefix(count))).stages.count == stages)
    }
  }

  @Test func aManagerThatIsNotThereIsNamed() throws {
    let lines = try outcomes(
      Self.models + """
        chain:
          - v1 -> v2: { .stages: App.Factory.make }
        expect: [store: v2]
        """)
    for line in lines {
      #expect(
        line.first?.contains(
          "there is no function 'App.Factory.make' that makes a staged migration manager")
          == true)
    }
  }

  private static let models = """
    scenario: s
    models:
      v1: { Song: { title: string } }
      v2: { Song: { title: string, plays: int16 = 0 } }
    policies: { module: App, sources: "*.swift" }
    seed: { Song: [{ title: Waltz }] }

    """

  @Test func aFunctionThatIsNotThereIsNamed() throws {
    let lines = try outcomes(
      Self.models + """
        chain:
          - v1 -> v2: { .stages: [v1 -> v2: { did: App.countPlays }] }
        expect: [store: v2]
        """)
    #expect(lines.count == 2)
    for line in lines {
      #expect(
        line.first?.contains(
          "there is no function 'App.countPlays' that takes a staged migration manager and a custom "
            + "stage; there are no functions for stages") == true)
    }
  }

  @Test func mistakesInStagesAreNamed() {
    #expect(
      complaints(
        Self.models + """
          chain:
            - v1 -> v2:
                .stages:
                  - { v1 -> v2: { wil: App.f } }
                  - { v1: ~, v2: ~ }
                .eachVersion: maybe
            - v2 -> v3: { .eachVersion: true }
          """
      ).split(separator: "\n").filter { $0.contains("error:") }.map(String.init) == [
        "test.scenario.yaml:10:25: error: unknown key 'wil' in a stage; did you mean 'will'?",
        "test.scenario.yaml:11:11: error: a stage must be a list of versions, as in '[v1, v2]', or "
          + "one step, as in 'v2 -> v3: { did: Module.function }'",
        "test.scenario.yaml:12:21: error: '.eachVersion' must be true or false, not 'maybe'",
        "test.scenario.yaml:13:15: error: '.eachVersion' needs '.stages' beside it",
      ])
    #expect(
      mistakes(
        """
        chain:
          - v1 -> v2:
              .stages:
                - [v0, v2]
                - v1 -> v2: { will: count, did: Ap.count }
              SongToSong: { source: Song, destination: Song }
              .infer: false
        """) == [
          "a staged migration takes no mapping models; give them to a step of their own",
          "stages run by automatic migration with inference only; leave out '.infer', '.migrate', '.direct' and "
            + "'.manager'",
          "there is no version 'v0'; versions: v1, v2",
          "'count' must be a function with its module, as in 'App.count'",
          "no policies belong to a module 'Ap'; did you mean 'App'?",
        ])
  }

  private func mistakes(_ chain: String) -> [String] {
    do {
      _ = try checked(Self.models + chain)
      return []
    } catch {
      return (error as? Diagnostics)?.all.map(\.message) ?? ["\(error)"]
    }
  }
}
