/// What somebody accepts: findings written into the file of accepted ones, with the reason and the day.
///
/// The file is the one that `check` and `lock --check` read. It is added to, never rewritten: what people
/// wrote there, and why, stays.
struct Baseline {
  let reason: String
  var date = Date()
  /// Given by a person; nil for the usual place.
  let file: String?

  /// - Returns: A line that says what was written.
  /// - Throws: ``Diagnostics`` for a file that is wrong, or can't be added to.
  func accept(_ findings: [BaselineEntry], forModelAt model: URL) throws -> String {
    let place = SilenceFile.place(given: file, forModelAt: model)
    // What is found in one of several models says nothing of another that the file serves.
    let path =
      ProjectModel.all().count > 1
      ? RelativePath.text(from: place.deletingLastPathComponent(), to: model) : nil
    let entries = findings.uniqued()
    if entries.isEmpty { return "nothing to accept" }
    let list = AcceptanceList("accepted", at: place, shownAs: file)
    let old = try SilenceFile.load(given: file, forModelAt: model, mayBeAbsent: true)
    try list.add(
      entries.map { $0.fields(ofModelAt: path) }, because: reason, on: date,
      below: old.map(\.place),
      count: { try SilenceFile.load($0).count })
    return "\(entries.count.counted("finding")) accepted in \(list.shown)"
  }
}

/// An entry of the file of accepted findings to be.
struct BaselineEntry: Hashable {
  let rule: String
  var step: String?
  var version: String?
  var entity: String?
  var property: String?
  var file: String?
  var mapping: String?

  init(_ finding: CheckFinding) {
    let subject = finding.subject
    rule = finding.rule.rawValue
    step = subject.step?.description
    // All versions of it, so that one more is a finding that nobody has accepted yet.
    version = finding.rule.isAboutOneStep ? subject.versions : subject.version
    entity = subject.entity
    property = subject.property
    file = subject.file
  }

  /// What `check` finds too is accepted for both: of a step that leads nowhere `lock` knows one reason, and
  /// `check` all of them.
  init(_ finding: LockFinding) {
    rule = (finding.kind.checkRule?.rawValue ?? finding.kind.rawValue)
    if finding.kind == .noPath { step = finding.version } else { version = finding.version }
    // Nothing that one version is about: `check` names the versions otherwise.
    if finding.kind == .orderUnknown { version = nil }
    guard finding.kind.checkRule == nil else { return }
    entity = finding.entity
    property = finding.property
  }

  func fields(ofModelAt model: String?) -> AcceptanceList.Entry {
    [
      "rule": rule, "model": model, "step": step, "version": version, "entity": entity,
      "property": property,
      "file": file, "mapping": mapping,
    ]
  }
}
