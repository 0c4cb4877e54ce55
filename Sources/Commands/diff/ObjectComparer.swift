import Migration

/// Compares objects of one entity with their counterparts.
struct ObjectComparer {
  private let pair: EntityPair
  private let stores: Both<PersistentStore>
  private let matching: ObjectMatching
  private let labels: Both<ObjectLabels>
  private let rows: Both<ComparedRows>
  /// The relationships that are looked at here, with their places in the pair.
  private let toOnes: [(place: Int, pair: RelationshipPair)]
  private let toManys: [(pair: RelationshipPair, telling: LinkTelling)]

  /// So many members are named.
  private static let mostMembers = 10

  init(
    _ pair: EntityPair, in stores: Both<PersistentStore>, matching: ObjectMatching,
    labels: Both<ObjectLabels>
  ) {
    self.pair = pair
    self.stores = stores
    self.matching = matching
    self.labels = labels
    rows = matching.rows[pair.index]
    let told = pair.relationships.enumerated().map {
      (place: $0.offset, pair: $0.element, telling: LinkTelling($0.element, in: matching.pairing))
    }
    toOnes = told.filter { $0.telling == .toOne }.map { ($0.place, $0.pair) }
    toManys = told.filter { $0.telling != .toOne && $0.telling != .nothing }
      .map { ($0.pair, $0.telling) }
  }

  /// What differs between an object and its counterpart.
  struct Changes {
    var attributes: [AttributeDifference] = []
    /// Places among the pair's relationships.
    var toOnes: [(place: Int, pair: RelationshipPair)] = []
    var toManys: [(pair: RelationshipPair, difference: MemberDifference)] = []

    var isEmpty: Bool { attributes.isEmpty && toOnes.isEmpty && toManys.isEmpty }
    var names: [String] {
      attributes.map(\.name) + toOnes.map(\.pair.name) + toManys.map(\.pair.name)
    }
  }

  func changes(at places: Both<Int>) throws -> Changes {
    var changes = Changes()
    if rows.a.content[places.a] != rows.b.content[places.b] {
      changes.attributes = try attributeChanges(at: places)
    }
    for (place, relationship) in toOnes
    where matching.number(of: rows.a.toOnes[place][places.a], .a)
      != matching.number(of: rows.b.toOnes[place][places.b], .b)
    {
      changes.toOnes.append((place, relationship))
    }
    for (relationship, telling) in toManys {
      let ids = Both(
        try members(of: relationship, .a, places.a), try members(of: relationship, .b, places.b))
      let difference = MemberDifference(
        ids, matching, telling: telling, isOrdered: relationship.isOrdered)
      if !difference.isEmpty { changes.toManys.append((relationship, difference)) }
    }
    return changes
  }

  // MARK: Reading

  private func id(_ side: StoreSide, _ place: Int) -> ManagedObjectID {
    ManagedObjectID(
      entity: pair.entity[side], primaryKey: rows[side].keys[place], store: stores[side])
  }

  private func row(_ side: StoreSide, _ place: Int) throws -> StoreRow {
    let id = id(side, place)
    if let row = try stores[side].row(for: id) { return row }
    throw CoreDataError(
      .persistentStoreIncompatibleSchema, "A row disappeared during the comparison",
      advice: "compare stores that aren't being written to"
    ).at(entity: id.entity.name, object: id.description, file: stores[side].url?.path)
  }

  private func attributeChanges(at places: Both<Int>) throws -> [AttributeDifference] {
    let found = Both(try row(.a, places.a), try row(.b, places.b))
    return pair.attributes.compactMap { attribute in
      if attribute.value(in: found.a, .a) == attribute.value(in: found.b, .b) { return nil }
      return AttributeDifference(
        name: attribute.name,
        values: Both(
          found.a.values[attribute.attribute.a.slot], found.b.values[attribute.attribute.b.slot]),
        attributes: attribute.attribute)
    }
  }

  /// The destinations of a relationship that is to-many in one of the stores at least.
  private func members(
    of pair: RelationshipPair, _ side: StoreSide, _ place: Int
  ) throws -> [ManagedObjectID] {
    let relationship = pair.relationship[side]
    let id = id(side, place)
    if relationship.isToMany { return try stores[side].destinations(of: relationship, from: id) }
    guard case .object(let object) = try row(side, place).values[relationship.slot],
      let destination = object as? ManagedObjectID
    else { return [] }
    return [destination]
  }
}

// MARK: - Telling

extension ObjectComparer {
  func difference(_ changes: Changes, at places: Both<Int>) throws -> ObjectDifference {
    let toOnes = try changes.toOnes.map { place, relationship in
      RelationshipDifference(
        name: relationship.name,
        changes: [
          .destination(
            Both(
              try label(of: rows.a.toOnes[place][places.a], relationship, .a),
              try label(of: rows.b.toOnes[place][places.b], relationship, .b)))
        ])
    }
    let toManys = try changes.toManys.map {
      RelationshipDifference(name: $0.pair.name, changes: try told($0.difference))
    }
    return ObjectDifference(
      kind: .changed, entity: pair.name, object: try labels.a.label(of: row(.a, places.a)),
      uris: Both(id(.a, places.a).description, id(.b, places.b).description),
      attributes: changes.attributes, relationships: toOnes + toManys)
  }

  func difference(onlyIn side: StoreSide, at place: Int) throws -> ObjectDifference {
    var uris = Both<String?>(nil, nil)
    uris[side] = id(side, place).description
    return ObjectDifference(
      kind: side == .a ? .onlyInA : .onlyInB, entity: pair.name,
      object: try labels[side].label(of: row(side, place)), uris: uris, attributes: [],
      relationships: [])
  }

  private func label(
    of end: LinkEnd, _ relationship: RelationshipPair, _ side: StoreSide
  ) throws -> String? {
    guard end.entity >= 0 else { return nil }
    let entity = stores[side].model.entities[Int(end.entity)]
    return try labels[side].label(
      of: ManagedObjectID(entity: entity, primaryKey: end.key, store: stores[side]))
  }

  private func told(_ difference: MemberDifference) throws -> [RelationshipDifference.Change] {
    var changes: [RelationshipDifference.Change] = []
    if !difference.only.a.isEmpty || !difference.only.b.isEmpty {
      let named = Both(
        try difference.only.a.prefix(Self.mostMembers).map(labels.a.label(of:)),
        try difference.only.b.prefix(Self.mostMembers).map(labels.b.label(of:)))
      let more = difference.only.map { max(0, $0.count - Self.mostMembers) }
      changes.append(.members(named, more: more))
    }
    if !difference.moved.isEmpty {
      let moved = try difference.moved.prefix(Self.mostMembers).map {
        RelationshipDifference.Moved(object: try labels.a.label(of: $0.id), places: $0.places)
      }
      changes.append(.order(moved, more: max(0, difference.moved.count - Self.mostMembers)))
    }
    return changes
  }
}
