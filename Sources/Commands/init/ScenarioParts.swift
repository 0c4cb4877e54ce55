/// The parts of a scenario file, as commands write them. Paths are relative to the folder that the file goes to.
struct ScenarioParts {
  let folder: URL
  /// Whether paths are written as a list in brackets needs them.
  var isInFlow = false

  func path(to file: URL) -> String {
    Notation.text(RelativePath.text(from: folder, to: file)).yaml(inFlow: isInFlow)
  }

  static func scalar(_ text: String) -> String { Notation.text(text).yaml(inFlow: false) }

  static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  func models(_ versions: [String], of model: URL) -> [String] {
    let names = versions.map { Notation.text($0).yaml(inFlow: true) }.joined(separator: ", ")
    return ["models:", "  xcode: \(path(to: model))", "  versions: [\(names)]"]
  }

  /// - Returns: Nothing where there is no policy.
  func policies(
    _ sources: [URL], module: String?, stubs: [(name: String, files: [URL])]
  ) -> [String] {
    guard let module, !sources.isEmpty else { return [] }
    let stubs = stubs.flatMap { name, files in
      ["    \(Self.scalar(name)):"] + files.map { "      - \(path(to: $0))" }
    }
    return ["policies:", "  module: \(Self.scalar(module))", "  sources:"]
      + sources.map { "    - \(path(to: $0))" } + (stubs.isEmpty ? [] : ["  stubs:"] + stubs)
  }

  func policies(_ policies: StepPolicies) -> [String] {
    self.policies(policies.sources, module: policies.module, stubs: policies.stubs.modules)
  }

  /// A step of the chain with the mapping files that it takes.
  /// - Parameter otherwise: What it says without any; nil for nothing.
  func step(_ name: String, mappings: [URL], otherwise: String? = nil) -> [String] {
    let line = "  - " + Self.scalar(name)
    let files = mappings.map(path)
    switch files.count {
    case 0: return [line + (otherwise.map { ": \($0)" } ?? "")]
    case 1: return ["\(line): \(files[0])"]
    default: return ["\(line):"] + files.map { "      - \($0)" }
    }
  }

  /// Rows with a line for each of their fields.
  static func seed(_ rows: [WrittenRow]) -> [String] {
    seed(rows.flatMap { row in item(row.notation()).map { (row.entity, $0) } })
  }

  /// The lines of rows, entity by entity.
  /// - Parameter options: Lines that come before them.
  static func seed(_ lines: [(entity: String, text: String)], options: [String] = []) -> [String] {
    if lines.isEmpty, options.isEmpty { return ["seed: {}"] }
    let byEntity = Dictionary(grouping: lines, by: \.entity)
    return ["seed:"] + options
      + lines.map(\.entity).uniqued().flatMap { entity in
        ["  \(scalar(entity)):"] + (byEntity[entity] ?? []).map { "    " + $0.text }
      }
  }

  /// A start's expectations; nothing where there are none.
  static func expectations(_ items: [Notation]) -> [String] {
    items.isEmpty ? [] : ["expect:"] + items.flatMap(item).map { "  " + $0 }
  }

  /// An item of a list with a line for each of its fields, and for those of what an object or the model has.
  private static func item(_ notation: Notation) -> [String] {
    guard case .map(let fields) = notation else { return ["- " + notation.yaml(inFlow: false)] }
    let lines = fields.flatMap { field in
      guard ["has", "model"].contains(field.key), case .map(let values) = field.value else {
        return [Notation.entry(field.key, field.value).yaml(inFlow: false)]
      }
      let entries = values.map { Notation.entry($0.key, $0.value).yaml(inFlow: false) }
      return ["\(field.key):"] + entries.map { "  " + $0 }
    }
    return zip(lines.indices, lines).map { ($0 == 0 ? "- " : "  ") + $1 }
  }
}
