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
        "\(function.name) takes \(function.parameterCount) arguments, not \(argumentCount).")
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
