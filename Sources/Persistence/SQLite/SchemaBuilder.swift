/// Works out where each property is kept.
/// Core Data: observed in 146 stores that it wrote.
struct SchemaBuilder {
  let configuration: StoreConfiguration
  /// The entities that have a place in the store.
  let entities: [EntityDescription]
  let numbers: EntityNumbers
  /// The tables and columns an existing store has; nil for a fresh one.
  let catalog: StoreCatalog?

  var tables: [StoreTable] = []
  var joins: [JoinTable] = []
  var constraints: [UniqueColumns] = []
  var storage: [ObjectIdentifier: PropertyStorage] = [:]
  /// The relationships without inverse of all entities, in the order of their columns: they are asked
  /// for with every table.
  lazy var relationshipsWithoutInverse:
    [(entity: EntityDescription, relationship: RelationshipDescription)] =
      inNumberOrder(entities).flatMap { entity in
        Self.inColumnOrder(entity.ownRelationships.filter(\.isStoredWithoutInverse)).map {
          (entity, $0)
        }
      }

  init(
    configuration: StoreConfiguration, numbers: EntityNumbers, catalog: StoreCatalog? = nil
  ) {
    self.configuration = configuration
    entities = configuration.tableEntities
    self.numbers = numbers
    self.catalog = catalog
  }

  mutating func build() throws {
    for entity in entities where entity.superentity == nil { try addTable(for: entity) }
    for entity in entities { addChildren(of: entity) }
    try addJoins()
    for entity in entities { addConstraints(of: entity) }
  }

  /// Whether the store has objects of an entity. A relationship that leads into another store is
  /// never set, so it needs no place.
  func holds(_ entity: EntityDescription) -> Bool { numbers[entity] > 0 }

  /// The entities in the order of their numbers, which is the order in which they claim names.
  func inNumberOrder(_ entities: [EntityDescription]) -> [EntityDescription] {
    entities.sorted { numbers[$0] < numbers[$1] }
  }

  /// Properties in the order in which Core Data takes their columns: by code points of their names.
  // Core Data: observed in 2,664 of 2,664 tables that were never altered.
  static func inColumnOrder<P: PropertyDescription>(_ properties: [P]) -> [P] {
    properties.sorted { VersionHash.precedes($0.name, $1.name) }
  }
}

// MARK: - Tables

extension SchemaBuilder {
  private mutating func addTable(for root: EntityDescription) throws {
    var draft = TableDraft(name: StoreNames.table(of: root), catalog: catalog)
    try draft.requireTable(for: root)
    for entity in inNumberOrder(root.selfAndDescendants).filter(holds) {
      try addAttributes(of: entity, to: &draft)
      try addToOnes(of: entity, to: &draft)
    }
    try addKeysWithoutInverse(for: root, to: &draft)
    let columns = draft.columns.enumerated().sorted {
      ($0.element.group.rawValue, $0.offset) < ($1.element.group.rawValue, $1.offset)
    }
    tables.append(StoreTable(root: root, name: draft.name, columns: columns.map(\.element)))
  }

  private mutating func addAttributes(
    of entity: EntityDescription, to draft: inout TableDraft
  ) throws {
    for attribute in Self.inColumnOrder(entity.ownAttributes) {
      try requireStorable(attribute)
      if attribute.attributeType == .composite, attribute.isStored {
        let columns = try composite(attribute, to: &draft)
        storage[ObjectIdentifier(attribute)] = .composite(columns)
        continue
      }
      guard let codec = ColumnCodec(attribute) else { continue }
      let name = try draft.claim(
        StoreNames.column(of: attribute), type: codec.declaredType, group: codec.group)
      storage[ObjectIdentifier(attribute)] = .attribute(column: name, codec)
    }
  }

