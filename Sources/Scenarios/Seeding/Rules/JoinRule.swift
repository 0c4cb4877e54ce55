/// `{ join: { … }, times: 0...4, by: ", " }`: a list in a text.
enum JoinRule: SeedingRule {
  static let forms = [
    SeedingRuleForm(
      keywords: ["join"], examples: [#"{ join: { … }, times: 0...4, by: ", " }"#],
      meaning: "a list in a text: each part by a rule of its own",
      schema: ##"{"anyOf": [{"$ref": "#/$defs/rule"}, {"$ref": "#/$defs/text"}]}"##)
  ]
  static let options = [
    (key: "times", schema: ##"{"$ref": "#/$defs/times"}"##),
    (key: "by", schema: ##"{"$ref": "#/$defs/text"}"##),
  ]

  static func read(_ written: WrittenKeyword, by reader: RecipeReader) throws -> any ValueMaker {
    try reader.require([.string], for: "join", at: written.node.place)
    guard let part = reader.recipe(written.node) else {
      throw Diagnostic("this can't be joined", at: written.node.place)
    }
    return JoinedTexts(
      part: { part.value(&$0, row: $1).shownInList },
      counts: try written.fields.node("times").map(RecipeReader.counts) ?? 2...2,
      separator: written.fields.text("by")?.value ?? ", ")
  }
}

/// Texts of several parts.
struct JoinedTexts: ValueMaker {
  let part: @Sendable (inout Chance, _ row: Int) -> String
  let counts: ClosedRange<Int>
  let separator: String

  func value(_ chance: inout Chance, row: Int) -> Value {
    var text = ""
    for number in 0..<chance.count(counts) {
      if number > 0 { text += separator }
      text += part(&chance, row)
    }
    return .string(text)
  }

  let isDistinct = false
  let followsRow = false
  let edges: [Value] = []

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { WithNumber(text: self) }
}

extension Value {
  /// The value as a part of a list in a text; nothing for nil.
  fileprivate var shownInList: String {
    switch self {
    case .null: ""
    case .string(let text): text
    default: shown
    }
  }
}
