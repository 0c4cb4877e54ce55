/// Statements about entities, attributes and relationships of a model.
package enum ModelFacts {
  static let names = [
    "parent", "abstract", "unique", "type", "default", "optional", "transient", "was",
    "destination", "inverse", "deleteRule", "toMany", "ordered", "minCount", "maxCount",
  ]

  /// The values that a fact can have, where they are few.
  private static func choices(for fact: String) -> [String]? {
    switch fact {
    case "type": AttributeType.allCases.map(\.notation)
    case "deleteRule": ["nullify", "cascade", "deny", "no action"]
    case "abstract", "optional", "transient", "toMany", "ordered": ["true", "false"]
    default: nil
    }
  }

  /// Reports a fact that models don't have, or a value that it can't have.
  static func check(_ fact: PropertyValue, _ collector: DiagnosticCollector) {
    if names.contains(fact.key.value) { return checkValue(fact, collector) }
    let hint = Spelling.hint(for: fact.key.value, among: names, called: "known facts")
    collector.report("there is no fact '\(fact.key.value)'\(hint)", at: fact.key.place)
  }

  private static func checkValue(_ fact: PropertyValue, _ collector: DiagnosticCollector) {
    guard let choices = choices(for: fact.key.value) else { return }
    let word = fact.value.text ?? ""
    if choices.contains(word) { return }
    let hint = Spelling.hint(for: word, among: choices, called: "choices")
    let shown = fact.value.text.map { "'\($0)'" } ?? fact.value.kind
    collector.report("'\(fact.key.value)' can't be \(shown)\(hint)", at: fact.value.place)
  }
}

extension AttributeType {
  /// The type's word in the short notation.
  package var notation: String {
    switch self {
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64: "int64"
    case .binaryData: "data"
    case .boolean: "bool"
    default: name.lowercased().replacing(" ", with: "")
    }
  }
}
