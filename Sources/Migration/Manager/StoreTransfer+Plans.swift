// The plans of a mapping model without policies as something that SQLite can do by itself.

extension StoreTransfer {
  /// What a migration by Core Data's own policy does with the rows of an SQLite store.
  ///
  /// Rows keep their primary keys, so that a relationship's keys need no look-up: possible where no
  /// object is made twice.
  /// - Throws: ``LightweightObstacle`` where the plans ask for more than rows, columns and keys.
  init(of run: MigrationRun, from source: SQLiteStore) throws {
    var entities: [Entity] = []
    for plan in run.plans {
      guard plan.usesDefaultPolicy else { throw LightweightObstacle(reason: "there are policies") }
      if let entity = try Entity(plan, run, source) { entities.append(entity) }
    }
    self.init(entities: entities)
    checks = .everything
    try requireSingleDestinations()
    try requireOneMappingBehindRelationships()
  }

  /// Two rows made of one would want the same key.
  private func requireSingleDestinations() throws {
    var seen = Set<[ObjectIdentifier]>()
    for entity in entities {
      let pair = [entity.source, entity.destination.rootEntity].map { ObjectIdentifier($0) }
      guard seen.insert(pair).inserted else {
        throw LightweightObstacle(reason: "'\(entity.source.name)' is mapped more than once")
      }
    }
  }

  /// Where objects are made twice of one, links to them have to be told apart one by one.
  private func requireOneMappingBehindRelationships() throws {
    guard entities.contains(where: \.hasRelationships) else { return }
    let sources = Set(entities.map { ObjectIdentifier($0.source) })
    if sources.count < entities.count {
      throw LightweightObstacle(reason: "relationships lead to what is split")
    }
  }
}

extension StoreTransfer.Entity {
  /// Nil for a mapping that reads nothing.
  fileprivate init?(_ plan: MappingPlan, _ run: MigrationRun, _ store: SQLiteStore) throws {
    guard case .request(let request) = plan.source else {
      guard case .none = plan.source else {
        throw LightweightObstacle(reason: "'\(plan.name)' has a source expression of its own")
      }
      return nil
    }
    guard let source = plan.sourceEntity, request.entityName == source.name,
      let destination = plan.destinationEntity, !destination.isAbstract
    else { throw LightweightObstacle(reason: "'\(plan.name)' makes nothing that can be stored") }
    self.init(name: plan.name, source: source, destination: destination)
    condition = try request.predicate.map { try RowSelection($0, of: source, in: store) }
    try fillAttributes(plan, store)
    for step in plan.relationships { try link(step, run) }
  }

  private mutating func fillAttributes(_ plan: MappingPlan, _ store: SQLiteStore) throws {
    for attribute in destination.attributes where attribute.isStored {
      if !attribute.isPlainValue {
        throw LightweightObstacle(reason: "'\(attribute.name)' is more than a column")
      }
      // A property may be mapped twice; the last one holds.
      if let step = plan.attributes.last(where: { $0.property === attribute }) {
        fill(attribute, from: try origin(step, store))
      } else {
        fill(attribute, from: .value(attribute.typedDefaultValue))
      }
    }
  }

  private func origin(
    _ step: PropertyStep<AttributeDescription>, _ store: SQLiteStore
  ) throws -> StoreTransfer.AttributeOrigin {
    switch step.work {
    case .constant(let value): return .value(value)
    case .copy(let slot), .convert(let slot):
      if let original = source.attributes.first(where: { $0.slot == slot && $0.isStored }) {
        return .attribute(original)
      }
      throw LightweightObstacle(reason: "'\(step.property.name)' has no column in the source")
    default: return try computed(step, store)
    }
  }

  private func computed(
    _ step: PropertyStep<AttributeDescription>, _ store: SQLiteStore
  ) throws -> StoreTransfer.AttributeOrigin {
    guard let expression = step.mapping.valueExpression else { return .value(.null) }
    let column = try store.transferExpression(
      expression, of: source, variable: MigrationVariable.source.rawValue)
    guard let fragment = column.fitting(step.property.attributeType) else {
      throw LightweightObstacle(reason: "'\(step.property.name)' is converted one by one")
    }
    return .computed(fragment)
  }

  private mutating func link(
    _ step: PropertyStep<RelationshipDescription>, _ run: MigrationRun
  ) throws {
    let original: RelationshipDescription
    switch step.work {
    case .related(let relationship): original = relationship
    case .mapped(let relationship, let name):
      let reached = run.plans(reachedBy: relationship)
      guard reached.count == 1, reached[0].name == name else {
        throw LightweightObstacle(reason: "'\(step.property.name)' takes what one mapping made")
      }
      original = relationship
    default: throw LightweightObstacle(reason: "'\(step.property.name)' is computed")
    }
    let end = step.property.destinationEntity
    let fits = run.plans(reachedBy: original).allSatisfy { plan in
      plan.destinationEntity.map { made in end.map { made.isKindOf(entity: $0) } ?? false } ?? false
    }
    guard fits, !step.property.isTransient, !original.isTransient else {
      throw LightweightObstacle(reason: "'\(step.property.name)' can't lead to all it is given")
    }
    link(step.property, from: original)
  }
}

extension MappingPlan {
  var name: String { mapping.name ?? "" }
}

extension SQLColumn {
  /// The column's values as an attribute of `type` has them; nil where setting it would do more.
  fileprivate func fitting(_ type: AttributeType) -> SQLFragment? {
    switch (self.type, type) {
    case (.undefined, _): "NULL"
    case (.integer64, .integer16), (.integer64, .integer32), (.integer64, .integer64): fragment
    case (.integer64, .boolean): "(\(fragment)) <> 0"
    case (.integer64, .double): "CAST((\(fragment)) AS REAL)"
    case (.double, .double), (.decimal, .decimal), (.string, .string), (.date, .date),
      (.uuid, .uuid):
      fragment
    default: nil
    }
  }
}

extension AttributeDescription {
  /// Whether it is one value of a row, and not computed by the store.
  fileprivate var isPlainValue: Bool {
    !isDerived && ![.composite, .objectID].contains(attributeType)
  }
}
