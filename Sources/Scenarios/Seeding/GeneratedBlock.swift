/// The objects of one generator, each of which can be made by itself.
package struct GeneratedBlock: Sendable {
  package let notation: GeneratorNotation
  package let entity: EntityDescription
  /// How many objects of the entity earlier generators make.
  let offset: Int
  package fileprivate(set) var attributes: [AttributePlan] = []
  package fileprivate(set) var links: [LinkPlan] = []
  fileprivate(set) var violations: [(violation: Violation, property: PropertyDescription)] = []
  private(set) var extremes: [(attribute: AttributeDescription, values: [Value])] = []
  private(set) var extremeCount = 0

  /// An attribute with the rule for its values.
  package struct AttributePlan: Sendable {
    package let attribute: AttributeDescription
    var recipe: ValueRecipe
    let column: Chance.Column
  }

  package struct LinkPlan: Sendable {
    package fileprivate(set) var recipe: LinkRecipe
    let column: Chance.Column
    /// The position of the block's first object among those at its end of the relationship; where
    /// links have places, among those that rules link.
    fileprivate(set) var ownOffset: Int
  }

  init(_ notation: GeneratorNotation, of entity: EntityDescription, offset: Int) {
    self.notation = notation
    self.entity = entity
    self.offset = offset
  }

  /// Ordinary objects, then extremes, then violations.
  package var count: Int { notation.count + extremeCount + violations.count }

  mutating func add(_ plan: AttributePlan) { attributes.append(plan) }
  mutating func add(_ plan: LinkPlan) { links.append(plan) }

  mutating func add(_ violation: Violation, of property: PropertyDescription) {
    violations.append((violation, property))
  }

  /// Adds the extremes of all attributes but those whose value is the same for all, or follows from
  /// the row: as many objects as it takes to have each value, and one with nothing that may be nil.
  mutating func addExtremes() {
    let free = attributes.filter { !$0.recipe.isFixed }
    let chosen = free.map { (attribute: $0.attribute, values: Extremes.values(for: $0.attribute)) }
      .filter { !$0.values.isEmpty }
    extremes = chosen
    let most = chosen.map(\.values.count).max() ?? 0
    let unique = chosen.filter { $0.attribute.isUnique }.map(\.values.count).min()
    extremeCount = min(most, unique ?? most) + (unique == nil ? 1 : 0)
  }

  /// The local name of an object with a violation.
  package func name(_ index: Int) -> String? {
    let position = index - notation.count - extremeCount
    guard violations.indices.contains(position) else { return nil }
    let (violation, property) = violations[position]
    return "\(entity.name).\(property.name).\(violation.rawValue)"
  }
}

/// An object as it is made.
package struct GeneratedRow {
  /// By slot; links aren't among them.
  package var values: ContiguousArray<Value>
  /// Positions in the pools of the relationships' destinations.
  package var links: [(relationship: RelationshipDescription, targets: [Int])]
  /// To-one relationships that lead to a row that isn't there.
  package var dangling: [RelationshipDescription] = []
  /// Whether it must pass the model's validation.
  package var isValid = true
}

// MARK: - Rows

extension GeneratedBlock {
  package func row(_ index: Int) -> GeneratedRow {
    var row = ordinaryRow(index)
    if index < notation.count { return row }
    let position = index - notation.count
    if position < extremeCount {
      makeExtreme(&row, position)
    } else {
      violate(&row, position - extremeCount)
    }
    return row
  }

  private func ordinaryRow(_ index: Int) -> GeneratedRow {
    var values = ContiguousArray<Value>(repeating: .null, count: entity.slotCount)
    for plan in attributes {
      var chance = plan.column.cell(offset + index)
      values[plan.attribute.slot] = plan.recipe.value(&chance, row: offset + index)
    }
    return GeneratedRow(
      values: values, links: links.map { ($0.recipe.relationship, targets(of: $0, index)) })
  }

  private func targets(of plan: LinkPlan, _ index: Int) -> [Int] {
    var chance = plan.column.cell(offset + index)
    return plan.recipe.targets(&chance, row: plan.ownOffset + index)
  }

  /// What one of the links of an object leads to.
  func targets(ofLink link: Int, _ index: Int) -> [Int] {
    if index < notation.count { return targets(of: links[link], index) }
    // Extremes and violations may have others, or none.
    let relationship = links[link].recipe.relationship
    return row(index).links.first { $0.relationship === relationship }?.targets ?? []
  }

  /// Whether an object must be one that the model allows.
  func isValid(_ index: Int) -> Bool { index < notation.count + extremeCount }

  private func makeExtreme(_ row: inout GeneratedRow, _ position: Int) {
    let isEmpty = position == extremeCount - 1 && !extremes.contains { $0.attribute.isUnique }
    for (attribute, values) in extremes {
      row.values[attribute.slot] =
        isEmpty && attribute.isOptional ? .null : values[position % values.count]
    }
    guard isEmpty else { return }
    row.links.removeAll { link in
      link.relationship.isOptional
        && (link.relationship.isToMany || link.relationship.inverseRelationship?.isToMany != false)
    }
  }

  private func violate(_ row: inout GeneratedRow, _ position: Int) {
    let (violation, property) = violations[position]
    row.isValid = false
    if let relationship = property as? RelationshipDescription {
      return violate(&row, by: violation, of: relationship)
    }
    let first = attributes.first { $0.attribute === property }.map { plan -> Value in
      var chance = plan.column.cell(offset)
      return plan.recipe.value(&chance, row: offset)
    }
    row.values[property.slot] =
      violation.value(
        for: property, insteadOf: row.values[property.slot], first: first ?? .null) ?? .null
  }

  private func violate(
    _ row: inout GeneratedRow, by violation: Violation, of relationship: RelationshipDescription
  ) {
    if let count = violation.linkCount(of: relationship) {
      // Where the other side has the key, that side is steered instead.
      for index in row.links.indices where row.links[index].relationship === relationship {
        row.links[index].targets = Array(0..<count)
      }
      return
    }
    row.links.removeAll { $0.relationship === relationship }
    if violation == .dangling { row.dangling.append(relationship) }
  }

  /// The violations of how many links an object has, with their objects' numbers in the block.
  var linkViolations: [(relationship: RelationshipDescription, count: Int, row: Int)] {
    violations.enumerated().compactMap { position, entry in
      guard let relationship = entry.property as? RelationshipDescription,
        let count = entry.violation.linkCount(of: relationship)
      else { return nil }
      return (relationship, count, notation.count + extremeCount + position)
    }
  }

  mutating func change(link index: Int, _ change: (inout LinkRecipe) -> Void) {
    change(&links[index].recipe)
  }

  /// - Parameters:
  ///   - first: How many objects before the block's are linked by rules.
  ///   - count: How many there are of all blocks.
  mutating func place(_ link: Int, in slots: LinkSlots, after first: Int, of count: Int) {
    links[link].ownOffset = first
    links[link].recipe.slots = slots
    links[link].recipe.linkingCount = count
  }
}
