/// What has to be known of an entity to spill its objects.
struct SpilledEntity {
  let entity: EntityDescription
  /// The slots of attributes whose values a column may hold otherwise than they were set.
  private let inexactSlots: [Int]
  /// What attributes without a column start with whenever an object comes from a row.
  private let valuesWithoutColumn: [(slot: Int, value: Value)]
  let toMany: [RelationshipDescription]
  /// By slot, whether its objects alone write the links of a relationship.
  private let writesLinks: ContiguousArray<Bool>
  /// Whether an object can be invalid.
  let hasRules: Bool
  /// What an object must have to be valid; nil where that isn't all.
  let required: [PropertyDescription]?

  init(_ entity: EntityDescription, in store: any SpillingStore) {
    self.entity = entity
    inexactSlots = entity.attributes.filter { $0.isStored && !$0.attributeType.isExactInColumn }
      .map(\.slot)
    valuesWithoutColumn = entity.attributes.filter { !$0.isStored }
      .map { ($0.slot, $0.typedDefaultValue) }
    toMany = entity.relationships.filter(\.isToMany)
    var writesLinks = ContiguousArray(repeating: false, count: entity.slotCount)
    for relationship in toMany where store.writesLinks(of: relationship) {
      writesLinks[relationship.slot] = true
    }
    self.writesLinks = writesLinks
    hasRules =
      entity.attributes.contains(where: AttributeValidation.hasRules)
      || entity.relationships.contains(where: \.hasRules)
    let hasOtherRules =
      entity.attributes.contains(where: AttributeValidation.hasRulesForValues)
      || toMany.contains(where: \.hasRules)
    let required: [PropertyDescription] =
      entity.attributes.filter { !$0.isOptional }
      + entity.relationships.filter { !$0.isToMany && !$0.isOptional }
    self.required = hasOtherRules ? nil : required
  }

  /// Whether its objects alone write the links of a relationship.
  @inline(__always)
  func writesLinks(of relationship: RelationshipDescription) -> Bool {
    writesLinks[relationship.slot]
  }

  /// Whether a row holds all that the object has.
  @inline(__always)
  func isExact(_ values: ContiguousArray<Value>) -> Bool {
    for slot in inexactSlots where !values[slot].isExactInColumn { return false }
    if valuesWithoutColumn.isEmpty { return true }
    return valuesWithoutColumn.allSatisfy { values[$0.slot] == $0.value }
  }
}

extension AttributeType {
  /// Whether every value comes back from a column as it was.
  fileprivate var isExactInColumn: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .string, .binaryData, .uuid: true
    default: false
    }
  }
}

extension Value {
  /// Whether the value comes back from a column as it was; for those types of which not all do.
  fileprivate var isExactInColumn: Bool {
    switch self {
    case .null, .integer, .string, .data, .uuid: true
    case .double(let number): !number.isNaN
    case .date(let date): !date.timeIntervalSinceReferenceDate.isNaN
    case .uri, .decimal, .transformable, .object, .collection: false
    }
  }
}

extension RelationshipDescription {
  fileprivate var hasRules: Bool {
    isToMany ? minCount > 0 || maxCount > 0 : !isOptional
  }
}
