/// Properties whose values survive version by version, and are lost when Core Data takes a store to the current version
/// in one step: an entity that no store can tell from the version before goes on whatever its identifiers are.
struct LostInOneStepRule {
  /// From each version to the next.
  let steps: [StepSituation]
  /// The steps to the current version that aren't from one version to the next.
  let leaps: [CheckedStep]

  var findings: [CheckFinding] {
    let lightweight = leaps.filter { $0.verdict.isLightweight }
    guard let target = lightweight.first?.versions.destination else { return [] }
    var way = PropertyWay(steps, upTo: target)
    let lost = lightweight.mapOnAllCores { Self.lost(in: $0) }
    return zip(lightweight, lost).flatMap { leap, lost in
      lost.compactMap { property in
        way.end(of: property, from: leap.versions.source).map {
          Self.finding(on: leap, losing: property, at: $0)
        }
      }
    }
  }

  /// The properties that don't survive the leap, each with the entity that declares it.
  private static func lost(in leap: CheckedStep) -> [PropertyPlace] {
    let pairing = ElementPairing(from: leap.source, to: leap.destination)
    let kept = Dictionary(
      firstOf: leap.destination.entities.compactMap { entity in
        pairing.source(of: entity).map { (ObjectIdentifier($0), entity) }
      })
    return leap.source.entities.flatMap { entity -> [PropertyPlace] in
      let removed = removed(from: entity, to: kept[ObjectIdentifier(entity)])
      // So it is with most entities.
      if removed.isEmpty { return [] }
      let own = Set(entity.ownProperties.map(\.name))
      return removed.map(\.name).filter(own.contains).sorted()
        .map { PropertyPlace(entity: entity.name, name: $0) }
    }
  }

  private static func removed(
    from entity: EntityDescription, to kept: EntityDescription?
  ) -> [PropertyDescription] {
    guard let kept else { return entity.storedAttributes + entity.storedRelationships }
    if kept.name == entity.name, kept.versionHash == entity.versionHash { return [] }
    return KeptEntity(source: entity, destination: kept).removed
  }

  private static func finding(
    on leap: CheckedStep, losing property: PropertyPlace, at end: PropertyPlace
  ) -> CheckFinding {
    CheckFinding(
      .lostInOneStep,
      about: CheckFinding.Subject(
        step: leap.versions, entity: property.entity, property: property.name),
      "becomes \(end.entity).\(end.name) version by version, but is lost in one step",
      advice: "Keep one renaming identifier through all versions, or migrate version by version.")
  }
}

/// A property of an entity, as one version has it.
private struct PropertyPlace: Hashable {
  let entity: String
  let name: String
}

/// What becomes of properties from version to version.
private struct PropertyWay {
  /// Those that lead to the target without a mapping model.
  private let steps: ArraySlice<StepSituation>
  /// By the index of the step.
  private var pairs: [Int: [String: KeptEntity]] = [:]
  /// By the index of the step that comes next.
  private var ends: [Int: [PropertyPlace: PropertyPlace?]] = [:]

  init(_ steps: [StepSituation], upTo target: String) {
    let ahead = steps.prefix { $0.checked.versions.source != target }
    let first = ahead.lastIndex {
      !$0.checked.verdict.isLightweight && $0.checked.verdict.name != "unchanged"
    }
    self.steps = ahead[(first.map { $0 + 1 } ?? 0)...]
  }

  /// - Returns: Nil for a property that gets lost, or a version from which mapping models lead on.
  mutating func end(of property: PropertyPlace, from version: String) -> PropertyPlace? {
    guard let index = steps.firstIndex(where: { $0.checked.versions.source == version }) else {
      return nil
    }
    return end(of: property, before: index)
  }

  private mutating func end(of property: PropertyPlace, before index: Int) -> PropertyPlace? {
    if index == steps.endIndex { return property }
    if let known = ends[index]?[property] { return known }
    var last: PropertyPlace?
    if let following = next(of: property, index) { last = end(of: following, before: index + 1) }
    ends[index, default: [:]].updateValue(last, forKey: property)
    return last
  }

  private mutating func next(of property: PropertyPlace, _ index: Int) -> PropertyPlace? {
    if pairs[index] == nil {
      pairs[index] = Dictionary(steps[index].pairs.map { ($0.source.name, $0) }) { first, _ in first
      }
    }
    guard let pair = pairs[index]?[property.entity],
      let kept = pair.properties.first(where: { $0.source.name == property.name })
    else { return nil }
    return PropertyPlace(entity: pair.destination.name, name: kept.destination.name)
  }
}
