/// `{ pick: [a, b, c], weights: [6, 3, 1] }`: one of some values.
enum PickRule: SeedingRule {
  static let forms = [
    SeedingRuleForm(
      keywords: ["pick"], examples: ["{ pick: [a, b, c], weights: [6, 3, 1] }"],
      meaning: "one of the values; with `weights` or a `spread`",
      schema: #"{"type": "array", "minItems": 1}"#)
  ]
  static let options = [
    (
      key: "weights",
      schema: #"{"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 0}}"#
    ),
    (key: "spread", schema: ##"{"$ref": "#/$defs/spread"}"##),
  ]

  static func read(_ written: WrittenKeyword, by reader: RecipeReader) throws -> any ValueMaker {
    guard let items = written.node.list, !items.isEmpty else {
      throw Diagnostic("give a list of values to pick from", at: written.node.place)
    }
    let values = try items.map { try ValueReader.value($0, for: reader.attribute) }
    guard let weights = written.fields.node("weights") else {
      return PickedValues(values: values, chooser: reader.chooser(values.count, written.fields))
    }
    let numbers = (weights.list ?? []).map { $0.text.flatMap { UInt32($0) } }
    guard numbers.count == values.count, numbers.contains(where: { $0 ?? 0 > 0 }),
      !numbers.contains(nil)
    else {
      throw Diagnostic(
        values.count == 1
          ? "give one weight for the one value: a whole number above 0"
          : "give a weight for each of the \(values.count) values: whole numbers, not all 0",
        at: weights.place)
    }
    return PickedValues(values: values, chooser: Chooser(weights: numbers.map { UInt64($0 ?? 0) }))
  }
}

struct PickedValues: ValueMaker {
  let values: [Value]
  let chooser: Chooser

  func value(_ chance: inout Chance, row: Int) -> Value { values[chooser.index(&chance)] }

  let isDistinct = false
  let followsRow = false
  var edges: [Value] { values }

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? {
    values.allSatisfy(\.isTextOrURI) ? WithNumber(text: self) : nil
  }
}
