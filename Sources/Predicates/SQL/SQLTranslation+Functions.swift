// Functions of scalars, as far as SQLite gives what memory gives.

extension SQLTranslation {
  /// A call of a predefined function with an argument that isn't constant.
  mutating func call(
    _ function: PredefinedFunction, _ arguments: [Expression], _ expression: Expression,
    _ scope: SQLScope
  ) throws -> SQLOperand {
    switch function {
    case .noindex:
      let plain = try operand(arguments[0], scope)
      return SQLOperand("+\(plain.fragment)", plain.kind)
    case .abs: return try magnitude(arguments[0], expression, scope)
    case .uppercase: return try text(arguments[0], SQLTextFunctions.upper, expression, scope)
    case .lowercase: return try text(arguments[0], SQLTextFunctions.lower, expression, scope)
    case .canonical: return try text(arguments[0], SQLTextFunctions.canonical, expression, scope)
    case .add, .subtract, .multiply, .bitwiseAnd, .divide, .modulus:
      return try arithmetic(function, arguments, expression, scope)
    default:
      throw UntranslatablePredicate(expression, "\(function.name) is evaluated in memory only")
    }
  }

  /// `TERNARY(condition, yes, no)` of values of one kind.
  mutating func choice(
    _ condition: Predicate, _ yes: Expression, _ no: Expression, _ expression: Expression,
    _ scope: SQLScope
  ) throws -> SQLOperand {
    let holds = try self.condition(condition, scope)
    let (first, second) = (try operand(yes, scope), try operand(no, scope))
    guard let kind = first.kind.joined(with: second.kind) else {
      throw UntranslatablePredicate(expression, "its values are of different types")
    }
    return SQLOperand(
      "CASE WHEN COALESCE(\(holds), 0) THEN \(first.fragment) ELSE \(second.fragment) END", kind)
  }

  // MARK: Text

  private mutating func text(
    _ argument: Expression, _ change: String, _ expression: Expression, _ scope: SQLScope
  ) throws -> SQLOperand {
    let text = try operand(argument, scope)
    guard text.kind == .text else { throw UntranslatablePredicate(expression, "it isn't of text") }
    return SQLOperand(
      "\(raw: SQLTextFunctions.foldName)(\(text.fragment), '\(raw: change)')", .text)
  }

  // MARK: Numbers

  /// SQLite's own `abs` fails for the smallest integer.
  private mutating func magnitude(
    _ argument: Expression, _ expression: Expression, _ scope: SQLScope
  ) throws -> SQLOperand {
    let number = try operand(argument, scope)
    let value = number.fragment
    switch number.kind {
    case .integer, .integerOrDouble:
      return SQLOperand(
        "CASE WHEN \(value) < 0 THEN 0 - \(value) ELSE \(value) END",
        number.isSmall ? .integer : .integerOrDouble)
    case .double: return SQLOperand("abs(\(value))", .double)
    default: throw UntranslatablePredicate(expression, "it isn't of integers or Doubles")
    }
  }

  /// Infix operators on integers and Doubles; SQLite computes those as ``Arithmetic`` does, as long
  /// as nothing is divided by zero.
  private mutating func arithmetic(
    _ function: PredefinedFunction, _ arguments: [Expression], _ expression: Expression,
    _ scope: SQLScope
  ) throws -> SQLOperand {
    let symbol = function.infix?.symbol ?? function.name
    let left = try operand(arguments[0], scope)
    let right = try operand(arguments[1], scope)
    let needsIntegers = function == .bitwiseAnd || function == .modulus
    let kinds: Set = [left.kind, right.kind]
    guard kinds.isSubset(of: [.integer, .integerOrDouble, .double]) else {
      throw UntranslatablePredicate(
        expression, "\(symbol) is translated for integers and Doubles only")
    }
    // SQLite would cut off what takes more than 64 bits.
    if needsIntegers, kinds != [.integer] {
      throw UntranslatablePredicate(expression, "\(symbol) is translated for integers only")
    }
    if function == .divide || function == .modulus {
      guard let divisor = right.constant?.doubleValue, divisor != 0 else {
        throw UntranslatablePredicate(expression, "the divisor could be zero")
      }
    }
    return SQLOperand(
      "(\(left.fragment) \(raw: function == .modulus ? "%" : symbol) \(right.fragment))",
      kinds.contains(.double)
        ? .double : needsIntegers || left.isSmall && right.isSmall ? .integer : .integerOrDouble)
  }
}

extension SQLOperand.Kind {
  /// The kind of a value that is of one kind or of the other; nil when there is none.
  fileprivate func joined(with other: Self) -> Self? {
    if self == other || other == .null { return self }
    if self == .null { return other }
    let integers: Set<Self> = [.integer, .integerOrDouble]
    if integers.isSuperset(of: [self, other]) { return .integerOrDouble }
    let numbers = integers.union([.double])
    return numbers.isSuperset(of: [self, other]) ? .double : nil
  }
}
