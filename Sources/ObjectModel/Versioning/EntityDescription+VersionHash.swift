extension PropertyDescription {
  /// The hash by which Core Data tells two versions of a property apart: 32 bytes of SHA-256.
  public var versionHash: Data { VersionHash.property(self) }
}

extension EntityDescription {
  /// The hash by which Core Data tells two versions of an entity apart: 32 bytes of SHA-256, equal
  /// to what a store made by Core Data records for the entity.
  ///
  /// Names, types, optionality, modifiers, destinations, inverses, counts, order and uniqueness
  /// constraints change it; defaults, indexes, delete rules, transformers, renaming identifiers
  /// and user info don't. Computed once for an entity of a model.
  ///
  /// - SeeAlso: ``versionHashIsReliable``
  public var versionHash: Data {
    guard isFrozen else {
      linkModelIfPossible()
      return computedVersionHash
    }
    return versionHashStorage.get { computedVersionHash }
  }

  private var computedVersionHash: Data {
    VersionHash.entity(
      self, properties: propertiesSoFar,
      superentityHash: superentity?.versionHash)
  }

  /// Whether ``versionHash`` is known to be Core Data's own.
  ///
  /// It isn't where no recorded hash shows how Core Data does it: an entity with both a uniqueness
  /// constraint and a version hash modifier, or with a composite attribute whose elements are composites,
  /// have modifiers, or are in another order without regard to case; and everything below such an entity. The hash then still tells versions apart, but may differ from Core Data's.
  public var versionHashIsReliable: Bool {
    let hasUnknownOrder = !uniquenessConstraints.isEmpty && versionHashModifier?.isEmpty == false
    let hasUnknownComposite = ownProperties.contains {
      !$0.isTransient && ($0 as? AttributeDescription)?.isCompositeWithUnknownHash == true
    }
    if hasUnknownOrder || hasUnknownComposite { return false }
    return superentity?.versionHashIsReliable ?? true
  }
}

extension AttributeDescription {
  /// Whether no recorded hash shows how a composite of such elements is hashed.
  fileprivate var isCompositeWithUnknownHash: Bool {
    let names = elements.map(\.name).sorted(by: VersionHash.precedes)
    return elements.isEmpty
      || elements.contains { $0.attributeType == .composite || $0.versionHashModifier != nil }
      || names != names.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
  }
}
