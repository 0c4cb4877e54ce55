/// What `heavyweight init` did.
struct InitReport: CommandReport {
  struct Scenario: Encodable {
    let path: String
    /// Whether the file was there already, and was left as it is.
    let isKept: Bool
    /// What is in it, in one line; of a file that was kept, what would have been.
    let summary: String
    /// What to know and to do about it.
    let remarks: [String]
  }

  let model: String
  let folder: String
  let scenarios: [Scenario]
  /// The stores without scenario, and why.
  var leftOut: [WrittenDrafts.LeftOut] = []
  /// The project file of a repository.
  var project: String?

  var json: JSONObject {
    [
      "format": 1, "model": model, "folder": folder, "scenarios": scenarios, "project": project,
      "leftOut": leftOut.isEmpty
        ? nil : leftOut.map { ["store": $0.store, "reason": $0.reason] as JSONObject },
    ]
  }

  var exitStatus: ExitStatus { leftOut.contains(where: \.isUnreadable) ? .badInput : .passed }

  func text(style: TextStyle) -> String {
    let lines = scenarios.map { scenario in
      scenario.isKept
        ? "kept \(scenario.path), which exists" : "wrote \(scenario.path)\n  \(scenario.summary)"
    }
    let first = project.map { ["project file \($0)"] } ?? []
    return (first + lines + ["next: heavyweight run \(folder)\n"]).joined(separator: "\n")
  }
}
