/// What changed from one version of a model to another, entity by entity and property by property.
///
/// Elements are paired as in a migration: by name and renaming identifier. A renaming without
/// identifier shows as a removal and an addition, which is what it does to the data.
public struct ModelDifference: Hashable, Sendable {
  /// The entities that differ, in the destination's store order; removed ones last.
  public let entities: [EntityDifference]

  init(entities: [EntityDifference]) { self.entities = entities }

  /// - Complexity: O(*n*) in the number of entities and properties.
  public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    let pairing = ElementPairing(from: source, to: destination)
    let kept = Set(pairing.sources.values.map(\.name))
    // By name, as a store compares them.
    func isNoticed(_ name: String) -> Bool {
      source.entity(named: name)?.versionHash != destination.entity(named: name)?.versionHash
    }
    let changed = destination.entities.compactMap {
      EntityDifference(
        from: pairing.source(of: $0), to: $0, changesVersionHash: isNoticed($0.name))
    }
    let removed = source.entities.filter { !kept.contains($0.name) }
      .map { EntityDifference(removed: $0, changesVersionHash: isNoticed($0.name)) }
    entities = changed + removed
  }

  /// Whether the models are equal but for their names, version identifiers, configurations and
  /// fetch request templates.
  public var isEmpty: Bool { entities.isEmpty }
}

/// What became of an element.
public enum ElementChange: Hashable, Sendable {
  case added
  case removed
  /// Still there, with another name or other features.
  case changed
}

/// What became of an entity.
public struct EntityDifference: Hashable, Sendable {
  public let change: ElementChange
  /// The name in the source; nil for an added entity.
  public let sourceName: String?
  /// The name in the destination; nil for a removed entity.
  public let destinationName: String?
  /// What differs about the entity itself.
  public let features: [FeatureDifference]
  /// The own properties that differ; all of them for an added or removed entity.
  public let properties: [PropertyDifference]
  /// Whether a store tells the two apart. False for an entity that differs in defaults, delete
  /// rules, indexes and the like: such a change needs no migration, and causes none.
  public let changesVersionHash: Bool
}

/// What became of a property that an entity declares.
public struct PropertyDifference: Hashable, Sendable {
  public let change: ElementChange
  public let sourceName: String?
  public let destinationName: String?
  /// What differs; for an added or removed property its features.
  public let features: [FeatureDifference]
}

/// One feature with two values; nil where the feature is absent.
public struct FeatureDifference: Hashable, Sendable {
  public let feature: ModelFeature
  public let source: String?
  public let destination: String?
}

// MARK: - Finding differences

extension EntityDifference {
  fileprivate init(removed entity: EntityDescription, changesVersionHash: Bool) {
    self.init(
      change: .removed, sourceName: entity.name, destinationName: nil,
      features: FeatureDifference.between(ModelFeature.values(of: entity), [:]),
      properties: entity.ownProperties.sorted { $0.name < $1.name }
        .map(PropertyDifference.init(removed:)),
      changesVersionHash: changesVersionHash)
  }

  /// nil when nothing differs.
  fileprivate init?(
    from source: EntityDescription?, to destination: EntityDescription, changesVersionHash: Bool
  ) {
    self.changesVersionHash = changesVersionHash
    change = source == nil ? .added : .changed
    sourceName = source?.name
    destinationName = destination.name
    features = FeatureDifference.between(
      source.map(ModelFeature.values) ?? [:], ModelFeature.values(of: destination))
    properties = Self.properties(
      from: source?.ownProperties ?? [], to: destination.ownProperties)
    let isSame =
      sourceName == destinationName && features.isEmpty && properties.isEmpty
      && !changesVersionHash
    if isSame { return nil }
  }

  private static func properties(
    from source: [PropertyDescription], to destination: [PropertyDescription]
  ) -> [PropertyDifference] {
    let (source, destination) = (
      source.sorted { $0.name < $1.name }, destination.sorted { $0.name < $1.name }
    )
    let pairing = ElementPairing(source: source, destination: destination)
    let kept = Set(pairing.sources.values.map(\.name))
    return destination.compactMap { PropertyDifference(from: pairing.source(of: $0), to: $0) }
      + source.filter { !kept.contains($0.name) }.map(PropertyDifference.init(removed:))
  }
}

