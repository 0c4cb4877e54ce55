/// Splits Swift source into the words and marks that are code.
///
/// Comments and the text of string literals are left out; the code inside an interpolation counts.
/// A word is an identifier, keyword or number, together with a leading `@` or `#`; everything else
/// is a mark of one byte.
package struct SwiftLexer {
  package struct Token: Hashable {
    package var range: Range<Int>
    var isWord: Bool
  }

  private let bytes: [UInt8]
  private var position = 0
  private var tokens: [Token] = []
  /// Of string literals that the code here is in.
  private var interpolations = 0
  /// The compiler refuses sources that nest deeper than this.
  private static let mostInterpolations = 256

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The tokens of `bytes`, which is UTF-8, in order.
  package static func tokens(of bytes: [UInt8]) -> [Token] {
    var lexer = SwiftLexer(bytes)
    while lexer.position < bytes.count {
      lexer.scanCode()
      // An unmatched parenthesis ended the scan; the compiler will complain, not this lexer.
      lexer.position += 1
    }
    return lexer.tokens
  }

  /// Scans to the end, or to the `)` that has no `(` here.
  private mutating func scanCode() {
    var depth = 0
    while let byte = byte() {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth == 0: return
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      scanToken(startingWith: byte)
    }
  }

  private mutating func scanToken(startingWith first: UInt8) {
    switch first {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      position += 1
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): skipLine()
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipBlockComment()
    case UInt8(ascii: "\""): skipString(hashes: 0)
    case UInt8(ascii: "#"): scanHash()
    case UInt8(ascii: "@"): scanWord(prefix: 1)
    case _ where first.isWordByte: scanWord(prefix: 0)
    default: add(1, isWord: false)
    }
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func add(_ length: Int, isWord: Bool) {
    tokens.append(Token(range: position..<(position + length), isWord: isWord))
    position += length
  }

  private mutating func scanWord(prefix: Int) {
    var length = prefix
    while byte(length)?.isWordByte == true { length += 1 }
    add(length, isWord: length > prefix)
  }
}

// MARK: - Reading tokens

/// A Swift source, and what of it is code.
package protocol TokenizedSource {
  var bytes: [UInt8] { get }
  var tokens: [SwiftLexer.Token] { get }
  /// Where each line begins.
  var lineStarts: [Int] { get }
}

extension TokenizedSource {
  package static func lineStarts(of bytes: [UInt8]) -> [Int] {
    [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// The text of a token; empty where there is none.
  package func text(_ index: Int) -> String {
    tokens.indices.contains(index)
      ? String(decoding: bytes[tokens[index].range], as: UTF8.self) : ""
  }

  func isWord(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].isWord }

  func isMark(_ index: Int, _ mark: Character) -> Bool {
    tokens.indices.contains(index) && !tokens[index].isWord && text(index) == String(mark)
  }

  package func position(of offset: Int) -> SourcePosition {
    let line = lineStarts.indices.firstPlace { lineStarts[$0] > offset } - 1
    return SourcePosition(line: line, character: offset - lineStarts[line])
  }

  package func position(ofToken index: Int) -> SourcePosition {
    position(of: tokens[index].range.lowerBound)
  }

  /// Whether a token is the first in its line.
  func startsLine(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    let gap = bytes[tokens[index - 1].range.upperBound..<tokens[index].range.lowerBound]
    return gap.contains(UInt8(ascii: "\n"))
  }

  /// By opening bracket, the closing one.
  func pairs(_ opening: Set<String>, _ closing: Set<String>) -> [Int: Int] {
    var pairs: [Int: Int] = [:]
    var open: [Int] = []
    for index in tokens.indices where !tokens[index].isWord {
      if opening.contains(text(index)) { open.append(index) }
      if closing.contains(text(index)), let last = open.popLast() { pairs[last] = index }
    }
    return pairs
  }
}

// MARK: - Comments

extension SwiftLexer {
  private mutating func skipLine() {
    while let byte = byte(), byte != UInt8(ascii: "\n") { position += 1 }
  }

  /// Block comments nest.
  private mutating func skipBlockComment() {
    var depth = 0
    while let first = byte() {
      switch (first, byte(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        position += 2
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        position += 2
        if depth == 0 { return }
      default: position += 1
      }
    }
  }
}

// MARK: - Literals

extension SwiftLexer {
  /// `#keyPath`, or the start of a raw string or of an extended regular expression.
  private mutating func scanHash() {
    var hashes = 1
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    switch byte(hashes) {
    case UInt8(ascii: "\""):
      position += hashes
      skipString(hashes: hashes)
    case UInt8(ascii: "/"): skipRegularExpression(hashes: hashes)
    default: scanWord(prefix: 1)
    }
  }

  /// Skips a string literal that starts here, except for the code in its interpolations.
  private mutating func skipString(hashes: Int) {
    let isMultiline = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"")
    let quotes = isMultiline ? 3 : 1
    position += quotes
    while let byte = byte() {
      switch byte {
      case UInt8(ascii: "\\") where hasHashes(hashes, at: 1): skipEscape(hashes: hashes)
      case UInt8(ascii: "\"") where endsString(quotes: quotes, hashes: hashes):
        position += quotes + hashes
        return
      case UInt8(ascii: "\n") where !isMultiline: return
      default: position += 1
      }
    }
  }

  private mutating func skipEscape(hashes: Int) {
    position += 1 + hashes
    guard byte() == UInt8(ascii: "("), interpolations < Self.mostInterpolations else {
      position += 1
      return
    }
    interpolations += 1
    defer { interpolations -= 1 }
    position += 1
    scanCode()
    position += 1
  }

  private func hasHashes(_ count: Int, at offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  private func endsString(quotes: Int, hashes: Int) -> Bool {
    (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") } && hasHashes(hashes, at: quotes)
  }

  private mutating func skipRegularExpression(hashes: Int) {
    position += hashes + 1
    while let byte = byte() {
      if byte == UInt8(ascii: "/") && hasHashes(hashes, at: 1) {
        position += 1 + hashes
        return
      }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
  }
}

extension UInt8 {
  /// Letters, digits, `_`, the back-tick of quoted names, and everything beyond ASCII.
  fileprivate var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...0xFF:
      true
    default: false
    }
  }
}
