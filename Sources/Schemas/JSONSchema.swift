import Foundation

/// A JSON schema that the tool brings along: of what a command prints with `--json`, or of a file that it reads.
public struct JSONSchema: Sendable {
  /// What `heavyweight schema` prints it by.
  public let name: String
  /// What it describes, in a line.
  public let summary: String
  private let bytes: [UInt8]

  /// The schema as it lies in the repository.
  public var data: Data { Data(bytes) }

  /// The name of a file with it.
  public var fileName: String { "\(name).schema.json" }

  public static let scenario = JSONSchema(
    name: "scenario", summary: "scenario files, *.scenario.yaml",
    bytes: PackageResources.scenario_schema_json)

  /// By name.
  public static let all: [JSONSchema] = [
    JSONSchema(
      name: "bench", summary: "bench --json", bytes: PackageResources.bench_schema_json),
    JSONSchema(
      name: "capture", summary: "capture --json", bytes: PackageResources.capture_schema_json),
    JSONSchema(
      name: "check", summary: "check --json", bytes: PackageResources.check_schema_json),
    JSONSchema(
      name: "compare", summary: "compare --json", bytes: PackageResources.compare_schema_json),
    JSONSchema(
      name: "crash", summary: "crash --json", bytes: PackageResources.crash_schema_json),
    JSONSchema(
      name: "diff", summary: "diff --json", bytes: PackageResources.diff_schema_json),
    JSONSchema(
      name: "explain", summary: "explain --json", bytes: PackageResources.explain_schema_json),
    JSONSchema(
      name: "init", summary: "init --json", bytes: PackageResources.init_schema_json),
    JSONSchema(
      name: "inspect", summary: "inspect --json", bytes: PackageResources.inspect_schema_json),
    JSONSchema(
      name: "list", summary: "run --list --json", bytes: PackageResources.list_schema_json),
    JSONSchema(
      name: "lock", summary: "lock --json", bytes: PackageResources.lock_schema_json),
    JSONSchema(
      name: "migrate", summary: "migrate --json", bytes: PackageResources.migrate_schema_json),
    JSONSchema(
      name: "mutate", summary: "mutate --json", bytes: PackageResources.mutate_schema_json),
    JSONSchema(
      name: "predicate", summary: "predicate --json",
      bytes: PackageResources.predicate_schema_json),
    JSONSchema(
      name: "project", summary: "the project file, heavyweight.yaml",
      bytes: PackageResources.project_schema_json),
    JSONSchema(
      name: "reduce", summary: "reduce --json", bytes: PackageResources.reduce_schema_json),
    JSONSchema(
      name: "report", summary: "run --json and report --json",
      bytes: PackageResources.report_schema_json),
    scenario,
    JSONSchema(
      name: "smoke", summary: "smoke --json", bytes: PackageResources.smoke_schema_json),
  ]

  public static func named(_ name: String) -> JSONSchema? { all.first { $0.name == name } }
}
