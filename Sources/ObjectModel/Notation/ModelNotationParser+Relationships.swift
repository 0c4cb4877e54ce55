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
    if scanner.take("(") { try readCounts(into: relationship) }
    if scanner.take("!") { relationship.isOptional = false }
    try readWords(into: relationship) { parser, word in
      try parser.read(word, into: relationship)
    }
    return relationship
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
