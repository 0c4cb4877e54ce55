/// A part of a plan that SQL can carry out: what becomes of the rows of one entity, column by column.
package struct TransferEntity {
  private let plan: EntityPlan
  /// Which rows come along; nil for all of the entity.
  let condition: RowSelection?
  /// Each attribute once; composites by their elements.
  private(set) var attributes: [(attribute: AttributeDescription, source: ValueSource)] = []

  package var name: String { plan.name }
  package let source: EntityDescription
  package let destination: EntityDescription
  /// Whether a device makes an object of each row, by a mapping model, and carries no columns over.
  let makesObjects: Bool
  /// Whether all rows of the source's entity come along.
  var takesAllRows: Bool { condition == nil }

  /// - Throws: ``PlanUnsupported`` where the plan asks for more than rows, columns and keys.
  init(_ plan: EntityPlan, of whole: MigrationPlan, from store: SQLiteStore) throws {
    guard let (source, destination) = plan.ends else {
      throw PlanUnsupported("'\(plan.name)' has no rows")
    }
    (self.plan, self.source, self.destination) = (plan, source, destination)
    makesObjects = whole.checks == .everything
    do {
      condition = try plan.condition.map { try RowSelection($0, of: source, in: store) }
    } catch {
      throw PlanUnsupported("the source predicate of '\(plan.name)': \(error)")
    }
    for attribute in destination.attributes where attribute.isStored || makesObjects {
      try fill(attribute, whole.checks)
    }
    for (relationship, source) in plan.relationships {
      try check(relationship, source, in: whole)
    }
  }

  /// What a relationship of the destination was in the source; nil for a new one.
  func origin(of relationship: RelationshipDescription) -> RelationshipDescription? {
    plan.origin(of: relationship)
  }

  /// What its rows must have, and may lack.
  var requiredValues: [RequiredValue] {
    destination.requiredValues(source: plan.source(of:), origin: plan.origin(of:))
      .filter { !surelyFills($0.property) }
  }

  /// The attributes that SQL computes.
  var computed: [AttributeDescription] {
    attributes.compactMap { if case .expression = $0.source { $0.attribute } else { nil } }
  }

  /// Whether an attribute gets a value that no row lacks: one that isn't read from the row.
  func surelyFills(_ property: PropertyDescription) -> Bool {
    switch attributes.last(where: { $0.attribute === property })?.source {
    case .constant(let value)?, .fallback(_, let value)?:
      (property as? AttributeDescription).map { value.isKept(as: $0.attributeType) } ?? false
    default: false
    }
  }

  // MARK: Attributes

  private mutating func fill(
    _ attribute: AttributeDescription, _ checks: MigrationPlan.Checks
  ) throws {
    let isComposite = attribute.attributeType == .composite
    if attribute.attributeType == .objectID
      || checks == .everything && (isComposite || attribute.isDerived)
    {
      throw PlanUnsupported(attribute, "it is more than a column")
    }
    if let source = plan.source(of: attribute) { try fill(attribute, by: source) }
  }

  /// A composite is filled element by element.
  private mutating func fill(
    _ attribute: AttributeDescription, by source: ValueSource
  ) throws {
    guard attribute.attributeType == .composite else {
      return attributes.append((attribute, source))
    }
    switch source {
    case .elements(let original):
      for element in attribute.elements { try fill(element, elementOf: original) }
    case .constant(let value):
      for (index, element) in attribute.elements.enumerated() {
        try fill(element, by: .constant(value.composite?.values[index] ?? .null))
      }
    default: throw PlanUnsupported(attribute, "it is more than a column")
    }
  }

  private mutating func fill(
    _ element: AttributeDescription, elementOf composite: AttributeDescription
  ) throws {
    let identifier = element.renamingIdentifier
    let fallback = element.typedDefaultValue
    guard let original = composite.elements.first(where: { $0.renamingIdentifier == identifier })
    else { return try fill(element, with: fallback, of: composite) }
    if element.attributeType == .composite { return try fill(element, by: .elements(of: original)) }
    if original.isOptional, !element.isOptional, !fallback.isNull {
      return try fill(element, by: .element(.fallback(original, fallback), of: composite))
    }
    try fill(element, by: ValueSource(carrying: original, to: element))
  }

  /// - Parameter composite: The source's composite, without which there is no default either.
  private mutating func fill(
    _ element: AttributeDescription, with value: Value, of composite: AttributeDescription
  ) throws {
    if value.isNull { return try fill(element, by: .constant(value)) }
    if element.attributeType == .composite {
      throw PlanUnsupported(element, "it is more than a column")
    }
    try fill(element, by: .element(.constant(value), of: composite))
  }

  // MARK: Relationships

  /// Keys are taken over as they are, so whatever a relationship leads to must come along, once.
  private func check(
    _ relationship: RelationshipDescription, _ source: LinkSource, in whole: MigrationPlan
  ) throws {
    guard let original = source.relationship else {
      throw PlanUnsupported(relationship, "it is computed")
    }
    let reached = whole.entities(reachedBy: original)
    if case .mapped(_, let name) = source, reached.count != 1 || reached[0].name != name {
      throw PlanUnsupported(relationship, "it takes what one mapping made")
    }
    if whole.checks == .mandatoryValues { return }
    let end = relationship.destinationEntity
    let fits = reached.allSatisfy { made in
      end.map { made.destination?.isKindOf(entity: $0) == true } ?? false
    }
    guard fits, !relationship.isTransient, !original.isTransient else {
      throw PlanUnsupported(relationship, "it can't lead to all it is given")
    }
  }
}

