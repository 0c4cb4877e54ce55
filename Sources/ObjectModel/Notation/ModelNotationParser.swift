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
