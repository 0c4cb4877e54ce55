import Migration

/// Compares the logical content of two stores: their objects, whatever rows they are in.
///
/// Each store is read once for a few numbers per row; only rows that differ are read again. The
/// models may be of different versions: what both have is compared.
/// - Complexity: O(*n* log *n*) in rows; memory is some 50 bytes per row, whatever the rows hold.
package struct StoreComparison {
  /// What is compared, and how much of the result is wanted.
  package struct Options: Sendable {
    package var rules = IdentityRules()
    /// Entities and properties to leave out, as `Entity` or `Entity.property`.
    package var ignored: [String] = []
    /// Most objects listed for each entity, of those that changed and of those that only one store
    /// has; all are counted.
    package var listed = Options.defaultListed

    package static let defaultListed = 20

    package init() {}
  }

  private let stores: Both<PersistentStore>
  private let options: Options
  private let choice: IdentityChoice
  let matching: ObjectMatching
  private let labels: Both<ObjectLabels>

  /// Reads both stores and finds out which objects belong together.
  /// - Throws: ``Diagnostics`` about rules and names that don't fit the models; `CoreDataError` for a
  ///   store that can't be read.
  package init(_ a: PersistentStore, _ b: PersistentStore, options: Options = Options()) throws {
    stores = Both(a, b)
    self.options = options
    let ignored = IgnoredElements(options.ignored)
    try ignored.check(against: stores.map(\.model))
    let pairing = ModelPairing(a.model, b.model, ignoring: ignored)
    let choice = try IdentityChoice(pairing, stores, rules: options.rules)
    self.choice = choice
    matching = try ObjectMatching(choice, stores.map(\.model))
    labels = choice.identities.map { ObjectLabels(identity: $0, pairing: pairing) }
  }

  private var pairing: ModelPairing { choice.pairing }

  /// Compares the objects that belong together.
  /// - Throws: `CoreDataError` for a store that can't be read.
  func run(into result: inout StoreDifferences) throws {
    for pair in pairing.pairs where pair.isConcrete {
      var entity = summary(of: pair)
      try compareObjects(of: pair, &entity, &result.objects)
      result.entities.append(entity)
    }
    for side in StoreSide.allCases {
      result.unpairedEntities[side] = try pairing.unpaired[side].map { entity in
        .init(name: entity.name, count: try Self.count(of: entity, in: stores[side]))
      }
    }
  }

  /// Whether what a finding is about is compared at all.
  func compares(_ finding: IntegrityFinding, in side: StoreSide) -> Bool {
    guard let owner = finding.entity.flatMap(stores[side].model.entity(named:)) else { return true }
    let name = String((finding.property ?? "").prefix { $0 != "." })
    return pairing.pairs.contains { pair in
      pair.entity[side].isKindOf(entity: owner)
        && (name.isEmpty || pair.attribute(named: name) != nil
          || pair.relationship(named: name) != nil)
    }
  }

  private static func count(of entity: EntityDescription, in store: PersistentStore) throws -> Int {
    guard store.configuration.contains(entity) else { return 0 }
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    return try store.count(of: query)
  }

  private func summary(of pair: EntityPair) -> StoreDifferences.Entity {
    let rows = choice.rows[pair.index]
    let partners = matching.partners[pair.index]
    let basis = choice.basis(of: pair)
    func unpaired(_ side: StoreSide) -> [StoreDifferences.UnpairedProperty] {
      zip(pair.unpaired[side], rows[side].unpairedValues).map { property, count in
        let isToMany = (property as? RelationshipDescription)?.isToMany == true
        return .init(
          declaredBy: property.entity.name, name: property.name, valueCount: isToMany ? nil : count)
      }
        + pair.relationships.map(\.relationship)
        .filter { $0[side].isOrdered && !$0[side.other].isOrdered }.map {
          .init(
            declaredBy: $0[side].entity.name, name: "\($0[side].name) in an order", valueCount: nil)
        }
    }
    return StoreDifferences.Entity(
      names: pair.entity.map(\.name), identity: basis?.text ?? "",
      identityOrigin: basis?.origin.rawValue ?? "", counts: rows.map(\.count),
      only: partners.map { $0.count { $0 < 0 } }, guessed: matching.guessed[pair.index],
      unpaired: Both(unpaired(.a), unpaired(.b)))
  }

  // MARK: Objects

  private func compareObjects(
    of pair: EntityPair, _ entity: inout StoreDifferences.Entity,
    _ listed: inout [ObjectDifference]
  ) throws {
    var left = options.listed
    let comparer = ObjectComparer(pair, in: stores, matching: matching, labels: labels)
    for (place, partner) in matching.partners[pair.index].a.enumerated() where partner >= 0 {
      let places = Both(place, Int(partner))
      let changes = try comparer.changes(at: places)
      if changes.isEmpty { continue }
      entity.changed += 1
      for name in changes.names { entity.changedProperties[name, default: 0] += 1 }
      if left > 0 { listed.append(try comparer.difference(changes, at: places)) }
      left -= 1
    }
    for side in StoreSide.allCases where entity.only[side] > 0 {
      left = options.listed
      for (place, partner) in matching.partners[pair.index][side].enumerated()
      where partner < 0 && left > 0 {
        listed.append(try comparer.difference(onlyIn: side, at: place))
        left -= 1
      }
    }
  }
}
