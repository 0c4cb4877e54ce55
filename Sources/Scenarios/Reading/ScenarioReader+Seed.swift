extension ScenarioReader {
  /// Rows and generators per entity, or such a map per version.
  func seeds(_ node: SourceNode, versions: [String]) -> [Seed] {
    guard !node.isNull, let entries = collector.map(node, of: "seed") else { return [] }
    let (options, names) = entries.optionsAndNames
    // Rows are lists, so a map below the first level is a generator or a version's.
    guard names.contains(where: { isVersion($0, among: versions) }) else {
      var seed = Seed(version: nil, content: .rows([]))
      read(entries.filter { $0.key.value != ".now" }, at: node.place, into: &seed)
      return [seed]
    }
    var common = Seed(version: nil, content: .rows([]))
    readOptions(options.filter { $0.key.value != ".now" }, at: node.place, into: &common)
    return names.compactMap { entry in
      if !versions.contains(entry.key.value), isRule(entry.value) {
        collector.report(
          "'\(entry.key.value)' needs '.count' to make objects by rule, as in { .count: 3, … }; rows are a "
            + "list", at: entry.key.place)
        return nil
      }
      let ofVersion = entry.value.isNull ? [] : collector.map(entry.value, of: entry.key.value)
      var seed = common
      seed.version = entry.key
      read(ofVersion ?? [], at: entry.value.place, into: &seed)
      return seed
    }
  }

  /// Reads what time it is for the migration, and what its chance comes from.
  func readConditions(_ node: SourceNode, into scenario: inout Scenario) {
    let options = (node.map ?? []).optionsAndNames.options
    for option in options where option.key.value == ".now" {
      guard let text = collector.text(option.value, of: ".now") else { continue }
      if case .date(let time)? = NotatedValue.parse(text.value, as: .date) {
        scenario.now = time
      } else {
        collector.report(
          "'.now' must be a date, as in 2012-12-25T18:00:00Z, not '\(text.value)'", at: text.place)
      }
    }
    if let chance = options.first(where: { $0.key.value == ".random" }) {
      // What is wrong with it is reported where the seed's own chance is read.
      scenario.chance = chance.value.text.flatMap { UInt64($0) }
    }
  }

  private func isVersion(_ entry: SourceNode.Entry, among versions: [String]) -> Bool {
    // A list is of rows: an entity may be called as a version is, which is often the model's name.
    if versions.contains(entry.key.value) {
      return entry.value.list == nil && !Self.isGenerator(entry.value)
    }
    return entry.value.map != nil && !Self.isGenerator(entry.value)
  }

  /// Whether a map could have been meant as a rule for objects: nothing in it is what a version has.
  private func isRule(_ node: SourceNode) -> Bool {
    guard let entries = node.map, !entries.isEmpty else { return false }
    return entries.allSatisfy {
      $0.value.list == nil && !$0.value.isNull && !Self.isGenerator($0.value)
    }
  }

  private func read(
    _ entries: [SourceNode.Entry], at place: SourcePlace, into seed: inout Seed
  ) {
    let (options, names) = entries.optionsAndNames
    readOptions(options, at: place, into: &seed)
    var rows: [SeedRow] = []
    for entry in names { read(entry, rows: &rows, generators: &seed.generators) }
    seed.content = .rows(rows)
  }

  private func readOptions(
    _ options: [SourceNode.Entry], at place: SourcePlace, into seed: inout Seed
  ) {
    let fields = Fields(
      options, of: "a seed", known: [".random", ".validation"], at: place, to: collector)
    if let random = fields.node(".random").flatMap(randomSeed) { seed.random = random }
    let validates = fields.node(".validation").flatMap { collector.flag($0, of: ".validation") }
    if let validates { seed.isValidated = validates }
  }

  /// `store: file.sqlite`, or a path per version.
  func stores(_ node: SourceNode) -> [Seed] {
    guard let entries = node.map else {
      guard let path = collector.text(node, of: "store") else { return [] }
      return [Seed(version: nil, content: .store(path))]
    }
    return entries.compactMap { entry in
      collector.text(entry.value, of: entry.key.value).map {
        Seed(version: entry.key, content: .store($0))
      }
    }
  }

  /// What is listed below an entity: rows and generators, or one generator.
  private func read(
    _ entry: SourceNode.Entry, rows: inout [SeedRow], generators: inout [GeneratorNotation]
  ) {
    if entry.value.isNull { return }
    if Self.isGenerator(entry.value) {
      return generators.append(generator(entry.value, of: entry.key))
    }
    guard let items = entry.value.list else {
      return collector.report(
        entry.value, of: entry.key.value,
        mustBe: "a list of rows, or a map with '.count' for objects made by rule")
    }
    for item in items {
      if Self.isGenerator(item) {
        generators.append(generator(item, of: entry.key))
      } else if item.isNull {
        rows.append(SeedRow(entity: entry.key, place: item.place, fields: []))
      } else if let fields = item.map {
        rows.append(SeedRow(entity: entry.key, place: item.place, fields: values(fields)))
      } else {
        collector.report(
          "a row of '\(entry.key.value)' must be a map of values, as in '- { name: x }', not "
            + item.kind, at: item.place)
      }
    }
  }

  package func values(_ entries: [SourceNode.Entry]) -> [PropertyValue] {
    entries.map { PropertyValue(key: $0.key, value: $0.value) }
  }

  package func values(_ node: SourceNode?, of key: String) -> [PropertyValue] {
    node.flatMap { collector.map($0, of: key) }.map(values) ?? []
  }
}

extension SourceNode {
  /// Whether it is a map of nothing but options, as `.now`.
  var hasOnlyOptions: Bool { map.map { $0.optionsAndNames.names.isEmpty } ?? false }
}
