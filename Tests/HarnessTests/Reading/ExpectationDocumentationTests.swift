import Foundation
import TestSupport
import Testing

@testable import Scenarios

/// The lists of expectations in Scenarios/README.md, and their part of the schema, are what the kinds say
/// of themselves. With `HEAVYWEIGHT_REGENERATE=1` these tests write them anew.
@Suite(.serialized) struct ExpectationDocumentationTests {
  private static let regenerates =
    ProcessInfo.processInfo.environment["HEAVYWEIGHT_REGENERATE"] == "1"

  private static func list(_ kinds: [any ExpectationKind.Type]) -> String {
    "Each of these holds if the statement after it is true:\n\n"
      + DocumentationTests.list(
        kinds.flatMap { $0.forms }.map { ("`\($0.example)`", $0.meaning) })
  }

  @Test func everyKeywordIsWrittenByOneKind() {
    let keywords = ExpectationKinds.all.flatMap { $0.forms.flatMap(\.keywords) }
    #expect(Set(keywords).count == keywords.count)
    for kind in ExpectationKinds.all { #expect(!kind.forms.isEmpty) }
  }

  @Test(arguments: [
    ("### Objects\n", ExpectationKinds.aboutObjects as [any ExpectationKind.Type]),
    ("### The run\n", ExpectationKinds.aboutRuns),
  ])
  func theListIsMadeOfTheKinds(_ heading: String, _ kinds: [any ExpectationKind.Type]) throws {
    let url = DocumentationTests.scenarios.appending(path: "README.md")
    var text = try String(contentsOf: url, encoding: .utf8)
    let start = try #require(text.range(of: heading)).upperBound
    let rest = text[start...].drop { $0 == "\n" }
    let first = try #require(rest.range(of: "\n\n")).upperBound
    let end = try #require(rest[first...].range(of: "\n\n")).lowerBound
    let wanted = Self.list(kinds)
    if Self.regenerates {
      text.replaceSubrange(rest.startIndex..<end, with: wanted)
      try text.write(to: url, atomically: true, encoding: .utf8)
    } else {
      #expect(String(rest[..<end]) == wanted)
    }
  }

  @Test func theSchemaIsMadeOfTheKinds() throws {
    let url = DocumentationTests.scenarios.appending(path: "scenario.schema.json")
    let data = try Data(contentsOf: url)
    var part = try JSONSerialization.jsonObject(with: data)
    for key in ["$defs", "expectation", "properties"] {
      part = try #require((part as? [String: Any])?[key])
    }
    let found = try #require(part as? [String: Any]).mapValues { $0 as? NSDictionary }
    var wanted: [String: NSDictionary] = [:]
    for kind in ExpectationKinds.all {
      let parts =
        kind.forms.flatMap { form in form.keywords.map { ($0, form.schema) } }
        + kind.modifiers.map { ($0, $1) }
      for (key, text) in parts {
        wanted[key] = try #require(
          try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary,
          "the schema of '\(key)' isn't a JSON object")
      }
    }
    let others: Set = ["at", "start", "expect"]
    #expect(Set(found.keys).subtracting(others) == Set(wanted.keys))
    for (key, part) in wanted {
      #expect(found[key] == part, "'\(key)' must be \(part) in the schema")
    }
  }
}
