// The stores that shipped versions left, as a manifest knows them.

extension ModelLock {
  struct Store: Codable, Hashable, Sendable {
    /// Relative to the manifest's folder.
    let path: String
    /// The version that it was of when it was last of one; nil where it never was.
    var version: String?
    /// Its version hashes in Base64, by entity.
    let hashes: [String: String]
  }

  /// Takes up stores beside those that are known; one at the same place takes the place of the other.
  mutating func record(_ given: [Store], besides known: [Store], for model: VersionedModel) {
    let places = Set(given.map(\.path))
    let all = (given + known.filter { !places.contains($0.path) }).map { store in
      var store = store
      store.version = store.identification(in: model).best?.model.shownName ?? store.version
      return store
    }
    stores = all.isEmpty ? nil : all.sorted { $0.path < $1.path }
  }
}

extension ModelLock.Store {
  /// - Throws: `CoreDataError` for a store that isn't there or can't be read.
  init(at url: URL, forManifestIn folder: URL) throws {
    path = RelativePath.text(from: folder, to: url)
    let metadata = try SQLiteStore.metadata(at: url)
    let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    self.hashes = hashes.mapValues { $0.base64EncodedString() }
  }

  /// By the hashes alone: the file needn't be there.
  func identification(in model: VersionedModel) -> ModelIdentification {
    let hashes = hashes.compactMapValues { Data(base64Encoded: $0) }
    return ModelIdentification(
      ofStoreWith: ["NSStoreModelVersionHashes": hashes], cachedModel: nil, among: model.versions)
  }
}

extension LockComparison {
  /// Stores that no version matches, and released versions of which there is no store, once there are stores at all.
  var storeFindings: [LockFinding] {
    guard let stores = lock.stores else { return [] }
    var kept: Set<ObjectIdentifier> = []
    let lost = stores.compactMap { store -> LockFinding? in
      let found = store.identification(in: model)
      kept.formUnion(found.matches.map { ObjectIdentifier($0.model) })
      guard found.matches.isEmpty else { return nil }
      let near = found.nearest.map { nearest in
        "; the nearest is '\(nearest.model.shownName)', which differs in: "
          + nearest.entities.joined(separator: ", ")
      }
      let before = store.version.map { "this store is of '\($0)' as it was, and" } ?? "this store"
      return LockFinding(
        store.version == nil ? .storeOfNoVersion : .strandedStore, version: store.path,
        "\(before) matches none of the versions\(near ?? "")")
    }
    // One that was edited has its store, which is told.
    let without = lock.versions.filter { old in !stores.contains { $0.version == old.name } }
      .compactMap { current(of: $0) }
      .filter { !kept.contains(ObjectIdentifier($0)) }
    return lost
      + without.map {
        LockFinding(.versionWithoutStore, version: $0.shownName, "no store of it is recorded")
      }
  }
}
