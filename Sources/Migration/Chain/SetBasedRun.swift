/// A mapping model without policies carried out inside SQLite: no objects, no contexts.
///
/// It gives the content, the counts and the trace of the migration manager's three passes. Where
/// anything might come out differently (a value to be converted, a row that validation might refuse)
/// the manager does it instead.
struct SetBasedRun {
  let manager: MigrationManager
  let mappings: MappingModel
  let source: SQLiteStore
  let destination: SQLiteStore

  /// Fills the destination, which must be new and empty.
  /// - Throws: ``LightweightObstacle``; whatever SQLite reports. Give the destination up then and let
  ///   the manager migrate: its errors say more.
  func perform(recordingOrigins: Bool) throws -> StoreTransferOutcome {
    let run = try manager.plans(from: source, to: destination, with: mappings)
    let transfer = try StoreTransfer(of: run, from: source)
    let result = try destination.fill(from: source, by: transfer, listsKeys: recordingOrigins)
    let outcome = StoreTransferOutcome(result, of: mappings)
    manager.noteHooks(of: run, outcome.reports)
    return outcome
  }
}

/// What a migration inside SQLite did.
struct StoreTransferOutcome {
  let reports: [EntityMappingReport]
  let origins: [MigrationOrigins.Link]
  /// See ``StepReport/sourceCounts``.
  let sourceCounts: [String: Int]
}

extension StoreTransferOutcome {
  init(_ result: TransferResult, of mappings: MappingModel) {
    sourceCounts = result.sourceCounts
    reports = mappings.reports(names: result.entities.map(\.name), counts: result.counts)
    origins = Self.origins(result)
  }

  private static func origins(_ result: TransferResult) -> [MigrationOrigins.Link] {
    zip(result.entities, result.keys).flatMap { entity, keys in
      keys.map { key in
        MigrationOrigins.Link(
          entityMapping: entity.name,
          source: .init(entity: entity.source.name, primaryKey: key.source),
          destination: .init(entity: entity.destination.name, primaryKey: key.destination))
      }
    }
  }
}

extension MappingModel {
  /// What each entity mapping did, by name, where each row became one row.
  func reports(names: [String], counts: [Int]) -> [EntityMappingReport] {
    let counts = Dictionary(zip(names, counts), uniquingKeysWith: { first, _ in first })
    return entityMappings.map { mapping in
      let count = counts[mapping.name] ?? 0
      return EntityMappingReport(
        name: mapping.name, type: mapping.mappingType, sourceEntity: mapping.sourceEntityName,
        destinationEntity: mapping.destinationEntityName, policyClassName: nil,
        sourceCount: count, destinationCount: count)
    }
  }
}
