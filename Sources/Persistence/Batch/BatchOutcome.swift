/// What a batch did.
struct BatchOutcome {
  /// The rows it was about; left empty where only their number is wanted.
  var ids: [ManagedObjectID] = []
  var count = 0

  init(_ ids: [ManagedObjectID] = []) {
    self.ids = ids
    count = ids.count
  }

  init(count: Int) { self.count = count }

  mutating func add(_ other: BatchOutcome) {
    ids += other.ids
    count += other.count
  }
}

/// The rows that a batch is about.
enum BatchSelection {
  case query(StoreQuery)
  case ids([ManagedObjectID])
}

/// One property that a batch update sets.
struct BatchAssignment {
  let property: PropertyDescription
  let expression: Expression

  init(key: Any, value: Any, of entity: EntityDescription) throws {
    let name = (key as? PropertyDescription)?.name ?? key as? String ?? "\(key)"
    guard let property = entity.property(named: name) else {
      throw CoreDataError.unknownKeyPath(name, of: entity)
    }
    self.property = property
    if let expression = value as? Expression {
      try expression.forEachKeyPath { try KeyPathCheck(entity: entity).check($0) }
      self.expression = expression
    } else {
      expression = .constant(try BatchValue.stored(value, for: property))
    }
  }

  func value(for object: StoredObject) throws -> Value {
    let value = try expression.value(for: .object(object), variables: [:])
    switch (property, value) {
    case (let attribute as AttributeDescription, _): return try Value(value, for: attribute)
    case (_, .object(let reference as any IdentifiedObject)): return .object(reference.identity)
    default: return value
    }
  }
}
