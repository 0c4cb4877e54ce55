/// The keys of a run's stores: each a digest of all that the store depends on.
struct RunKeys {
  let scenario: CheckedScenario
  let start: String

  /// One for the store after each step.
  func all() throws -> [String] {
    let steps = scenario.steps(from: start)
    // The only step is always executed; stages are executed as several.
    if steps.count < 2 || steps.contains(where: { $0.stages != nil }) { return [] }
    var key = CacheKey()
    try addSeed(to: &key)
    var keys: [String] = []
    let root = scenario.scenario.root
    addRest(of: root, to: &key)
    for (index, step) in steps.enumerated() {
      try add(step, at: scenario.scenario.chain.count - steps.count + index, in: root, to: &key)
      keys.append(key.text)
    }
    return keys
  }

  private func addSeed(to key: inout CacheKey) throws {
    key.add(try scenario.model(start))
    // Value transformers are of the app's code, and derived attributes may have the time.
    try addPolicies(to: &key)
    key.add("\(scenario.scenario.now?.timeIntervalSinceReferenceDate ?? .nan)")
    key.add("\(scenario.scenario.chance.map { "\($0)" } ?? "any")")
    let seed = scenario.scenario.seed(for: start)
    if seed?.isValidated == false { key.add("past validation") }
    switch seed?.content {
    case .rows(let rows):
      for row in rows {
        key.add(row.entity.value)
        for field in row.fields {
          key.add(field.key.value)
          key.add(field.value)
        }
      }
    case .store(let path):
      let files = PersistentStoreFiles(scenario.scenario.folder.resolving(path.value))
      for (name, digest) in try StoreDigest.files(of: files).sorted(by: { $0.key < $1.key }) {
        key.add(name)
        key.add(digest)
      }
    case nil: break
    }
  }

  private func addPolicies(to key: inout CacheKey) throws {
    let folder = scenario.scenario.folder
    for module in scenario.scenario.policies.flatMap({ $0.stubs + [$0] }) {
      key.add(module.name.value)
      key.add(module.prefix ?? "")
      key.add("\(module.conditions)")
      for file in try module.sources.flatMap({ try PolicyFiles.matching($0, in: folder) }) {
        key.add(file.lastPathComponent)
        try key.add(fileAt: file)
      }
    }
  }

  /// A step as the file writes it, whatever there will be to write; the line counts, since a mapping
  /// that stands in the file is called by it.
  private func add(
    _ step: ChainStep, at index: Int, in root: SourceNode, to key: inout CacheKey
  ) throws {
    key.add(try scenario.model(step.ends.value.source))
    key.add(try scenario.model(step.ends.value.destination))
    if let made = step.madeFor?.value {
      key.add(try scenario.model(made.source))
      key.add(try scenario.model(made.destination))
    }
    for mapping in step.mappings {
      guard case .file(let path) = mapping else { continue }
      try key.add(fileAt: scenario.scenario.folder.resolving(path.value))
    }
    key.add("\(step.ends.place.line)")
    key.add(chainNode(index, in: root))
  }

  /// Whatever else a scenario may say that a migration could depend on.
  private func addRest(of root: SourceNode, to key: inout CacheKey) {
    let without: Set<String> = [
      "scenario", "about", "tags", "covers", "models", "policies", "seed", "store", "start",
      "chain", "expect", "then",
    ]
    for entry in root.map ?? [] where !without.contains(entry.key.value) {
      key.add(entry.key.value)
      key.add(entry.value)
    }
  }

  private func chainNode(_ index: Int, in root: SourceNode) -> SourceNode {
    let chain = root.map?.first { $0.key.value == "chain" }?.value ?? root
    guard let items = chain.list, items.count == scenario.scenario.chain.count else { return chain }
    return items[index]
  }
}
