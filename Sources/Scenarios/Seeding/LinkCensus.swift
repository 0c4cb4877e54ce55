/// How many links each object of a seed has in the end, by hand and by rule, where the model limits them.
///
/// Places for links keep to the limits as far as they can; what they can't (rules for both sides, too few
/// objects, none that link at all) would be seeded past validation, and is found by counting.
struct LinkCensus {
  private let plan: SeedPlan
  private let byHand: LinkedRows

  init(_ plan: SeedPlan, _ byHand: LinkedRows) {
    self.plan = plan
    self.byHand = byHand
  }

  /// - Complexity: In time and memory, as the objects of entities with such a limit.
  func report(to collector: DiagnosticCollector) {
    for entity in plan.model.entities {
      for relationship in entity.ownRelationships
      where relationship.isToMany && !relationship.isTransient
        && (relationship.minCount > 0 || relationship.maxCount > 1)
      {
        report(relationship, to: collector)
      }
    }
  }

  private func report(
    _ relationship: RelationshipDescription, to collector: DiagnosticCollector
  ) {
    let entity: EntityDescription =
      relationship.inverseRelationship?.destinationEntity ?? relationship.entity
    let counts = counts(of: relationship, among: entity)
    let rows = plan.rows.filter { $0.entity.isKindOf(entity: entity) }
    for (row, count) in zip(rows, counts) {
      guard let mistake = mistake(relationship, count) else { continue }
      let name = row.name.map { "\(row.entity.name) \($0)" } ?? "this \(row.entity.name)"
      collector.report("\(name) can't be saved: \(mistake)", at: row.place)
    }
    for (index, block) in plan.blocks.enumerated() where block.entity.isKindOf(entity: entity) {
      let first = plan.poolPosition(of: index, among: entity)
      let missed = block.linkViolations.filter {
        $0.relationship.name == relationship.name
          && mistake(relationship, counts[first + $0.row]) == nil
      }
      if let (violated, count, row) = missed.first {
        let others = missed.count > 1 ? " (and \(missed.count - 1) more)" : ""
        collector.report(
          "\(block.entity.name) \(row + 1)\(others) was to have \(count) '\(violated.name)', and has "
            + "\(counts[first + row]): link them by '\(violated.name)' here, not from the other side",
          at: block.notation.place)
      }
      let wrong = (0..<block.count).filter {
        block.isValid($0) && mistake(relationship, counts[first + $0]) != nil
      }
      guard let number = wrong.first,
        let mistake = mistake(relationship, counts[first + number])
      else { continue }
      let others = wrong.count > 1 ? " (and \(wrong.count - 1) more)" : ""
      collector.report(
        "\(block.entity.name) \(number + 1)\(others) can't be saved: \(mistake)",
        at: block.notation.place)
    }
  }

  /// What is wrong with so many links, if anything is, and what to do.
  private func mistake(_ relationship: RelationshipDescription, _ count: Int) -> String? {
    guard let mistake = relationship.mistake(ofLinks: count, in: plan.version) else { return nil }
    let side = relationship.inverseRelationship.map { "'\($0.name)' of '\($0.entity.name)'" }
    let by = side.map { ", by \($0)" } ?? ""
    let isTooFew = count < relationship.minCount
    return "\(mistake); link \(isTooFew ? "more" : "fewer") to it\(by)"
  }

  // MARK: Counting

  /// How many links each object of an entity has: the rows, then those made by rule.
  private func counts(
    of relationship: RelationshipDescription, among entity: EntityDescription
  ) -> [Int] {
    var counts = byHand.counts(among: entity, by: relationship.name)
    counts += Array(
      repeating: 0, count: plan.poolCount(of: entity, withRows: true) - counts.count)
    let inverse = relationship.inverseRelationship
    let (own, back) = (isLinked(relationship), inverse.map(isLinked) ?? false)
    if own && (back || inverse === relationship) {
      for pair in pairs(of: relationship, among: entity) { counts[pair.object] += 1 }
      return counts
    }
    if own { enumerate(relationship, among: entity) { counts[$0] += $1.count } }
    if let inverse, back {
      let partners: EntityDescription = relationship.destinationEntity
      enumerate(inverse, among: partners) { for target in $1 { counts[target] += 1 } }
    }
    return counts
  }

  private struct Pair: Hashable {
    let object: Int
    let partner: Int
  }

  /// Links that rules make from both sides: two of them may be one.
  private func pairs(
    of relationship: RelationshipDescription, among entity: EntityDescription
  ) -> Set<Pair> {
    var pairs = Set<Pair>()
    enumerate(relationship, among: entity) { object, targets in
      for target in targets { pairs.insert(Pair(object: object, partner: target)) }
    }
    guard let inverse = relationship.inverseRelationship else { return pairs }
    enumerate(inverse, among: relationship.destinationEntity) { partner, targets in
      for target in targets { pairs.insert(Pair(object: target, partner: partner)) }
    }
    return pairs
  }

  private func isLinked(_ relationship: RelationshipDescription) -> Bool {
    plan.blocks.contains { block in
      block.links.contains { $0.recipe.relationship === relationship }
    }
  }

  /// Gives the position of each object that rules link, among those of an entity, and what it leads to.
  private func enumerate(
    _ relationship: RelationshipDescription, among entity: EntityDescription,
    _ body: (Int, [Int]) -> Void
  ) {
    for (index, block) in plan.blocks.enumerated() {
      for link in block.links.indices
      where block.links[link].recipe.relationship === relationship {
        let first = plan.poolPosition(of: index, among: entity)
        for row in 0..<block.count { body(first + row, block.targets(ofLink: link, row)) }
      }
    }
  }
}
