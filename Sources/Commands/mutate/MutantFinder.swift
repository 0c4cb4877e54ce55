/// Finds the mutants of scenarios: what in their chains, models, mapping models and Swift files can be dropped
/// or altered, and which of the scenarios use it.
struct MutantFinder {
  private struct Key: Hashable {
    let file: String
    let title: String
    /// Scenarios that stand in one file may have things of one name.
    let line: Int?
  }

  private var mutants: [Mutant] = []
  private var places: [Key: Int] = [:]
  private var sources: [String: PolicyFile] = [:]

  /// - Throws: When a mapping model or a Swift file can't be read.
  static func mutants(of scenarios: [CheckedScenario]) throws -> [Mutant] {
    var finder = MutantFinder()
    for (index, scenario) in scenarios.enumerated() { try finder.add(scenario, index) }
    let order = Dictionary(
      uniqueKeysWithValues: Mutant.Kind.allCases.enumerated().map { ($1, $0) })
    return finder.mutants.enumerated().sorted { a, b in
      let (first, second) = (order[a.element.kind] ?? 0, order[b.element.kind] ?? 0)
      return (first, a.offset) < (second, b.offset)
    }.map(\.element)
  }

  private mutating func add(_ scenario: CheckedScenario, _ index: Int) throws {
    var own: [Mutant] = ChainMutants(scenario).all()
    own += try MappingMutants(scenario).all()
    own += ModelMutants(scenario).all()
    own += try sourceMutants(scenario)
    var seen: [String: Int] = [:]
    for var mutant in own {
      let count = seen["\(mutant.file): \(mutant.title)", default: 0] + 1
      seen["\(mutant.file): \(mutant.title)"] = count
      if count > 1 { mutant.title += " (\(count))" }
      let target = Mutant.Target(scenario: index, mutation: mutant.targets[0].mutation)
      let key = Key(file: mutant.file, title: mutant.title, line: mutant.line)
      if let place = places[key] {
        mutants[place].targets.append(target)
      } else {
        places[key] = mutants.count
        mutant.targets = [target]
        mutants.append(mutant)
      }
    }
  }

  // MARK: Swift files

  private struct PolicyFile {
    let shown: String
    let text: String
    let names: Set<String>
    let words: Set<String>
    let mutants: [SourceMutant]
  }

  private mutating func sourceMutants(_ scenario: CheckedScenario) throws -> [Mutant] {
    let paths = try scenario.scenario.policies.flatMap {
      try $0.fileURLs(in: scenario.scenario.folder)
    }.map(\.standardizedFileURL.path)
    let files = try paths.map { (path: $0, file: try policyFile($0)) }
    let used = Self.used(files.map(\.file), naming: try scenario.namesOfClasses())
    return zip(files, used).filter(\.1).flatMap { entry, _ in
      entry.file.mutants.map { Self.mutant(of: $0, at: entry.path, in: entry.file) }
    }
  }

  private mutating func policyFile(_ path: String) throws -> PolicyFile {
    if let known = sources[path] { return known }
    let source = try PolicySource(contentsOf: URL(fileURLWithPath: path))
    let finder = SourceMutants(source.text)
    let file = PolicyFile(
      shown: ShownPath.of(path), text: source.text, names: finder.declaredNames,
      words: finder.words, mutants: finder.all())
    sources[path] = file
    return file
  }

  /// Which files the classes and handlers of a chain lead to, by the names that they use.
  private static func used(_ files: [PolicyFile], naming names: Set<String>) -> [Bool] {
    var used = files.map { !$0.names.isDisjoint(with: names) }
    // Whatever an app's code is called by then, all of it may run.
    if !used.contains(true) { return files.map { _ in true } }
    while true {
      let words = zip(files, used).filter(\.1).reduce(into: Set<String>()) {
        $0.formUnion($1.0.words)
      }
      let next = files.map { !$0.names.isDisjoint(with: words.union(names)) }
      if next == used { return used }
      used = next
    }
  }

  private static func mutant(
    of source: SourceMutant, at path: String, in file: PolicyFile
  ) -> Mutant {
    let bytes = Array(file.text.utf8)
    let removed = String(decoding: bytes[source.range], as: UTF8.self)
    let mutation = SourceMutation(
      path: path, offset: source.range.lowerBound, removed: removed, added: source.replacement)
    let change = lines(changedBy: source, in: bytes)
    return Mutant(
      kind: Mutant.Kind(source.kind), file: file.shown, line: source.line, title: source.title,
      removed: change.removed, added: change.added,
      targets: [Mutant.Target(scenario: 0, mutation: .source(mutation))])
  }

  /// The whole lines that a change is about.
  private static func lines(
    changedBy source: SourceMutant, in bytes: [UInt8]
  ) -> (removed: [String], added: [String]) {
    let newline = UInt8(ascii: "\n")
    let start = bytes[..<source.range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[source.range.upperBound...].firstIndex(of: newline) ?? bytes.count
    let old = String(decoding: bytes[start..<end], as: UTF8.self)
    let new = String(
      decoding: bytes[start..<source.range.lowerBound] + Array(source.replacement.utf8)
        + bytes[source.range.upperBound..<end], as: UTF8.self)
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map(String.init)
        .filter { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
    }
    return (lines(old), lines(new))
  }
}

extension Mutant.Kind {
  fileprivate init(_ kind: SourceMutant.Kind) {
    self =
      switch kind {
      case .hook: .hook
      case .condition: .condition
      case .return: .return
      case .call: .call
      case .assignment: .assignment
      }
  }
}

extension CheckedScenario {
  /// The policies, handlers and classes of objects that the chain names, without their modules.
  fileprivate func namesOfClasses() throws -> Set<String> {
    var names: Set<String> = []
    for step in scenario.chain {
      for model in try candidates(of: step).map(\.model) {
        for mapping in model.entityMappings ?? [] {
          names.formUnion([mapping.entityMigrationPolicyClassName].compactMap(\.self))
        }
      }
      for case .custom(let stage) in step.stages?.stages ?? [] {
        names.formUnion([stage.will?.value, stage.did?.value].compactMap(\.self))
      }
    }
    for model in models.names.compactMap({ models[$0] }) {
      names.formUnion(model.entities.compactMap(\.managedObjectClassName))
    }
    return Set(names.compactMap { $0.split(separator: ".").last.map(String.init) })
  }

  /// The mapping models that a step is offered.
  func candidates(of step: ChainStep) throws -> [MappingCandidate] {
    let made = step.madeFor?.value ?? step.ends.value
    let (source, destination) = (try model(made.source), try model(made.destination))
    return try mappings(of: step).map { try $0.candidate(from: source, to: destination) }
  }

  /// Whether an app's code, or the scenario itself, may delete objects.
  func deletesObjects() -> Bool {
    if scenario.then.contains(where: { if case .delete = $0.kind { true } else { false } }) {
      return true
    }
    let files = scenario.policies.flatMap {
      (try? $0.fileURLs(in: scenario.folder)) ?? []
    }
    return files.contains { url in
      // One that can't be read is told where it is compiled.
      (try? PolicySource(contentsOf: url))?.text.contains("delete(") == true
    }
  }
}
