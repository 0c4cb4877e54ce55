/// The functions of the format language, by selector.
enum PredefinedFunction: String, CaseIterable, Hashable, Sendable {
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case stddev = "stddev:"
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case raise = "raise:toPower:"
  case abs = "abs:"
  case sqrt = "sqrt:"
  case exp = "exp:"
  case ln = "ln:"
  case log = "log:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case trunc = "trunc:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftshift = "leftshift:by:"
  case rightshift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  /// Text without differences of case and of diacritics, as derived attributes have it.
  case canonical = "canonical:"
  case length = "length:"
  case random = "random"
  case randomn = "randomn:"
  case now = "now"
  /// The value itself, looked up without an index.
  case noindex = "noindex:"

  /// The function called `name`, with or without the `:` that one-argument functions have.
  /// - Throws: ``PredicateEvaluationError`` when there is none, or for another argument count.
  init(named name: String, argumentCount: Int) throws {
    guard
      let function = Self(rawValue: name) ?? Self(rawValue: name + ":")
        ?? (name.hasSuffix(":") ? Self(rawValue: String(name.dropLast())) : nil)
    else {
      throw PredicateEvaluationError(
        .invalidArgument,
        "Unable to parse function name '\(name)' into supported selector (\(name)); "
          + "use FUNCTION(target, \"\(name)\") to call a method.")
    }
    guard function.accepts(argumentCount) else {
      throw PredicateEvaluationError(
        .invalidArgument,
        "\(function.name) takes \(function.parameterCount) "
          + "argument\(function.parameterCount == 1 ? "" : "s"), not \(argumentCount).")
    }
    self = function
  }

  /// The name as it is written before parentheses.
  var name: String {
    rawValue.count(where: { $0 == ":" }) == 1 ? String(rawValue.dropLast()) : rawValue
  }

  var parameterCount: Int { rawValue.count(where: { $0 == ":" }) }

  /// Statistics accept their numbers as several arguments, too.
  private func accepts(_ argumentCount: Int) -> Bool {
    isStatistic ? argumentCount > 0 : argumentCount == parameterCount
  }

  /// Whether the function works on the elements of a collection.
  var isStatistic: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev: true
    default: false
    }
  }

  /// Whether it is one of `+ - * / **` and `modulus:by:`.
  var isArithmetic: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .modulus, .raise: true
    default: false
    }
  }

  /// The operator that writes the function between its two arguments, and how tightly it binds.
  var infix: (symbol: String, precedence: Int)? {
    switch self {
    case .add: ("+", 1)
    case .subtract: ("-", 1)
    case .multiply: ("*", 2)
    case .divide: ("/", 2)
    case .raise: ("**", 3)
    case .bitwiseAnd: ("&", 0)
    default: nil
    }
  }
}

// MARK: - Evaluation

extension PredefinedFunction {
  /// The result for `arguments`.
  /// - Parameter isInStore: Whether a store computes it: arithmetic with nil is nil then.
  /// - Throws: ``PredicateEvaluationError`` for arguments of the wrong type, and for nil in arithmetic.
  // Core Data: observed in public tests: in memory arithmetic with nil raises; what other functions make of nil is
  // assumed.
  func value(for arguments: [Value], isInStore: Bool = false) throws -> Value {
    if isStatistic { return try statistic(of: Self.numbers(in: arguments)) }
    if arguments.contains(where: \.isNull) {
      if isInStore || !isArithmetic { return .null }
      throw PredicateEvaluationError(
        .invalidArgument,
        "Can't do arithmetic with nil: \(Expression(.function(self, arguments.map { .constant($0) })))."
      )
    }
    switch self {
    case .add, .subtract, .multiply, .divide, .modulus, .raise:
      return try arithmetic(arguments[0], arguments[1])
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftshift, .rightshift:
      return .integer(try bits(integer(arguments[0]), integer(arguments[1])))
    case .onesComplement: return .integer(~(try integer(arguments[0])))
    case .abs, .floor, .ceiling, .trunc: return try rounded(arguments[0])
    case .sqrt, .exp, .ln, .log: return .double(try transcendental(number(arguments[0])))
    case .uppercase: return .string(try text(arguments[0]).uppercased())
    case .lowercase: return .string(try text(arguments[0]).lowercased())
    case .canonical:
      return .string(try text(arguments[0]).folded(for: [.caseInsensitive, .diacriticInsensitive]))
    case .length: return .integer(Int64(try text(arguments[0]).utf16.count))
    case .random:
      var chance = SurroundingChance()
      return .double(Double.random(in: 0..<1, using: &chance))
    case .randomn: return .integer(try random(below: integer(arguments[0])))
    case .now: return .date(Surroundings.now)
    case .noindex: return arguments[0]
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev: return .null  // done above
    }
  }

