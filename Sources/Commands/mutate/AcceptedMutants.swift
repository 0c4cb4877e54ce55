/// Mutants that somebody looked at and lets live, with the reason.
struct AcceptedMutant: Sendable {
  /// The file of the mutants; one that ends with `/` stands for all below it.
  let file: String?
  let kind: Mutant.Kind?
  /// What the mutant is called.
  let mutant: String?
  let reason: String
  /// Where it stands.
  let place: SourcePlace

  func applies(to candidate: Mutant) -> Bool {
    (mutant == nil || mutant == candidate.title) && (kind == nil || kind == candidate.kind)
      && isAbout(candidate.file)
  }

  /// Whether it may accept mutants of a file.
  func isAbout(_ path: String) -> Bool {
    guard let file else { return true }
    return file.hasSuffix("/") ? path.hasPrefix(file) : path == file
  }
}

/// A file of accepted mutants, in YAML:
///
///     accepted:
///       - file: Policies/SongPolicy.swift
///         mutant: leave out 'cache.removeAll()'
///         reason: It only saves memory.
///         date: 2026-11-24
///
/// `reason` must be there, and one of `file`, `kind` and `mutant`; what is left out may be anything.
enum AcceptanceFile {
  /// Where it is unless it is given: beside the scenarios, else in the working folder. Paths in it are as reports show
  /// them, from the working folder.
  private static var usualPath: String {
    let name = ".heavyweight-mutate.yaml"
    let beside = ScenarioFinder.usualFolder + "/" + name
    return FileManager.default.fileExists(atPath: beside) ? beside : name
  }

  /// - Parameters:
  ///   - path: A file that must be there; nil for the usual place, where there need be none.
  ///   - mayBeAbsent: Whether a file that is given needn't be there yet.
  /// - Throws: ``Diagnostics`` with all that is wrong in the file.
  static func load(given path: String?, mayBeAbsent: Bool = false) throws -> [AcceptedMutant] {
    let shown = path ?? usualPath
    let place = URL(fileURLWithPath: shown)
    if path == nil || mayBeAbsent, !FileManager.default.fileExists(atPath: place.path) { return [] }
    return try load(SourceFile(contentsOf: place, shownAs: shown))
  }

  static func load(_ file: SourceFile) throws -> [AcceptedMutant] {
    let collector = DiagnosticCollector()
    let root = try SourceNode.yaml(file)
    let fields = Fields(
      collector.map(root, of: "the file") ?? [], of: "a file of accepted mutants",
      known: ["accepted"], at: root.place, to: collector)
    let entries = fields.node("accepted").flatMap { collector.list($0, of: "accepted") } ?? []
    let accepted = entries.compactMap { entry($0, collector) }
    try collector.throwIfAny()
    return accepted
  }

  /// Writes mutants into the file, with the reason and the day.
  /// - Returns: A line that says what was written.
  /// - Throws: ``Diagnostics`` for a file that is wrong, or can't be added to.
  static func accept(
    _ mutants: [Mutant], because reason: String, given path: String?
  ) throws -> String {
    if mutants.isEmpty { return "nothing to accept" }
    let old = try load(given: path, mayBeAbsent: true)
    let shown = path ?? usualPath
    let list = AcceptanceList("accepted", at: URL(fileURLWithPath: shown), shownAs: shown)
    try list.add(
      mutants.map { ["file": $0.file, "mutant": $0.title] }, because: reason, on: Date(),
      below: old.map(\.place), count: { try load($0).count })
    return "\(mutants.count.counted("mutant")) accepted in \(list.shown)"
  }

  private static func entry(
    _ node: SourceNode, _ collector: DiagnosticCollector
  ) -> AcceptedMutant? {
    guard let map = collector.map(node, of: "accepted") else { return nil }
    let known = ["file", "kind", "mutant", "reason", "date"]
    let fields = Fields(map, of: "an accepted mutant", known: known, at: node.place, to: collector)
    _ = fields.text("date")
    if fields.entry("reason") == nil {
      collector.report("an accepted mutant needs a 'reason'", at: node.place)
    }
    if ["file", "kind", "mutant"].allSatisfy({ fields.entry($0) == nil }) {
      collector.report(
        "this would accept every mutant; choose some with 'file', 'kind' or 'mutant'",
        at: node.place)
    }
    let kind = fields.text("kind").flatMap { Self.kind($0, collector) }
    guard let reason = fields.text("reason") else { return nil }
    if reason.value.allSatisfy(\.isWhitespace) {
      collector.report("'reason' is empty; say why the mutant is acceptable", at: reason.place)
    }
    return AcceptedMutant(
      file: fields.text("file")?.value, kind: kind, mutant: fields.text("mutant")?.value,
      reason: reason.value, place: node.place)
  }

  private static func kind(
    _ name: Located<String>, _ collector: DiagnosticCollector
  ) -> Mutant.Kind? {
    if let kind = Mutant.Kind(rawValue: name.value) { return kind }
    let hint = Spelling.hint(
      for: name.value, among: Mutant.Kind.allCases.map(\.rawValue), called: "kinds")
    collector.report("there is no kind '\(name.value)'\(hint)", at: name.place)
    return nil
  }
}
