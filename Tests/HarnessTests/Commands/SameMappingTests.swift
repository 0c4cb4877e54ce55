import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios

/// Which mapping files a step takes is one answer, whoever asks: `check` and `lock`, `migrate`, `init`, `smoke`, and
/// the scenarios of `run`, for every version that a store may be of.
@Suite struct SameMappingTests {
  private static let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scenarios")

  @Test(arguments: [
    "MappingFiles/Letters.xcdatamodeld", "BesideTheModel/Beside.xcdatamodeld",
    "Bookshop/Model/Bookshop.xcdatamodeld", "Smoke/Repaired/Shop.xcdatamodeld",
    "Smoke/Planted/Shop.xcdatamodeld",
  ])
  func shippedModels(path: String) async throws {
    try await compare(Self.shipped.appending(path: path))
  }

  @Test(
    .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
    arguments: [
      "bookmigration/Model.xcdatamodeld", "posts/CoreDataMigration_Example.xcdatamodeld",
    ])
  func realModels(path: String) async throws { try await compare(Corpus.url(path)) }

  /// Those of so many versions that some of their steps have to do, beside all with a mapping file.
  @Test(
    .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
    arguments: [
      "woocommerce/WooCommerce.xcdatamodeld", "wire/zmessaging.xcdatamodeld",
    ])
  func realModelsOfManyVersions(path: String) async throws {
    try await compare(Corpus.url(path), every: 30)
  }

  private func compare(_ url: URL, every distance: Int = 1) async throws {
    let input = try ModelInput(models: [url])
    let folder = input.mappings
    let report = try ModelCheck(input.model, mappings: folder).run()
    func compared(_ steps: [CheckedStep]) -> [CheckedStep] {
      steps.enumerated().filter { index, step in
        step.verdict.isMapped || step.verdict.isLightweight && index.isMultiple(of: distance)
      }.map(\.element)
    }
    for step in compared(report.steps) {
      let expected = step.verdict.mappingNames
      let fitting = folder.running(from: step.source, to: step.destination)
      #expect(fitting.map(\.name) == expected, "\(step.versions)")
      let first = try FirstStep(
        from: step.source, to: step.destination, of: input.model, mappings: folder)
      #expect(first.mappings.map(\.name) == expected, "init, \(step.versions)")
      let chain = "chain: ['\(step.versions)']"
      #expect(
        try names(in: chain, from: step.versions.source, url) == expected, "run, \(step.versions)")
      let stores = try await routes(of: url, .stepwise, to: step.versions.destination, step.source)
      #expect(stores == expected, "migrate, \(step.versions)")
    }
    for step in compared(report.direct) {
      let expected = step.verdict.mappingNames
      let ofScenario = try names(in: "chain: direct", from: step.versions.source, url)
      #expect(ofScenario == expected, "run, direct, \(step.versions)")
      let stores = try await routes(of: url, .direct, to: step.versions.destination, step.source)
      #expect(stores == expected, "migrate, direct, \(step.versions)")
    }
  }

  /// The mapping files that a scenario's only step takes, beside a direct step from another version.
  private func names(in chain: String, from start: String, _ model: URL) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Which mapping files
      models: '\(model.path)'
      start: \(chain.hasSuffix("direct") ? "every" : "'\(start)'")
      \(chain)
      expect: [{ mapping: custom }]
      """, to: "case.scenario.yaml")
    let checked = try CheckedScenario.load(
      contentsOf: folder.url.appending(path: "case.scenario.yaml"))
    return checked.steps(from: start).flatMap { step in
      checked.mappings(of: step).map { mapping in
        switch mapping {
        case .file(let file, _): file.name
        case .compiledFile(let url, _): url.deletingPathExtension().lastPathComponent
        case .inline: "inline"
        }
      }
    }
  }

  /// The mapping models that a store of a version is migrated with.
  private func routes(
    of url: URL, _ path: ModelRouteFinder.Path, to target: String, _ source: ManagedObjectModel
  ) async throws -> [String] {
    var files = MigrationFiles(models: url)
    files.findsPolicies = false
    let finder = try await ModelRouteFinder(files, to: target, path: path)
    let route = try finder.route(
      forStoreWith: ["NSStoreModelVersionHashes": source.entityVersionHashesByName])
    return try route.chain.steps.flatMap { step -> [String] in
      let choice = try step.chooseMapping()
      return choice.kind == .custom ? choice.mappings.map(\.name) : []
    }
  }
}
