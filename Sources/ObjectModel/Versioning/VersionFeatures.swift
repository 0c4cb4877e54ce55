/// Everything about an entity that its version hash is made of, in words.
///
/// Two entities with equal features have equal version hashes, and the other way round. That lets
/// versions be told apart where a hash can't be computed or compared.
struct VersionFeatures: Hashable {
  /// The entity's own features, the parent's name among them.
  let entity: [ModelFeature: String]
  /// The features of own properties that a store keeps.
  let properties: [String: [ModelFeature: String]]

  /// The features that take part in a version hash.
  static let hashed: Set<ModelFeature> = [
    .kind, .parent, .type, .destination, .inverse, .ordered, .optional, .minimumCount,
    .maximumCount, .abstract, .derivation, .externalStorage, .preservedAfterDeletion,
    .uniquenessConstraints, .versionHashModifier, .compositeElements,
  ]

  init(of entity: EntityDescription) {
    var own = Self.hashed(ModelFeature.values(of: entity))
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }.sorted()
    own[.uniquenessConstraints] = constraints.isEmpty ? nil : constraints.joined(separator: ", ")
    self.entity = own
    let stored = entity.ownProperties.filter {
      !$0.isTransient && !($0 is FetchedPropertyDescription)
    }
    properties = Dictionary(
      stored.map { ($0.name, Self.features(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Of a derived attribute only the expression counts.
  private static func features(of property: PropertyDescription) -> [ModelFeature: String] {
    let features = hashed(ModelFeature.values(of: property))
    guard let derivation = features[.derivation] else { return features }
    return [.kind: features[.kind] ?? "", .derivation: derivation]
  }

  private static func hashed(_ features: [ModelFeature: String]) -> [ModelFeature: String] {
    features.filter { hashed.contains($0.key) && !$0.value.isEmpty }
  }
}

extension ManagedObjectModel {
  /// The entities that a store would tell apart in another model, judged feature by feature instead
  /// of by hash; sorted. A change of a superentity is one of all its subentities.
  package func entitiesWithOtherFeatures(than other: ManagedObjectModel) -> [String] {
    let names = Set(entitiesByName.keys).union(other.entitiesByName.keys)
    return names.filter { name in
      guard let own = entity(named: name), let theirs = other.entity(named: name) else {
        return true
      }
      return own.lineOfFeatures != theirs.lineOfFeatures
    }.sorted()
  }
}

extension EntityDescription {
  /// The features of the entity and all its superentities, the root's last.
  fileprivate var lineOfFeatures: [VersionFeatures] {
    var line: [VersionFeatures] = []
    var next: EntityDescription? = self
    while let entity = next {
      line.append(VersionFeatures(of: entity))
      next = entity.superentity
    }
    return line
  }
}
