/// A lightweight migration inside SQLite: no objects, no contexts, no hooks; rows keep their primary
/// keys, so that object identifiers stay valid.
///
/// It gives the data that a migration manager gives with the same inferred mapping model.
struct InPlaceRun {
  let mappings: MappingModel
  let source: SQLiteStore
  let destination: SQLiteStore

  /// What one run did.
  struct Outcome {
    let reports: [EntityMappingReport]
    let origins: [MigrationOrigins.Link]
  }

  /// Fills the destination.
  /// - Throws: ``LightweightObstacle`` when it takes a migration manager to do it; `CoreDataError`:
  ///   `.migration` (134110) for a required property without a value, `.migrationConstraintViolation`
  ///   (134111) for duplicates; whatever SQLite reports.
  func perform(recordingOrigins: Bool) throws -> Outcome {
    let transfer = try StoreTransfer(
      of: mappings, from: source.model, to: destination.model)
    do {
      let result = try destination.fill(from: source, by: transfer, listsKeys: recordingOrigins)
      return Outcome(reports: reports(result), origins: origins(result))
    } catch let obstacle as TransferObstacle {
      throw LightweightObstacle(reason: obstacle.description)
    } catch let failure as TransferFailure {
      throw error(failure)
    }
  }

  // MARK: Reporting

  private func reports(_ result: TransferResult) -> [EntityMappingReport] {
    let counts = Dictionary(
      zip(result.entities.map(\.name), result.counts), uniquingKeysWith: { first, _ in first })
    return mappings.entityMappings.map { mapping in
      let count = counts[mapping.name] ?? 0
      return EntityMappingReport(
        name: mapping.name, type: mapping.mappingType, sourceEntity: mapping.sourceEntityName,
        destinationEntity: mapping.destinationEntityName, policyClassName: nil,
        sourceCount: count, destinationCount: count)
    }
  }

  private func origins(_ result: TransferResult) -> [MigrationOrigins.Link] {
    zip(result.entities, result.keys).flatMap { entity, keys in
      keys.map { key in
        MigrationOrigins.Link(
          entityMapping: entity.name,
          source: .init(entity: entity.source.name, primaryKey: key.source),
          destination: .init(entity: entity.destination.name, primaryKey: key.destination))
      }
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
