extension ModelCheckReport: Encodable {
  private enum Key: String, CodingKey {
    case format, model, current, since, isProgressive, versions, order, hops, direct, findings,
      silenced, counts,
      exitStatus
  }

  private struct Version: Encodable {
    let name: String
    let identifiers: [String]
    let isCurrent: Bool
    /// The version hash of each entity, in Base64.
    let entities: [String: String]
    let equalTo: [String]
  }

  fileprivate struct Way: Encodable {
    let from: String
    let to: String
    let verdict: String
    let mappings: [String]?
    /// Core Data's error code, and that of the error behind it.
    let code: Int?
    let underlyingCode: Int?
    let reason: String?
    let entity: String?
    let property: String?
  }

  fileprivate struct Finding: Encodable {
    let rule: CheckRule
    let severity: FindingSeverity
    let from: String?
    let to: String?
    let version: String?
    let lastVersion: String?
    let entity: String?
    let property: String?
    let file: String?
    let message: String
    let advice: String?
    let code: Int?
    /// Why it was silenced.
    let reason: String?
  }

  /// Keys may be added; those that are there keep their meaning.
  package func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(1, forKey: .format)
    try keyed.encode(model.url.lastPathComponent, forKey: .model)
    try keyed.encode(current, forKey: .current)
    try keyed.encodeIfPresent(since, forKey: .since)
    try keyed.encode(isProgressive, forKey: .isProgressive)
    try keyed.encode(model.versions.map(version), forKey: .versions)
    try keyed.encode(OrderPart(model.order), forKey: .order)
    try keyed.encode(steps.map(Way.init), forKey: .hops)
    try keyed.encode(direct.map(Way.init), forKey: .direct)
    try keyed.encode(findings.map { Finding($0, reason: nil) }, forKey: .findings)
    try keyed.encode(silenced.map { Finding($0.finding, reason: $0.reason) }, forKey: .silenced)
    let counts = FindingSeverity.allCases.map { ($0.rawValue, count(of: $0)) }
    try keyed.encode(Dictionary(uniqueKeysWithValues: counts), forKey: .counts)
    try keyed.encode(exitStatus.rawValue, forKey: .exitStatus)
  }

  private func version(_ version: ManagedObjectModel) -> Version {
    Version(
      name: version.shownName, identifiers: version.versionIdentifiers,
      isCurrent: version.shownName == current,
      entities: version.entityVersionHashesByName.mapValues { $0.base64EncodedString() },
      equalTo: versionsEqual(to: version))
  }

  /// The report as JSON with sorted keys.
  func json() throws -> Data {
    try machineReport()
  }
}

extension ModelCheckReport.Way {
  fileprivate init(_ checked: CheckedStep) {
    let error = checked.verdict.error
    let problem = error?.inferenceProblems.first
    from = checked.versions.source
    to = checked.versions.destination
    verdict = checked.verdict.name
    mappings = checked.verdict.isMapped ? checked.verdict.mappingNames : nil
    code = error?.code.rawValue
    underlyingCode = (error?.underlying as? CoreDataError)?.code.rawValue
    reason = problem?.reason
    entity = problem?.place.entity
    property = problem?.place.property
  }
}

extension ModelCheckReport.Finding {
  fileprivate init(_ finding: CheckFinding, reason: String?) {
    let subject = finding.subject
    rule = finding.rule
    severity = finding.severity
    from = subject.step?.source
    to = subject.step?.destination
    version = subject.version
    lastVersion = subject.lastVersion
    entity = subject.entity
    property = subject.property
    file = subject.file
    message = finding.message
    advice = finding.advice
    code = finding.code
    self.reason = reason
  }
}

/// How the order of versions is known, for machines.
struct OrderPart: Encodable {
  struct Step: Encodable {
    /// `App -> App 2`.
    let hop: String
    /// Missing where nothing tells it.
    let evidence: String?
    let text: String
  }

  let versions: [String]
  let isCertain: Bool
  let steps: [Step]
  let contradictions: [String]
  let unknown: [[String]]

  init(_ order: VersionOrder) {
    versions = order.names
    isCertain = order.isCertain
    steps = order.steps.map { name, evidence in
      Step(hop: name, evidence: evidence?.name, text: evidence?.text ?? "not known")
    }
    contradictions = order.contradictions.map(\.text)
    unknown = order.unknown
  }
}
