// How a model and a store's metadata recognise each other.

extension ManagedObjectModel {
  /// The version hash of every entity; what a store's metadata keeps under
  /// `NSStoreModelVersionHashes`.
  public var entityVersionHashesByName: [String: Data] {
    if isInUse { return versionHashesStorage.get { entitiesByName.mapValues(\.versionHash) } }
    linkIfPossible()
    return entitiesByName.mapValues(\.versionHash)
  }

  /// The version hash of one entity; nil when the model doesn't have it.
  package func versionHash(ofEntityNamed name: String) -> Data? {
    linkIfPossible()
    return entitiesByName[name]?.versionHash
  }

  /// Base64 of SHA-512 over name and version hash of every entity, in code-point order of names;
  /// what stores keep under `NSStoreModelVersionHashesDigest`.
  public var versionHashesDigest: String { VersionHash.digest(of: entityVersionHashesByName) }

  /// Base64 of SHA-256 over the version hashes alone, in code-point order of the entities' names;
  /// what newer stores keep under `NSStoreModelVersionChecksumKey`.
  public var versionChecksum: String { VersionHash.checksum(of: entityVersionHashesByName) }

  /// Whether every entity's version hash is known to be Core Data's own.
  /// - SeeAlso: ``EntityDescription/versionHashIsReliable``
  public var versionHashesAreReliable: Bool { entities.allSatisfy(\.versionHashIsReliable) }
}

// MARK: - Configurations

extension ManagedObjectModel {
  /// The name Core Data gives the configuration that has all entities.
  public static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The entities of a configuration, all of them for nil; nil when the model has no such
  /// configuration.
  public func entities(forConfigurationName name: String?) -> [EntityDescription]? {
    linkIfPossible()
    guard let name, name != Self.defaultConfigurationName else { return entities }
    guard let members = configurations[name] else { return nil }
    let wanted = Set(members)
    return entities.filter { wanted.contains($0.name) }
  }

  /// Whether a store with this metadata was written with this version of the model: its version
  /// hashes name the same entities and have the same bytes. Version identifiers are never compared.
  ///
  /// - Parameters:
  ///   - configuration: The configuration the store was made with; nil for the whole model.
  ///   - metadata: A store's metadata; without `NSStoreModelVersionHashes` it fits no model.
  public func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let recorded = metadata["NSStoreModelVersionHashes"] as? [String: Data] else {
      return false
    }
    guard let entities = entities(forConfigurationName: configuration) else { return false }
    func fit(_ entities: [EntityDescription]) -> Bool {
      entities.count == recorded.count
        && entities.allSatisfy { recorded[$0.name] == $0.versionHash }
    }
    return fit(entities) || configuration != nil && fit(entities.withDescendants(in: self))
  }
}

extension [EntityDescription] {
  /// These entities of a model and all that are derived from them, whose rows are in the same tables.
  // Core Data: observed by a public library's tests: a store with an entity and its child opens with a
  // configuration that lists the parent alone.
  package func withDescendants(in model: ManagedObjectModel) -> [EntityDescription] {
    let wanted = Set(flatMap(\.selfAndDescendants).map(ObjectIdentifier.init))
    return model.entities.filter { wanted.contains(ObjectIdentifier($0)) }
  }
}