extension ValueSource {
  /// What a migration makes of a source attribute for one of another type.
  package init(carrying original: AttributeDescription, to attribute: AttributeDescription) {
    self =
      original.attributeType == attribute.attributeType ? .copied(original) : .converted(original)
  }
}

extension MigrationPlan {
  /// - Throws: ``PlanUnsupported`` where rows can't keep their keys, or objects are made twice of one, so
  ///   that links to them would have to be told apart one by one.
  func requireOneRowForEach() throws {
    if checks == .mandatoryValues { return }
    var seen = Set<[ObjectIdentifier]>()
    let ends = entities.compactMap(\.ends)
    for (source, destination) in ends {
      let pair = [source, destination.rootEntity].map { ObjectIdentifier($0) }
      guard seen.insert(pair).inserted else {
        throw PlanUnsupported("'\(source.name)' is mapped more than once")
      }
    }
    let sources = Set(ends.map { ObjectIdentifier($0.source) })
    if sources.count < entities.count, entities.contains(where: { !$0.relationships.isEmpty }) {
      throw PlanUnsupported("relationships lead to what is split")
    }
  }
}

extension Value {
  /// Whether the column of an attribute surely has something where this is written: SQLite keeps NULL
  /// for "not a number".
  fileprivate func isKept(as type: AttributeType) -> Bool {
    switch (type, self) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer),
      (.boolean, .integer), (.string, .string), (.uuid, .uuid), (.binaryData, .data):
      true
    case (.double, .double(let number)), (.float, .double(let number)): !number.isNaN
    case (.date, .date(let date)): !date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

/// What is wrong with the data for the destination's model.
package enum TransferFailure: Error {
  /// A required property has no value, in so many rows. Keys are the first one's primary keys in the two stores.
  case missingValue(
    of: PropertyDescription, entity: TransferEntity, sourceKey: Int64, key: Int64, count: Int)
  /// Two rows have values that are to be unique.
  case duplicate(CoreDataError)
}

/// What a transfer did.
package struct TransferResult {
  /// The entities whose rows came along.
  package let entities: [TransferEntity]
  /// Rows, entity by entity.
  package private(set) var counts: [Int] = []
  /// The primary keys of each entity's rows, in source and destination; empty unless asked for.
  package private(set) var keys: [[(source: Int64, destination: Int64)]] = []

  init(entities: [TransferEntity]) { self.entities = entities }

  /// What SQL answered otherwise than memory, by entity mapping.
  package var sqlDifferences: [SQLDifference] = []
  /// The required values that rows lack as they did in the source, by entity mapping.
  package var missingAsBefore: [(entityMapping: String, value: RequiredValue, count: Int)] = []

  mutating func add(count: Int) { counts.append(count) }

  /// How many rows an entity of the source has, by name: known of entities that came along whole.
  package var sourceCounts: [String: Int] {
    let whole = zip(entities, counts).filter { $0.0.takesAllRows }
    return Dictionary(
      whole.map { ($0.0.source.name, $0.1) }, uniquingKeysWith: { first, _ in first })
  }

  /// The rows that came along from a hierarchy of the source; nil where one may have come twice.
  func count(from root: EntityDescription) -> Int? {
    let hierarchy = zip(entities, counts).filter { $0.0.source.rootEntity === root }
    let sources = Set(hierarchy.map { ObjectIdentifier($0.0.source) })
    return sources.count == hierarchy.count ? hierarchy.reduce(0) { $0 + $1.1 } : nil
  }

  mutating func add(keys new: [(source: Int64, destination: Int64)]) { keys.append(new) }
}
