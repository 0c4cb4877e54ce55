import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What each rule has made since it exists. Another machine, compiler, or change of the code that makes
/// something else breaks everybody's kept results and expectations: then one of these fails.
@Suite struct RecordedDigestTests {
  struct Rule: CustomTestStringConvertible, Sendable {
    let property: String
    let rule: String
    let digest: String
    var testDescription: String { "\(property): \(rule)" }
  }

  private static let model = """
    scenario: s
    models:
      v1:
        Thing:
          .unique: [code, number]
          small: int16?
          whole: int32?
          large: int64?
          double: double?
          single: float?
          money: decimal?
          flag: bool?
          day: date?
          text: string?
          bytes: data?
          key: uuid?
          code: string?
          number: int32?
          one: Other? <-> many
          several: "[Other] <-> owners"
          some: "[Other] ordered <-> holders"
          partner: Other? <-> partner
        Other:
          name: string?
          many: "[Thing](0...9) <-> one"
          owners: "[Thing] <-> several"
          holders: "[Thing] <-> some"
          partner: Thing? <-> partner
    seed:
      .random: 2012
      Other: { .count: 40 }
      Thing: { .count: 200, 
    """

  private static let rules: [Rule] = [
    Rule(property: "small", rule: "{ uniform: [-5, 900] }", digest: "e771972f7162a6430fab317a"),
    Rule(
      property: "whole", rule: "{ skewed: [1, 100000], nil: 5% }",
      digest: "05f2dbfdc7be19382621eb8e"),
    Rule(property: "whole", rule: "{ zipf: [1, 50] }", digest: "3c0ad3d8a31dd7d3a4664237"),
    Rule(property: "large", rule: "{ uniform: ~ }", digest: "e21c155dcdd216853ebcb19a"),
    Rule(property: "large", rule: "{ sequence: 10, step: -7 }", digest: "640903bd039cd3ee973aa993"),
    Rule(property: "double", rule: "{ uniform: [-90, 90] }", digest: "85aca2e865c9976a4bc4c86d"),
    Rule(property: "double", rule: "{ skewed: [0.1, 7] }", digest: "6eab27f8a5f0b1e69cd20a7b"),
    Rule(
      property: "double", rule: "{ sequence: 0.1, step: 0.1 }", digest: "2181949efe940891f81e46db"),
    Rule(property: "single", rule: "{ uniform: [0, 1] }", digest: "674e5e15f94c55d0b2dbc78f"),
    Rule(property: "money", rule: "{ uniform: [0.49, 99.99] }", digest: "2aaebdb1f68caf5abf253b64"),
    Rule(property: "flag", rule: "{ uniform: ~ }", digest: "706ea889b0a97773daf31683"),
    Rule(
      property: "flag", rule: "{ pick: [true, false], weights: [1, 9] }",
      digest: "86c6df8a07f96c7467a45cb7"),
    Rule(
      property: "day", rule: "{ uniform: [2000-01-01, 2020-01-01] }",
      digest: "503f1b570a00c40758cec73c"),
    Rule(
      property: "day", rule: "{ sequence: 2013-01-01, step: 37min }",
      digest: "05e971e01527555859a4ac80"),
    Rule(
      property: "text", rule: "{ words: 1...5, of: 5000, spread: zipf }",
      digest: "530df8572e2860c198d2d690"),
    Rule(
      property: "text", rule: "{ sequence: \"song-{n:7}.txt\" }", digest: "5e48a8592b8f62316b4af3e8"
    ),
    Rule(
      property: "text", rule: "{ pick: [a, b, c], spread: skewed }",
      digest: "a43618abaf9a6136fba9ff96"),
    Rule(
      property: "text", rule: "{ join: { words: 1, of: 200 }, times: 0...6, by: \", \" }",
      digest: "f3adb68c54fbd427d82a1c15"),
    Rule(property: "bytes", rule: "{ bytes: 0...40 }", digest: "48d97b4f5cc175138bcfbd75"),
    Rule(property: "key", rule: "{ uniform: ~ }", digest: "0c905b8b1da0d1b4259754b0"),
    Rule(
      property: "code", rule: "{ words: 1, of: 10, nil: 5% }", digest: "f201c2a83d1806ab37fc6d17"),
    Rule(property: "number", rule: "{ uniform: [100, 900] }", digest: "5249ce58202026e98b5df7d9"),
    Rule(property: "one", rule: "{ link: uniform, nil: 5% }", digest: "62a4e4fdf639dc42d31aee35"),
    Rule(
      property: "several", rule: "{ link: skewed, times: 1...3 }",
      digest: "a08503f90daa27943f0ce078"),
    Rule(
      property: "some", rule: "{ link: zipf, times: 0...4 }", digest: "b00d9c387089e4f72cac7a5d"),
    Rule(property: "several", rule: "{ link: each, times: 2 }", digest: "09adba2e3cc479e8b411cc44"),
    Rule(property: "partner", rule: "{ link: each }", digest: "bbc384ca8ea4ba6a25b0bdac"),
    Rule(property: ".extremes", rule: "true", digest: "4c4359dc9864945a21296eb4"),
    Rule(
      property: "small", rule: "5, .violations: [decomposed, wildcard, dangling]",
      digest: "d827df3d420883e7d38720ec"),
  ]

  @Test(arguments: rules) func objectsAreThoseOfEver(rule: Rule) throws {
    let text = Self.model + "\(rule.property): \(rule.rule) }\n"
    let digest = try checked(text).seedDigest(from: "v1")?.prefix(24)
    #expect(digest.map(String.init) == rule.digest)
  }
}
