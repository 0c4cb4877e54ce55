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

  /// Whether nil among its arguments is nothing out of the ordinary.
  // Core Data: assumed of functions of text.
  var takesNil: Bool {
    switch self {
    case .noindex, .uppercase, .lowercase, .canonical, .length: true
    default: isStatistic
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
  // Core Data: observed in public tests: in memory arithmetic with nil raises.
  func value(for arguments: [Value], isInStore: Bool = false) throws -> Value {
    if !isStatistic, arguments.contains(where: \.isNull) {
      if isInStore || takesNil { return .null }
      guard isArithmetic else {
        AppCodeWitness.tell(.functionOfNil)
        return .null
      }
      throw PredicateEvaluationError(
        .invalidArgument,
        "Can't do arithmetic with nil: \(Expression(.function(self, arguments.map { .constant($0) })))."
      )
    }
    switch self {
    case .sum: return try Statistics.sum(Self.numbers(in: arguments))
    case .count: return .integer(Int64(Self.numbers(in: arguments).count))
    case .min: return try Statistics.minimum(Self.numbers(in: arguments))
    case .max: return try Statistics.maximum(Self.numbers(in: arguments))
    case .average: return try Statistics.average(Self.numbers(in: arguments))
    case .median: return try Statistics.median(Self.numbers(in: arguments))
    case .mode: return Statistics.mode(Self.numbers(in: arguments))
    case .stddev: return try Statistics.standardDeviation(Self.numbers(in: arguments))
    case .add: return try Arithmetic.add(arguments[0], arguments[1])
    case .subtract: return try Arithmetic.subtract(arguments[0], arguments[1])
    case .multiply: return try Arithmetic.multiply(arguments[0], arguments[1])
    case .divide: return try Arithmetic.divide(arguments[0], arguments[1])
    case .modulus: return try Arithmetic.remainder(arguments[0], arguments[1])
    case .raise: return try Arithmetic.raise(arguments[0], toPower: arguments[1])
    case .bitwiseAnd: return .integer(try integer(arguments[0]) & integer(arguments[1]))
    case .bitwiseOr: return .integer(try integer(arguments[0]) | integer(arguments[1]))
    case .bitwiseXor: return .integer(try integer(arguments[0]) ^ integer(arguments[1]))
    case .leftshift: return .integer(try integer(arguments[0]) << integer(arguments[1]))
    case .rightshift: return .integer(try integer(arguments[0]) >> integer(arguments[1]))
    case .onesComplement: return .integer(~(try integer(arguments[0])))
    case .abs: return try magnitude(of: arguments[0])
    case .floor: return try rounded(arguments[0], .down)
    case .ceiling: return try rounded(arguments[0], .up)
    case .trunc: return try rounded(arguments[0], .towardZero)
    case .sqrt: return .double(try number(arguments[0]).squareRoot())
    case .exp: return .double(Foundation.exp(try number(arguments[0])))
    case .ln: return .double(Foundation.log(try number(arguments[0])))
    case .log: return .double(Foundation.log10(try number(arguments[0])))
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

  private func magnitude(of argument: Value) throws -> Value {
    switch argument {
    case .integer(let integer):
      return integer < 0 ? try Arithmetic.subtract(.integer(0), argument) : argument
    case .decimal(let decimal): return .decimal(decimal.magnitude)
    default: return .double(try number(argument).magnitude)
    }
  }

  private func rounded(_ argument: Value, _ rule: FloatingPointRoundingRule) throws -> Value {
    switch argument {
    case .integer: return argument
    case .decimal(var decimal):
      let isUpward = rule == .up || (rule == .towardZero && decimal.isSignMinus)
      var result = Decimal()
      NSDecimalRound(&result, &decimal, 0, isUpward ? .up : .down)
      return .decimal(result)
    default: return .double(try number(argument).rounded(rule))
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
      .invalidArgument, "\(name) needs \(needed), not \(FormatConstant.text(of: argument)).")
  }
}
