/// `{ bytes: 10...100 }`: data of a length.
enum BytesRule: SeedingRule {
  static let forms = [
    SeedingRuleForm(
      keywords: ["bytes"], examples: ["{ bytes: 10...100 }"], meaning: "data of that length",
      schema: ##"{"$ref": "#/$defs/times"}"##)
  ]
  static let options: [(key: String, schema: String)] = []

  static func read(_ written: WrittenKeyword, by reader: RecipeReader) throws -> any ValueMaker {
    try reader.require(
      [.binaryData, .transformable], for: written.key.value, at: written.node.place)
    return RandomBytes(counts: try RecipeReader.counts(written.node))
  }
}

struct RandomBytes: ValueMaker {
  let counts: ClosedRange<Int>

  func value(_ chance: inout Chance, row: Int) -> Value {
    .data(chance.bytes(chance.count(counts)))
  }

  var isDistinct: Bool { counts.lowerBound >= 12 }
  let followsRow = false
  let edges: [Value] = []

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }
}
