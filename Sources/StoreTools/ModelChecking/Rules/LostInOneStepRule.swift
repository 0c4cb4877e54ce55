/// Properties whose values survive version by version, and are lost when Core Data takes a store to
/// the current version in one step: a renaming identifier reaches back one version only.
struct LostInOneStepRule {
  /// From each version to the next.
  let hops: [HopSituation]
  /// The hops to the current version that aren't from one version to the next.
  let leaps: [CheckedHop]

  var findings: [CheckFinding] {
    let lightweight = leaps.filter { $0.verdict.isLightweight }
    guard let target = lightweight.first?.hop.destination else { return [] }
    var way = PropertyWay(hops, upTo: target)
    let lost = lightweight.mapOnAllCores { Self.lost(in: $0) }
    return zip(lightweight, lost).flatMap { leap, lost in
      lost.compactMap { property in
        way.end(of: property, from: leap.hop.source).map { Self.finding(leap, property, $0) }
      }
    }
  }

  /// The properties that don't survive the leap, each with the entity that declares it.
  private static func lost(in leap: CheckedHop) -> [PropertyPlace] {
    let pairing = ElementPairing(from: leap.source, to: leap.destination)
    let kept = Dictionary(
      leap.destination.entities.compactMap { entity in
        pairing.source(of: entity).map { (ObjectIdentifier($0), entity) }
      }
    ) { first, _ in first }
    return leap.source.entities.flatMap { entity -> [PropertyPlace] in
      let own = Set(entity.ownProperties.map(\.name))
      return removed(from: entity, to: kept[ObjectIdentifier(entity)]).map(\.name)
        .filter(own.contains).sorted().map { PropertyPlace(entity: entity.name, name: $0) }
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
    _ leap: CheckedHop, _ property: PropertyPlace, _ end: PropertyPlace
  ) -> CheckFinding {
    CheckFinding(
      .lostInOneStep,
      CheckFinding.Subject(hop: leap.hop, entity: property.entity, property: property.name),
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
  private let hops: ArraySlice<HopSituation>
  /// By the index of the hop.
  private var pairs: [Int: [String: KeptEntity]] = [:]
  /// By the index of the hop that comes next.
  private var ends: [Int: [PropertyPlace: PropertyPlace?]] = [:]

  init(_ hops: [HopSituation], upTo target: String) {
    let ahead = hops.prefix { $0.checked.hop.source != target }
    let first = ahead.lastIndex {
      !$0.checked.verdict.isLightweight && $0.checked.verdict.name != "unchanged"
    }
    self.hops = ahead[(first.map { $0 + 1 } ?? 0)...]
  }

  /// - Returns: Nil for a property that gets lost, or a version from which mapping models lead on.
  mutating func end(of property: PropertyPlace, from version: String) -> PropertyPlace? {
    guard let index = hops.firstIndex(where: { $0.checked.hop.source == version }) else {
      return nil
    }
    return end(of: property, before: index)
  }

  private mutating func end(of property: PropertyPlace, before index: Int) -> PropertyPlace? {
    if index == hops.endIndex { return property }
    if let known = ends[index]?[property] { return known }
    var last: PropertyPlace?
    if let following = next(of: property, index) { last = end(of: following, before: index + 1) }
    ends[index, default: [:]].updateValue(last, forKey: property)
    return last
  }

  private mutating func next(of property: PropertyPlace, _ index: Int) -> PropertyPlace? {
    if pairs[index] == nil {
      pairs[index] = Dictionary(hops[index].pairs.map { ($0.source.name, $0) }) { first, _ in first
      }
    }
    guard let pair = pairs[index]?[property.entity],
      let kept = pair.properties.first(where: { $0.source.name == property.name })
    else { return nil }
    return PropertyPlace(entity: pair.destination.name, name: kept.destination.name)
  }
}
