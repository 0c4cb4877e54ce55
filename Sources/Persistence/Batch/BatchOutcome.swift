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

/// One property that a batch update sets, or one element of a composite attribute.
struct BatchAssignment {
  let property: PropertyDescription
  let expression: Expression
  /// The property of the entity: the composite that an element is in.
  private let whole: PropertyDescription
  /// The way from there to the element; empty for a property that is set as a whole.
  private let keys: ArraySlice<String>

  init(key: Any, value: Any, of entity: EntityDescription) throws {
    let name = (key as? PropertyDescription)?.dottedName ?? key as? String ?? "\(key)"
    let path = name.components(separatedBy: ".")
    guard let whole = entity.property(named: path[0]), let property = entity.property(at: path),
      path.count == 1 || whole is AttributeDescription
    else { throw CoreDataError.unknownKeyPath(name, of: entity) }
    self.property = property
    self.whole = whole
    keys = path.dropFirst()
    if let expression = value as? Expression {
      try expression.forEachKeyPath { try KeyPathCheck(entity: entity).check($0) }
      self.expression = expression
    } else {
      expression = .constant(try BatchValue.stored(value, for: property))
    }
  }

  /// By property, and what is set as a whole before its elements.
  static func precedes(_ a: BatchAssignment, _ b: BatchAssignment) -> Bool {
    (a.whole.slot, a.keys.count) < (b.whole.slot, b.keys.count)
  }

  /// Whether setting this sets (also) `other`, or a part of it.
  func concerns(_ other: PropertyDescription) -> Bool {
    property === other || property.isPart(of: other) || other.isPart(of: property)
  }

  /// Sets the property in the values of `object`, which expressions see as it was.
  func assign(in values: inout ContiguousArray<Value>, for object: StoredObject) throws {
    let value = try value(for: object)
    guard !keys.isEmpty, let composite = whole as? AttributeDescription else {
      values[whole.slot] = value
      return
    }
    values[whole.slot] = try composite.setting(value, at: keys, in: values[whole.slot])
  }

  private func value(for object: StoredObject) throws -> Value {
    let value = try expression.value(inStore: object)
    switch (property, value) {
    case (let attribute as AttributeDescription, _): return try attribute.fitting(value)
    case (_, .object(let reference as any IdentifiedObject)): return .object(reference.identity)
    default: return value
    }
  }
}

extension PropertyDescription {
  /// Whether it is an element of a composite attribute, or of one in it.
  fileprivate func isPart(of whole: PropertyDescription) -> Bool {
    var outer = (self as? AttributeDescription)?.composite
    while let attribute = outer {
      if attribute === whole { return true }
      outer = attribute.composite
    }
    return false
  }
}
