/// Takes a format string apart into tokens, and puts the arguments in place of specifiers.
struct Lexer {
  private let format: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var arguments: FormatArguments
  private var tokens: [Token] = []
  /// The letters of the specifiers, in order.
  private var conversions: [Unicode.Scalar] = []

  /// The tokens of `format`, the last of which is `.end`.
  /// - Throws: ``PredicateFormatError`` for text that is no token, and for missing or unsuitable
  ///   arguments.
  static func tokens(of format: String, arguments: [Any?]) throws -> [Token] {
    if let tokens = KnownFormats.shared.tokens(of: format, arguments: arguments) { return tokens }
    var lexer = Lexer(format, arguments)
    while try lexer.readToken() {}
    KnownFormats.shared.add(
      FormatTokens(lexer.tokens, conversions: lexer.conversions), for: format)
    return lexer.tokens
  }

  private init(_ format: String, _ arguments: [Any?]) {
    self.format = format
    self.arguments = FormatArguments(arguments)
    scalars = Array(format.unicodeScalars)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " "
      || (scalar.isASCII ? (9...13).contains(scalar.value) : scalar.properties.isWhitespace)
  }

  /// Appends the next token; false after the end.
  private mutating func readToken() throws -> Bool {
    while let scalar = current, Self.isSpace(scalar) { position += 1 }
    let column = position + 1
    let kind = try readKind()
    tokens.append(Token(kind: kind, column: column))
    return kind != .end
  }

  private mutating func readKind() throws -> Token.Kind {
    guard let scalar = current else { return .end }
    switch scalar {
    case "'", "\"": return .text(try readText())
    case "0"..."9": return try readNumber()
    case "$": return .variable(try readName(after: "$"))
    case "@": return .pathOperator(try readName(after: "@"))
    case "#": return .escapedKey(try readEscapedKey())
    case "%": return try readSpecifier()
    case _ where Self.isNameStart(scalar): return readWord()
    default: return .sign(try readSign())
    }
  }

  // MARK: Words

