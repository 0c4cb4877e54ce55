/// The values that objects of an entity begin with, made once for each entity.
struct InitialValues {
  private var known: [ObjectIdentifier: ContiguousArray<Value>] = [:]
  /// Those that were asked for last, which are mostly the ones that are asked for next.
  private var last: (entity: ObjectIdentifier?, values: ContiguousArray<Value>) = (nil, [])

  /// The default values of an entity's attributes, by slot.
  subscript(entity: EntityDescription) -> ContiguousArray<Value> {
    mutating get {
      let id = ObjectIdentifier(entity)
      if last.entity == id { return last.values }
      let values = known[id] ?? Self.values(of: entity)
      known[id] = values
      last = (id, values)
      return values
    }
  }

  static func values(of entity: EntityDescription) -> ContiguousArray<Value> {
    var values = ContiguousArray<Value>(repeating: .null, count: entity.slotCount)
    for attribute in entity.attributes { values[attribute.slot] = attribute.typedDefaultValue }
    return values
  }
}
