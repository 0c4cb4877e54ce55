/// A deliberate fault in a Swift file: what is replaced, and by what.
package struct SourceMutant: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A hook of a policy is left to the class it inherits from.
    case hook
    /// A condition is negated.
    case condition
    /// A value that is returned is emptied.
    case `return`
    /// A call is left out.
    case call
    /// An assignment to a property is left out.
    case assignment
  }
  package let kind: Kind
  /// UTF-8 bytes of the file.
  package let range: Range<Int>
  package let replacement: String
  /// Line of the first byte, from 1.
  package let line: Int
  /// What is done, as `negate 'names.isEmpty'`.
  package let title: String
}

/// Finds the faults that can be made in a Swift file, by its tokens: nothing is resolved, so that some of them
/// don't compile.
package struct SourceMutants: TokenizedSource {
  package let bytes: [UInt8]
  package let tokens: [SwiftLexer.Token]
  private let texts: [String]
  package let lineStarts: [Int]
  /// By opening bracket of any kind, the closing one.
  private var closing: [Int: Int] = [:]
  /// The functions and accessors with bodies: where they begin, what they return.
  private var functions: [Function] = []

  private struct Function {
    var keyword: Int
    var body: ClosedRange<Int>
    /// The tokens after `->`; empty for none.
    var returned: [String]
  }

  package init(_ text: String) {
    bytes = Array(text.utf8)
    tokens = SwiftLexer.tokens(of: bytes)
    let bytes = bytes
    texts = tokens.map { String(decoding: bytes[$0.range], as: UTF8.self) }
    lineStarts = Self.lineStarts(of: bytes)
    closing = pairs(["{", "(", "["], ["}", ")", "]"])
    functions = tokens.indices.compactMap { self.function(at: $0) }
  }

  /// All faults, in the order of the file.
  package func all() -> [SourceMutant] {
    var found: [SourceMutant] = []
    for index in tokens.indices {
      found += hook(at: index).map { [$0] } ?? []
      found += conditions(at: index)
      found += emptiedReturn(at: index).map { [$0] } ?? []
      found += statement(at: index).map { [$0] } ?? []
    }
    return found
  }

  /// The words of the file's code.
  package var words: Set<String> {
    Set(tokens.indices.filter { tokens[$0].isWord }.map { texts[$0] })
  }

  /// The names of the types and functions that the file declares.
  package var declaredNames: Set<String> {
    let keywords: Set<String> = ["class", "struct", "enum", "protocol", "extension", "func"]
    return Set(
      tokens.indices.filter { keywords.contains(texts[$0]) && isWord($0 + 1) }.map {
        texts[$0 + 1]
      })
  }

  // MARK: Tokens

  private func text(_ index: Int) -> String { texts.indices.contains(index) ? texts[index] : "" }

  /// The bytes of tokens, with the literals between and after them that are no tokens.
  private func range(_ tokens: ClosedRange<Int>) -> Range<Int> {
    self.tokens[tokens.lowerBound].range.lowerBound..<end(ofCode: tokens.upperBound)
  }

  /// Where the code that a token is the last of ends: a literal may follow it.
  private func end(ofCode last: Int) -> Int {
    let start = tokens[last].range.upperBound
    let next = last + 1 < tokens.count ? tokens[last + 1].range.lowerBound : bytes.count
    guard let quote = bytes[start..<next].firstIndex(of: UInt8(ascii: "\"")),
      !bytes[start..<quote].contains(UInt8(ascii: "\n")),
      !bytes[start..<quote].contains(UInt8(ascii: "/"))
    else { return start }
    let rest = bytes[quote..<next]
    let marks = Array("\"\"\"".utf8)
    if rest.starts(with: marks) {
      let ends = (quote..<(next - 2)).filter { bytes[$0..<($0 + 3)].elementsEqual(marks) }
      return (ends.last ?? quote) + 3
    }
    let line = rest.firstIndex(of: UInt8(ascii: "\n")) ?? next
    return (rest[..<line].lastIndex(of: UInt8(ascii: "\"")) ?? quote) + 1
  }

  /// Whether a literal follows a token, before the next one.
  private func isBeforeLiteral(_ index: Int) -> Bool {
    end(ofCode: index) > tokens[index].range.upperBound
  }

  private func code(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Code as a title has it: on one line, and not too long.
  private func shown(_ range: Range<Int>) -> String {
    let words = code(range).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 90 ? words.prefix(89) + "…" : words
  }

  private func mutant(
    _ kind: SourceMutant.Kind, range: Range<Int>, replacement: String, title: String
  ) -> SourceMutant {
    // Lines stay where they are.
    let breaks = bytes[range].filter { $0 == UInt8(ascii: "\n") }.count
    let missing = breaks - replacement.utf8.filter { $0 == UInt8(ascii: "\n") }.count
    return SourceMutant(
      kind: kind, range: range,
      replacement: replacement + String(repeating: "\n", count: max(0, missing)),
      line: position(of: range.lowerBound).line + 1, title: title)
  }

  // MARK: Functions

  private func function(at index: Int) -> Function? {
    guard ["func", "init", "subscript"].contains(texts[index]), text(index - 1) != "." else {
      return nil
    }
    var place = index + 1
    var arrow: Int?
    while place < tokens.count {
      switch text(place) {
      case "(", "[": place = closing[place] ?? tokens.count
      case ">" where text(place - 1) == "-": arrow = place
      case "{":
        guard let close = closing[place] else { return nil }
        let returned = arrow.map { texts[($0 + 1)..<place].prefix { $0 != "where" } } ?? []
        return Function(keyword: index, body: place...close, returned: Array(returned))
      case "}", ";": return nil
      default:
        if startsLine(place), Self.declarations.contains(text(place)) { return nil }
      }
      place += 1
    }
    return nil
  }

  private static let declarations: Set<String> = [
    "func", "var", "let", "class", "struct", "enum", "extension", "init", "override",
  ]

  private func function(around index: Int) -> Function? {
    functions.last { $0.body.contains(index) }
  }

  private static let hooks: Set<String> = [
    "begin", "createDestinationInstances", "endInstanceCreation", "createRelationships",
    "endRelationshipCreation", "performCustomValidation", "end",
  ]

  /// Leaves an overridden hook to the superclass.
  private func hook(at index: Int) -> SourceMutant? {
    guard texts[index] == "func", Self.hooks.contains(text(index + 1)),
      let function = functions.first(where: { $0.keyword == index })
    else { return nil }
    var start = index
    while start > 0, isWord(start - 1), SourceRewriter.startsMember(text(start - 1)) { start -= 1 }
    guard texts[start..<index].contains("override") else { return nil }
    let range = range(start...function.body.upperBound)
    return mutant(
      .hook, range: range, replacement: "",
      title: "leave out '\(text(index + 1))' of \(typeName(around: index))")
  }

  private func typeName(around index: Int) -> String {
    let types: Set<String> = ["class", "extension", "struct", "enum"]
    let around = tokens.indices.last { place in
      guard place < index, types.contains(texts[place]), isWord(place + 1),
        let open = (place..<index).first(where: { texts[$0] == "{" }), let close = closing[open]
      else { return false }
      return close > index
    }
    return around.map { text($0 + 1) } ?? "?"
  }

  // MARK: Conditions

  /// Negates each condition of an `if`, `guard` or `while` that binds nothing.
  private func conditions(at index: Int) -> [SourceMutant] {
    guard ["if", "guard", "while"].contains(texts[index]), text(index - 1) != ".",
      text(index - 1) != "#", function(around: index) != nil
    else { return [] }
    var clauses: [ClosedRange<Int>] = []
    var start = index + 1
    var place = start
    func close(_ end: Int) { if end >= start { clauses.append(start...end) } }
    scan: while place < tokens.count {
      switch text(place) {
      case "(", "[": place = closing[place] ?? tokens.count
      case ",":
        close(place - 1)
        start = place + 1
      case "{" where texts[index] == "guard":
        // A closure; the body comes after `else`.
        place = self.closing[place] ?? tokens.count
      case "else", "{":
        close(place - 1)
        break scan
      default: break
      }
      place += 1
    }
    if texts[index] == "if", place < tokens.count, onlySays(place) { return [] }
    let binding: Set<String> = ["let", "var", "case", "#available", "#unavailable"]
    return clauses.filter { !binding.contains(text($0.lowerBound)) }.map { clause in
      let range = range(clause)
      return mutant(
        .condition, range: range, replacement: "!(\(code(range)))",
        title: "negate '\(shown(range))'")
    }
  }

  // MARK: Returns

  private func emptiedReturn(at index: Int) -> SourceMutant? {
    guard texts[index] == "return", index + 1 < tokens.count,
      let function = function(around: index)
    else { return nil }
    // What follows on the next line is another statement; a literal alone is no token.
    let keyword = tokens[index].range
    let isAlone = startsLine(index + 1) || text(index + 1) == "}"
    let last = isAlone ? index : lastToken(ofStatementFrom: index)
    let end = end(ofCode: last)
    guard end > keyword.upperBound else { return nil }
    let start = bytes[keyword.upperBound..<end].firstIndex { $0 != UInt8(ascii: " ") } ?? end
    guard start < end else { return nil }
    let value = code(start..<end)
    guard let empty = Self.empty(function.returned, instead: value), empty != value else {
      return nil
    }
    return mutant(
      .return, range: start..<end, replacement: empty,
      title: "return '\(empty)' instead of '\(shown(start..<end))'")
  }

  /// Nothing, in the form that a type has it.
  private static func empty(_ type: [String], instead value: String) -> String? {
    guard let first = type.first, let last = type.last else { return nil }
    if last == "?" { return "nil" }
    if first == "[" {
      var depth = 0
      for token in type.dropFirst() {
        if ["[", "("].contains(token) { depth += 1 }
        if ["]", ")"].contains(token) { depth -= 1 }
        if token == ":", depth == 0 { return "[:]" }
      }
      return "[]"
    }
    return switch first {
    case "String" where type.count == 1: "\"\""
    case "Bool": "!(\(value))"
    case "Int", "Int16", "Int32", "Int64", "Double", "Float", "Decimal", "TimeInterval": "0"
    case "Set", "Array": "[]"
    default: nil
    }
  }

  // MARK: Statements

  /// The last token of a statement: it ends with its line, outside of brackets, unless it goes on.
  private func lastToken(ofStatementFrom start: Int) -> Int {
    var index = start
    while true {
      if ["(", "[", "{"].contains(text(index)), let close = closing[index] { index = close }
      guard index + 1 < tokens.count else { return index }
      let next = text(index + 1)
      if ["}", ")", "]", ";"].contains(next) { return index }
      if startsLine(index + 1), ![".", "?", ":", "&", "|", "+"].contains(next),
        isBeforeLiteral(index) || !Self.goesOn(text(index))
      {
        return index
      }
      index += 1
    }
  }

  /// Whether a statement can't end with a mark.
  private static func goesOn(_ mark: String) -> Bool {
    ["=", ",", "+", "-", "*", "?", ":", "&", "|", "(", "[", "."].contains(mark)
  }

  private static let statementKeywords: Set<String> = [
    "let", "var", "if", "guard", "for", "while", "repeat", "switch", "return", "throw", "defer",
    "do", "case", "default", "break", "continue", "func", "class", "struct", "enum", "else",
    "catch", "import", "extension", "override", "private", "fileprivate", "static", "final",
    "init", "typealias", "where", "in", "public", "internal", "lazy", "weak", "@objc",
  ]

  /// What only says something for people.
  private static let sayings: Set<String> = [
    "print", "debugPrint", "NSLog", "os_log", "logger", "log", "Logger", "assert",
    "assertionFailure", "precondition", "preconditionFailure", "fatalError", "dump",
    "os_signpost", "signposter",
  ]

  /// Whether the body that a condition leads to only says something, and there is no other.
  private func onlySays(_ body: Int) -> Bool {
    guard let end = closing[body], text(end + 1) != "else", end > body + 1 else { return false }
    var start = body + 1
    while start < end {
      guard Self.sayings.contains(text(start)) else { return false }
      start = lastToken(ofStatementFrom: start) + 1
    }
    return true
  }

  /// Leaves out a call or an assignment that is a statement of its own.
  private func statement(at index: Int) -> SourceMutant? {
    guard index > 0, tokens[index].isWord, !Self.statementKeywords.contains(texts[index]),
      !texts[index].hasPrefix("#"), !texts[index].hasPrefix("@"),
      startsLine(index) || [";", "{", "}"].contains(text(index - 1)),
      ["{", "}", ";"].contains(text(index - 1)) || endsStatement(index - 1),
      isInBlock(index)
    else { return nil }
    let last = lastToken(ofStatementFrom: index)
    let statement = index...last
    let range = range(statement)
    var name = index
    while ["try", "await", "?", "!", "_", "="].contains(text(name)), name < last { name += 1 }
    guard !Self.sayings.contains(text(name)) else { return nil }
    let assigned = assignment(in: name...last)
    if assigned == nil, let function = function(around: index), !function.returned.isEmpty,
      function.body == (index - 1)...(last + 1)
    {
      return impliedReturn(range, function)
    }
    if callsEmptyHook(name) { return nil }
    if let assigned {
      guard texts[name..<assigned].contains(where: { $0 == "." || $0 == "[" }) else { return nil }
      return mutant(
        .assignment, range: range, replacement: "", title: "leave out '\(shown(range))'")
    }
    guard [")", "}"].contains(text(last)),
      texts[name...last].contains(where: { $0 == "(" || $0 == "{" })
    else { return nil }
    return mutant(.call, range: range, replacement: "", title: "leave out '\(shown(range))'")
  }

  /// The only expression of a function is what it returns.
  private func impliedReturn(_ range: Range<Int>, _ function: Function) -> SourceMutant? {
    let value = code(range)
    guard let empty = Self.empty(function.returned, instead: value), empty != value else {
      return nil
    }
    return mutant(
      .return, range: range, replacement: empty,
      title: "return '\(empty)' instead of '\(shown(range))'")
  }

  /// What an object is told, and does nothing about unless a class of the app's does.
  private static let objectHooks: Set<String> = [
    "awakeFromInsert", "awakeFromFetch", "awake", "willSave", "didSave", "prepareForDeletion",
    "willTurnIntoFault", "didTurnIntoFault",
  ]

  /// Whether a call is one of a hook that does nothing in Core Data's own policy or object.
  private func callsEmptyHook(_ index: Int) -> Bool {
    guard text(index) == "super", text(index + 1) == ".",
      let type = tokens.indices.last(where: { $0 < index && texts[$0] == "class" && isWord($0 + 1) }
      )
    else { return false }
    guard text(type + 2) == ":" else { return false }
    let hook = text(index + 2)
    return switch text(type + 3) {
    case "NSEntityMigrationPolicy", "EntityMigrationPolicy":
      Self.hooks.contains(hook)
        && !["createDestinationInstances", "createRelationships"].contains(hook)
    case "NSManagedObject", "ManagedObject": Self.objectHooks.contains(hook)
    default: false
    }
  }

  /// The `=` of an assignment, outside of brackets.
  private func assignment(in tokens: ClosedRange<Int>) -> Int? {
    var index = tokens.lowerBound
    while index <= tokens.upperBound {
      if ["(", "[", "{"].contains(text(index)), let close = closing[index] { index = close }
      if text(index) == "=", text(index + 1) != "=",
        !["=", "!", "<", ">"].contains(text(index - 1))
      {
        return index
      }
      index += 1
    }
    return nil
  }

  /// Whether the statement before can have ended with a token.
  private func endsStatement(_ index: Int) -> Bool {
    startsLine(index + 1) && (isBeforeLiteral(index) || !Self.goesOn(text(index)))
  }

  /// Whether the innermost brackets around a token are braces of code in a function.
  private func isInBlock(_ index: Int) -> Bool {
    let around = closing.filter { $0.key < index && index < $0.value }.map(\.key).max()
    guard let around, text(around) == "{", function(around: index) != nil else { return false }
    // The body of a `switch` holds cases, and that of a type members.
    return true
  }
}
