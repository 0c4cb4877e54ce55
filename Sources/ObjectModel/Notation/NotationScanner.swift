/// Takes a line of notation apart, and knows where it is.
struct NotationScanner {
  let text: String
  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  /// The column of what comes next, from 1.
  var column: Int { position + 1 }
  var isAtEnd: Bool { position == characters.count }
  private var next: Character? { isAtEnd ? nil : characters[position] }

  mutating func skipSpace() {
    while next?.isWhitespace == true { position += 1 }
  }

  /// Takes `expected` if it comes next, after spaces.
  mutating func take(_ expected: String) -> Bool {
    skipSpace()
    let expected = Array(expected)
    guard characters[position...].starts(with: expected) else { return false }
    position += expected.count
    return true
  }

  /// Takes the word if it comes next and ends there.
  mutating func take(word expected: String) -> Bool {
    let start = position
    if word() == expected { return true }
    position = start
    return false
  }

  /// Takes a name: letters, digits and `_`; nil when there is none.
  mutating func word() -> String? {
    skipSpace()
    let start = position
    while let character = next, character.isLetter || character.isNumber || character == "_" {
      position += 1
    }
    return position == start ? nil : String(characters[start..<position])
  }

  /// Takes everything up to a space.
  mutating func bareValue() -> String {
    skipSpace()
    let start = position
    while let character = next, !character.isWhitespace { position += 1 }
    return String(characters[start..<position])
  }

  /// Takes everything up to one of the marks, without spaces at the end. Marks count only outside
  /// parentheses.
  mutating func text(before marks: Set<Character>) -> String {
    skipSpace()
    let start = position
    var depth = 0
    while let character = next, depth > 0 || !marks.contains(character) {
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      position += 1
    }
    return String(characters[start..<position]).trimmingCharacters(in: .whitespaces)
  }

  /// Takes a text between marks such as `"`; a backslash takes the mark's meaning away. nil when
  /// something else comes next.
  mutating func delimited(
    by mark: Character, keepingBackslashes: Bool = false
  ) throws(ModelNotationError) -> String? {
    skipSpace()
    guard next == mark else { return nil }
    let start = column
    position += 1
    var content = ""
    while let character = next {
      position += 1
      if character == mark { return content }
      if character == "\\", let escaped = next {
        position += 1
        content += Self.escape(escaped, mark: mark, keepingBackslashes: keepingBackslashes)
      } else {
        content.append(character)
      }
    }
    throw error(.unfinishedText, at: start)
  }

  private static func escape(
    _ character: Character, mark: Character, keepingBackslashes: Bool
  ) -> String {
    if character == mark { return String(mark) }
    if keepingBackslashes { return "\\" + String(character) }
    switch character {
    case "n": return "\n"
    case "t": return "\t"
    default: return String(character)
    }
  }

  func error(_ kind: ModelNotationError.Kind, at column: Int? = nil) -> ModelNotationError {
    ModelNotationError(kind: kind, column: column ?? self.column, text: text)
  }

  /// The error for what comes next not being what it should.
  mutating func unexpected(_ expected: String) -> ModelNotationError {
    skipSpace()
    let rest = String(characters[position...].prefix { !$0.isWhitespace })
    return error(.unexpected(rest.isEmpty ? nil : rest, expected: expected))
  }
}
