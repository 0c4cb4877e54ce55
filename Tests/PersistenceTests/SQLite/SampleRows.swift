import Persistence

extension StoreShape {
  /// Fills a fresh store of this shape with some rows, all relationships among them.
  func fill(_ store: PersistentStore) throws {
    var writing = StoreWriting(store)
    var byEntity: [String: [ManagedObjectID]] = [:]
    for entity in store.model.entities where !entity.isAbstract {
      for number in 1...4 {
        let values = Dictionary(
          uniqueKeysWithValues: entity.attributes.map { ($0.name, Self.value($0, number)) })
        byEntity[entity.name, default: []].append(try writing.insert(entity.name, values))
      }
    }
    try writing.save()
    for entity in store.model.entities {
      for relationship in entity.ownProperties.compactMap({ $0 as? RelationshipDescription }) {
        try Self.link(relationship, byEntity, store)
      }
    }
  }

  /// A value that differs from row to row and comes back from the store as it is.
  static func value(_ attribute: AttributeDescription, _ number: Int) -> Value {
    if attribute.isTransient { return .null }
    return switch attribute.attributeType {
    case .integer16, .integer32, .integer64: .integer(Int64(number * 100 - 150))
    case .boolean: .integer(Int64(number % 2))
    case .decimal: .decimal(Decimal(number) + Decimal(sign: .plus, exponent: -2, significand: 25))
    case .double, .float: .double(Double(number) + 0.5)
    case .string: .string("\(attribute.name) \(number) åß🙂'\"")
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1e6 + 0.25))
    case .binaryData: .data(Data(repeating: UInt8(number), count: number * 10))
    case .uuid:
      .uuid(UUID(uuid: (UInt8(number), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    case .uri: URL(string: "https://example.org/\(number)?q=%20a").map { .uri($0) } ?? .null
    case .transformable: .transformable(TransformableValue(archived: Data([1, 2, UInt8(number)])))
    case .undefined, .objectID, .composite: .null
    }
  }

  /// Links the first objects that can have a relationship with some that it can lead to.
  private static func link(
    _ relationship: RelationshipDescription, _ byEntity: [String: [ManagedObjectID]],
    _ store: PersistentStore
  ) throws {
    let owners = relationship.entity.selfAndDescendants.flatMap { byEntity[$0.name] ?? [] }
    let others = relationship.destinationEntity.selfAndDescendants
      .flatMap { byEntity[$0.name] ?? [] }
    guard let inverse = relationship.inverseRelationship else {
      return try linkOneWay(relationship, owners, others, store)
    }
    switch (relationship.isToMany, inverse.isToMany) {
    case (true, true): try linkManyToMany(relationship, inverse, owners, others, store)
    case (false, true): try linkToParent(relationship, inverse, owners, others[0], store)
    default: break
    }
  }

  private static func linkOneWay(
    _ relationship: RelationshipDescription, _ owners: [ManagedObjectID],
    _ others: [ManagedObjectID], _ store: PersistentStore
  ) throws {
    var writing = StoreWriting(store)
    guard let row = try store.row(for: owners[0]) else { return }
    if relationship.isToMany {
      let change = SaveRequest.ToManyChange(
        relationship: relationship, added: others, removed: [],
        ordered: relationship.isOrdered ? others.reversed() : nil)
      writing.update(row, toMany: [change])
    } else {
      writing.update(row, [relationship.name: .object(others[others.count - 1])])
    }
    try writing.save()
  }

  private static func linkManyToMany(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription,
    _ owners: [ManagedObjectID], _ others: [ManagedObjectID], _ store: PersistentStore
  ) throws {
    // Each pair is visited from both of its relationships.
    guard relationship.name < inverse.name else { return }
    let pairs = owners.enumerated().flatMap { index, owner in
      others.dropFirst(index).filter { $0.primaryKey != owner.primaryKey }.map { (owner, $0) }
    }
    for owner in owners {
      let added = pairs.filter { $0.0 === owner }.map(\.1)
      try add(Array(added.reversed()), to: owner, relationship, store)
    }
    for other in others {
      try add(pairs.filter { $0.1 === other }.map(\.0), to: other, inverse, store)
    }
  }

  private static func add(
    _ added: [ManagedObjectID], to id: ManagedObjectID, _ relationship: RelationshipDescription,
    _ store: PersistentStore
  ) throws {
    guard let row = try store.row(for: id) else { return }
    var writing = StoreWriting(store)
    writing.update(
      row,
      toMany: [
        SaveRequest.ToManyChange(
          relationship: relationship, added: added, removed: [],
          ordered: relationship.isOrdered ? added : nil)
      ])
    try writing.save()
  }

  private static func linkToParent(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription,
    _ children: [ManagedObjectID], _ parent: ManagedObjectID, _ store: PersistentStore
  ) throws {
    var writing = StoreWriting(store)
    for child in children where !child.isSameRow(as: parent) {
      guard let row = try store.row(for: child) else { continue }
      writing.update(row, [relationship.name: .object(parent)])
    }
    try writing.save()
    guard let row = try store.row(for: parent) else { return }
    writing.update(
      row,
      toMany: [
        SaveRequest.ToManyChange(
          relationship: inverse, added: children, removed: [],
          ordered: inverse.isOrdered ? children.reversed() : nil)
      ])
    try writing.save()
  }
}

extension ManagedObjectID {
  func isSameRow(as other: ManagedObjectID) -> Bool { isEqual(other) }
}
