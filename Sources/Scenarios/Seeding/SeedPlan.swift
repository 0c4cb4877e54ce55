/// All objects that a seed's generators make, ready to be made in any order.
package struct SeedPlan: Sendable {
  let model: ManagedObjectModel
  /// What messages call the model.
  package let version: String
  package var blocks: [GeneratedBlock] = []
  /// The rows written by hand; without those in which something is wrong.
  let rows: [ResolvedRow]
  /// How many rows are written by hand, by entity.
  private let rowCounts: [String: Int]

  /// - Parameters:
  ///   - rows: The rows written by hand, in the order of the seed.
  ///   - collector: Told what is wrong with the rules; the plan is of no use then.
  package init(
    _ seed: Seed, beside rows: [ResolvedRow], version: String, model: ManagedObjectModel,
    collector: DiagnosticCollector
  ) {
    self.model = model
    self.version = version
    self.rows = rows
    rowCounts = seed.handwritten.reduce(into: [:]) { $0[$1.entity.value, default: 0] += 1 }
    var made: [String: Int] = [:]
    for notation in seed.generators {
      guard
        let entity = collector.attempt(
          at: notation.entity.place,
          {
            try model.concreteEntity(notation.entity, version: version)
          })
      else { continue }
      let planner = BlockPlanner(
        notation: notation, random: seed.random, version: version,
        isLinked: { Self.links($0, in: seed, model) }, collector: collector)
      let block = planner.block(of: entity, offset: made[entity.name] ?? 0)
      made[entity.name, default: 0] += block.count
      blocks.append(block)
    }
    for index in blocks.indices {
      planLinks(at: index, random: seed.random, version: version, collector: collector)
    }
    planPartners(seed.random, collector)
    steerLinks(collector)
    let byHand = LinkedRows(rows)
    planSlots(beside: byHand, seed.random, collector)
    for block in blocks { block.reportForbiddenValues(by: version, collector) }
    // Of a seed with mistakes not all is there to be counted.
    if collector.isEmpty, seed.isValidated { LinkCensus(self, byHand).report(to: collector) }
  }

  /// All objects.
  package var count: Int { blocks.reduce(0) { $0 + $1.count } }

  // MARK: Pools

  /// What a relationship can lead to: rows written by hand, then generated objects, in the order of
  /// the seed. Objects that already have partners take no part in one-to-one links.
  func poolCount(of entity: EntityDescription, withRows: Bool) -> Int {
    let rows = withRows ? handwrittenCount(of: entity) : 0
    return members(of: entity).reduce(rows) { $0 + $1.count }
  }

  /// The position of a block's first object in the pool of an entity.
  func poolPosition(of index: Int, among entity: EntityDescription) -> Int {
    handwrittenCount(of: entity) + position(of: index, among: entity)
  }

  private func handwrittenCount(of entity: EntityDescription) -> Int {
    rowCounts.reduce(0) { sum, row in
      model.entity(named: row.key)?.isKindOf(entity: entity) == true ? sum + row.value : sum
    }
  }

  private func members(of entity: EntityDescription) -> [GeneratedBlock] {
    blocks.filter { $0.entity.isKindOf(entity: entity) }
  }

  /// The position of a block's first object among those of an entity.
  private func position(of index: Int, among entity: EntityDescription) -> Int {
    blocks[..<index].filter { $0.entity.isKindOf(entity: entity) }.reduce(0) { $0 + $1.count }
  }

  // MARK: Links

  private mutating func planLinks(
    at index: Int, random: UInt64, version: String, collector: DiagnosticCollector
  ) {
    let block = blocks[index]
    for field in block.notation.fields {
      guard let relationship = block.entity.relationship(named: field.key.value) else { continue }
      let isOneToOne =
        !relationship.isToMany && relationship.inverseRelationship?.isToMany == false
      let reader = LinkReader(
        relationship: relationship,
        poolCount: poolCount(of: relationship.destinationEntity, withRows: !isOneToOne),
        collector: collector)
      guard let recipe = reader.recipe(field.value) else { continue }
      addLink(recipe, at: index, random)
    }
  }

  private mutating func addLink(_ recipe: LinkRecipe, at index: Int, _ random: UInt64) {
    let entity = blocks[index].entity
    let home = recipe.relationship.inverseRelationship?.destinationEntity ?? entity
    blocks[index].add(
      GeneratedBlock.LinkPlan(
        recipe: recipe,
        column: .init("\(entity.name).\(recipe.relationship.name)", seed: random),
        ownOffset: position(of: index, among: home)))
  }

  /// The other side of one-to-one links, each of whose sides has a key of its own.
  private mutating func planPartners(_ random: UInt64, _ collector: DiagnosticCollector) {
    let linked = blocks.flatMap(\.links).map(\.recipe).filter(\.isOneToOne)
    for index in blocks.indices {
      let own = blocks[index].links.map { ObjectIdentifier($0.recipe.relationship) }
      for relationship in blocks[index].entity.relationships
      where !own.contains(ObjectIdentifier(relationship)) {
        guard let inverse = relationship.inverseRelationship,
          linked.contains(where: { $0.relationship === inverse })
        else { continue }
        let recipe = LinkRecipe(
          relationship: relationship, choice: .each, times: 1...1, absence: .never,
          poolCount: partnerCount(by: inverse, collector))
        addLink(recipe, at: index, random)
      }
    }
  }

  /// How many objects have a partner by a one-to-one relationship: the first ones.
  private func partnerCount(
    by relationship: RelationshipDescription, _ collector: DiagnosticCollector
  ) -> Int {
    var (count, end) = (0, 0)
    for block in members(of: relationship.entity) {
      count += block.count
      guard block.links.contains(where: { $0.recipe.relationship === relationship }) else {
        continue
      }
      if end + block.count < count {
        collector.report(
          "'\(relationship.name)' must be linked in the generators of '\(block.entity.name)' "
            + "before this one, too", at: block.notation.place)
      }
      end = count
    }
    return end
  }
}

extension Seed {
  package var handwritten: [SeedRow] {
    if case .rows(let rows) = content { rows } else { [] }
  }
}

extension ManagedObjectModel {
  /// - Throws: ``Diagnostic`` where there is none, or one without objects of its own.
  package func concreteEntity(_ name: Located<String>, version: String) throws -> EntityDescription
  {
    let entity = try entity(name, version: version)
    if entity.isAbstract {
      throw Diagnostic(
        "'\(entity.name)' is abstract; it has no objects of its own", at: name.place)
    }
    return entity
  }
}
