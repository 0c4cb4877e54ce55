/// An entry of a silence file: findings that somebody looked at and accepted.
public struct Silencing: Sendable {
  let rule: CheckRule
  /// `v1 -> v2`; nil for all.
  let hop: String?
  let version: String?
  let entity: String?
  let property: String?
  let file: String?
  let reason: String
  /// Where it stands.
  let place: SourcePlace

  func applies(to finding: CheckFinding) -> Bool {
    let subject = finding.subject
    return rule == finding.rule && fits(hop, subject.hop?.description)
      && fits(version, subject.version) && fits(entity, subject.entity)
      && fits(property, subject.property) && fits(file, subject.file)
  }

  private func fits(_ wanted: String?, _ found: String?) -> Bool {
    wanted == nil || wanted == found
  }

  var unusedFinding: CheckFinding {
    let details = [hop, version, entity, property, file].compactMap { $0 }
    let what = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    return CheckFinding(
      .unusedSilencing, CheckFinding.Subject(file: "\(place.file.path):\(place.line)"),
      "silences nothing: \(rule.rawValue)\(what)", advice: "Remove the entry.")
  }
}

/// A file of silencings, in YAML:
///
///     silence:
///       - rule: removed-property
///         hop: Model 3 -> Model 4
///         entity: Order
///         property: total
///         reason: The server computes it now.
///
/// `rule` and `reason` must be there; of the rest, what is left out may be anything.
public enum SilenceFile {
  /// The name under which it is found beside a model.
  public static let name = ".heavyweight-check.yaml"

  /// The silencings for a model: of the file that is given, else of the one beside the model, else of
  /// the one in the working folder.
  /// - Throws: ``Diagnostics`` with all that is wrong in the file.
  public static func load(given path: String?, forModelAt model: URL) throws -> [Silencing] {
    if let path {
      return try load(SourceFile(contentsOf: URL(fileURLWithPath: path), shownAs: path))
    }
    let candidates = [
      model.deletingLastPathComponent().appending(path: name), URL(fileURLWithPath: name),
    ]
    guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0.path) })
    else { return [] }
    return try load(SourceFile(contentsOf: found))
  }

  static func load(_ file: SourceFile) throws -> [Silencing] {
    let collector = DiagnosticCollector()
    let root = try SourceNode.yaml(file)
    let fields = Fields(
      collector.map(root, of: "the file") ?? [], of: "a silence file", known: ["silence"],
      at: root.place, to: collector)
    let entries = fields.node("silence").flatMap { collector.list($0, of: "silence") } ?? []
    let silencings = entries.compactMap { silencing($0, collector) }
    try collector.throwIfAny()
    return silencings
  }

  private static let keys = ["rule", "hop", "version", "entity", "property", "file", "reason"]

  private static func silencing(
    _ node: SourceNode, _ collector: DiagnosticCollector
  ) -> Silencing? {
    guard let map = collector.map(node, of: "silence") else { return nil }
    let fields = Fields(map, of: "a silencing", known: keys, at: node.place, to: collector)
    for key in ["rule", "reason"] where fields.entry(key) == nil {
      collector.report("a silencing needs a '\(key)'", at: node.place)
    }
    guard let name = fields.text("rule"), let reason = fields.text("reason"),
      let rule = rule(name, collector)
    else { return nil }
    return Silencing(
      rule: rule, hop: fields.text("hop")?.value, version: fields.text("version")?.value,
      entity: fields.text("entity")?.value, property: fields.text("property")?.value,
      file: fields.text("file")?.value, reason: reason.value, place: node.place)
  }

  private static func rule(
    _ name: Located<String>, _ collector: DiagnosticCollector
  ) -> CheckRule? {
    if let rule = CheckRule(rawValue: name.value) { return rule }
    let hint = Spelling.hint(
      for: name.value, among: CheckRule.allCases.map(\.rawValue), called: "rules")
    collector.report("there is no rule '\(name.value)'\(hint)", at: name.place)
    return nil
  }
}
