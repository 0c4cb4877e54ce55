/// A row of a smoke test's seed.
struct SmokeRow: Codable, Sendable {
  let entity: String
  /// Its local name.
  let name: String
  /// `id`, or `.id` where the entity has a property of that name.
  let nameKey: String
  var fields: [Field]
  /// What it is known by among all rows of the version.
  var path: String { "\(entity)/\(name)" }

  struct Field: Codable, Sendable {
    let key: String
    var content: Content
  }

  enum Content: Codable, Sendable {
    /// As the file writes it.
    case value(String)
    /// Names of rows.
    case link([String], isToMany: Bool)
  }

  /// The row without links to rows that aren't there.
  func linked(only names: Set<String>) -> SmokeRow {
    var row = self
    row.fields = fields.compactMap { field in
      guard case .link(let targets, let isToMany) = field.content else { return field }
      let left = targets.filter(names.contains)
      if left.isEmpty, !targets.isEmpty { return nil }
      return Field(key: field.key, content: .link(left, isToMany: isToMany))
    }
    return row
  }
}

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
  var rows: [SmokeRow]
  var steps: [Step]
  /// Items of `expect`, a line each.
  var expectations: [String] = []

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
      ["scenario: \(ScenarioParts.scalar(title))"]
      + (about.isEmpty ? [] : ["about: \(ScenarioParts.scalar(about))"]) + ["tags: [smoke]"]
    let modules = stubs.sorted { $0.key < $1.key }.map { (name: $0.key, files: $0.value) }
    return ScenarioParts.text(
      heading + parts.models(names.uniqued(), of: model)
        + parts.policies(policies, module: module, stubs: modules) + seed + ["chain:"]
        + steps.flatMap { lines(of: $0, parts) } + ScenarioParts.expectations(expectations))
  }

  private var seed: [String] {
    if rows.isEmpty { return ["seed: {}"] }
    let names = rows.map(\.entity).uniqued()
    return ["seed:"]
      + names.flatMap { name in
        ["  \(ScenarioParts.scalar(name)):"] + rows.filter { $0.entity == name }.flatMap(Self.lines)
      }
  }

  private static func lines(_ row: SmokeRow) -> [String] {
    ["    - \(row.nameKey): \(row.name)"]
      + row.fields.map { field in
        let text =
          switch field.content {
          case .value(let text): text
          case .link(let names, let isToMany):
            isToMany ? "[\(names.joined(separator: ", "))]" : names.first ?? "null"
          }
        return "      \(ScenarioParts.scalar(field.key)): \(text)"
      }
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
  func with(_ rows: [SmokeRow]) -> SmokeScenario {
    var scenario = self
    let names = Set(rows.map(\.name))
    scenario.rows = rows.map { $0.linked(only: names) }
    return scenario
  }
}
