/// Which of several models a store was written with.
///
/// By the version hashes in its metadata; where some of them can't be computed, or the metadata has
/// none, by the store's own model, feature by feature.
public struct ModelIdentification: Sendable {
  /// How a version was recognized.
  public enum Evidence: String, Hashable, Sendable {
    /// All version hashes are equal.
    case hashes = "hashes"
    /// The store's own model is equal in all that version hashes are made of.
    case modelCache = "model-cache"
    /// All version hashes that can be computed are equal, and the store has no model of its own
    /// that would tell about the others.
    case someHashes = "some-hashes"
  }

  /// A model that fits the store.
  public struct Match: Sendable {
    public let model: ManagedObjectModel
    /// The configuration that fits; nil when the whole model does.
    public let configuration: String?
    public let evidence: Evidence
    /// What the store's own model has otherwise, apart from what a store can't tell and what is
    /// never in a store; nil when the store has no model of its own.
    public let differences: ModelDifference?
    /// Whether the store carries the model's version identifiers. A hint only.
    public let hasEqualIdentifiers: Bool
  }

  /// The model that comes nearest to a store that none fits.
  public struct Nearest: Sendable {
    public let model: ManagedObjectModel
    /// The entities whose version hashes differ, sorted.
    public let changed: [String]
    public let onlyInStore: [String]
    public let onlyInModel: [String]
    /// From the store's own model to this one; nil when the store has none.
    public let differences: ModelDifference?

    /// All entities that differ.
    package var entities: [String] { (changed + onlyInStore + onlyInModel).sorted() }
    public var count: Int { changed.count + onlyInStore.count + onlyInModel.count }
  }

  /// The models that fit, in the order they were given. Several are equal to Core Data.
  public private(set) var matches: [Match] = []
  /// Set when no model fits, but one has an entity of a name that the store has too.
  public private(set) var nearest: Nearest?

  /// - Parameters:
  ///   - metadata: The store's metadata.
  ///   - cached: The model the store keeps of itself, if it can be read.
  ///   - models: All that come into question.
  public init(
    ofStoreWith metadata: [String: Any], cachedModel cached: ManagedObjectModel?,
    among models: [ManagedObjectModel]
  ) {
    let store = IdentifiedStore(
      hashes: metadata["NSStoreModelVersionHashes"] as? [String: Data], cached: cached,
      identifiers: metadata["NSStoreModelVersionIdentifiers"] as? [String])
    let byHash = models.compactMap { store.matchByHashes($0) }
    matches = byHash.isEmpty ? models.compactMap { store.matchOtherwise($0) } : byHash
    if matches.isEmpty { nearest = store.nearest(among: models) }
  }

  /// The one model that fits, or of several that are equal to Core Data the one that says most
  /// about the store: whose other features, else whose identifiers are the store's.
  public var best: Match? {
    let alike = matches.filter { $0.differences?.isEmpty == true }
    let candidates = alike.isEmpty ? matches : alike
    return candidates.first { $0.hasEqualIdentifiers } ?? candidates.first
  }
}

// MARK: - Comparing

private struct IdentifiedStore {
  let hashes: [String: Data]?
  let cached: ManagedObjectModel?
  let identifiers: [String]?

  /// The whole model, else its first configuration that fits.
  func matchByHashes(_ model: ManagedObjectModel) -> ModelIdentification.Match? {
    guard let hashes, !hashes.isEmpty else { return nil }
    let names = [nil] + model.configurations.keys.sorted().map(Optional.some)
    for name in names {
      let entities = model.entities(forConfigurationName: name) ?? []
      if entities.count == hashes.count,
        entities.allSatisfy({ hashes[$0.name] == $0.versionHash })
      {
        return match(model, .hashes, configuration: name)
      }
    }
    return nil
  }

  /// By the features of the store's own model, or by the hashes that can be computed.
  func matchOtherwise(_ model: ManagedObjectModel) -> ModelIdentification.Match? {
    if let hashes {
      let isPossible =
        !model.versionHashesAreReliable && Set(hashes.keys) == Set(model.entitiesByName.keys)
        && model.entities.allSatisfy {
          !$0.versionHashIsReliable || hashes[$0.name] == $0.versionHash
        }
      guard isPossible else { return nil }
    }
    guard let cached else { return hashes == nil ? nil : match(model, .someHashes) }
    guard cached.entitiesWithOtherFeatures(than: model).isEmpty else { return nil }
    return match(model, .modelCache)
  }

  private func match(
    _ model: ManagedObjectModel, _ evidence: ModelIdentification.Evidence,
    configuration: String? = nil
  ) -> ModelIdentification.Match {
    let difference = cached.map { ModelDifference(from: $0, to: model).keptInStores }
    return ModelIdentification.Match(
      model: model, configuration: configuration, evidence: evidence, differences: difference,
      hasEqualIdentifiers: identifiers == model.versionIdentifiers)
  }

  /// The fewest entities that differ, then the fewest features; of equally near ones the last,
  /// since the latest version is the likeliest to have been edited.
  func nearest(among models: [ManagedObjectModel]) -> ModelIdentification.Nearest? {
    if hashes == nil, cached == nil { return nil }
    let all = models.filter(hasEntity(inCommonWith:))
      .map { (model: $0, count: entitiesThatDiffer($0).count) }
    guard let fewest = all.map(\.count).min() else { return nil }
    let candidates = all.filter { $0.count == fewest }.map { nearest($0.model) }
    let least = candidates.map(\.featureCount).min()
    return candidates.last { $0.featureCount == least }
  }

  /// Another app's model is near to nothing.
  private func hasEntity(inCommonWith model: ManagedObjectModel) -> Bool {
    let names = hashes.map { Array($0.keys) } ?? cached?.entities.map(\.name) ?? []
    return names.contains { model.entity(named: $0) != nil }
  }

  private func entitiesThatDiffer(_ model: ManagedObjectModel) -> [String] {
    guard let hashes else { return cached?.entitiesWithOtherFeatures(than: model) ?? [] }
    let own = model.entityVersionHashesByName
    return Set(own.keys).union(hashes.keys).filter { own[$0] != hashes[$0] }.sorted()
  }

  private func nearest(_ model: ManagedObjectModel) -> ModelIdentification.Nearest {
    let stored = Set(
      (hashes.map { Array($0.keys) } ?? cached.map { Array($0.entitiesByName.keys) }) ?? [])
    let names = entitiesThatDiffer(model)
    return ModelIdentification.Nearest(
      model: model,
      changed: names.filter { stored.contains($0) && model.entity(named: $0) != nil },
      onlyInStore: names.filter { model.entity(named: $0) == nil },
      onlyInModel: names.filter { !stored.contains($0) },
      differences: cached.map { ModelDifference(from: $0, to: model).noticedByStores })
  }
}

extension ModelIdentification.Nearest {
  fileprivate var featureCount: Int {
    differences?.entities.reduce(0) { sum, entity in
      sum + 1 + entity.features.count
        + entity.properties.reduce(0) { $0 + max(1, $1.features.count) }
    } ?? 0
  }
}
