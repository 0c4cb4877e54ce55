/// Reads one line of ``ModelNotation``.
struct ModelNotationParser {
  var scanner: NotationScanner

  init(_ text: String) { scanner = NotationScanner(text) }

  mutating func property(named name: String) throws -> PropertyDescription {
    if scanner.take("[") { return try toMany(named: name) }
    scanner.skipSpace()
    let column = scanner.column
    guard let word = scanner.word() else {
      throw scanner.unexpected("a type, an entity, or '['")
    }
    if word.first?.isUppercase == true { return try toOne(named: name, destination: word) }
    guard let type = ModelNotation.types[word] else {
      throw scanner.error(.unknownType(word, closest: Self.closestType(to: word)), at: column)
    }
    return try attribute(named: name, type: type)
  }

  mutating func entity() throws -> EntityDescription {
    let entity = EntityDescription(name: try name("the entity's name"))
    if scanner.take(":") { entity.superentityName = try name("the superentity's name") }
    if scanner.take(word: "abstract") { entity.isAbstract = true }
    try expectEnd()
    return entity
  }

  mutating func name(_ expected: String) throws -> String {
    guard let name = scanner.word() else { throw scanner.unexpected(expected) }
    return name
  }

  private mutating func expectEnd() throws {
    scanner.skipSpace()
    if !scanner.isAtEnd { throw scanner.unexpected("nothing more") }
  }

  /// What another language calls the type, else the type that two letters make `word`; nil when
  /// none is alike.
  private static func closestType(to word: String) -> String? {
    let lower = word.lowercased()
    let aliases = [
      "text": "string", "boolean": "bool", "int": "int64", "integer": "int64", "binary": "data",
      "url": "uri", "number": "double",
    ]
    if let alias = aliases[lower] { return alias }
    // To compare a word of any length would take its square.
    let near = ModelNotation.types.keys.filter { abs($0.count - lower.count) <= 2 }
    let ranked = near.map { ($0, $0.difference(from: lower).count) }
    let best = ranked.min { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 < $1.1 }
    return best.flatMap { $0.1 <= 2 ? $0.0 : nil }
  }
}

// MARK: - Words at the end

extension ModelNotationParser {
  /// Reads what follows until the end; `own` reads the words that only some properties have, and
  /// says whether a word is one.
  mutating func readWords(
    into property: PropertyDescription,
    own: (inout ModelNotationParser, String) throws -> Bool
  ) throws {
    var seen: Set<String> = []
    while true {
      scanner.skipSpace()
      if scanner.isAtEnd { return }
      let column = scanner.column
      guard let word = scanner.take("<->") ? "<->" : scanner.word() else {
        throw scanner.unexpected("a word such as 'transient'")
      }
      // Of the rules for deleting there is one.
      let kind = Self.deleteRules.keys.contains(word) || word == "no" ? "a delete rule" : word
      if !seen.insert(kind).inserted { throw scanner.error(.repeated(kind), at: column) }
      if try readCommon(word, into: property) { continue }
      if try own(&self, word) { continue }
      throw scanner.error(
        .notApplicable(
          word, type: property is AttributeDescription ? "attributes" : "this relationship"),
        at: column)
    }
  }

  private mutating func readCommon(
    _ word: String, into property: PropertyDescription
  ) throws -> Bool {
    switch word {
    case "transient": property.isTransient = true
    case "was": property.explicitRenamingIdentifier = try name("the former name")
    case "modifier":
      let quoted = try scanner.delimited(by: "\"") ?? scanner.delimited(by: "'")
      let text = quoted ?? scanner.bareValue()
      if text.isEmpty { throw scanner.unexpected("the modifier's text") }
      property.versionHashModifier = text
    default: return false
    }
    return true
  }
}

// MARK: - Attributes

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
        try require(
          attribute.attributeType == .string, word: "/\(pattern)/", attribute: attribute, at: column
        )
        guard (try? NSRegularExpression(pattern: pattern)) != nil else {
          throw scanner.error(.badPattern(pattern), at: column)
        }
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
        type == .string || type == .date || type.isNumeric, word: condition, attribute: attribute,
        at: column)
      let boundType = type == .string ? AttributeType.integer64 : type
      attribute.minimum = try bound(condition[..<dots.lowerBound], as: boundType, at: column)
      attribute.maximum = try bound(condition[dots.upperBound...], as: boundType, at: column)
      if NotatedValue.areDescending(attribute.minimum, attribute.maximum) {
        throw scanner.error(.emptyRange(condition), at: column)
      }
    } else if condition == "external" {
      try require(
        attribute.attributeType == .binaryData, word: condition, attribute: attribute, at: column)
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
    _ applies: Bool, word: String, attribute: AttributeDescription, at column: Int
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

// MARK: - Relationships

extension ModelNotationParser {
  mutating func toOne(
    named name: String, destination: String
  ) throws -> RelationshipDescription {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: false)
    relationship.isOptional = scanner.take("?")
    try readWords(into: relationship) { parser, word in
      try parser.read(word, into: relationship)
    }
    return relationship
  }

  mutating func toMany(named name: String) throws -> RelationshipDescription {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: try self.name("the destination's name"), toMany: true)
    if !scanner.take("]") { throw scanner.unexpected("']'") }
    relationship.isOptional = !scanner.take("!")
    try refuseQuestionMark()
    if scanner.take("(") { try readCounts(into: relationship) }
    if scanner.take("!") { relationship.isOptional = false }
    try refuseQuestionMark()
    try readWords(into: relationship) { parser, word in
      try parser.read(word, into: relationship)
    }
    return relationship
  }

  /// Many write it for what is optional anyway.
  private mutating func refuseQuestionMark() throws {
    let column = scanner.column
    if scanner.take("?") { throw scanner.error(.optionalAnyway, at: column) }
  }

  private mutating func readCounts(into relationship: RelationshipDescription) throws {
    scanner.skipSpace()
    let column = scanner.column
    let range = scanner.text(before: [")"])
    guard scanner.take(")") else { throw scanner.unexpected("')'") }
    guard let match = range.wholeMatch(of: /([0-9]{0,9})\s*\.\.\.\s*([0-9]{0,9})/) else {
      throw scanner.error(.unexpected(range, expected: "counts, as in '1...5'"), at: column)
    }
    relationship.minCount = Int(match.1) ?? 0
    relationship.maxCount = Int(match.2) ?? 0
    let hasMaximum = !match.2.isEmpty
    if hasMaximum, relationship.maxCount < max(relationship.minCount, 1) {
      throw scanner.error(.emptyRange(range), at: column)
    }
    if relationship.maxCount == 1 { throw scanner.error(.toManyOfOne, at: column) }
  }

  static let deleteRules: [String: DeleteRule] = [
    "nullify": .nullify, "cascade": .cascade, "deny": .deny,
  ]

  /// Reads a word that only relationships have.
  private mutating func read(
    _ word: String, into relationship: RelationshipDescription
  ) throws -> Bool {
    if let rule = Self.deleteRules[word] {
      relationship.deleteRule = rule
    } else if word == "no" {
      guard scanner.take(word: "action") else { throw scanner.unexpected("'action'") }
      relationship.deleteRule = .noAction
    } else if word == "ordered", relationship.isToMany {
      relationship.isOrdered = true
    } else if word == "<->" {
      relationship.inverseName = try name("the inverse's name")
    } else {
      return false
    }
    return true
  }
}
