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

  var json: JSONObject {
    ["format": 1, "model": model, "folder": folder, "scenarios": scenarios]
  }

  func text(style: TextStyle) -> String {
    let lines = scenarios.map { scenario in
      scenario.isKept
        ? "kept \(scenario.path), which exists" : "wrote \(scenario.path)\n  \(scenario.summary)"
    }
    return (lines + ["next: heavyweight run \(folder)\n"]).joined(separator: "\n")
  }
}
