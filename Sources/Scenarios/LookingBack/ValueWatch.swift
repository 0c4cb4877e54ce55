/// Watches what a key path leads to from one object: where did it get the values that it has in the
/// end?
///
/// For a path over relationships that is either the hook that linked the objects, or the one that gave
/// one of them its value, whichever is at fault by what was expected.
final class ValueWatch: HookWatch {
  private let origins: [Int]
  private let entity: String
  private let relationships: [String]
  /// The attribute at the end; nil for a path that ends with objects or their number.
  private let attribute: String?
  private let expected: [String]
  private var object: ManagedObject?
  private var reached: [ManagedObject]?
  private var value: Value?
  private var place: Failure.Origin?
  private var ends: InsertedLog<Value>?

  /// - Parameters:
  ///   - origins: The objects of the seed that the object came from.
  ///   - entity: What the object is in the end.
  ///   - expected: The values that were expected, as reports show them.
  init?(origins: [Int], entity: EntityDescription, keyPath: [String], expected: [String]) {
    self.origins = origins
    self.entity = entity.name
    self.expected = expected
    var current = entity
    var names: [String] = []
    for key in keyPath {
      guard let relationship = current.relationship(named: key) else { break }
      names.append(key)
      current = relationship.destinationEntity
    }
    relationships = names
    let rest = keyPath.dropFirst(names.count)
    attribute = rest.first.flatMap { current.attribute(named: $0)?.name }
    if attribute == nil, !(rest.isEmpty || rest == ["@count"]) { return nil }
    if let attribute, !names.isEmpty {
      ends = InsertedLog(of: current.name) { try $0.typedValue(forKey: attribute) }
    }
  }

  func look(_ hook: SeenHook) {
    ends?.look(hook)
    if object == nil, hook.origins.contains(where: origins.contains) {
      object = hook.made.first { $0.entity.name == entity }
    }
    guard let object else { return }
    let now = relationships.reduce([object]) { objects, name in
      objects.flatMap { object in
        object.entity.relationship(named: name).map { object.members(of: $0) } ?? []
      }
    }
    let isSame = reached.map { Set($0) == Set(now) && $0.count == now.count } ?? false
    let value = relationships.isEmpty ? ownValue(of: object) : nil
    if isSame, self.value == value { return }
    (reached, self.value, place) = (now, value, hook.origin)
  }

  private func ownValue(of object: ManagedObject) -> Value? {
    attribute.flatMap { object.entity.attribute(named: $0) }.map {
      object.attributeValue(at: $0.slot)
    }
  }

  var finding: Failure.Origin? { placeOfWrongValue ?? place }

  /// The hook that gave one of the reached objects a value that nobody expected; nil where the
  /// expected one is another object's, so that the link is at fault.
  private var placeOfWrongValue: Failure.Origin? {
    guard let ends, !ends.isOverfull, let reached, let attribute else { return nil }
    func text(_ object: ManagedObject) -> String? {
      object.entity.attribute(named: attribute).map {
        object.attributeValue(at: $0.slot).shown(as: $0)
      }
    }
    let missing = Set(expected).subtracting(reached.compactMap(text))
    if missing.isEmpty
      || ends.records.contains(where: { text($0.object).map(missing.contains) ?? false })
    {
      return nil
    }
    let wrong = reached.first { text($0).map { !expected.contains($0) } ?? false }
    return wrong.flatMap { ends.record(of: $0)?.place }
  }
}
