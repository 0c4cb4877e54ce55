/// Reads scenario files.
///
/// Reading goes on after an error, so that a person sees all of them at once.
package struct ScenarioReader {
  package let collector: DiagnosticCollector
  static let vocabulary = ExpectationVocabulary(ExpectationKinds.all)

  static let keys = [
    "scenario", "about", "tags", "covers", "skip", "backends", "accept", "target-os", "manager",
    "for_each", "include", "models", "policies", "defaults", "seed", "store", "start", "chain",
    "destination", "device", "expect", "then",
  ]

  /// Reads the scenarios of a file.
  /// - Parameter number: Which one; nil for all.
  /// - Throws: ``Diagnostics`` with everything wrong in the form of the file.
  package static func readAll(
    _ file: SourceFile, in folder: URL, number: Int? = nil
  ) throws -> [Scenario] {
    let cases = try ScenarioCase.all(of: file)
    let wanted = number.map { number in cases.filter { ($0.number ?? 1) == number } } ?? cases
    if let number, wanted.isEmpty {
      throw Diagnostics(
        file: file.path, "there is no scenario \(number): the file has \(cases.count)")
    }
    let read = wanted.map { one in
      let collector = DiagnosticCollector()
      let scenario = ScenarioReader(collector: collector)
        .scenario(one, file: file, folder: folder)
      return (one, scenario, collector.all)
    }
    if read.contains(where: { !$0.2.isEmpty }) {
      throw Diagnostics(of: read.map { ($0.0.document, $0.0.row, $0.2) })
    }
    return read.compactMap(\.1)
  }

  /// Reads a file that has one scenario.
  /// - Throws: ``Diagnostics`` with everything wrong in the form of the file.
  package static func read(_ file: SourceFile, in folder: URL) throws -> Scenario {
    let all = try readAll(file, in: folder)
    if all.count == 1 { return all[0] }
    let shown = all.prefix(20)
    let list =
      shown.map { "\n  \($0.address)  \($0.title.value)" }.joined()
      + (all.count > shown.count ? "\n  …" : "")
    throw Diagnostics(
      file: file.path,
      "this needs one scenario, and the file has \(all.count); name one by its address:\(list)")
  }

  private func scenario(_ one: ScenarioCase, file: SourceFile, folder: URL) -> Scenario? {
    let root = one.root
    guard let entries = root.map else {
      collector.report("a scenario must be a map, starting with 'scenario: …'", at: root.place)
      return nil
    }
    var includes = Includes(for: file, in: folder, collector: collector)
    let fields = Fields(
      includes.completed(entries, in: one.shared), of: "a scenario", known: Self.keys,
      at: root.place, to: collector)
    requireKeys(["scenario", "models"], in: fields)
    if let title = fields.node("scenario"), title.text?.allSatisfy(\.isWhitespace) == true {
      collector.report(
        "'scenario' is the title: say in one line what it shows", at: title.place)
    }
    var scenario = Scenario(
      file: file, folder: folder, title: fields.text("scenario") ?? Located("", at: root.place),
      models: fields.node("models").map { modelSource($0) } ?? .inline([], place: root.place),
      root: root)
    scenario.hasModelsInCode = fields.node("models").map(areInCode) ?? false
    scenario.targetOS = fields.targetOS() ?? ProjectFile.current?.targetOS
    scenario.manager =
      fields.node("manager") == nil ? ProjectFile.current?.manager : fields.manager("manager")
    (scenario.number, scenario.document) = (one.number, one.document)
    scenario.row = one.row
    scenario.about = fields.text("about")?.value
    scenario.tags = differing(fields, "tags").map(\.value)
    scenario.covers = differing(fields, "covers").map(\.value)
    scenario.skip = skip(fields)
    scenario.backends = fields.entry("backends") == nil ? nil : backends(fields)
    scenario.accepted = fields.node("accept").map { acceptedFindings($0) } ?? []
    scenario.project = ProjectFile.current
    scenario.includes = includes.files + [scenario.project?.url].compactMap(\.self)
    readInput(fields, into: &scenario)
    readUnused(includes.unused, into: &scenario)
    scenario.expectations = fields.node("expect").map { expectations($0) } ?? []
    scenario.then = fields.node("then").map { actions($0) } ?? []
    return scenario
  }

  private func readInput(_ fields: Fields, into scenario: inout Scenario) {
    scenario.policies = fields.node("policies").map { policies($0) } ?? []
    let versions = scenario.models.versionNames
    if let node = fields.node("seed"), node.text != nil {
      scenario.samplesPlace = samplesPlace(node)
    } else if let node = fields.node("seed") {
      readConditions(node, into: &scenario)
      let isOfRows = fields.node("store") == nil || !node.hasOnlyOptions
      scenario.seeds = isOfRows ? seeds(node, versions: versions) : []
    }
    let stores = fields.node("store").map { self.stores($0) } ?? []
    for case .store(let path) in stores.filter({ isSeeded($0, in: scenario) }).map(\.content) {
      collector.report(
        "write 'seed' or 'store': of both, the rows are taken, and this store isn't", at: path.place
      )
    }
    scenario.seeds += stores
    scenario.defaults = defaults(fields)
    scenario.seeds = scenario.seeds.map { $0.filled(by: scenario.defaults, of: scenario) }
    collector.refuseEmptyList(fields.node("start"), of: "start")
    scenario.starts = starts(fields)
    scenario.everyStart = everyStart(fields)
    scenario.destination = destination(fields)
    scenario.device = fields.text("device")
    if let node = fields.node("chain"), node.text != nil {
      scenario.route = route(node)
    } else {
      scenario.chain = fields.node("chain").map { chain($0) } ?? []
    }
  }

  /// Whether there are rows for the start of a store.
  private func isSeeded(_ store: Seed, in scenario: Scenario) -> Bool {
    scenario.seeds.contains { $0.version?.value == store.version?.value }
  }

  /// Texts of which each may stand once.
  func differing(_ fields: Fields, _ key: String) -> [Located<String>] {
    let texts = fields.texts(key)
    var seen: Set<String> = []
    for text in texts where !seen.insert(text.value).inserted {
      collector.report("'\(text.value)' is listed twice in '\(key)'", at: text.place)
    }
    return texts
  }

  private func backends(_ fields: Fields) -> [Backend] {
    collector.refuseEmptyList(fields.node("backends"), of: "backends")
    return differing(fields, "backends").compactMap { name in
      if let backend = Backend(rawValue: name.value) { return backend }
      let known = Backend.allCases.map(\.rawValue)
      collector.report("there is no backend", unknown: name, among: known, called: "backends")
      return nil
    }
  }

  /// `- { finding: sql-differs, because: … }`
  private func acceptedFindings(_ node: SourceNode) -> [AcceptedFinding] {
    collector.refuseEmptyList(node, of: "accept")
    var seen: Set<String> = []
    return (node.list ?? [node]).compactMap { item in
      guard let entries = collector.map(item, of: "accept") else { return nil }
      let fields = Fields(
        entries, of: "accept", known: ["finding", "entity", "property", "because"],
        at: item.place, to: collector)
      let known = AcceptedFinding.Kind.byName
      let written = fields.text("finding")
      guard let name = written, let kind = known.first(where: { $0.name == name.value })?.kind
      else {
        let closest = written.flatMap { Spelling.closest(to: $0.value, among: known.map(\.name)) }
        collector.report(
          closest.map { "there is no finding '\(written?.value ?? "")'; did you mean '\($0)'?" }
            ?? "'finding' must be one of: \(known.map(\.name).joined(separator: ", "))",
          at: written?.place ?? item.place)
        return nil
      }
      let (entity, property) = (fields.text("entity")?.value, fields.text("property")?.value)
      let subject = [name.value, entity ?? "", property ?? ""].joined(separator: " ")
      if !seen.insert(subject).inserted {
        collector.report("'\(name.value)' is accepted twice", at: name.place)
      }
      guard let reason = fields.text("because"),
        !reason.value.allSatisfy(\.isWhitespace)
      else {
        collector.report("'\(name.value)' needs the reason: 'because: …'", at: item.place)
        return nil
      }
      return AcceptedFinding(kind: kind, entity: entity, property: property, reason: reason)
    }
  }

  /// The reason; a word for "no" is none, and a word for "yes" lacks it.
  private func skip(_ fields: Fields) -> Located<String>? {
    guard let reason = fields.text("skip") else { return nil }
    switch reason.value.trimmingCharacters(in: .whitespaces).lowercased() {
    case "false", "no", "off": return nil
    case "true", "yes", "on", "":
      collector.report(
        "'skip' needs the reason, as in 'skip: waits for the new server'", at: reason.place)
      return nil
    default: return reason
    }
  }

  /// A file's name in the run's folder: a path could lead anywhere.
  private func destination(_ fields: Fields) -> Located<String>? {
    guard let name = fields.text("destination") else { return nil }
    let isPlain =
      !["", ".", ".."].contains(name.value) && !name.value.contains { "/\\\0".contains($0) }
    if !isPlain {
      collector.report(
        "'destination' must be a plain file name, as in 'new.sqlite', not '\(name.value)'",
        at: name.place)
    } else if StartStore.isTaken(name.value) {
      collector.report(
        "'destination' must be a file other than the old store, '\(StartStore.fileName)', and what "
          + "lies beside it", at: name.place)
    } else {
      return name
    }
    return nil
  }

  private func requireKeys(_ keys: [String], in fields: Fields) {
    for key in keys where fields.entry(key) == nil && !fields.misspelt.contains(key) {
      collector.report("the key '\(key)' is missing", at: fields.place)
    }
  }
}

extension ModelSource {
  /// Whether a version is read from a model file.
  func isFile(_ name: String) -> Bool {
    switch self {
    case .inline(let versions, _):
      versions.contains { version in
        if version.name.value == name, case .file = version.definition { true } else { false }
      }
    case .xcode: true
    }
  }

  /// The names of the versions, as far as the file itself says them.
  var versionNames: [String] {
    switch self {
    case .inline(let versions, _): versions.map(\.name.value)
    case .xcode(_, let versions): versions.map(\.value)
    }
  }
}
