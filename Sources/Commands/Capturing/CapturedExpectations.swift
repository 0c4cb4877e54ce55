/// What a played scenario came to, as lines of expectations.
struct CapturedExpectations {
  private let run: ScenarioRun

  /// Most objects of an entity that are looked at one by one; all are counted.
  private static let mostObjects = 5
  private static let mostMembers = 8
  /// Longer texts and data are in the seed, and say little.
  private static let mostCharacters = 80

  init(_ run: ScenarioRun) { self.run = run }

  /// The lines for all, without those about single objects.
  /// - Throws: The failure of a chain without the app's policies.
  func general() throws -> [String] {
    if let failure = run.facts.failure { return try FirstScenarioTrial.lines(for: failure) }
    guard let content = run.snapshots.last?.content else { return [] }
    let lines = stepLines + countLines(content) + originLines
    return lines.isEmpty ? modelLine : lines
  }

  /// The lines about single objects.
  var objects: [String] {
    guard run.facts.failure == nil, let content = run.snapshots.last?.content else { return [] }
    let names = Names(content, run.provenance)
    var told: [String: Int] = [:]
    return content.objects.indices.flatMap { place -> [String] in
      let object = content.objects[place]
      guard let name = names[place], told[object.entity.name, default: 0] < Self.mostObjects else {
        return []
      }
      told[object.entity.name, default: 0] += 1
      let heading = "- object: " + ScenarioParts.scalar("\(object.entity.name) \(name)")
      let facts = facts(of: object, names)
      if facts.isEmpty { return [heading] }
      return [heading, "  has:"]
        + facts.map { "    " + Notation.entry($0.key, $0.value).yaml(inFlow: false) }
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

  // MARK: Lines

  private var modelLine: [String] {
    run.scenario.models[run.finalVersion]?.entities.first.map {
      [
        "- model: "
          + Notation.map([.init(key: $0.name, value: .text("exists"))]).yaml(inFlow: false)
      ]
    } ?? []
  }

  private var stepLines: [String] {
    if run.scenario.scenario.chain.isEmpty { return [] }
    let steps = run.result.executedSteps.map { step in
      step.mapping.map { Notation.entry(step.name, .text($0.rawValue)) } ?? .text(step.name)
    }
    return ["- hops: " + Notation.list(steps).yaml(inFlow: false)]
  }

  private func countLines(_ content: ContentSnapshot) -> [String] {
    let all = content.objects.map(\.entity)
    guard let model = run.scenario.models[run.finalVersion] else { return [] }
    // Objects of subentities count for the entities above them, too.
    let fields = model.entities.filter { !$0.isAbstract }.map(\.name).sorted().map { name in
      Notation.Field(key: name, value: .number(all.count { $0.isNamedOrDescends(from: name) }))
    }
    return fields.isEmpty ? [] : ["- count: " + Notation.map(fields).yaml(inFlow: false)]
  }

  private var originLines: [String] {
    if run.scenario.scenario.chain.isEmpty || run.provenance.origins.isEmpty { return [] }
    let lost = zip(run.provenance.origins, run.provenance.current).filter { $0.1.isEmpty }
    if lost.isEmpty { return ["- everySourceMigrated: true"] }
    let names = lost.map { Notation.text($0.0.label) }
    return ["- dropped: " + Notation.list(names).yaml(inFlow: false)]
  }

  private func facts(of object: ContentSnapshot.Object, _ names: Names) -> [Notation.Field] {
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
      facts.append(fact(relationship, links.map { names[$0] }))
    }
    return facts
  }

  private func fact(
    _ relationship: RelationshipDescription, _ links: [String?]
  ) -> Notation.Field {
    let known = links.compactMap(\.self)
    let isTold = known.count == links.count && links.count <= Self.mostMembers
    if relationship.isToMany {
      return isTold && !links.isEmpty
        ? .init(key: relationship.name, value: .list(known.map(Notation.text)))
        : .init(key: "\(relationship.name).@count", value: .number(links.count))
    }
    if links.isEmpty { return .init(key: relationship.name, value: .null) }
    return .init(key: relationship.name, value: .text(known.first ?? "present"))
  }
}