  /// Elements claim columns in the place of their composite, by their own names: `ZCITY`.
  // Core Data: observed in 58 of 58 tables with composites; assumed for composites in composites.
  private mutating func composite(
    _ attribute: AttributeDescription, to draft: inout TableDraft
  ) throws -> CompositeColumns {
    var parts: [CompositeColumns.Part] = []
    for element in attribute.elements {
      if element.attributeType == .composite {
        let columns = try composite(element, to: &draft)
        storage[ObjectIdentifier(element)] = .composite(columns)
        parts.append(.composite(columns))
      } else if let codec = ColumnCodec(element: element) {
        try requireStorable(element)
        let column = try draft.claim(
          StoreNames.column(of: element), type: codec.declaredType, group: codec.group)
        storage[ObjectIdentifier(element)] = .attribute(column: column, codec)
        parts.append(.column(column, codec))
      } else {
        parts.append(.none)
      }
    }
    return CompositeColumns(attribute: attribute, parts: parts)
  }

  /// Stored object identifiers have no known column.
  private func requireStorable(_ attribute: AttributeDescription) throws {
    let type = attribute.attributeType
    guard attribute.isStored, type == .objectID else { return }
    throw CoreDataError.notStorable(attribute)
  }

  private mutating func addToOnes(
    of entity: EntityDescription, to draft: inout TableDraft
  ) throws {
    for relationship in Self.inColumnOrder(entity.ownRelationships)
    where !relationship.isToMany && !relationship.isTransient
      && holds(relationship.destinationEntity)
    {
      let predicted = draft.unique(StoreNames.column(of: relationship))
      let key = try draft.add(predicted, type: "INTEGER", group: .integers)
      var columns = ToOneColumns(key: key)
      let suffix = key.dropFirst()
      if !relationship.destinationEntity.subentities.isEmpty {
        let number = numbers[relationship.destinationEntity]
        columns.entity = try draft.add(
          "Z\(number)_\(suffix)", type: "INTEGER", group: .integers)
      }
      if let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered {
        columns.order = try draft.add("Z_FOK_\(suffix)", type: "INTEGER", group: .orderKeys)
      }
      storage[ObjectIdentifier(relationship)] = .toOne(columns)
    }
  }

  /// A to-many relationship without inverse has its key in the destination's table, under the
  /// owner's number.
  private mutating func addKeysWithoutInverse(
    for root: EntityDescription, to draft: inout TableDraft
  ) throws {
    for (entity, relationship) in relationshipsWithoutInverse
    where relationship.destinationEntity.rootEntity === root {
      let name = "\(numbers[entity])\(relationship.name.uppercased())"
      var key = ForeignKey(
        table: draft.name,
        column: try draft.add("Z\(name)", type: "INTEGER", group: .integers), hasNoInverse: true)
      if relationship.isOrdered {
        key.orderColumn = try draft.add("Z_FOK_\(name)", type: "INTEGER", group: .orderKeys)
      }
      storage[ObjectIdentifier(relationship)] = .children(key)
    }
  }

  /// One-to-many relationships live in the columns of their inverse.
  private mutating func addChildren(of entity: EntityDescription) {
    for relationship in entity.ownRelationships
    where relationship.isToMany && !relationship.isTransient {
      guard let inverse = relationship.inverseRelationship,
        case .toOne(let columns)? = storage[ObjectIdentifier(inverse)]
      else { continue }
      storage[ObjectIdentifier(relationship)] = .children(
        ForeignKey(
          table: StoreNames.table(of: inverse.entity), column: columns.key,
          orderColumn: relationship.isOrdered ? columns.order : nil, hasNoInverse: false))
    }
  }

  private mutating func addConstraints(of entity: EntityDescription) {
    for names in entity.uniquenessConstraints {
      guard let constraint = UniquenessConstraint(entity: entity, names: names) else { continue }
      let columns = constraint.properties.compactMap { storage[ObjectIdentifier($0)]?.column }
      assert(columns.count == names.count, "what can be unique is one column")
      constraints.append(
        UniqueColumns(entity: entity, properties: constraint.properties, columns: columns))
    }
  }
}

