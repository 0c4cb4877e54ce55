/// A scenario that a smoke test plays, and that it saves when something is found by it.
struct SmokeScenario: Codable, Sendable {
  struct Step: Codable, Sendable {
    let source: String
    let destination: String
    /// Mapping files; none for an inferred mapping.
    var mappings: [URL] = []
    /// The versions that the mapping files were made for, where they aren't those of the step.
    var madeFor: Made?
    var secondPass = SecondPass.once

    var name: String { "\(source) -> \(destination)" }

    struct Made: Codable, Sendable {
      let source: String
      let destination: String
    }
  }

  var title = "Smoke"
  var about = ""
  let model: URL
  /// The Swift files, and the module that they make.
  var policies: [URL] = []
  var module: String?
  var stubs: [String: [URL]] = [:]
  var rows: [WrittenRow]
  var steps: [Step]
  var expectations: [Notation] = []

  /// From the first version to the last, as `v1 -> v3`.
  var span: String { "\(steps.first?.source ?? "") -> \(steps.last?.destination ?? "")" }

  // MARK: Text

  /// The file, for a folder that its paths are relative to.
  func text(in folder: URL) -> String {
    let parts = ScenarioParts(folder: folder, isInFlow: true)
    let names = steps.flatMap { step in
      [step.source, step.destination]
        + (step.madeFor.map { [$0.source, $0.destination] } ?? [])
    }
    let heading =
      ScenarioSchema(for: folder).lines + ["scenario: \(ScenarioParts.scalar(title))"]
      + (about.isEmpty ? [] : ["about: \(ScenarioParts.scalar(about))"]) + ["tags: [smoke]"]
    let modules = stubs.sorted { $0.key < $1.key }.map { (name: $0.key, files: $0.value) }
    return ScenarioParts.text(
      heading + parts.models(names.uniqued(), of: model)
        + parts.policies(policies, module: module, stubs: modules)
        + ScenarioParts.seed(rows) + ["chain:"]
        + steps.flatMap { lines(of: $0, parts) } + ScenarioParts.expectations(expectations))
  }

  private func lines(of step: Step, _ parts: ScenarioParts) -> [String] {
    let option: String
    if let made = step.madeFor {
      option = ".madeFor: " + ScenarioParts.scalar("\(made.source) -> \(made.destination)")
    } else if step.secondPass != .once {
      option = ".secondPass: \(step.secondPass.rawValue)"
    } else {
      option = ""
    }
    if option.isEmpty || step.mappings.isEmpty {
      return parts.step(step.name, mappings: step.mappings, otherwise: "infer")
    }
    let files = step.mappings.map(parts.path).joined(separator: ", ")
    return [
      "  - \(ScenarioParts.scalar(step.name)):", "      .mapping: [\(files)]", "      \(option)",
    ]
  }
}

extension SmokeScenario {
  /// The same with fewer rows.
  func with(_ rows: [WrittenRow]) -> SmokeScenario {
    var scenario = self
    let names = Set(rows.map(\.name))
    scenario.rows = rows.map { $0.linked(only: names) }
    return scenario
  }
}
