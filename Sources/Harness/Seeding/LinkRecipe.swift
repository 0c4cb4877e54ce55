/// How the objects that one relationship leads to are chosen.
struct LinkRecipe {
  enum Choice {
    /// The first object of one side with the first of the other, and so on; from the start again
    /// where the other side has fewer and may be shared.
    case each
    case chance(Chooser)
  }
  let relationship: RelationshipDescription
  let choice: Choice
  /// How many, of a to-many relationship.
  let times: ClosedRange<Int>
  let absence: Probability
  /// How many objects there are to lead to.
  let poolCount: Int

  /// Positions in the pool, each once.
  func targets(_ chance: inout Chance, row: Int) -> [Int] {
    if poolCount == 0 || chance.happens(absence) { return [] }
    switch choice {
    case .each where isOneToOne: return row < poolCount ? [row] : []
    case .each:
      let count = min(ValueRecipe.count(times, &chance), poolCount)
      return (0..<count).map { (row &* times.upperBound + $0) % poolCount }
    case .chance(let chooser):
      return distinct(chooser, min(ValueRecipe.count(times, &chance), poolCount), &chance)
    }
  }

  /// A few more attempts than needed: popular objects come up again.
  private func distinct(
    _ chooser: Chooser, _ count: Int, _ chance: inout Chance
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

  var isOneToOne: Bool {
    !relationship.isToMany && relationship.inverseRelationship?.isToMany == false
  }
}
