/// Objects of a seed that are made by rule rather than written down.
package struct GeneratorNotation: Sendable {
  package var entity: Located<String>
  package var place: SourcePlace
  /// How many ordinary objects; 0 for a generator of extremes or violations only.
  package var count: Int = 0
  /// Whether there are objects with the extremes of every type.
  package var hasExtremes = false
  /// The violations to add an object for, each for every property that it can concern.
  package var violations: [Located<String>] = []
  /// Whether the count isn't the one that was written.
  var isScaled = false
  /// Values and rules by property.
  package var fields: [PropertyValue] = []
}

extension Seed {
  /// The number of objects made by rule, extremes and violations not counted.
  package var generatedCount: Int { generators.reduce(0) { $0 + $1.count } }

  /// The seed with about `count` objects made by rule, in the same proportions, at least one by each
  /// rule that made any.
  func scaled(to count: Int) -> Seed {
    let total = generatedCount
    guard total > 0 else { return self }
    var seed = self
    for index in generators.indices where generators[index].count > 0 {
      let (high, low) = generators[index].count.multipliedFullWidth(by: count)
      let share = high == 0 ? low / UInt(total) : .max
      seed.generators[index].count = Int(max(1, min(share, UInt(DiagnosticCollector.mostCounted))))
      seed.generators[index].isScaled = true
    }
    return seed
  }
}

extension Scenario {
  /// The scenario with about `count` objects made by rule in each seed.
  package func scaled(to count: Int) -> Scenario {
    var scenario = self
    scenario.seeds = seeds.map { $0.scaled(to: count) }
    scenario.objects = count
    return scenario
  }
}
