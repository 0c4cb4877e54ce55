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
    try AcceptanceList.entries(of: "mutant", in: file, with: ["file", "kind", "mutant"]) {
      entry($0, at: $1, $2)
    }
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
    _ fields: Fields, at place: SourcePlace, _ collector: DiagnosticCollector
  ) -> AcceptedMutant? {
    if ["file", "kind", "mutant"].allSatisfy({ fields.entry($0) == nil }) {
      collector.report(
        "this would accept every mutant; choose some with 'file', 'kind' or 'mutant'", at: place)
    }
    let kind = fields.text("kind").flatMap {
      // Steps were hops before.
      Mutant.Kind(rawValue: $0.value == "hop" ? "step" : $0.value)
        ?? collector.unknown($0, among: Mutant.Kind.allCases.map(\.rawValue), called: "kind")
    }
    guard let reason = fields.text("reason") else { return nil }
    if reason.value.allSatisfy(\.isWhitespace) {
      collector.report("'reason' is empty; say why the mutant is acceptable", at: reason.place)
    }
    return AcceptedMutant(
      file: fields.text("file")?.value, kind: kind, mutant: fields.text("mutant")?.value,
      reason: reason.value, place: place)
  }
}
