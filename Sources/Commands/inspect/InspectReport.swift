/// What `heavyweight inspect` says about a store.
package struct InspectReport: CommandReport, Sendable {
  /// The store as the user named it.
  package let store: String
  package let inspection: StoreInspection
  /// Which version the store is; nil when no models were given.
  package let version: StoreVersion?
  /// What the rows were checked against.
  package let basis: Basis
  /// The worst first.
  package let findings: [IntegrityFinding]
  /// What was passed over in the model files.
  package let notes: [String]

  /// The model that tells what the rows should be.
  package enum Basis: Sendable, Equatable {
    /// A version among the given models, by name.
    case version(String)
    /// The model that the store keeps of itself.
    case modelCache
    /// None: only tables and metadata were looked at.
    case nothing
  }

  /// Inspects a store.
  /// - Parameters:
  ///   - models: All models that may have written the store; nil when it isn't to be identified.
  ///   - rowLimit: How many rows a finding names.
  ///   - obstacles: What was found by going through later versions.
  /// - Throws: `CoreDataError` when there is no store, or SQLite can't read it.
  package init(
    of url: URL, shownAs store: String? = nil, models: [VersionedModel]? = nil, rowLimit: Int = 5,
    obstacles: [IntegrityFinding] = []
  ) throws {
    let inspector = try StoreInspector(of: url)
    let version = models.map { StoreVersion(of: inspector, among: $0) }
    let model: ManagedObjectModel?
    if let best = version?.best {
      (model, basis) = (best.match.model, .version(best.name))
    } else {
      model = inspector.cachedModel
      basis = model == nil ? .nothing : .modelCache
    }
    self.store = store ?? url.relativePath
    self.version = version
    inspection = try inspector.inspect(with: model, rowLimit: rowLimit)
    findings = (inspection.findings + obstacles + (version?.finding.map { [$0] } ?? [])).worstFirst
    notes = models?.flatMap { $0.notes.map { "\($0)" } } ?? []
  }

  package func count(of severity: FindingSeverity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// 1 when anything worse than a note was found.
  package var exitStatus: ExitStatus {
    findings.allSatisfy { $0.severity == .note } ? .passed : .failed
  }
}
