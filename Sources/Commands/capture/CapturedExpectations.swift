/// Expectations of what a played scenario came to.
struct CapturedExpectations {
  private let run: ScenarioRun

  /// Most objects of an entity that are looked at one by one; all are counted.
  private static let mostObjects = 5
  private static let mostMembers = 8
  /// Longer texts and data are in the seed, and say little.
  private static let mostCharacters = 80

  init(_ run: ScenarioRun) { self.run = run }

  /// Those about all, without those about single objects.
  /// - Throws: The failure of a chain without the app's policies.
  func general() throws -> [Notation] {
    if let failure = run.facts.failure { return try failure.expectations() }
    guard let content = run.snapshots.last?.content else { return [] }
    let entities = (run.scenario.models[run.finalVersion]?.entities ?? []).filter { !$0.isAbstract }
    let items =
      stepExpectations + content.countExpectations(of: entities.map(\.name))
      + run.originExpectations
    return items.isEmpty ? run.modelExpectations : items
  }

  /// Those about single objects.
  var objects: [Notation] {
    guard run.facts.failure == nil, let content = run.snapshots.last?.content else { return [] }
    let names = Names(content, run.provenance)
    let newlyOrdered = run.newlyOrdered
    var told: [String: Int] = [:]
    return content.objects.indices.compactMap { place in
      let object = content.objects[place]
      guard let name = names[place], told[object.entity.name, default: 0] < Self.mostObjects else {
        return nil
      }
      told[object.entity.name, default: 0] += 1
      return .object("\(object.entity.name) \(name)", has: facts(of: object, names, newlyOrdered))
    }
  }

  /// The names by which expectations find objects: those of rows of which one object was made.
  private struct Names {
    private var names: [String?]

    init(_ content: ContentSnapshot, _ provenance: Provenance) {
      names = content.objects.map { object in
        object.origins.count == 1 ? provenance.origins[object.origins[0]].name : nil
      }
      let objects = content.objects
      var counts: [String: Int] = [:]
      for (place, name) in names.enumerated() {
        if let name { counts["\(objects[place].entity.name) \(name)", default: 0] += 1 }
      }
      for (place, name) in names.enumerated() {
        guard let name, counts["\(objects[place].entity.name) \(name)"] != 1 else { continue }
        names[place] = nil
      }
      // A name means its object whatever the entity is called that leads to it.
      let all = Dictionary(grouping: names.compactMap(\.self), by: \.self)
      names = names.map { name in name.flatMap { all[$0]?.count == 1 ? $0 : nil } }
    }

    subscript(place: Int) -> String? { names[place] }
  }

  // MARK: Facts

  private var stepExpectations: [Notation] {
    if run.scenario.scenario.chain.isEmpty { return [] }
    let steps = run.result.executedSteps.map { step in
      step.mapping.map { Notation.entry(step.name, .text($0.rawValue)) } ?? .text(step.name)
    }
    return [.entry("steps", .list(steps))]
  }

  private func facts(
    of object: ContentSnapshot.Object, _ names: Names, _ newlyOrdered: Set<[String]>
  ) -> [Notation.Field] {
    var facts: [Notation.Field] = []
    for (attribute, value) in zip(object.entity.attributes, object.values) {
      guard attribute.isStored, !attribute.isTransient,
        let notation = value.notation(as: attribute),
        notation.yaml(inFlow: false).count <= Self.mostCharacters,
        // Without quotes these ask for a kind of value.
        notation != .text("any"), notation != .text("present")
      else { continue }
      facts.append(.init(key: attribute.name, value: notation))
    }
    for (relationship, links) in zip(object.entity.relationships, object.links) {
      let isInDoubt = newlyOrdered.contains([relationship.entity.name, relationship.name])
      let most = isInDoubt ? 1 : Self.mostMembers
      facts.append(.fact(relationship, links.map { names[$0] }, most: most))
    }
    return facts
  }
}
