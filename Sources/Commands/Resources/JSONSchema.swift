/// A JSON schema that the tool brings along: of what a command prints with `--json`, or of a file that it reads.
struct JSONSchema: Sendable {
  /// What `heavyweight schema` prints it by.
  let name: String
  /// What it describes, in a line.
  let summary: String

  /// The schema as it lies in the repository.
  var data: Data { Data(BuiltInFile.text(fileName).utf8) }

  /// The name of a file with it.
  var fileName: String { "\(name).schema.json" }

  static let scenario = JSONSchema(name: "scenario", summary: "scenario files, *.scenario.yaml")
  static let project = JSONSchema(
    name: "project", summary: "the project file, heavyweight.yaml")

  /// By name.
  static let all: [JSONSchema] = [
    ofReport("bench"), ofReport("capture"), ofReport("check"), ofReport("compare"),
    ofReport("crash"), ofReport("diff"), ofReport("explain"), ofReport("init"),
    ofReport("inspect"), JSONSchema(name: "list", summary: "run --list --json"),
    ofReport("lock"), ofReport("migrate"), ofReport("model"), ofReport("mutate"),
    ofReport("predicate"), project, ofReport("reduce"),
    JSONSchema(name: "report", summary: "run --json and report --json"), scenario,
    ofReport("smoke"),
  ]

  /// The schema of what a command prints.
  private static func ofReport(_ command: String) -> JSONSchema {
    JSONSchema(name: command, summary: "\(command) --json")
  }

  static func named(_ name: String) -> JSONSchema? { all.first { $0.name == name } }
}
