/// What a fetch from an SQLite store gives for the object of a case.
struct PredicateFetch {
  private let entry: PredicateCase

  init(_ entry: PredicateCase) { self.entry = entry }

  /// Puts the object into a store made for its shape, and fetches it.
  func result() -> PredicateFetchResult {
    do {
      let predicate = try entry.predicate().substituting(entry.variables)
      guard case .object(let keyed as KeyedValues) = entry.object else {
        return .refused("an object without keys can't be in a store")
      }
      return .result(.answer(try ScratchFolder.with { try fetch(predicate, keyed, in: $0) }))
    } catch let refusal as UnsupportedByStore {
      return .refused("\(refusal)")
    } catch {
      return .result(.failure("\(error)"))
    }
  }

  private func fetch(
    _ predicate: Predicate, _ object: KeyedValues, in folder: URL
  ) throws -> Bool {
    let model = try ShapeModel.model(for: object.values, asked: predicate)
    guard let entity = model.entity(named: ShapeModel.rootName) else { return false }
    let store = try SQLiteStore.create(at: folder.appending(path: "store.sqlite"), model: model)
    // The store is thrown away.
    defer { try? store.close() }
    try Self.save(object, as: entity, in: store)
    try StoreSupport(entity: entity).check(predicate)
    let request = FetchRequest<ManagedObject>(entityName: entity.name)
    request.predicate = predicate
    return try ExceptionTrap.catching {
      try ManagedObjectContext(readingFrom: store).count(for: request) > 0
    }
  }

  // MARK: Filling the store

  private static func save(
    _ object: KeyedValues, as entity: EntityDescription, in store: SQLiteStore
  ) throws {
    let context = try ManagedObjectContext(readingFrom: store)
    try ExceptionTrap.catching {
      _ = try insert(object, as: entity, into: context)
      try context.save()
    }
  }

  private static func insert(
    _ object: KeyedValues, as entity: EntityDescription, into context: ManagedObjectContext
  ) throws -> ManagedObject {
    let row = context.insertNewObject(for: entity)
    for (key, value) in object.values {
      switch entity.property(named: key) {
      case let relationship as RelationshipDescription:
        try link(row, value, by: relationship, into: context)
      case let attribute as AttributeDescription where attribute.attributeType == .transformable:
        row.setValue(value.boxed, forKey: key)
      case is AttributeDescription: try row.setTypedValue(value, forKey: key)
      default: break  // a key that is no name of a property
      }
    }
    return row
  }

  private static func link(
    _ row: ManagedObject, _ value: Value, by relationship: RelationshipDescription,
    into context: ManagedObjectContext
  ) throws {
    let elements =
      if case .collection(let collection) = value { collection.elements } else { [value] }
    let destinations = try elements.compactMap { element -> Value? in
      guard case .object(let object as KeyedValues) = element,
        let entity = relationship.destinationEntity
      else { return nil }
      return .object(try insert(object, as: entity, into: context))
    }
    let linked = relationship.isToMany
    try row.setTypedValue(
      linked ? .collection(ValueCollection(.set, destinations)) : destinations.first ?? .null,
      forKey: relationship.name)
  }
}

/// What came of a fetch.
enum PredicateFetchResult {
  case result(PredicateResult)
  /// The SQLite store of a device raises an exception with this text.
  case refused(String)

  /// Whether the store gives what evaluation in memory gives, or refuses to answer.
  func agrees(with other: PredicateResult) -> Bool {
    switch self {
    case .result(let own): own.agrees(with: other)
    case .refused: true
    }
  }

  /// The result as JSON has it.
  var json: any Encodable {
    switch self {
    case .result(let result): result.json
    case .refused: "refused"
    }
  }

  var message: String? {
    switch self {
    case .result(let result): result.message
    case .refused(let text): text
    }
  }
}
