/// How the objects that one relationship leads to are chosen.
package struct LinkRecipe: Sendable {
  enum Choice: Sendable {
    /// The first object of one side with the first of the other, and so on; from the start again
    /// where the other side has fewer and may be shared.
    case each
    case chance(Chooser)
  }
  package let relationship: RelationshipDescription
  let choice: Choice
  /// How many, of a to-many relationship.
  let times: ClosedRange<Int>
  let absence: Probability
  /// How many objects there are to lead to.
  let poolCount: Int
  /// Where the model limits the links of each of those.
  var slots: LinkSlots?
  /// How many objects take places in ``slots``.
  var linkingCount = 0
  /// Where the first links lead, to make objects with too many or too few of them; no others lead there.
  var steered: [Int] = []
  /// The objects that ``steered`` is about, in order.
  var avoided: [Int] = []

  /// Positions in the pool, each once.
  func targets(_ chance: inout Chance, row: Int) -> [Int] {
    if steered.indices.contains(row) { return [steered[row]] }
    let targets = ordinaryTargets(&chance, row: row)
    if avoided.isEmpty { return targets }
    return slots == nil ? targets.compactMap(besidesAvoided) : targets.map(beyondAvoided)
  }

  /// The position of the object of a number among those that aren't avoided.
  private func beyondAvoided(_ number: Int) -> Int {
    avoided.reduce(number) { $1 <= $0 ? $0 + 1 : $0 }
  }

  /// The next one that isn't avoided; nil when there is none.
  private func besidesAvoided(_ target: Int) -> Int? {
    (0..<poolCount).lazy.map { (target + $0) % poolCount }.first { !avoided.contains($0) }
  }

  private func ordinaryTargets(_ chance: inout Chance, row: Int) -> [Int] {
    if poolCount == 0 || chance.happens(absence) { return [] }
    if let slots { return targets(in: slots, &chance, row - steered.count) }
    switch choice {
    case .each where isOneToOne: return row < poolCount ? [row] : []
    case .each:
      let count = min(chance.count(times), poolCount)
      return (0..<count).map { (row &* times.upperBound + $0) % poolCount }
    case .chance(let chooser):
      return distinct(chooser, count: min(chance.count(times), poolCount), chance: &chance)
    }
  }

  /// Where no place is left there is no link; a free choice is made as without places. The first links of
  /// all take their places before any second one: the places that must be taken come first.
  private func targets(in slots: LinkSlots, _ chance: inout Chance, _ row: Int) -> [Int] {
    let openCount = poolCount - avoided.count
    let count = min(chance.count(times), openCount)
    var chosen: [Int] = []
    for number in 0..<max(0, count) {
      let place = number * (linkingCount - steered.count) + row
      var target = slots.target(place)
      if target == nil, slots.capacity == nil, case .chance(let chooser) = choice {
        target = chooser.index(&chance) % openCount
      } else if target == nil, slots.capacity == nil {
        target = (row * times.upperBound + number) % openCount
      }
      if let target, !chosen.contains(target) { chosen.append(target) }
    }
    return chosen
  }

  /// A few more attempts than needed: popular objects come up again.
  private func distinct(
    _ chooser: Chooser, count: Int, chance: inout Chance
  ) -> [Int] {
    if count == 1 { return [chooser.index(&chance)] }
    var chosen: [Int] = []
    var attempts = 0
    while chosen.count < count, attempts < 4 * count + 16 {
      attempts += 1
      let target = chooser.index(&chance)
      if !chosen.contains(target) { chosen.append(target) }
    }
    return chosen
  }

  package var isOneToOne: Bool {
    !relationship.isToMany && relationship.inverseRelationship?.isToMany == false
  }
}
