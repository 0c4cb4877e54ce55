/// Reads scenario files.
///
/// Reading goes on after an error, so that a person sees all of them at once.
package struct ScenarioReader {
  package let collector: DiagnosticCollector
  let vocabulary: ExpectationVocabulary

  static let keys = [
    "scenario", "about", "tags", "covers", "skip", "backends", "accept",
    "include", "models", "policies", "defaults", "seed", "store", "start",
    "chain",
    "destination", "expect", "then",
  ]

  /// - Throws: ``Diagnostics`` with everything wrong in the form of the file.
  package static func read(
    _ file: SourceFile, in folder: URL, kinds: [any ExpectationKind.Type]
  ) throws -> Scenario {
    let root = try SourceNode.yaml(file)
    let collector = DiagnosticCollector()
    let scenario = ScenarioReader(
      collector: collector, vocabulary: ExpectationVocabulary(kinds)
    ).scenario(root, file: file, folder: folder)
    try collector.throwIfAny()
    guard let scenario else { throw Diagnostics([Diagnostic(file: file.path, "no scenario")]) }
    return scenario
  }

  private func scenario(_ root: SourceNode, file: SourceFile, folder: URL) -> Scenario? {
    guard let entries = root.map else {
      collector.report("a scenario must be a map, starting with 'scenario: …'", at: root.place)
      return nil
    }
    var includes = Includes(for: file, in: folder, collector: collector)
    let fields = Fields(
      includes.completed(entries), of: "a scenario", known: Self.keys, at: root.place,
      to: collector)
    requireKeys(["scenario", "models"], in: fields)
    var scenario = Scenario(
      file: file, folder: folder, title: fields.text("scenario") ?? Located("", at: root.place),
      models: fields.node("models").map { modelSource($0) } ?? .inline([], place: root.place))
    scenario.about = fields.text("about")?.value
    scenario.tags = fields.texts("tags").map(\.value)
    scenario.covers = fields.texts("covers").map(\.value)
    scenario.skip = skip(fields)
    scenario.backends = fields.entry("backends") == nil ? nil : backends(fields)
    scenario.accepted = fields.node("accept").map { acceptedFindings($0) } ?? []
    scenario.includes = includes.files
    readInput(fields, into: &scenario)
    scenario.expectations = fields.node("expect").map { expectations($0) } ?? []
    scenario.then = fields.node("then").map { actions($0) } ?? []
    return scenario
  }

  private func readInput(_ fields: Fields, into scenario: inout Scenario) {
    scenario.policies = fields.node("policies").map { policies($0) } ?? []
    let versions = scenario.models.versionNames
    if let node = fields.node("seed") {
      readConditions(node, into: &scenario)
      let isOfRows = fields.node("store") == nil || !node.hasOnlyOptions
      scenario.seeds = isOfRows ? seeds(node, versions: versions) : []
    }
    scenario.seeds += fields.node("store").map { stores($0) } ?? []
    scenario.defaults = defaults(fields)
    scenario.seeds = scenario.seeds.map { $0.filled(by: scenario.defaults) }
    scenario.starts = fields.texts("start")
    scenario.destination = destination(fields)
    scenario.chain = fields.node("chain").map { chain($0) } ?? []
  }

  private func backends(_ fields: Fields) -> [Backend] {
    fields.texts("backends").compactMap { name in
      if let backend = Backend(rawValue: name.value) { return backend }
      let known = Backend.allCases.map(\.rawValue)
      let hint = Spelling.hint(for: name.value, among: known, called: "backends")
      collector.report("there is no backend '\(name.value)'\(hint)", at: name.place)
      return nil
    }
  }

  /// `- { finding: sql-differs, because: … }`
  private func acceptedFindings(_ node: SourceNode) -> [AcceptedFinding] {
    (node.list ?? [node]).compactMap { item in
      guard let entries = collector.map(item, of: "accept") else { return nil }
      let fields = Fields(
        entries, of: "accept", known: ["finding", "because"], at: item.place, to: collector)
      let known = AcceptedFinding.Kind.byName
      guard let name = fields.text("finding"),
        let kind = known.first(where: { $0.name == name.value })?.kind
      else {
        collector.report(
          "'finding' must be one of: \(known.map(\.name).joined(separator: ", "))", at: item.place)
        return nil
      }
      guard let reason = fields.text("because"),
        !reason.value.allSatisfy(\.isWhitespace)
      else {
        collector.report("'\(name.value)' needs the reason: 'because: …'", at: item.place)
        return nil
      }
      return AcceptedFinding(kind: kind, reason: reason)
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
        "'destination' must be another file than the old store's, '\(StartStore.fileName)', and what "
          + "lies beside it", at: name.place)
    } else {
      return name
    }
    return nil
  }

  private func requireKeys(_ keys: [String], in fields: Fields) {
    for key in keys where fields.entry(key) == nil {
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
