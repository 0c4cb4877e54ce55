import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Real stores go through the versions of their app's model.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
struct ModelRouteFinderTests {
  private static let module = "CoreDataMigration_Example"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var output: URL { folder.url.appending(path: "new.sqlite") }

  private func posts() throws -> MigrationFiles {
    let policy = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../CorpusTests/Policies/Post2ToPost3MigrationPolicy.swift")
    return MigrationFiles(
      models: try Corpus.url("posts/\(Self.module).xcdatamodeld"),
      mappings: [try Corpus.url("posts")], policies: [policy.standardizedFileURL],
      module: Self.module)
  }

  private func migrate(_ store: URL, _ plan: ModelRouteFinder) throws -> StoreMigrationReport {
    let before = try Data(contentsOf: store)
    let report = try StoreMigration(of: store, to: output, by: plan).run()
    #expect(try Data(contentsOf: store) == before)
    if let failure = report.failure { throw failure }
    return report
  }

  @Test func postsPassTheirMappingModelAndPolicy() async throws {
    let report = try migrate(
      Corpus.url("posts/stores/\(Self.module)_1.sqlite"), try await ModelRouteFinder(posts()))
    #expect(report.versions == [Self.module])
    #expect(report.target == "\(Self.module) 4")
    #expect(report.steps.map(\.mapping) == [.inferred, .custom, .inferred])
    #expect(report.steps.map(\.mappingNames)[1] == ["Migration2to3ModelMapping"])
    #expect(
      report.entities == [
        .init(entity: "Post", before: 10, after: 10),
        .init(entity: "Section", before: nil, after: 91),
      ])
    let metadata = try SQLiteStore.metadata(at: output)
    let model = try XcodeModel.load(contentsOf: posts().models)
    #expect(
      model.versions(compatibleWithStoreMetadata: metadata).map(\.name) == ["\(Self.module) 4"])
  }

  @Test func theTargetCanBeAnyVersion() async throws {
    let store = try Corpus.url("posts/stores/\(Self.module)_1.sqlite")
    let plan = try await ModelRouteFinder(posts(), to: "\(Self.module) 2")
    let report = try migrate(store, plan)
    #expect(report.target == "\(Self.module) 2")
    #expect(report.steps.map(\.name) == ["\(Self.module) -> \(Self.module) 2"])
    let error = await #expect(throws: Diagnostics.self) {
      try await ModelRouteFinder(posts(), to: "\(Self.module) 5")
    }
    // A number that there isn't is no misspelling of another.
    let known = (2...4).map { "\(Self.module) \($0)" }.joined(separator: ", ")
    #expect(
      error?.description.contains(
        "there is no version '\(Self.module) 5'; versions: \(Self.module), \(known)") == true)
  }

  @Test func directIsOneInferredStep() async throws {
    let store = try Corpus.url("posts/stores/\(Self.module)_1.sqlite")
    // The mapping model is for a step that this way jumps over.
    let refused = try StoreMigration(
      of: store, to: output, by: try await ModelRouteFinder(posts(), path: .direct)
    ).run()
    #expect(refused.exitStatus == .failed)
    #expect(refused.unusedMappings.map(\.name) == ["Migration2to3ModelMapping"])
    let report = try migrate(
      store, try await ModelRouteFinder(posts(), path: .direct, allowsUnusedMappings: true))
    #expect(report.steps.map(\.name) == ["\(Self.module) -> \(Self.module) 4"])
    #expect(report.steps.map(\.mapping) == [.inferred])
    #expect(report.entities.map(\.after) == [10, 0])
  }

  @Test func mappingModelsOfOtherModelsAreNamed() async throws {
    let model = try XcodeModel.load(contentsOf: posts().models)
    let mappings = try MappingFolder(contentsOf: Corpus.url("bookmigration"), for: model)
    #expect(mappings.candidates.isEmpty)
    #expect(
      ModelWay([], in: model).unused(of: mappings).map(\.description) == [
        "Model1_to_Model2: it is for the model 'Model'",
        "Model2_to_Model3: it is for the model 'Model'",
        "Model2_to_Model3_User: it is for the model 'Model'",
      ])
    #expect(throws: Diagnostics.self) { try MappingFolder(contentsOf: folder.url, for: model) }
    let missing = folder.url.appending(path: "nowhere")
    #expect(throws: Diagnostics.self) { try MappingFolder(contentsOf: missing, for: model) }
  }

  @Test(arguments: [ModelRouteFinder.Path.stepwise, .direct])
  func aStoreOfWireKeepsItsRows(path: ModelRouteFinder.Path) async throws {
    let files = MigrationFiles(models: try Corpus.url("wire/zmessaging.xcdatamodeld"))
    let report = try migrate(
      Corpus.url("wire/stores/2-75-0.sqlite"), try await ModelRouteFinder(files, path: path))
    let version = try #require(report.versions.first)
    #expect(version == "zmessaging2.75.0")
    #expect(report.target == "zmessaging2.101.0")
    #expect(report.steps.count == (path == .direct ? 1 : 26))
    #expect(report.steps.allSatisfy { $0.mapping == .inferred })
    let kept = report.entities.filter { $0.before != nil && $0.after != nil }
    #expect(kept.contains { $0.before ?? 0 > 0 })
    #expect(kept.allSatisfy { $0.before == $0.after })
  }
}
