import Migration
import Testing

/// Compares what an inferred migration made with what `sqlite3` reads from its source: every row,
/// every attribute and every relationship.
struct InferredComparison {
  let recorded: RecordedStore
  let migrated: ManagedObjectContext
  let report: ChainReport
  private let model: ManagedObjectModel
  private let objects: [MigrationOrigins.ObjectKey: ManagedObject]
  /// What became of each row.
  private var becameByKey: [RecordedStore.Key: ManagedObject] = [:]
  /// What was compared, so that a test can tell that something was.
  private(set) var counts = Counts()

  struct Counts {
    var objects = 0
    var values = 0
    var links = 0
  }

  init(_ recorded: RecordedStore, _ store: PersistentStore, _ report: ChainReport) throws {
    self.recorded = recorded
    self.report = report
    model = store.model
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    migrated = ManagedObjectContext(coordinator: coordinator)
    var objects: [MigrationOrigins.ObjectKey: ManagedObject] = [:]
    for entity in model.entities where !entity.isAbstract {
      for object in try migrated.fetch(Self.request(entity)) {
        objects[.init(object.objectID)] = object
      }
    }
    self.objects = objects
  }

  private static func request(_ entity: EntityDescription) -> FetchRequest<ManagedObject> {
    let request = FetchRequest<ManagedObject>(entityName: entity.name)
    request.includesSubentities = false
    return request
  }

  mutating func compare() throws {
    let concrete = model.entities.filter { !$0.isAbstract }
    for entity in concrete { try pairRows(of: entity) }
    for entity in concrete { try compareRows(of: entity) }
  }
}

// MARK: - Rows

extension InferredComparison {
  /// Each row became one object, and there are no other objects.
  private mutating func pairRows(of entity: EntityDescription) throws {
    let source = InferredPairs.source(of: entity, in: recorded.model)
    let rows = source.map(recorded.objects) ?? []
    let count = objects.keys.count { $0.entity == entity.name }
    #expect(count == rows.count, "\(entity.name): number of objects")
    var found = Set<MigrationOrigins.ObjectKey>()
    for row in rows {
      let made = report.destinations(
        of: .init(entity: source?.name ?? "", primaryKey: row.primaryKey))
      try #require(made.count == 1, "\(entity.name) \(row.primaryKey) became \(made)")
      #expect(made[0].entity == entity.name)
      #expect(found.insert(made[0]).inserted, "\(made[0]) was made of two rows")
      let object = try #require(objects[made[0]], "\(made[0]) is missing")
      becameByKey[row] = object
    }
    counts.objects += rows.count
  }

  private mutating func compareRows(of entity: EntityDescription) throws {
    guard let source = InferredPairs.source(of: entity, in: recorded.model) else { return }
    for row in recorded.objects(of: source) {
      let object = try #require(becameByKey[row])
      for attribute in entity.attributes where attribute.isStored {
        try compare(attribute, of: object, with: row, in: source)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        try compare(relationship, of: object, with: row, in: source)
      }
    }
  }
}

// MARK: - Attributes

extension InferredComparison {
  private mutating func compare(
    _ attribute: AttributeDescription, of object: ManagedObject, with row: RecordedStore.Key,
    in source: EntityDescription
  ) throws {
    let original = InferredPairs.source(of: attribute, in: source) as? AttributeDescription
    var expected = try original.map { try recordedValue(of: $0, in: row) }
    // Numbers of one type become numbers of another.
    if let type = original?.attributeType, type != attribute.attributeType, type.isNumeric {
      expected = expected?.coerced(to: attribute.attributeType)
    }
    if expected?.isNull != false, expected == nil || !attribute.isOptional {
      expected = attribute.typedDefaultValue
    }
    #expect(
      object.attributeValue(at: attribute.slot) == expected,
      "\(attribute.entity.name).\(attribute.name) of \(row.table) \(row.primaryKey)")
    if original != nil { counts.values += 1 }
  }

  private func recordedValue(
    of attribute: AttributeDescription, in row: RecordedStore.Key
  ) throws -> Value {
    let literal = try recorded.literal(of: attribute, in: row)
    guard attribute.allowsExternalBinaryDataStorage else {
      return try literal.value(of: attribute.attributeType)
    }
    return literal.externalData.map { .data($0) } ?? .null
  }
}

// MARK: - Relationships

extension InferredComparison {
  private mutating func compare(
    _ relationship: RelationshipDescription, of object: ManagedObject, with row: RecordedStore.Key,
    in source: EntityDescription
  ) throws {
    guard
      let original = InferredPairs.source(of: relationship, in: source) as? RelationshipDescription
    else {
      try compareNew(relationship, of: object)
      return
    }
    let expected = try recorded.destinations(of: original, in: row)
      .compactMap { becameByKey[$0]?.objectID }
    let found =
      relationship.isToMany
      ? object.destinationIDs(of: relationship)
      : [object.destinationID(of: relationship)].compactMap { $0 }
    let place = "\(relationship.entity.name).\(relationship.name) of \(row.table) \(row.primaryKey)"
    if relationship.isOrdered && original.isOrdered {
      #expect(found == expected, "\(place)")
    } else {
      #expect(found.count == expected.count && Set(found) == Set(expected), "\(place)")
    }
    counts.links += expected.count
  }

  /// A relationship that is new has nothing to lead to, unless it is the new inverse of an old one.
  private func compareNew(_ relationship: RelationshipDescription, of object: ManagedObject) throws
  {
    let inverse = relationship.inverseRelationship
    let isInverseOfOld =
      inverse.flatMap { inverse in
        InferredPairs.source(of: inverse.entity, in: recorded.model).map {
          InferredPairs.source(of: inverse, in: $0) != nil
        }
      } ?? false
    if isInverseOfOld { return }
    let count =
      relationship.isToMany
      ? object.destinationIDs(of: relationship).count
      : object.destinationID(of: relationship) == nil ? 0 : 1
    #expect(count == 0, "\(relationship.entity.name).\(relationship.name) is new")
  }
}
