extension ModelNotationParser {
  mutating func attribute(
    named name: String, type: AttributeType
  ) throws -> AttributeDescription {
    let attribute = AttributeDescription(name: name, type: type)
    attribute.isOptional = scanner.take("?")
    if type == .composite {
      try readElements(into: attribute)
    } else if scanner.take("(") {
      try readConditions(into: attribute)
    }
    let column = scanner.column
    if scanner.take("?") {
      if attribute.isOptional { throw scanner.error(.repeated("?"), at: column) }
      attribute.isOptional = true
    }
    if scanner.take("=") { try readDefault(into: attribute) }
    try readWords(into: attribute) { parser, word in
      try parser.read(word, into: attribute)
    }
    return attribute
  }

  /// `(city: string?, zip: string)`.
  private mutating func readElements(into attribute: AttributeDescription) throws {
    guard scanner.take("(") else { throw scanner.unexpected("'(' and the elements") }
    repeat {
      let name = try name("an element's name")
      guard scanner.take(":") else { throw scanner.unexpected("':' and the element's type") }
      scanner.skipSpace()
      let column = scanner.column
      attribute.elements.append(
        try element(named: name, scanner.text(before: [",", ")"]), at: column))
    } while scanner.take(",")
    if !scanner.take(")") { throw scanner.unexpected("',' or ')'") }
    attribute.compositeName = attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
  }

  private func element(
    named name: String, _ text: String, at column: Int
  ) throws -> AttributeDescription {
    do {
      let property = try ModelNotation.property(named: name, text)
      if let element = property as? AttributeDescription { return element }
    } catch let error as ModelNotationError {
      throw scanner.error(error.kind, at: column + error.column - 1)
    }
    throw scanner.error(.unexpected(text, expected: "an attribute's type"), at: column)
  }

  private mutating func readDefault(into attribute: AttributeDescription) throws {
    scanner.skipSpace()
    let column = scanner.column
    if attribute.attributeType == .transformable {
      throw scanner.error(.notApplicable("=", type: "Transformable"), at: column)
    }
    let quoted = try scanner.delimited(by: "\"") ?? scanner.delimited(by: "'")
    let text = quoted ?? scanner.bareValue()
    if text.isEmpty, quoted == nil { throw scanner.unexpected("a value") }
    attribute.typedDefaultValue = try value(text, as: attribute.attributeType, at: column)
    attribute.defaultValueString = text
  }

  private func value(_ text: String, as type: AttributeType, at column: Int) throws -> Value {
    guard let value = NotatedValue.parse(text, as: type) else {
      throw scanner.error(.badValue(text, type: type), at: column)
    }
    return value
  }

  private mutating func readConditions(into attribute: AttributeDescription) throws {
    repeat {
      scanner.skipSpace()
      let column = scanner.column
      if let pattern = try scanner.delimited(by: "/", keepingBackslashes: true) {
        try require(attribute.attributeType == .string, "/\(pattern)/", attribute, at: column)
        attribute.regularExpression = pattern
      } else {
        try read(condition: scanner.text(before: [",", ")"]), at: column, into: attribute)
      }
    } while scanner.take(",")
    if !scanner.take(")") { throw scanner.unexpected("')'") }
  }

  private mutating func read(
    condition: String, at column: Int, into attribute: AttributeDescription
  ) throws {
    if let dots = condition.firstRange(of: "...") {
      let type = attribute.attributeType
      try require(
        type == .string || type == .date || type.isNumeric, condition, attribute, at: column)
      let boundType = type == .string ? AttributeType.integer64 : type
      attribute.minimum = try bound(condition[..<dots.lowerBound], as: boundType, at: column)
      attribute.maximum = try bound(condition[dots.upperBound...], as: boundType, at: column)
      if NotatedValue.areDescending(attribute.minimum, attribute.maximum) {
        throw scanner.error(.emptyRange(condition), at: column)
      }
    } else if condition == "external" {
      try require(attribute.attributeType == .binaryData, condition, attribute, at: column)
      attribute.allowsExternalBinaryDataStorage = true
    } else if attribute.attributeType == .transformable, !condition.isEmpty {
      attribute.valueTransformerName = condition
    } else {
      let expected =
        switch attribute.attributeType {
        case .transformable: "the name of a value transformer"
        case .binaryData: "'external'"
        case .string: "a condition, as in '1...80' or '/[a-z]+/'"
        default: "a condition, as in '1...80'"
        }
      throw scanner.error(
        .unexpected(condition.isEmpty ? ")" : condition, expected: expected), at: column)
    }
  }

  private func bound(_ text: Substring, as type: AttributeType, at column: Int) throws -> Value {
    let text = text.trimmingCharacters(in: .whitespaces)
    return text.isEmpty ? .null : try value(text, as: type, at: column)
  }

  private func require(
    _ applies: Bool, _ word: String, _ attribute: AttributeDescription, at column: Int
  ) throws {
    if applies { return }
    throw scanner.error(
      .notApplicable(word, type: attribute.attributeType.name), at: column)
  }

  /// Reads a word that only attributes have.
  private mutating func read(_ word: String, into attribute: AttributeDescription) throws -> Bool {
    switch word {
    case "indexed": attribute.isIndexed = true
    case "preserved": attribute.preservesValueInHistoryOnDeletion = true
    case "derived":
      guard scanner.take("(") else { throw scanner.unexpected("'(' and an expression") }
      let derivation = scanner.text(before: [")"])
      guard !derivation.isEmpty, scanner.take(")") else {
        throw scanner.unexpected("an expression and ')'")
      }
      setDerivation(derivation, of: attribute)
    default: return false
    }
    return true
  }

  /// `expression`, or `expression where filter`.
  private func setDerivation(_ text: String, of attribute: AttributeDescription) {
    let filter = text.range(of: " where ")
    attribute.derivationExpression =
      text[..<(filter?.lowerBound ?? text.endIndex)].trimmingCharacters(in: .whitespaces)
    attribute.filterPredicate = filter.map {
      text[$0.upperBound...].trimmingCharacters(in: .whitespaces)
    }
  }
}
