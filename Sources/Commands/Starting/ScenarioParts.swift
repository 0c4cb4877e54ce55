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

  static func expectations(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["expect:"] + lines.map { "  \($0)" }
  }
}
