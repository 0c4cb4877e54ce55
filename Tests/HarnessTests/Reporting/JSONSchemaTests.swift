import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// The published schema and the report say the same.
@Suite struct JSONSchemaTests {
  private static let schema = DocumentationTests.package
    .appending(path: "docs/report.schema.json")

  /// Also without a validator: every key is described, and what is required is there.
  @Test func everyKeyOfARealReportIsInTheSchema() throws {
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: Self.schema)) as? [String: Any])
    let report = try JSONSerialization.jsonObject(with: JSONReport(SampleReport.make()).data())
    #expect(SchemaCheck(schema).problems(report) == [])
  }

  private static func schemas() throws -> [String: [String: Any]] {
    let folder = DocumentationTests.package.appending(path: "docs")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".schema.json") }
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let data = try Data(contentsOf: folder.appending(path: name))
        return (name, try #require(JSONSerialization.jsonObject(with: data) as? [String: Any]))
      })
  }

  /// A key that nobody described would pass an open schema.
  @Test func objectsInSchemasAreClosed() throws {
    func problems(_ node: Any, at path: String) -> [String] {
      if let items = node as? [Any] { return items.flatMap { problems($0, at: path) } }
      guard let fields = node as? [String: Any] else { return [] }
      let inner = fields.flatMap { problems($1, at: "\(path)/\($0)") }
      guard fields["type"] as? String == "object" else { return inner }
      let known = Set((fields["properties"] as? [String: Any] ?? [:]).keys)
      let unknown = Set(fields["required"] as? [String] ?? []).subtracting(known)
      return inner + (fields["additionalProperties"] == nil ? ["\(path) is open"] : [])
        + unknown.map { "\(path) requires \($0), which isn't described" }
    }
    let schemas = try Self.schemas()
    #expect(schemas.count > 15)
    for (name, schema) in schemas { #expect(problems(schema, at: name) == []) }
  }

  /// By its keys an earlier report is told from somebody else's file, which mustn't be overwritten.
  @Test func everyReportIsKnownByItsKeys() throws {
    for (name, schema) in try Self.schemas() where name != "project.schema.json" {
      if schema["type"] as? String == "array" { continue }
      let definitions = schema["$defs"] as? [String: [String: Any]]
      let root = schema["$ref"] == nil ? schema : definitions?["differences"]
      let forms = schema["oneOf"] == nil ? [root] : [definitions?["model"], definitions?["models"]]
      for form in forms {
        let required = try #require(form?["required"] as? [String], "\(name)")
        #expect(required.contains("format"), "\(name)")
        #expect(!ReportForm.reportKeys.isDisjoint(with: required), "\(name)")
      }
    }
  }

  /// What `compare` tells of a store is what `diff` tells of two.
  @Test func differencesAreDescribedOnce() throws {
    let schemas = try Self.schemas()
    func definitions(_ name: String) throws -> [String: NSDictionary] {
      try #require(schemas["\(name).schema.json"]?["$defs"] as? [String: NSDictionary])
    }
    let compare = try definitions("compare")
    for (name, definition) in try definitions("diff") {
      #expect(compare[name] == definition, "\(name)")
    }
  }

  @Test func realReportsFollowTheSchema() throws {
    let script = """
      import json, sys
      try:
          import jsonschema
      except ImportError:
          sys.exit(77)
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      for error in jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(sys.argv[2]))):
          print(list(error.absolute_path), error.message)
      """
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "report.json")
    try JSONReport(SampleReport.make()).data().write(to: file)
    let (status, output) = try Command.run(
      "/usr/bin/env", ["python3", "-c", script, Self.schema.path, file.path])
    if status == 77 || status == 127 {
      try Test.cancel("needs python3 with the package jsonschema")
    }
    #expect(output == "")
    #expect(status == 0)
  }
}
