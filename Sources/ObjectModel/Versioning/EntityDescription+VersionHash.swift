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
  /// It isn't where no recorded hash shows how Core Data does it: an entity of which something stored is of
  /// a kind that no hash is known of, or is named outside ASCII, and everything below such an entity. The hash then
  /// still tells versions apart, but may differ from Core Data's.
  public var versionHashIsReliable: Bool {
    [name, versionHashModifier].allSatisfy(isASCII)
      && ownProperties.allSatisfy { $0.isTransient || $0.versionHashIsReliable }
      && superentity?.versionHashIsReliable ?? true
  }
}

extension PropertyDescription {
  fileprivate var versionHashIsReliable: Bool {
    guard [name, versionHashModifier].allSatisfy(isASCII) else { return false }
    return switch self {
    case let attribute as AttributeDescription: attribute.isOfHashedKind
    case let relationship as RelationshipDescription:
      relationship.maxCount == (relationship.isToMany ? 0 : 1)
        && [relationship.destinationEntityName, relationship.inverseName].allSatisfy(isASCII)
    default: true
    }
  }
}

extension AttributeDescription {
  /// Whether hashes of attributes of this kind are known.
  fileprivate var isOfHashedKind: Bool {
    if let derivation = compiledDerivation {
      return isASCII(derivation)
        && derivation.wholeMatch(
          of: /now\(\)|[\w.]+|(canonical|uppercase|lowercase|count):\([\w.]+\)/)
          != nil
    }
    if allowsExternalBinaryDataStorage && preservesValueInHistoryOnDeletion { return false }
    return attributeType != .undefined
      && !(attributeType == .composite && isCompositeWithUnknownHash)
  }

  /// Whether no recorded hash shows how a composite of such elements is hashed.
  fileprivate var isCompositeWithUnknownHash: Bool {
    let names = elements.map(\.name).sorted(by: VersionHash.precedes)
    return elements.isEmpty
      || elements.contains { $0.attributeType == .composite || $0.versionHashModifier != nil }
      || names != names.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
  }

  /// The derivation as the model compiler writes it, which is what version hashes and compiled models have: an
  /// operator on a collection is a function of it.
  // Core Data: observed for `@count` in a public model and its compiled form; assumed for the other operators.
  package var compiledDerivation: String? {
    guard let text = derivationExpression?.filter({ !$0.isWhitespace }) else { return nil }
    guard let match = text.wholeMatch(of: /([\w.]+)\.@(count|sum|min|max|avg)/) else { return text }
    return "\(match.2 == "avg" ? "average" : match.2):(\(match.1))"
  }
}

private func isASCII(_ text: String?) -> Bool { text?.utf8.allSatisfy { $0 < 0x80 } ?? true }
