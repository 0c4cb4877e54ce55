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

  static func read(_ written: WrittenKeyword, by reader: RecipeReader) throws -> any ValueMaker {
    try reader.require([.string], for: "words", at: written.node.place)
    let count = written.fields.integer("of")?.value ?? 1000
    guard count > 0, count <= 1_000_000_000 else {
      throw Diagnostic(
        "'of' must be a number of words, from 1",
        at: written.fields.node("of")?.place ?? written.node.place)
    }
    let (vocabulary, chooser) = (Vocabulary(count: count), reader.chooser(count, written.fields))
    return JoinedTexts(
      part: { chance, _ in vocabulary.word(chooser.index(&chance)) },
      counts: try RecipeReader.counts(written.node), separator: " ")
  }
}
