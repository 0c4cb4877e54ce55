import Foundation
import Testing

@testable import Scenarios

/// The list of rules in Scenarios/README.md, and their part of the schema, are what the rules say of
/// themselves. With `HEAVYWEIGHT_REGENERATE=1` the list is written anew.
@Suite(.serialized) struct SeedingRuleDocumentationTests {
  private static let readme = DocumentationTests.scenarios.appending(path: "README.md")

  private static var list: String {
    let forms = SeedingRules.all.flatMap { $0.forms } + LinkReader.forms
    return DocumentationTests.list(
      forms.map { form in
        (form.examples.map { "`\($0)`" }.joined(separator: ", "), form.meaning)
      })
  }

  @Test func everyKeywordIsWrittenByOneRule() {
    #expect(Set(SeedingRules.keywords).count == SeedingRules.keywords.count)
    for rule in SeedingRules.all { #expect(!rule.forms.isEmpty) }
    // A key that were a rule's keyword and another's option would be read as either.
    #expect(Set(SeedingRules.keywords).isDisjoint(with: SeedingRules.options))
  }

  @Test func theListIsMadeOfTheRules() throws {
    var text = try String(contentsOf: Self.readme, encoding: .utf8)
    let start = try #require(
      text.range(of: "a map is a rule. Properties that aren't mentioned keep their defaults.\n\n")
    )
    .upperBound
    let end = try #require(text[start...].range(of: "\n\n")).lowerBound
    if ProcessInfo.processInfo.environment["HEAVYWEIGHT_REGENERATE"] == "1" {
      text.replaceSubrange(start..<end, with: Self.list)
      try text.write(to: Self.readme, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start..<end] == Self.list)
    }
  }

  @Test func theSchemaIsMadeOfTheRules() throws {
    let url = DocumentationTests.scenarios.appending(path: "scenario.schema.json")
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    let definitions = try #require(root["$defs"] as? [String: Any])
    let rules = try SeedingRules.all.flatMap { rule in
      try rule.forms.flatMap { form in
        try form.keywords.map { try Self.schema($0, form.schema, rule.options) }
      }
    }
    #expect(definitions["rule"] as? NSDictionary == ["anyOf": rules])
    let link = try Self.schema("link", LinkReader.forms[0].schema, LinkReader.options)
    #expect(definitions["link"] as? NSDictionary == link)
    for form in LinkReader.forms { #expect(form.schema == LinkReader.forms[0].schema) }
  }

  /// A map with the keyword, and what may stand beside it.
  private static func schema(
    _ keyword: String, _ value: String, _ options: [(key: String, schema: String)]
  ) throws -> NSDictionary {
    var properties: [String: Any] = [keyword: try json(value), "nil": ["$ref": "#/$defs/share"]]
    for option in options { properties[option.key] = try json(option.schema) }
    return [
      "type": "object", "required": [keyword], "additionalProperties": false,
      "properties": properties,
    ]
  }

  private static func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }
}

/// Options of rules.
@Suite struct SeedingRuleOptionTests {
  @Test func anOptionOfAnotherRuleIsRefused() throws {
    let error = #expect(throws: Diagnostics.self) {
      _ = try checked(
        """
        scenario: s
        models: { v1: { Song: { number: int32 } } }
        seed: { Song: { .count: 10, number: { uniform: [1, 5], step: 2 } } }
        expect: [{ count: { Song: 10 } }]

        """)
    }
    #expect(error?.all.map(\.message) == ["'step' can't be combined with 'uniform'"])
  }
}
