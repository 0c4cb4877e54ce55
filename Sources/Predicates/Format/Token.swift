/// A word, number or sign of the format language, with its place in the text.
struct Token {
  var kind: Kind
  /// The column of the first character, from 1.
  let column: Int

  enum Kind: Equatable {
    case keyword(Keyword)
    case identifier(String)
    /// `#word`, or `#"any text"`: a key that may be a reserved word.
    case escapedKey(String)
    /// `$name`.
    case variable(String)
    /// `@name` in a key path.
    case pathOperator(String)
    /// `add:to:` before parentheses.
    case selector(String)
    case text(String)
    case integer(UInt64)
    case double(Double)
    /// `%@`, `%d` and the like, with the argument they stand for.
    case argument(Value)
    /// `%K` with its argument.
    case keyPathArgument(String)
    case sign(Sign)
    case end
  }
}

/// The signs of the format language.
enum Sign: String, CaseIterable {
  case equalEqual = "=="
  case equal = "="
  case notEqual = "!="
  case lessGreater = "<>"
  case lessEqual = "<="
  case equalLess = "=<"
  case greaterEqual = ">="
  case equalGreater = "=>"
  case less = "<"
  case greater = ">"
  case and = "&&"
  case or = "||"
  case not = "!"
  case power = "**"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case ampersand = "&"
  case pipe = "|"
  case caret = "^"
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case tilde = "~"
  case assign = ":="
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBrace = "{"
  case rightBrace = "}"
  case leftBracket = "["
  case rightBracket = "]"
  case comma = ","
  case dot = "."

  /// The signs with the longer ones first.
  static let longestFirst = allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }

  /// The comparison that the sign writes.
  var comparison: ComparisonPredicate.Operator? {
    switch self {
    case .equalEqual, .equal: .equalTo
    case .notEqual, .lessGreater: .notEqualTo
    case .less: .lessThan
    case .greater: .greaterThan
    case .lessEqual, .equalLess: .lessThanOrEqualTo
    case .greaterEqual, .equalGreater: .greaterThanOrEqualTo
    default: nil
    }
  }

  /// The function that the sign writes between operands, when it binds with this precedence; see
  /// ``PredefinedFunction/infix``.
  func function(of precedence: Int) -> PredefinedFunction? {
    switch (precedence, self) {
    case (-1, .ampersand): .bitwiseAnd
    case (-1, .pipe): .bitwiseOr
    case (-1, .caret): .bitwiseXor
    case (0, .shiftLeft): .leftshift
    case (0, .shiftRight): .rightshift
    case (1, .plus): .add
    case (1, .minus): .subtract
    case (2, .times): .multiply
    case (2, .divide): .divide
    case (3, .power): .raise
    default: nil
    }
  }
}

/// The words of the format language, which keys can't be without `#`. Case doesn't matter.
enum Keyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case `in` = "IN"
  case all = "ALL"
  case any = "ANY"
  case some = "SOME"
  case none = "NONE"
  case like = "LIKE"
  case caseInsensitive = "CASEINSENSITIVE"
  case caseInsensitiveShort = "CI"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case null = "NULL"
  case `nil` = "NIL"
  case `self` = "SELF"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case fetch = "FETCH"
  case cast = "CAST"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case utiConformsTo = "UTI-CONFORMS-TO"
  case utiEquals = "UTI-EQUALS"

  /// Whether properties are called so, too.
  var couldBeKey: Bool {
    switch self {
    case .first, .last, .size, .matches, .contains, .all, .any, .some, .none, .cast, .like: true
    default: false
    }
  }

  /// The comparison that the word writes.
  var comparison: ComparisonPredicate.Operator? {
    switch self {
    case .in: .in
    case .like: .like
    case .matches: .matches
    case .contains: .contains
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .between: .between
    case .utiConformsTo: .utiConformsTo
    case .utiEquals: .utiEquals
    default: nil
    }
  }

  /// The constant that the word writes.
  var constant: Value? {
    switch self {
    case .true, .yes: .integer(1)
    case .false, .no: .integer(0)
    case .null, .nil: .null
    default: nil
    }
  }
}

// MARK: - Wording

extension Token.Kind {
  /// The token in a message that says what was found.
  var shown: String {
    switch self {
    case .keyword(let word): word.rawValue
    case .identifier(let name): "'\(name)'"
    case .escapedKey(let name): "'#\(name)'"
    case .variable(let name): "'$\(name)'"
    case .pathOperator(let name): "'@\(name)'"
    case .selector(let name): "'\(name)'"
    case .text(let text): "the text \(FormatConstant.quoted(text))"
    case .integer(let number): "the number \(number)"
    case .double(let number): "the number \(number)"
    case .argument(let value): "the argument \(FormatConstant.text(of: value))"
    case .keyPathArgument(let path): "the key path \(path)"
    case .sign(let sign): "'\(sign.rawValue)'"
    case .end: "the end of the text"
    }
  }
}
