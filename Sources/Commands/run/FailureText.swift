/// A failure in lines for a person: what, expected, found, since when, why, and what to do.
struct FailureText {
  let failure: Failure
  let result: RunResult
  /// The backends that failed in the same way.
  var backends: [Backend]

  init(failure: Failure, result: RunResult, backends: [Backend]? = nil) {
    self.failure = failure
    self.result = result
    // A difference shows only where both run.
    self.backends =
      failure.kind == .backendsDiffer ? Backend.allCases : backends ?? [result.id.backend]
  }

  /// Where it is written, and what it is about.
  var place: String { failure.place.map { "\($0)" } ?? result.id.path }

  var title: String {
    let kind = failure.kind == .expectation ? "" : "\(failure.kind.rawValue): "
    return kind + failure.subject
  }

  /// The command that repeats it.
  var command: String { result.id.command(on: backends, failure.options) }

  /// The facts with their labels, in the order in which they are read.
  var facts: [(label: String, text: String)] {
    var facts = [("expected", failure.expected), ("found", failure.found)]
    facts += failure.notes.map { ("", $0) }
    if let row = failure.target?.row { facts.append(("object", row)) }
    if let step = failure.step { facts.append(("at", at(step))) }
    if let origin = failure.origin { facts.append(("since", since(origin))) }
    if failure.history.count > 1 { facts.append(("values", values)) }
    if let code = failure.code { facts.append(("code", "\(code)")) }
    facts += failure.hints.compactMap(Explanation.find).map { ("hint", hint($0)) }
    return facts + [("again", command)]
  }

  /// Everything without colours.
  func lines() -> [String] {
    ["\(place): \(title)"] + facts.flatMap { Self.labelled($0.label, $0.text) }
  }

  static func labelled(_ label: String, _ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      label.isEmpty ? "  \(line)" : "  \((index == 0 ? label : "").padded(to: 9)) \(line)"
    }
  }

  // MARK: Wording

  private func at(_ step: String) -> String {
    let executed = result.executedSteps.last { $0.name == step }
    let mapping = executed?.mapping.map { use in
      use == .custom
        ? " with \(executed?.mappingNames.joined(separator: ", ") ?? "")" : ", inferred"
    }
    return step + (mapping ?? "")
  }

  private func since(_ origin: Failure.Origin) -> String {
    guard let step = origin.step else { return "the start: \(origin.version) already had it" }
    var text = step
    if let pass = origin.pass { text += ", \(pass)" }
    if let hook = origin.hook, let mapping = origin.entityMapping {
      text += ": \(hook) of \(mapping)"
    }
    if let object = origin.object { text += ", for \(object)" }
    if let remark = origin.remark { text += " (\(remark))" }
    return text
  }

  private var values: String {
    failure.history.map { "\($0.version): \($0.value ?? "-")" }.joined(separator: "; ")
  }

  /// An error that brings its own advice needs no second one.
  private func hint(_ explanation: Explanation) -> String {
    let command = "heavyweight explain \(explanation.identifier.shellQuoted)"
    if failure.isAdvised { return command }
    return "\(explanation.remedies.first ?? explanation.meaning)\n\(command)"
  }
}