extension RelationshipDescription {
  fileprivate var isStoredWithoutInverse: Bool {
    isToMany && !isTransient && inverseRelationship == nil
  }
}

// MARK: - Join tables

extension SchemaBuilder {
  /// Adds the join tables. The side that is visited first owns the table of a pair: it names the table,
  /// and its keys come first.
  // Core Data: observed in 347 of 347 pairs of different entities. Of two relationships of one entity it
  // takes either.
  mutating func addJoins() throws {
    var seen: Set<ObjectIdentifier> = []
    var used: Set<String> = []
    for entity in inOrderOfVisits {
      for relationship in Self.inColumnOrder(entity.ownRelationships.filter(\.isManyToMany)) {
        guard let inverse = relationship.inverseRelationship, holds(inverse.entity),
          seen.insert(ObjectIdentifier(relationship)).inserted
        else { continue }
        seen.insert(ObjectIdentifier(inverse))
        try addJoin(relationship, second: inverse, used: &used)
      }
    }
  }

  /// All entities in one flat order of names, each right after its superentity.
  private var inOrderOfVisits: [EntityDescription] {
    var (order, visited) = ([EntityDescription](), Set<ObjectIdentifier>())
    func visit(_ entity: EntityDescription) {
      guard visited.insert(ObjectIdentifier(entity)).inserted else { return }
      if let superentity = entity.superentity { visit(superentity) }
      order.append(entity)
    }
    for entity in entities.sorted(by: { VersionHash.precedes($0.name, $1.name) }) { visit(entity) }
    return order
  }

  /// A join column holds the keys of one entity and is named after the relationship that leads there. A
  /// later claimant of a name, in whichever join table, gets a digit.
  private mutating func addJoin(
    _ first: RelationshipDescription, second: RelationshipDescription, used: inout Set<String>
  ) throws {
    let isReflexive = first === second
    let bases = [(first, second), (second, first)].map { side, other in
      "Z_\(numbers[side.entity])\(other.name.uppercased())"
    }
    let predicted = isReflexive ? [bases[0], "REFLEXIVE"] : bases.map { used.claim($0) }
    let table = try joinTableName(first, second)
    let firstColumn = try actual(predicted[0], in: table)
    let secondColumn = try actual(predicted[1], in: table)
    let firstOrder = try orderColumn(
      for: firstColumn, when: second.isOrdered && !isReflexive, in: table)
    let secondOrder = try orderColumn(for: secondColumn, when: first.isOrdered, in: table)
    storage[ObjectIdentifier(second)] = .join(
      JoinSide(
        table: table, ownColumn: secondColumn, destinationColumn: firstColumn,
        orderColumn: firstOrder, writesLinks: false, isReflexive: false))
    storage[ObjectIdentifier(first)] = .join(
      JoinSide(
        table: table, ownColumn: firstColumn, destinationColumn: secondColumn,
        orderColumn: secondOrder, writesLinks: true, isReflexive: isReflexive))
    joins.append(
      JoinTable(
        name: table, firstColumn: firstColumn, secondColumn: secondColumn,
        orderColumns: [firstOrder, secondOrder].compactMap { $0 }))
  }

  private func orderColumn(for column: String, when ordered: Bool, in table: String) throws
    -> String?
  {
    guard ordered else { return nil }
    let name = column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column
    return try actual("Z_FOK_\(name)", in: table)
  }

  private func joinTableName(
    _ first: RelationshipDescription, _ second: RelationshipDescription
  ) throws -> String {
    let names = [first, second].map { "Z_\(numbers[$0.entity])\($0.name.uppercased())" }
    guard let catalog else { return StoreNames.quoted(names[0]) }
    return try catalog.table(named: names)
  }

  private func actual(_ predicted: String, in table: String) throws -> String {
    guard let catalog else { return StoreNames.quoted(predicted) }
    return try catalog.column(like: predicted, in: table)
  }
}

extension RelationshipDescription {
  fileprivate var isManyToMany: Bool {
    isToMany && !isTransient && inverseRelationship?.isToMany == true
  }
}
