/// `{ words: 2...5, of: 1000 }`: words of a vocabulary.
enum WordsRule: SeedingRule {
  static let forms = [
    SeedingRuleForm(
      keywords: ["words"], examples: ["{ words: 2...5, of: 1000 }"],
      meaning: "this number of words from a vocabulary of that size",
      schema: ##"{"$ref": "#/$defs/times"}"##
    )
  ]
  static let options = [
    (key: "of", schema: #"{"type": "integer", "minimum": 1, "maximum": 1000000000}"#),
    (key: "spread", schema: ##"{"$ref": "#/$defs/spread"}"##),
  ]

  static func read(
    _ keyword: Located<String>, _ node: SourceNode, _ fields: Fields, by reader: RecipeReader
  ) throws -> any ValueMaker {
    try reader.require([.string], "words", node.place)
    let count = fields.integer("of")?.value ?? 1000
    guard count > 0, count <= 1_000_000_000 else {
      throw Diagnostic(
        "'of' must be a number of words, from 1", at: fields.node("of")?.place ?? node.place)
    }
    let (vocabulary, chooser) = (Vocabulary(count: count), reader.chooser(count, fields))
    return JoinedTexts(
      part: { chance, _ in vocabulary.word(chooser.index(&chance)) },
      counts: try RecipeReader.counts(node), separator: " ")
  }
}