  /// Whether `text` can stand as a key or a name.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isNameStart(first) else { return false }
    return text.unicodeScalars.allSatisfy(isNamePart)
  }

  // Core Data: observed in public tests: other letters aren't read, though `%K` takes them.
  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || ("0"..."9").contains(scalar)
  }

  private mutating func readName(after sign: Character) throws -> String {
    position += 1
    guard let scalar = current, Self.isNameStart(scalar) else {
      throw error("expected a name after \(sign)", at: position)
    }
    return readName()
  }

  private mutating func readName() -> String {
    let start = position
    while let scalar = current, Self.isNamePart(scalar) { position += 1 }
    return text(from: start)
  }

  private mutating func readEscapedKey() throws -> String {
    if next == "'" || next == "\"" {
      position += 1
      return try readText()
    }
    return try readName(after: "#")
  }

  private mutating func readWord() -> Token.Kind {
    let start = position
    if let keyword = readHyphenated() { return .keyword(keyword) }
    let name = readName()
    if current == ":", next != "=" {
      readSelectorParts()
      return .selector(text(from: start))
    }
    return Keyword(rawValue: name.uppercased()).map { .keyword($0) } ?? .identifier(name)
  }

  /// Reads one of the two words that have hyphens in them.
  private mutating func readHyphenated() -> Keyword? {
    for keyword in [Keyword.utiConformsTo, .utiEquals] {
      let count = keyword.rawValue.unicodeScalars.count
      guard position + count <= scalars.count else { continue }
      let word = scalars[position..<(position + count)].map { Character($0).uppercased() }.joined()
      if word == keyword.rawValue, !isNamePart(at: position + count) {
        position += count
        return keyword
      }
    }
    return nil
  }

  private func isNamePart(at position: Int) -> Bool {
    position < scalars.count && Self.isNamePart(scalars[position])
  }

  /// Reads on from the `:` after the first part of a selector.
  private mutating func readSelectorParts() {
    while current == ":", next != "=" {
      position += 1
      _ = readName()
    }
  }

  // MARK: Literals

  private mutating func readText() throws -> String {
    let start = position
    let quote = scalars[position]
    var text = String.UnicodeScalarView()
    position += 1
    while let scalar = current {
      position += 1
      switch scalar {
      case quote: return String(text)
      case "\\": text.append(try readEscape(inTextFrom: start))
      default: text.append(scalar)
      }
    }
    throw error("expected a closing \(quote)", at: start)
  }

  private mutating func readEscape(inTextFrom start: Int) throws -> Unicode.Scalar {
    guard let scalar = current else { throw error("expected a closing quote", at: start) }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    default: return scalar
    }
  }

  private mutating func readNumber() throws -> Token.Kind {
    let start = position
    if let radix = radix() {
      position += 2
      let digits = readDigits(radix)
      return .integer(try integer(digits, radix: radix, from: start))
    }
    _ = readDigits(10)
    var isWhole = true
    if current == ".", let digit = next, ("0"..."9").contains(digit) {
      position += 1
      _ = readDigits(10)
      isWhole = false
    }
    if readExponent() { isWhole = false }
    let number = text(from: start)
    if let scalar = current, Self.isNamePart(scalar) {
      throw error("expected a number", at: start)
    }
    if isWhole { return .integer(try integer(number, radix: 10, from: start)) }
    guard let value = Double(number), value.isFinite else {
      throw error("the number is too large", at: start)
    }
    return .double(value)
  }

  private func radix() -> Int? {
    guard current == "0" else { return nil }
    switch next {
    case "x", "X": return 16
    case "o", "O": return 8
    case "b", "B": return 2
    default: return nil
    }
  }

  private mutating func readDigits(_ radix: Int) -> String {
    let start = position
    while let scalar = current, scalar.isASCII, Character(scalar).isHexDigit,
      let digit = Character(scalar).hexDigitValue, digit < radix
    {
      position += 1
    }
    return text(from: start)
  }

  /// Reads `e3`, `E-2` and the like, if one is here.
  private mutating func readExponent() -> Bool {
    guard current == "e" || current == "E" else { return false }
    let start = position
    position += next == "-" || next == "+" ? 2 : 1
    if readDigits(10).isEmpty {
      position = start
      return false
    }
    return true
  }

  private func integer(_ digits: String, radix: Int, from start: Int) throws -> UInt64 {
    if digits.isEmpty { throw error("expected digits", at: position) }
    // One more than the largest positive number is the smallest negative one.
    guard let value = UInt64(digits, radix: radix), value <= UInt64(Int64.max) + 1 else {
      throw error("the number is too large", at: start)
    }
    return value
  }

  // MARK: Signs and specifiers

  private mutating func readSign() throws -> Sign {
    for sign in Sign.longestFirst where isHere(sign.rawValue) {
      let start = position
      position += sign.rawValue.unicodeScalars.count
      if sign.comparison != nil, let scalar = current, "=<>".unicodeScalars.contains(scalar) {
        throw error("no such operator: \(sign.rawValue)\(scalar)", at: start)
      }
      return sign
    }
    let isLetter = !scalars[position].isASCII && scalars[position].properties.isAlphabetic
    throw error(
      "unexpected '\(scalars[position])'"
        + (isLetter ? ", a letter that only %K takes in a key" : ""), at: position)
  }

  private func isHere(_ text: String) -> Bool {
    scalars[position...].starts(with: text.unicodeScalars)
  }

  private mutating func readSpecifier() throws -> Token.Kind {
    let start = position
    position += 1
    while let scalar = current, "hlqzjt".unicodeScalars.contains(scalar) { position += 1 }
    guard let conversion = current else { throw error("expected a specifier after %", at: start) }
    position += 1
    if conversion == "%" {
      throw error("'%%' is a plain %, which means nothing outside quotes", at: start)
    }
    conversions.append(conversion)
    do {
      return try arguments.next(for: conversion)
    } catch let problem {
      throw error("\(text(from: start)): \(problem.text)", at: start)
    }
  }

  // MARK: Text

  private var current: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  private var next: Unicode.Scalar? {
    position + 1 < scalars.count ? scalars[position + 1] : nil
  }

  private func text(from start: Int) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<position])
    return String(view)
  }

  private func error(_ problem: String, at position: Int) -> PredicateFormatError {
    PredicateFormatError(format: format, column: position + 1, problem: problem)
  }
}