extension PropertyDifference {
  fileprivate init(removed property: PropertyDescription) {
    change = .removed
    sourceName = property.name
    destinationName = nil
    features = FeatureDifference.between(ModelFeature.values(of: property), [:])
  }

  /// nil when nothing differs.
  fileprivate init?(from source: PropertyDescription?, to destination: PropertyDescription) {
    change = source == nil ? .added : .changed
    sourceName = source?.name
    destinationName = destination.name
    features = FeatureDifference.between(
      source.map(ModelFeature.values) ?? [:], ModelFeature.values(of: destination))
    if sourceName == destinationName, features.isEmpty { return nil }
  }
}

extension FeatureDifference {
  fileprivate static func between(
    _ source: [ModelFeature: String], _ destination: [ModelFeature: String]
  ) -> [FeatureDifference] {
    ModelFeature.allCases.compactMap { feature in
      let (old, new) = (source[feature], destination[feature])
      return old == new ? nil : FeatureDifference(feature: feature, source: old, destination: new)
    }
  }
}

// MARK: - Wording

extension ModelDifference: CustomStringConvertible {
  /// One line for each element that differs: `+` for added, `-` for removed, `~` for changed.
  public var description: String { entities.map(\.description).joined(separator: "\n") }
}

extension EntityDifference: CustomStringConvertible {
  public var description: String {
    let heading = elementLine(
      change, source: sourceName, destination: destinationName, features: features)
    return ([heading] + properties.map { "    " + $0.description }).joined(separator: "\n")
  }
}

extension PropertyDifference: CustomStringConvertible {
  public var description: String {
    elementLine(change, source: sourceName, destination: destinationName, features: features)
  }
}

extension FeatureDifference: CustomStringConvertible {
  public var description: String {
    "\(feature.rawValue): \(source ?? "none") -> \(destination ?? "none")"
  }
}

private func elementLine(
  _ change: ElementChange, source: String?, destination: String?,
  features: [FeatureDifference]
) -> String {
  switch change {
  case .added: return "+ \(destination ?? "")" + list(features.compactMap(\.destination))
  case .removed: return "- \(source ?? "")" + list(features.compactMap(\.source))
  case .changed:
    let renaming = source == destination ? "" : " (was \(source ?? ""))"
    return "~ \(destination ?? "")\(renaming)" + list(features.map(\.description))
  }
}

private func list(_ texts: [String]) -> String {
  texts.isEmpty ? "" : ": " + texts.joined(separator: ", ")
}

// MARK: - Stores

extension ModelDifference {
  /// Without what a store's own model doesn't have, or has in another form: class names, user info,
  /// requests, and what is for other frameworks.
  package var keptInStores: ModelDifference {
    ModelDifference(entities: entities.compactMap { $0.keeping { !Self.stripped.contains($0) } })
  }

  /// Only what changes version hashes.
  package var noticedByStores: ModelDifference {
    ModelDifference(
      entities: entities.compactMap {
        $0.keeping { $0 == .transient || VersionFeatures.hashed.contains($0) }
      })
  }

  /// Requests are in stores as trees, whose text may be another than in the model file.
  private static var stripped: Set<ModelFeature> {
    [.className, .userInfo, .spotlight, .externalRecord, .cloudEncryption, .fetchRequest]
  }
}

extension EntityDifference {
  /// nil when nothing is left.
  fileprivate func keeping(_ isKept: (ModelFeature) -> Bool) -> EntityDifference? {
    let kept = EntityDifference(
      change: change, sourceName: sourceName, destinationName: destinationName,
      features: features.filter { isKept($0.feature) },
      properties: properties.compactMap { $0.keeping(isKept) },
      changesVersionHash: changesVersionHash)
    let isEmpty =
      change == .changed && sourceName == destinationName && kept.features.isEmpty
      && kept.properties.isEmpty
    return isEmpty ? nil : kept
  }
}

extension PropertyDifference {
  /// nil when nothing is left.
  fileprivate func keeping(_ isKept: (ModelFeature) -> Bool) -> PropertyDifference? {
    let kept = PropertyDifference(
      change: change, sourceName: sourceName, destinationName: destinationName,
      features: features.filter { isKept($0.feature) })
    let isEmpty = change == .changed && sourceName == destinationName && kept.features.isEmpty
    return isEmpty ? nil : kept
  }
}
