/// Spells out what a scenario says of all versions at once: the runs' starts, the steps of its chain, and its
/// sample rows. A version that the model gets later needs no edit.
struct EveryVersion {
  let scenario: Scenario
  let models: VersionedModels
  let collector: DiagnosticCollector

  func spelledOut() -> Scenario {
    guard scenario.everyStart != nil || scenario.route != nil || scenario.samplesPlace != nil else {
      return scenario
    }
    if let place = scenario.route?.place ?? scenario.everyStart?.place,
      let problem = models.orderProblems.first
    {
      collector.report(
        "it isn't certain which versions come before the current one: \(problem); name all in their "
          + "order with 'models: { xcode: …, versions: […] }'", at: place)
      return scenario
    }
    var result = scenario
    result.starts = starts()
    result.chain = chain(from: result.starts)
    result.seeds += samples(for: result.starts)
    if let route = scenario.route, result.chain.isEmpty, let current {
      collector.report(
        "there is no step to execute: nothing leads to '\(current)', the current version; write 'chain: []' for a "
          + "run without a migration", at: route.place)
    }
    if models.currentIsAssumed, let current {
      result.passedOver.append(
        "nothing says which version is the current one: '\(current)', the newest, is taken")
    }
    return result
  }

  /// The version that all others lead to.
  private var current: String? { models.currentName ?? models.names.last }

  // MARK: Starts

  private func starts() -> [Located<String>] {
    guard let every = scenario.everyStart else { return scenario.starts }
    let known = versions
    for name in every.except where !known.contains(name.value) {
      let hint = Spelling.hint(for: name.value, among: known, called: "versions to start from")
      collector.report("no run starts at '\(name.value)' in any case\(hint)", at: name.place)
    }
    let except = Set(every.except.map(\.value))
    let names = known.filter { !except.contains($0) }
    if names.isEmpty {
      collector.report("'start' leaves no version to start from", at: every.place)
    }
    return names.map { Located($0, at: every.place) }
  }

  /// The versions before the last, but for those that are equal to it: their stores need no migration.
  private var versions: [String] {
    let all =
      scenario.route == nil && !scenario.chain.isEmpty
      ? scenario.chain.flatMap(\.versions).uniqued()
      : Array(models.names.prefix { $0 != current }) + [current].compactMap(\.self)
    guard let last = all.last.flatMap({ models[$0] }) else { return [] }
    return all.dropLast().filter {
      models[$0]?.entityVersionHashesByName != last.entityVersionHashesByName
    }
  }

  // MARK: Steps

  private func chain(from starts: [Located<String>]) -> [ChainStep] {
    guard let route = scenario.route, let current else { return scenario.chain }
    func step(_ source: String, _ destination: String) -> ChainStep {
      ChainStep(ends: Located(StepEnds(source: source, destination: destination), at: route.place))
    }
    switch route.value {
    case .direct:
      let sources =
        starts.isEmpty
        ? [storesVersion ?? versions.first].compactMap(\.self) : starts.map(\.value)
      return sources.map { step($0, current) }
    case .stepwise:
      let passed = models.names.prefix { $0 != current } + [current]
      let first = passed.firstIndex { name in starts.contains { $0.value == name } }
      let way = passed[(first ?? passed.startIndex)...]
      return zip(way, way.dropFirst()).map { step($0, $1) }
    }
  }

  /// The version of the store that the scenario starts from, if one step leads on from it.
  private var storesVersion: String? {
    FoundStore(of: scenario, among: models).flatMap { store in
      versions.first(where: store.versions.contains)
    }
  }

  // MARK: Rows

  private func samples(for starts: [Located<String>]) -> [Seed] {
    guard let place = scenario.samplesPlace else { return [] }
    let names = starts.isEmpty ? models.names.prefix(1).map { Located($0, at: place) } : starts
    return names.compactMap { name in
      models[name.value].map { model in
        let rows = SampleRows.every(in: model).rows.map { $0.seedRow(at: place) }
        return Seed(version: Located(name.value, at: place), content: .rows(rows))
      }
    }
  }
}

extension SampleRow {
  fileprivate func seedRow(at place: SourcePlace) -> SeedRow {
    let fields = [Notation.Field(key: entity.nameKey, value: .text(name))] + self.fields
    return SeedRow(
      entity: Located(entity.name, at: place), place: place,
      fields: fields.map {
        PropertyValue(key: Located($0.key, at: place), value: $0.value.node(at: place))
      })
  }
}
