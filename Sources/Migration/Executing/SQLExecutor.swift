/// Carries out a step inside SQLite, set by set: no objects, no contexts, no hooks. Rows keep their primary
/// keys, so that object identifiers stay valid.
///
/// For a lightweight step that is what Core Data does. For a mapping model without policies it gives the
/// content and the counts of the migration manager's three passes; where anything might come
/// out differently (a value to be converted, a row that validation might refuse) the manager does it
/// instead, and its errors say more.
struct SQLExecutor: StepExecutor {
  private let work: StepWork
  private let plan: MigrationPlan

  init(_ work: StepWork) throws {
    self.work = work
    try Self.requireWanted(work)
    guard work.plans.count == 1 else {
      throw PlanUnsupported("several mapping models fill one store")
    }
    plan = work.plans[0]
    try plan.requireRows()
  }

  private static func requireWanted(_ work: StepWork) throws(PlanUnsupported) {
    guard work.source.isFilledBySQL else {
      throw PlanUnsupported("stores of type \(work.source.type) don't use SQL")
    }
    let isWanted =
      work.isLightweight
      ? work.chain.lightweightMethod == .inPlace
      : work.chain.usesSetBasedPlans && !work.step.isManaged && work.step.secondPass == .once
    guard isWanted else { throw PlanUnsupported("a migration manager is asked for") }
  }

  func fill(
    _ destination: PersistentStore, report: inout StepReport, place: inout CoreDataError.Place
  ) throws {
    let result: TransferResult
    do {
      result = try measure(.sql, by: work.chain.meter) {
        try Self.fill(
          destination, from: work.source, by: plan, listsKeys: work.chain.recordsOrigins)
      }
    } catch let error as CoreDataError {
      guard work.isLightweight else { throw PlanUnsupported(error.reason) }
      place = error.place
      throw error
    }
    let trace = MigrationTrace()
    for (name, value, count) in result.missingAsBefore {
      trace.recordMissing(value, count: count, entityMapping: name)
    }
    work.chain.didProgress(1)
    report.origins.add(result.origins)
    if !work.isComposed { report.sourceCounts = result.sourceCounts }
    report.sqlDifferences += result.sqlDifferences
    report.runs.append(
      StepReport.Run(
        of: work.choice.mappings[0], plan,
        counts: Array(zip(result.entities.map(\.name), result.counts)), trace: trace,
        method: work.isLightweight ? .inPlace : .sets))
  }

  /// Fills a new store by a plan.
  /// - Throws: ``Persistence/PlanUnsupported``; `CoreDataError` `.migration` (134110) for a required property
  ///   without a value, and for duplicates; whatever SQLite reports.
  static func fill(
    _ destination: PersistentStore, from source: PersistentStore, by plan: MigrationPlan,
    listsKeys: Bool = false
  ) throws -> TransferResult {
    do { return try destination.fill(from: source, by: plan, listsKeys: listsKeys) } catch let
      failure as TransferFailure
    {
      throw error(failure, source: source, destination: destination)
    }
  }

  private static func error(
    _ failure: TransferFailure, source: PersistentStore, destination: PersistentStore
  ) -> CoreDataError {
    switch failure {
    case .missingValue(let property, let entity, let sourceKey, let key, let count):
      var error = CoreDataError.missingMandatoryValue(
        of: property, entityMapping: entity.name,
        object: ManagedObjectID(entity: entity.destination, primaryKey: key, store: destination))
      let original = ManagedObjectID(entity: entity.source, primaryKey: sourceKey, store: source)
      error.place.pass = MigrationPass.validation.rawValue
      error.place.sourceObject = "\(original)"
      error.concernedCount = count
      return error
    case .duplicate(let cause):
      var error = CoreDataError.uniquenessViolation(cause, inside: destination.model)
      error.place.pass = MigrationPass.save.rawValue
      return error
    }
  }
}

// MARK: - What was done

extension TransferResult {
  fileprivate var origins: [MigrationOrigins.Link] {
    zip(entities, keys).flatMap { entity, keys in
      keys.map { key in
        MigrationOrigins.Link(
          entityMapping: entity.name,
          source: .init(entity: entity.source.name, primaryKey: key.source),
          destination: .init(entity: entity.destination.name, primaryKey: key.destination))
      }
    }
  }
}

extension StepReport.Run {
  /// What a mapping model did without hooks, where each row became one row.
  /// - Parameter counts: How many rows the entity mappings made, by name; none of those left out.
  init(
    of candidate: MappingCandidate, _ plan: MigrationPlan, counts: [(name: String, count: Int)],
    trace: MigrationTrace = MigrationTrace(), method: MigrationMethod
  ) {
    let counts = Dictionary(counts) { first, _ in first }
    let reports = (candidate.model.entityMappings ?? []).map { mapping in
      let count = counts[mapping.name] ?? 0
      return EntityMappingReport(
        name: mapping.name, type: mapping.mappingType, sourceEntity: mapping.sourceEntityName,
        destinationEntity: mapping.destinationEntityName, policyClassName: nil,
        sourceCount: count, destinationCount: count)
    }
    self.init(
      name: candidate.name, plan: plan, entityMappings: reports, trace: trace, method: method)
  }
}
