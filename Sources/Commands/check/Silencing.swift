/// An entry of a silence file: findings of `check`, `lock` and `smoke` that somebody looked at and accepted.
package struct Silencing: Sendable {
  /// The identifier of a rule of `check`, or of a finding of `lock` or `smoke`.
  let rule: String
  /// `v1 -> v2`; nil for all.
  let step: String?
  let version: String?
  let entity: String?
  let property: String?
  let file: String?
  /// The entity mapping, or the policy's class, of a finding of `smoke`.
  let mapping: String?
  /// Where the model is, from the file's folder; nil for all models that the file serves.
  let model: String?
  let reason: String
  /// Where it stands.
  let place: SourcePlace

  func applies(to finding: CheckFinding) -> Bool {
    let subject = finding.subject
    let isMeant = rule == finding.rule.rawValue
    let isMeantByLock = LockFinding.Kind(rawValue: rule)?.checkRule == finding.rule
    return (isMeant || isMeantByLock) && fits(step, subject.step?.description)
      && (fits(version, subject.version) || fits(version, subject.versions))
      && fits(entity, subject.entity) && fits(property, subject.property)
      && fits(file, subject.file) && mapping == nil
  }

  /// What `check` calls otherwise is the same finding: whoever accepted it there needn't do so again.
  func applies(to finding: LockFinding) -> Bool {
    [finding.kind.rawValue, finding.kind.checkRule?.rawValue].contains(rule)
      && fits(step ?? version, finding.version) && fits(entity, finding.entity)
      && fits(property, finding.property) && file == nil
  }

  /// Whether `check` has the rule; one that only `lock` has is none of its business.
  var isOfCheck: Bool {
    CheckRule(rawValue: rule) != nil || LockFinding.Kind(rawValue: rule)?.checkRule != nil
  }

  func fits(_ wanted: String?, _ found: String?) -> Bool {
    wanted == nil || wanted == found
  }

  func isMeant(forModelAt url: URL) -> Bool {
    let folder = URL(fileURLWithPath: place.file.path).deletingLastPathComponent()
    return model.map { folder.resolving($0).realPath == url.realPath } ?? true
  }

  var unusedFinding: CheckFinding {
    var finding = CheckFinding(
      .unusedSilencing, about: CheckFinding.Subject(file: shownPlace), "silences nothing: \(what)",
      advice: "Remove the entry.")
    finding.place = FilePlace(file: place.file.path, line: place.line, column: place.column)
    return finding
  }

  var shownPlace: String { "\(place.file.path):\(place.line)" }

  /// The rule and what it is about.
  var what: String {
    let details = [step, version, entity, property, file, mapping].compactMap { $0 }
    return rule + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }
}

/// A file of silencings, in YAML:
///
///     silence:
///       - rule: removed-property
///         step: Model 3 -> Model 4
///         entity: Order
///         property: total
///         reason: The server computes it now.
///         date: 2026-03-01
///
/// `rule` and `reason` must be there, `date` may be; of the rest, what is left out may be anything.
package enum SilenceFile {
  /// The name under which it is found beside a model.
  package static let name = ".heavyweight-check.yaml"

  /// The silencings for a model: of the file that is given, else of the one beside the model, else of
  /// the one in the working folder.
  /// - Throws: ``Diagnostics`` with all that is wrong in the file.
  /// - Parameter mayBeAbsent: Whether a file that is given needn't be there yet.
  package static func load(
    given path: String?, forModelAt model: URL, mayBeAbsent: Bool = false
  ) throws -> [Silencing] {
    let place = place(given: path, forModelAt: model)
    if path == nil || mayBeAbsent, !FileManager.default.fileExists(atPath: place.path) { return [] }
    return try load(
      path.map { try SourceFile(contentsOf: place, shownAs: $0) } ?? SourceFile(contentsOf: place))
  }

  /// Where the file is, or would be: beside the model, unless it is elsewhere.
  static func place(given path: String?, forModelAt model: URL) -> URL {
    if let path { return URL(fileURLWithPath: path) }
    let candidates = [
      model.deletingLastPathComponent().appending(path: name), URL(fileURLWithPath: name),
    ]
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) } ?? candidates[0]
  }

  static func load(_ file: SourceFile) throws -> [Silencing] {
    let keys = [
      "rule", "model", "step", "hop", "version", "entity", "property", "file", "mapping",
    ]
    return try AcceptanceList.entries(
      of: "finding", in: file, with: keys, needing: "rule", formerly: "silence"
    ) { fields, place, collector in
      guard let rule = fields.text("rule"), let reason = fields.text("reason") else { return nil }
      let name = CheckRule.formerNames[rule.value] ?? rule.value
      guard rules.contains(name) || collector.unknown(rule, among: rules, called: "rule") ?? false
      else { return nil }
      return Silencing(
        rule: name, step: (fields.text("step") ?? fields.text("hop"))?.value,
        version: fields.text("version")?.value,
        entity: fields.text("entity")?.value, property: fields.text("property")?.value,
        file: fields.text("file")?.value, mapping: fields.text("mapping")?.value,
        model: fields.text("model")?.value, reason: reason.value, place: place)
    }
  }

  private static let rules = Set(
    CheckRule.allCases.map(\.rawValue) + LockFinding.Kind.allCases.map(\.rawValue)
      + SmokeFinding.Kind.allCases.map(\.rawValue))
}
