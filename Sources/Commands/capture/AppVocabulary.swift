/// The texts and numbers that an app's own code and models mention: values that it looks at, and nobody's secret.
struct AppVocabulary {
  /// Whole texts.
  private(set) var texts: Set<String> = []
  /// Words that texts may consist of, in lower case.
  private(set) var words: Set<String> = ["http", "https", "mailto", "file", "www"]
  private(set) var numbers: Set<Double> = []

  /// - Throws: When a Swift file can't be read.
  init(models: [ManagedObjectModel], mappings: [MappingModel], policies: [URL]) throws {
    for file in policies {
      note(code: String(decoding: try Data(reading: file), as: UTF8.self))
    }
    for mapping in mappings.flatMap({ $0.entityMappings ?? [] }) {
      let expressions = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
      note(code: mapping.sourceExpression.map { "\($0)" } ?? "")
      for property in expressions { note(code: property.valueExpression.map { "\($0)" } ?? "") }
    }
    for attribute in models.flatMap(\.entities).flatMap(\.attributes) {
      note(attribute.typedDefaultValue)
      note(code: attribute.regularExpression.map { "\"\($0)\"" } ?? "")
    }
  }

  /// Takes the names in JSON and property lists: they say what is there, as the app's code does.
  mutating func note(names: Set<String>) {
    for name in names { note(text: name) }
  }

  private mutating func note(_ value: Value) {
    switch value {
    case .string(let text): note(text: text)
    case .integer(let number): numbers.insert(Double(number))
    case .double(let number): numbers.insert(number)
    default: break
    }
  }

  private mutating func note(text: String) {
    texts.insert(text)
    words.formUnion(WordAnonymizer.words(in: text).map { $0.lowercased() })
  }

  /// Takes the literals of Swift code, or of a predicate.
  private mutating func note(code: String) {
    for match in code.matches(of: /"([^"\n]*)"|'([^'\n]*)'/) {
      if let text = match.1 ?? match.2 { note(text: String(text)) }
    }
    for match in code.matches(of: /\b\d[\d_]*(\.\d+)?\b/) {
      if let number = Double(match.0.replacing("_", with: "")) { numbers.insert(number) }
    }
  }
}
