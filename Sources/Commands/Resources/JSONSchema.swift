/// A JSON schema that the tool brings along: of what a command prints with `--json`, or of a file that it reads.
struct JSONSchema: Sendable {
  /// What `heavyweight schema` prints it by.
  let name: String
  /// What it describes, in a line.
  let summary: String
  private let bytes: [UInt8]

  /// The schema as it lies in the repository.
  var data: Data { Data(bytes) }

  /// The name of a file with it.
  var fileName: String { "\(name).schema.json" }

  static let scenario = JSONSchema(
    name: "scenario", summary: "scenario files, *.scenario.yaml",
    bytes: PackageResources.scenario_schema_json)

  static let project = JSONSchema(
    name: "project", summary: "the project file, heavyweight.yaml",
    bytes: PackageResources.project_schema_json)

  /// By name.
  static let all: [JSONSchema] = [
    report("bench", PackageResources.bench_schema_json),
    report("capture", PackageResources.capture_schema_json),
    report("check", PackageResources.check_schema_json),
    report("compare", PackageResources.compare_schema_json),
    report("crash", PackageResources.crash_schema_json),
    report("diff", PackageResources.diff_schema_json),
    report("explain", PackageResources.explain_schema_json),
    report("init", PackageResources.init_schema_json),
    report("inspect", PackageResources.inspect_schema_json),
    JSONSchema(
      name: "list", summary: "run --list --json", bytes: PackageResources.list_schema_json),
    report("lock", PackageResources.lock_schema_json),
    report("migrate", PackageResources.migrate_schema_json),
    report("model", PackageResources.model_schema_json),
    report("mutate", PackageResources.mutate_schema_json),
    report("predicate", PackageResources.predicate_schema_json),
    project,
    report("reduce", PackageResources.reduce_schema_json),
    JSONSchema(
      name: "report", summary: "run --json and report --json",
      bytes: PackageResources.report_schema_json),
    scenario,
    report("smoke", PackageResources.smoke_schema_json),
  ]

  /// The schema of what a command prints.
  private static func report(_ command: String, _ bytes: [UInt8]) -> JSONSchema {
    JSONSchema(name: command, summary: "\(command) --json", bytes: bytes)
  }

  static func named(_ name: String) -> JSONSchema? { all.first { $0.name == name } }
}
