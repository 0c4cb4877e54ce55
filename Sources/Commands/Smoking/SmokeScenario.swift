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
    (heading(folder) + policyLines(folder) + seed + chain(folder) + expect)
      .map { $0 + "\n" }.joined()
  }

  private func heading(_ folder: URL) -> [String] {
    let names = steps.flatMap { step in
      [step.source, step.destination]
        + (step.madeFor.map { [$0.source, $0.destination] } ?? [])
    }
    let versions = names.uniqued().map { Notation.text($0).yaml(inFlow: true) }
    return ["scenario: \(Self.scalar(title))"]
      + (about.isEmpty ? [] : ["about: \(Self.scalar(about))"])
      + [
        "tags: [smoke]", "models:", "  xcode: \(Self.path(model, folder))",
        "  versions: [\(versions.joined(separator: ", "))]",
      ]
  }

  private func policyLines(_ folder: URL) -> [String] {
    guard let module, !policies.isEmpty else { return [] }
    let stubLines = stubs.sorted { $0.key < $1.key }.flatMap { name, files in
      ["    \(Self.scalar(name)):"] + files.map { "      - \(Self.path($0, folder))" }
    }
    return ["policies:", "  module: \(Self.scalar(module))", "  sources:"]
      + policies.map { "    - \(Self.path($0, folder))" }
      + (stubLines.isEmpty ? [] : ["  stubs:"] + stubLines)
  }

  private var seed: [String] {
    if rows.isEmpty { return ["seed: {}"] }
    let names = rows.map(\.entity).uniqued()
    return ["seed:"]
      + names.flatMap { name in
        ["  \(Self.scalar(name)):"] + rows.filter { $0.entity == name }.flatMap(Self.lines)
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
        return "      \(scalar(field.key)): \(text)"
      }
  }

  private func chain(_ folder: URL) -> [String] {
    ["chain:"]
      + steps.flatMap { step -> [String] in
        let line = "  - " + Self.scalar(step.name)
        let files = step.mappings.map { Self.path($0, folder) }
        if files.isEmpty { return ["\(line): infer"] }
        if let made = step.madeFor {
          return [
            "\(line):", "      .mapping: [\(files.joined(separator: ", "))]",
            "      .madeFor: " + Self.scalar("\(made.source) -> \(made.destination)"),
          ]
        }
        if step.secondPass != .once {
          return [
            "\(line):", "      .mapping: [\(files.joined(separator: ", "))]",
            "      .secondPass: \(step.secondPass.rawValue)",
          ]
        }
        return files.count == 1
          ? ["\(line): \(files[0])"] : ["\(line):"] + files.map { "      - \($0)" }
      }
  }

  private var expect: [String] {
    expectations.isEmpty ? [] : ["expect:"] + expectations.map { "  \($0)" }
  }

  private static func path(_ file: URL, _ folder: URL) -> String {
    Notation.text(RelativePath.text(from: folder, to: file)).yaml(inFlow: true)
  }

  static func scalar(_ text: String) -> String { Notation.text(text).yaml(inFlow: false) }
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
