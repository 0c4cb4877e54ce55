/// Properties whose values survive version by version, and are lost when Core Data takes a store to
/// the current version in one step: a renaming identifier reaches back one version only.
struct LostInOneStepRule {
  /// From each version to the next.
  let hops: [CheckedHop]
  /// The hops to the current version that aren't from one version to the next.
  let leaps: [CheckedHop]

  /// What became of properties: by the name of the entity in the old version, then of the property.
  private typealias Fates = [String: [String: (entity: String, property: String)]]

  var findings: [CheckFinding] {
    let lightweight = leaps.filter { $0.verdict.isLightweight }
    guard let target = lightweight.first?.hop.destination else { return [] }
    let stepwise = fates(upTo: target)
    return lightweight.flatMap { leap in
      findings(leap, stepwise: stepwise[leap.hop.source] ?? [:])
    }
  }

  private func findings(_ leap: CheckedHop, stepwise: Fates) -> [CheckFinding] {
    let direct = Self.fates(of: leap)
    return leap.source.entities.flatMap { entity -> [CheckFinding] in
      let own = Set(entity.ownProperties.map(\.name))
      return (stepwise[entity.name] ?? [:]).sorted { $0.key < $1.key }
        .filter { own.contains($0.key) && direct[entity.name]?[$0.key] == nil }
        .map { Self.finding(leap, entity.name, $0.key, $0.value) }
    }
  }

  private static func finding(
    _ leap: CheckedHop, _ entity: String, _ property: String,
    _ end: (entity: String, property: String)
  ) -> CheckFinding {
    CheckFinding(
      .lostInOneStep, CheckFinding.Subject(hop: leap.hop, entity: entity, property: property),
      "becomes \(end.entity).\(end.property) version by version, but is lost in one step",
      advice: "Keep one renaming identifier through all versions, or migrate version by version.")
  }

  /// What becomes of each version's properties on the way to `target`, hop by hop.
  private func fates(upTo target: String) -> [String: Fates] {
    var result: [String: Fates] = [:]
    for checked in hops.prefix(while: { $0.hop.source != target }).reversed() {
      guard checked.verdict.isLightweight || checked.verdict.name == "unchanged" else { break }
      let step = Self.fates(of: checked)
      let isLast = checked.hop.destination == target
      result[checked.hop.source] =
        isLast ? step : Self.compose(step, result[checked.hop.destination] ?? [:])
    }
    return result
  }

  private static func compose(_ first: Fates, _ rest: Fates) -> Fates {
    first.mapValues { $0.compactMapValues { rest[$0.entity]?[$0.property] } }
  }

  private static func fates(of checked: CheckedHop) -> Fates {
    var fates: Fates = [:]
    for pair in HopSituation(checked).pairs {
      fates[pair.source.name] = Dictionary(
        pair.properties.map { ($0.source.name, (pair.destination.name, $0.destination.name)) }
      ) { first, _ in first }
    }
    return fates
  }
}
