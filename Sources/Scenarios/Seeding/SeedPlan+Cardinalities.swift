// How many links each object may have, and those that have too many or too few.

extension SeedPlan {
  /// Whether any generator links a relationship, or its inverse.
  static func links(
    _ relationship: RelationshipDescription, in seed: Seed, _ model: ManagedObjectModel
  ) -> Bool {
    [relationship, relationship.inverseRelationship].compactMap { $0 }.contains { side in
      seed.generators.contains { generator in
        model.entity(named: generator.entity.value)?.isKindOf(entity: side.entity) == true
          && generator.fields.contains { $0.key.value == side.name && !$0.value.isNull }
      }
    }
  }

  // MARK: Violations

  /// Sees to it that objects which violate how many links they may have get so many.
  mutating func steerLinks(_ collector: DiagnosticCollector) {
    for index in blocks.indices {
      for violation in blocks[index].linkViolations {
        guard let inverse = violation.relationship.inverseRelationship, !inverse.isToMany else {
          checkPool(violation, at: index, collector)
          continue
        }
        let first = poolPosition(of: index, among: inverse.destinationEntity)
        steer(inverse, to: first + violation.row, violation.count)
      }
    }
  }

  /// The object itself has the links.
  private func checkPool(
    _ violation: (relationship: RelationshipDescription, count: Int, row: Int), at index: Int,
    _ collector: DiagnosticCollector
  ) {
    let relationship = violation.relationship
    let count = poolCount(of: relationship.destinationEntity, withRows: true)
    if count >= violation.count { return }
    collector.report(
      "it takes \(violation.count) objects of '\(relationship.destinationEntityName)' to have too "
        + "many '\(relationship.name)'; the seed has \(count)", at: blocks[index].notation.place)
  }

  /// The objects at the other side have them: the first `count` of these lead to the object.
  private mutating func steer(_ relationship: RelationshipDescription, to target: Int, _ count: Int)
  {
    for block in blocks.indices {
      for link in blocks[block].links.indices
      where blocks[block].links[link].recipe.relationship === relationship {
        blocks[block].change(link: link) { recipe in
          recipe.avoided = (recipe.avoided + [target]).sorted()
          recipe.steered += Array(repeating: target, count: count)
        }
      }
    }
  }

  // MARK: Limits

  /// Gives links places where the model limits how many the objects at their other side have.
  mutating func planSlots(
    beside byHand: LinkedRows, _ random: UInt64, _ collector: DiagnosticCollector
  ) {
    for block in blocks.indices {
      for link in blocks[block].links.indices {
        let plan = blocks[block].links[link]
        guard let slots = slots(for: plan.recipe, beside: byHand, random) else { continue }
        let linking = blocks.indices.filter { self.links(plan.recipe.relationship, by: $0) }
        let counts = linking.map { ($0, blocks[$0].count) }
        blocks[block].place(
          link, in: slots, after: counts.reduce(0) { $1.0 < block ? $0 + $1.1 : $0 },
          of: counts.reduce(0) { $0 + $1.1 })
        checkCapacity(slots, of: blocks[block].links[link], in: blocks[block], collector)
      }
    }
  }

  private func links(_ relationship: RelationshipDescription, by block: Int) -> Bool {
    blocks[block].links.contains { $0.recipe.relationship === relationship }
  }

  private func slots(
    for recipe: LinkRecipe, beside byHand: LinkedRows, _ random: UInt64
  ) -> LinkSlots? {
    let relationship = recipe.relationship
    let inverse = relationship.inverseRelationship
    // Without an inverse, a member has one owner.
    let (least, most) = (inverse?.minCount ?? 0, inverse?.maxCount ?? 1)
    guard let key = relationship.inverseKey,
      inverse.map({ $0.isToMany && (least > 0 || most > 1) }) ?? true
    else { return nil }
    var chance = Chance.Column(relationship.path, seed: random).cell(-1)
    let entity: EntityDescription = relationship.destinationEntity
    return LinkSlots(
      poolCount: max(1, recipe.poolCount - recipe.avoided.count), least: least, most: most,
      taken: byHand.counts(among: entity, by: key), &chance)
  }

  /// What was written must do; of a seed that is scaled, what doesn't fit stays without a link.
  private func checkCapacity(
    _ slots: LinkSlots, of plan: GeneratedBlock.LinkPlan, in block: GeneratedBlock,
    _ collector: DiagnosticCollector
  ) {
    let recipe = plan.recipe
    let needed = (plan.ownOffset + block.count - recipe.steered.count) * recipe.times.lowerBound
    guard let capacity = slots.capacity, needed > capacity, !block.notation.isScaled,
      recipe.absence == .never
    else { return }
    let inverse = recipe.relationship.inverseKey ?? ""
    let entity = recipe.relationship.destinationEntityName
    let objects =
      recipe.poolCount == 1
      ? "the one object of '\(entity)' has" : "the \(recipe.poolCount) objects of '\(entity)' have"
    collector.report(
      "\(needed.counted("link")) \(needed == 1 ? "doesn't" : "don't") fit: \(objects) room for \(capacity) in "
        + "'\(inverse)'", at: block.notation.place)
  }
}
