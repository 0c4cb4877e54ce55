/// A mapping model without policies carried out between two stores in memory: rows become rows, without
/// objects and contexts.
///
/// It gives the content, the counts and the trace of the migration manager's three passes. Where anything
/// might come out differently (a link, an expression that asks for objects, a value that the model
/// refuses) the manager does it instead.
struct RowRun {
  let manager: MigrationManager
  let mappings: MappingModel
  let source: InMemoryStore
  let destination: InMemoryStore

  /// Fills the destination, which must be new and empty.
  /// - Throws: What keeps it from being done by rows. Give the destination up then and let the manager
  ///   migrate: its errors say more.
  func perform(recordingOrigins: Bool) throws -> StoreTransferOutcome {
    let run = try manager.plans(from: source, to: destination, with: mappings)
    let transfers = try RowTransfer.all(
      of: run, into: destination.model, manager.validation)
    let counts = try destination.fill(from: source, by: transfers.map(\.transfer))
    let reports = mappings.reports(names: transfers.map(\.plan.name), counts: counts)
    manager.noteHooks(of: run, reports)
    return StoreTransferOutcome(
      reports: reports, origins: recordingOrigins ? transfers.flatMap(origins) : [],
      sourceCounts: [:])
  }

  private func origins(
    _ plan: MappingPlan, _ transfer: RowTransfer
  ) -> [MigrationOrigins.Link] {
    destination.keys(of: transfer.destination).map { key in
      MigrationOrigins.Link(
        entityMapping: plan.name,
        source: .init(entity: transfer.source.name, primaryKey: key),
        destination: .init(entity: transfer.destination.name, primaryKey: key))
    }
  }
}
