import Foundation
import TestSupport
import Testing

@testable import Benching
@testable import PolicyCompiler
@testable import Reports
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import StoreTools
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
