// Which model, and which mapping model, are the right ones.

extension MigrationLibrary {
  /// The model that a store was written with: one of the models, or the merge of several that have
  /// different entities; nil when there is none.
  ///
  /// - Parameter configuration: The part of the model that the store holds; nil for all of it.
  public func model(
    forStoreMetadata metadata: [String: Any], configuration: String? = nil
  ) -> ManagedObjectModel? {
    let single = models.first {
      $0.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
    }
    return single ?? (configuration == nil ? merge(for: metadata) : nil)
  }

  /// The models whose entities are all in the store, put together until nothing is missing.
  private func merge(for metadata: [String: Any]) -> ManagedObjectModel? {
    let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    var missing = Set(stored.keys)
    var parts: [ManagedObjectModel] = []
    for model in models {
      let hashes = model.entityVersionHashesByName
      guard hashes.allSatisfy({ stored[$0.key] == $0.value }),
        !missing.isDisjoint(with: hashes.keys)
      else { continue }
      parts.append(model)
      missing.subtract(hashes.keys)
    }
    guard missing.isEmpty, parts.count > 1 else { return nil }
    // Core Data: `mergedModel(from:forStoreMetadata:)` gives nil for what doesn't fit together.
    let merged = try? ManagedObjectModel(
      byMerging: parts, name: parts.compactMap(\.name).joined(separator: " + "))
    let counts = parts.map { versionCounts[ObjectIdentifier($0)] ?? 0 }
    merged?.isPartlyVersionedMerge = counts.arePartlyVersions
    return merged
  }

  /// The mapping models that fit a pair of models, in the library's order. Core Data takes the
  /// first; several are worth a word.
  public func mappings(
    forSourceModel source: ManagedObjectModel, destinationModel: ManagedObjectModel
  ) -> [MappingCandidate] {
    mappings.filter { $0.model.fits(source: source, destination: destinationModel) }
  }
}

extension ManagedObjectModel {
  /// The model in some bundles that a store was written with, all versions looked through; nil for
  /// `bundles` stands for the app's own. Nil when there is none.
  ///
  /// As in Core Data, a file that can't be read is as good as none; ask ``MigrationLibrary`` to
  /// learn what is wrong with it.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> ManagedObjectModel? {
    MigrationLibrary(of: bundles).model(forStoreMetadata: metadata)
  }
}

extension MappingModel {
  /// The first mapping model in some bundles whose every entity mapping has the version hashes of
  /// the two models; nil for `bundles` stands for the app's own. Nil when none fits (any more), which
  /// is no error in Core Data either.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: ManagedObjectModel?,
    destinationModel: ManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel,
      let found = MigrationLibrary(of: bundles).mappings(
        forSourceModel: sourceModel, destinationModel: destinationModel
      ).first
    else { return nil }
    self.init(entityMappings: found.model.entityMappings)
  }
}
