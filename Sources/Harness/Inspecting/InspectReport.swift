/// What `heavyweight inspect` says about a store.
public struct InspectReport: Sendable {
  /// The store as the user named it.
  public let store: String
  public let inspection: StoreInspection
  /// Which version the store is; nil when no models were given.
  public let version: StoreVersion?
  /// What the rows were checked against.
  public let basis: Basis
  /// The worst first.
  public let findings: [IntegrityFinding]
  /// What was passed over in the model files.
  public let notes: [String]

  /// The model that tells what the rows should be.
  public enum Basis: Sendable, Equatable {
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
  /// - Throws: `CoreDataError` when there is no store, or SQLite can't read it.
  public init(
    of url: URL, shownAs store: String? = nil, models: [VersionedModel]? = nil, rowLimit: Int = 5
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
    findings = (inspection.findings + (version?.finding.map { [$0] } ?? [])).worstFirst
    notes = models?.flatMap { $0.notes.map { "\($0)" } } ?? []
  }

  public func count(of severity: IntegrityFinding.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// 1 when anything worse than a note was found.
  public var exitStatus: ExitStatus {
    findings.allSatisfy { $0.severity == .note } ? .passed : .failed
  }
}
