/// What a Swift file declares outside of functions, as far as its brackets and keywords tell.
struct SourceDeclarations: TokenizedSource {
  struct Declaration {
    /// `func`, `class` and so on.
    let keyword: String
    /// The token of the keyword.
    let place: Int
    let name: String
    /// With attributes and modifiers.
    let tokens: ClosedRange<Int>
    /// From brace to brace: of a type its members, else what is run. Nil for a stored property.
    let body: ClosedRange<Int>?
    /// What it is declared in, as an index; nil for none.
    let outer: Int?
    let modifiers: Set<String>

    var isType: Bool { SourceDeclarations.typeKeywords.contains(keyword) }

    /// Whether each object has room for it.
    var isStored: Bool {
      ["var", "let"].contains(keyword) && body == nil && outer != nil
        && modifiers.isDisjoint(with: ["static", "class", "@NSManaged"])
    }
  }

  let bytes: [UInt8]
  let tokens: [SwiftLexer.Token]
  let lineStarts: [Int]
  /// The outer ones before what is in them.
  private(set) var all: [Declaration] = []
  /// By opening bracket of any kind, the closing one.
  private(set) var closing: [Int: Int] = [:]

  private static let typeKeywords: Set = [
    "class", "struct", "enum", "actor", "protocol", "extension",
  ]

  init(_ text: String) {
    bytes = Array(text.utf8)
    tokens = SwiftLexer.tokens(of: bytes)
    lineStarts = Self.lineStarts(of: bytes)
    closing = pairs(["{", "(", "["], ["}", ")", "]"])
    read(tokens.indices, in: nil)
  }

  private mutating func read(_ range: Range<Int>, in outer: Int?) {
    var index = range.lowerBound
    while index < range.upperBound {
      guard let keyword = declarationKeyword(from: index), keyword < range.upperBound else {
        // Of a `deinit`, for one.
        index = (isMark(index, "{") ? closing[index] ?? index : index) + 1
        continue
      }
      let (end, body) = extent(from: keyword)
      let declaration = Declaration(
        keyword: text(keyword), place: keyword,
        name: ["init", "subscript"].contains(text(keyword)) ? text(keyword) : text(keyword + 1),
        tokens: index...max(end, keyword), body: body, outer: outer,
        modifiers: Set((index..<keyword).map { text($0) }))
      all.append(declaration)
      // The requirements of a protocol belong together.
      if let body, declaration.isType, declaration.keyword != "protocol" {
        read(body.lowerBound + 1..<body.upperBound, in: all.count - 1)
      }
      index = max(end, keyword) + 1
    }
  }

  /// The last token of a declaration, and its body.
  private func extent(from keyword: Int) -> (end: Int, body: ClosedRange<Int>?) {
    if text(keyword) == "case" { return (lastTokenOfDeclaration(from: keyword), nil) }
    let isVariable = ["var", "let", "typealias"].contains(text(keyword))
    var place = keyword + 1
    while place < tokens.count {
      switch text(place) {
      case "(", "[": place = closing[place] ?? tokens.count
      case "{":
        guard let end = closing[place] else { return (tokens.count - 1, nil) }
        let observes = ["willSet", "didSet"].contains(text(place + 1))
        return (end, observes ? nil : place...end)
      case "=" where isVariable: return (endOfValue(from: place), nil)
      case "}": return (place - 1, nil)
      default:
        let next = place + 1
        if isVariable, next < tokens.count, startsLine(next), !isMark(next, "{") {
          return (place, nil)
        }
      }
      place += 1
    }
    return (tokens.count - 1, nil)
  }

  /// The last token of an initial value, which goes on in a line that begins with an operator.
  private func endOfValue(from equalSign: Int) -> Int {
    var place = equalSign
    while true {
      place = closing[place] ?? place
      let next = place + 1
      if next >= tokens.count || isMark(next, "}") { return place }
      if startsLine(next), isWord(next) || isMark(next, "{") { return place }
      place = next
    }
  }
}
