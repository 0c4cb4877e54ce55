/// A model by name: found when it is needed, and known by its checksum.
public final class ManagedObjectModelReference: NSObject {
  private enum Place {
    case model(ManagedObjectModel)
    case file(URL)
    case name(String, in: Bundle?)
    case hashes([AnyHashable: Any], in: Bundle?)
  }
  private let place: Place
  /// The model's ``ObjectModel/ManagedObjectModel/versionChecksum``.
  public let versionChecksum: String

  /// The model itself.
  public init(model: ManagedObjectModel, versionChecksum: String) {
    place = .model(model)
    self.versionChecksum = versionChecksum
  }

  /// A model in a file: one version, or the one of several that has the checksum.
  public init(fileURL: URL, versionChecksum: String) {
    place = .file(fileURL)
    self.versionChecksum = versionChecksum
  }

  /// A version of a bundle's models, by name; nil for the app's own bundle.
  public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    place = .name(modelName, in: bundle)
    self.versionChecksum = versionChecksum
  }

  /// The model of a bundle with these version hashes; nil for the app's own bundle.
  public init(
    entityVersionHashes: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String
  ) {
    place = .hashes(entityVersionHashes, in: bundle)
    self.versionChecksum = versionChecksum
  }

  /// The model. A reference that can't be resolved raises, as on a device.
  public var resolvedModel: ManagedObjectModel {
    do { return try resolve() } catch {
      ExceptionTrap.raise(error)
      return ManagedObjectModel()
    }
  }

  /// The model.
  /// - Throws: `CoreDataError` `.managedObjectModelReferenceNotFound` (134504) when there is none, or
  ///   the one that is there has another checksum.
  func resolve() throws -> ManagedObjectModel {
    let candidates = try candidates()
    if let found = candidates.first(where: { $0.versionChecksum == versionChecksum }) {
      return found
    }
    throw CoreDataError.unresolved(self, checksums: candidates.map(\.versionChecksum))
  }

  private func candidates() throws -> [ManagedObjectModel] {
    switch place {
    case .model(let model): return [model]
    case .file(let url): return try VersionedModel.load(contentsOf: url).versions
    case .name(let name, let bundle):
      return MigrationLibrary(of: bundle.map { [$0] }).models.filter { $0.name == name }
    case .hashes(let hashes, let bundle):
      let metadata: [String: Any] = ["NSStoreModelVersionHashes": hashes]
      return MigrationLibrary(of: bundle.map { [$0] })
        .model(forStoreMetadata: metadata).map { [$0] } ?? []
    }
  }

  public override var description: String {
    switch place {
    case .model(let model): "the model '\(model)'"
    case .file(let url): "the model in \(url.path)"
    case .name(let name, _): "the model named '\(name)'"
    case .hashes: "the model with the version hashes given"
    }
  }
}