  /// The elements of the only argument when it is a collection, else all arguments.
  private static func numbers(in arguments: [Value]) -> [Value] {
    guard arguments.count == 1 else { return arguments }
    switch arguments[0].withKeys {
    case .null: return []
    case .collection(let collection): return collection.elements
    default: return arguments
    }
  }

  private func statistic(of values: [Value]) throws -> Value {
    switch self {
    case .sum: try Statistics.sum(values)
    case .count: .integer(Int64(values.count))
    case .min: try Statistics.minimum(values)
    case .max: try Statistics.maximum(values)
    case .average: try Statistics.average(values)
    case .median: try Statistics.median(values)
    case .mode: Statistics.mode(values)
    default: try Statistics.standardDeviation(values)
    }
  }

  private func arithmetic(_ a: Value, _ b: Value) throws -> Value {
    switch self {
    case .add: try Arithmetic.add(a, b)
    case .subtract: try Arithmetic.subtract(a, b)
    case .multiply: try Arithmetic.multiply(a, b)
    case .divide: try Arithmetic.divide(a, b)
    case .modulus: try Arithmetic.remainder(a, b)
    default: try Arithmetic.raise(a, toPower: b)
    }
  }

  private func bits(_ a: Int64, _ b: Int64) -> Int64 {
    switch self {
    case .bitwiseAnd: a & b
    case .bitwiseOr: a | b
    case .bitwiseXor: a ^ b
    case .leftshift: a << b
    default: a >> b
    }
  }

  private func rounded(_ argument: Value) throws -> Value {
    switch argument {
    case .integer(let integer):
      return self == .abs && integer < 0 ? try Arithmetic.subtract(.integer(0), argument) : argument
    case .decimal(let decimal): return .decimal(rounded(decimal))
    default: return .double(rounded(try number(argument)))
    }
  }

  private func rounded(_ number: Double) -> Double {
    switch self {
    case .abs: number.magnitude
    case .floor: number.rounded(.down)
    case .ceiling: number.rounded(.up)
    default: number.rounded(.towardZero)
    }
  }

  private func rounded(_ number: Decimal) -> Decimal {
    if self == .abs { return number.magnitude }
    let isUpward = self == .ceiling || (self == .trunc && number.isSignMinus)
    var result = Decimal()
    var operand = number
    NSDecimalRound(&result, &operand, 0, isUpward ? .up : .down)
    return result
  }

  private func transcendental(_ number: Double) -> Double {
    switch self {
    case .sqrt: number.squareRoot()
    case .exp: Foundation.exp(number)
    case .ln: Foundation.log(number)
    default: Foundation.log10(number)
    }
  }

  private func random(below limit: Int64) throws -> Int64 {
    guard limit > 0 else { throw unsuitable(.integer(limit), "a positive number") }
    var chance = SurroundingChance()
    return Int64.random(in: 0..<limit, using: &chance)
  }

  // MARK: Arguments

  private func integer(_ argument: Value) throws -> Int64 {
    guard let double = argument.doubleValue else { throw unsuitable(argument, "a number") }
    if case .integer(let integer) = argument { return integer }
    guard let integer = Int64(exactly: double.rounded(.towardZero)) else {
      throw unsuitable(argument, "an integer")
    }
    return integer
  }

  private func number(_ argument: Value) throws -> Double {
    guard let number = argument.doubleValue else { throw unsuitable(argument, "a number") }
    return number
  }

  private func text(_ argument: Value) throws -> String {
    guard case .string(let text) = argument else { throw unsuitable(argument, "text") }
    return text
  }

  private func unsuitable(_ argument: Value, _ needed: String) -> PredicateEvaluationError {
    PredicateEvaluationError(
      .invalidArgument, "\(name) needs \(needed), not \(ConstantNotation.text(of: argument)).")
  }
}
