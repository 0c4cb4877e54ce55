/// A lightweight migration inside SQLite: no objects, no contexts, no hooks; rows keep their primary
/// keys, so that object identifiers stay valid.
///
/// It gives the data that a migration manager gives with the same inferred mapping model.
struct InPlaceRun {
  let mappings: MappingModel
  let source: SQLiteStore
  let destination: SQLiteStore

  /// Fills the destination.
  /// - Throws: ``LightweightObstacle`` when it takes a migration manager to do it; `CoreDataError`:
  ///   `.migration` (134110) for a required property without a value, `.migrationConstraintViolation`
  ///   (134111) for duplicates; whatever SQLite reports.
  func perform(recordingOrigins: Bool) throws -> StoreTransferOutcome {
    let transfer = try StoreTransfer(
      of: mappings, from: source.model, to: destination.model)
    do {
      let result = try destination.fill(from: source, by: transfer, listsKeys: recordingOrigins)
      return StoreTransferOutcome(result, of: mappings)
    } catch let obstacle as TransferObstacle {
      throw LightweightObstacle(reason: obstacle.description)
    } catch let failure as TransferFailure {
      throw error(failure)
    }
  }

  // MARK: Errors

  private func error(_ failure: TransferFailure) -> CoreDataError {
    switch failure {
    case .missingValue(let property, let entity, let sourceKey, let key):
      var error = CoreDataError.missingMandatoryValue(
        of: property, entityMapping: entity.name,
        object: ManagedObjectID(entity: entity.destination, primaryKey: key, store: destination))
      let original = ManagedObjectID(entity: entity.source, primaryKey: sourceKey, store: source)
      error.place.pass = MigrationPass.validation.rawValue
      error.place.sourceObject = "\(original)"
      return error
    case .duplicate(let cause):
      var error = CoreDataError.uniquenessViolation(cause, code: .migrationConstraintViolation)
      error.place.pass = MigrationPass.save.rawValue
      return error
    }
  }
}
