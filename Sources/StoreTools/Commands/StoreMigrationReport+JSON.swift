extension StoreMigrationReport: Encodable {
  private enum Key: String, CodingKey {
    case format, store, output, versions, configuration, target, hops, entities, findings, failure,
      seconds
    case leftBehind, unusedMappings, exitStatus, usage
  }

  private struct Count: Encodable {
    let entity: String
    let before: Int?
    let after: Int?
  }

  private struct Table: Encodable {
    let table: String
    let rows: Int?
  }

  private struct Unused: Encodable {
    let name: String
    let reason: String
  }

  fileprivate struct Problem: Encodable {
    let domain: String
    let code: Int
    let step: String?
    let pass: String?
    let entityMapping: String?
    let entity: String?
    let property: String?
    let object: String?
    let message: String
    /// All that is known, for people.
    let text: String
  }

  /// Keys may be added; those that are there keep their meaning. `output` is missing after a
  /// failure, unless the result is there all the same.
  package func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(1, forKey: .format)
    try keyed.encode(store, forKey: .store)
    try keyed.encodeIfPresent(failure == nil || isResultThere ? output : nil, forKey: .output)
    try keyed.encode(versions, forKey: .versions)
    try keyed.encodeIfPresent(configuration, forKey: .configuration)
    try keyed.encodeIfPresent(target, forKey: .target)
    try keyed.encode(steps.map(StepRecord.init), forKey: .hops)
    let counts = entities.map { Count(entity: $0.entity, before: $0.before, after: $0.after) }
    try keyed.encode(counts, forKey: .entities)
    try keyed.encode(findings, forKey: .findings)
    let tables = failure == nil ? leftBehind : []
    try keyed.encode(tables.map { Table(table: $0.table, rows: $0.rows) }, forKey: .leftBehind)
    let unused = unusedMappings.map { Unused(name: $0.name, reason: $0.reason) }
    try keyed.encode(unused, forKey: .unusedMappings)
    try keyed.encodeIfPresent(failure.map(Problem.init), forKey: .failure)
    try keyed.encode(seconds, forKey: .seconds)
    try keyed.encode(exitStatus.rawValue, forKey: .exitStatus)
    try keyed.encodeIfPresent(usage, forKey: .usage)
  }

  /// The report as JSON with sorted keys.
  func json() throws -> Data {
    try machineReport()
  }
}

extension StoreMigrationReport.Problem {
  fileprivate init(_ failure: ChainFailure) {
    let error = failure.error as NSError
    domain = error.domain
    code = error.code
    let place = (failure.error as? CoreDataError)?.place ?? failure.place
    step = place.step
    pass = place.pass
    entityMapping = place.entityMapping
    entity = place.entity
    property = place.property
    object = place.object
    message = failure.error.reasonText
    text = "\(failure)"
  }
}
