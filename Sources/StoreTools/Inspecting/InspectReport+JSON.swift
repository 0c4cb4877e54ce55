extension InspectReport: Encodable {
  private enum Key: String, CodingKey {
    case format, store, exitStatus, version, checkedWith, metadata, file, entities, joinTables
    case historyTables, otherTables, externalData, findings, counts
  }

  /// Keys may be added; those that are there keep their meaning.
  package func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(1, forKey: .format)
    try keyed.encode(store, forKey: .store)
    try keyed.encode(exitStatus.rawValue, forKey: .exitStatus)
    try keyed.encodeIfPresent(version.map(VersionPart.init), forKey: .version)
    try keyed.encode(CheckedWith(basis), forKey: .checkedWith)
    try keyed.encode(MetadataPart(inspection.metadata), forKey: .metadata)
    try keyed.encode(FilePart(inspection.file), forKey: .file)
    try keyed.encode(inspection.entities.map(EntityPart.init), forKey: .entities)
    try keyed.encode(inspection.joinTables.map(TablePart.init), forKey: .joinTables)
    try keyed.encode(inspection.historyTables.map(TablePart.init), forKey: .historyTables)
    try keyed.encode(inspection.otherTables.map(TablePart.init), forKey: .otherTables)
    try keyed.encodeIfPresent(
      inspection.externalData.map(ExternalPart.init), forKey: .externalData)
    let identifier = inspection.metadata.identifier
    try keyed.encode(findings.map { FindingPart($0, store: identifier) }, forKey: .findings)
    let counts = IntegrityFinding.Severity.allCases.map { ($0.rawValue, count(of: $0)) }
    try keyed.encode(Dictionary(uniqueKeysWithValues: counts), forKey: .counts)
  }

  /// The report as JSON with sorted keys.
  func json() throws -> Data {
    try machineReport()
  }
}

// MARK: - Parts

private struct CheckedWith: Encodable {
  /// `version`, `model-cache` or `nothing`.
  let model: String
  var version: String?

  init(_ basis: InspectReport.Basis) {
    switch basis {
    case .version(let name): (model, version) = ("version", name)
    case .modelCache: model = "model-cache"
    case .nothing: model = "nothing"
    }
  }
}

private struct VersionPart: Encodable {
  struct Match: Encodable {
    let version: String
    let configuration: String?
    let evidence: String
    let hasEqualIdentifiers: Bool
    /// What the store's own model has otherwise, in the form of the text report.
    let differences: [String]?
  }

  struct Nearest: Encodable {
    let version: String
    let changed: [String]
    let onlyInStore: [String]
    let onlyInModel: [String]
    let differences: [String]?
  }

  let models: String
  let candidates: Int
  let matches: [Match]
  let likeliest: String?
  let order: OrderPart?
  let nearest: Nearest?

  init(_ version: StoreVersion) {
    models = version.origin
    candidates = version.candidateCount
    matches = version.matches.map {
      Match(
        version: $0.name, configuration: $0.match.configuration,
        evidence: $0.match.evidence.rawValue, hasEqualIdentifiers: $0.match.hasEqualIdentifiers,
        differences: $0.match.differences?.texts)
    }
    likeliest = version.best?.name
    order = version.order.map(OrderPart.init)
    nearest = version.nearest.map { name, near in
      Nearest(
        version: name, changed: near.changed, onlyInStore: near.onlyInStore,
        onlyInModel: near.onlyInModel, differences: near.differences?.texts)
    }
  }
}

extension ModelDifference {
  fileprivate var texts: [String] { description.split(separator: "\n").map(String.init) }
}

private struct MetadataPart: Encodable {
  let uuid: String?
  let frameworkVersion: Int?
  let approximateRelease: String?
  let versionIdentifiers: [String]
  /// Base64, by entity.
  let entityVersionHashes: [String: Data]?
  /// The app's own keys with the types of their values, which aren't shown.
  let ownKeys: [String: String]
  let hasModelCache: Bool

  init(_ facts: StoreMetadataFacts) {
    uuid = facts.identifier
    frameworkVersion = facts.frameworkVersion
    approximateRelease = facts.approximateRelease
    versionIdentifiers = facts.versionIdentifiers
    entityVersionHashes = facts.entityHashes
    ownKeys = facts.ownKeys
    hasModelCache = facts.hasModelCache
  }
}

private struct FilePart: Encodable {
  struct Log: Encodable {
    let bytes: Int
    let isReadable: Bool
    let committedFrames: Int
    let commits: Int
    let uncommittedFrames: Int
    let pendingPages: Int
  }

  let bytes: Int64
  let pageSize: Int
  let pages: Int
  let freePages: Int
  let journalMode: String?
  let log: Log?
  let hasEmptyLog: Bool
  let hasSharedMemory: Bool
  let rollbackJournalBytes: Int
  let hasHotJournal: Bool
  let readFromCopy: Bool

  init(_ facts: StoreFileFacts) {
    bytes = facts.byteCount
    pageSize = facts.pageSize
    pages = facts.pageCount
    freePages = facts.freePages
    journalMode = facts.journal.mode?.rawValue
    log = facts.journal.log.map {
      Log(
        bytes: $0.byteCount, isReadable: $0.isReadable, committedFrames: $0.committedFrames,
        commits: $0.commits, uncommittedFrames: $0.uncommittedFrames,
        pendingPages: $0.pendingPages)
    }
    hasEmptyLog = facts.journal.hasEmptyLog
    hasSharedMemory = facts.journal.hasSharedMemory
    rollbackJournalBytes = facts.journal.rollbackByteCount
    hasHotJournal = facts.journal.hasHotJournal
    readFromCopy = facts.wasReadFromCopy
  }
}
