/// Arithmetic on numbers of mixed types: with a decimal it is decimal, else with a Double it is
/// floating, else integer. An integer result that doesn't fit becomes a Double.
enum Arithmetic {
  static func add(_ a: Value, _ b: Value) throws -> Value {
    switch try Operands(a, b: b, operation: "+") {
    case .integers(let a, let b): whole(a.addingReportingOverflow(b), Double(a) + Double(b))
    case .doubles(let a, let b): .double(a + b)
    case .decimals(let a, let b): .decimal(a + b)
    }
  }

  /// `a` − `b`; of two dates, the seconds between them.
  static func subtract(_ a: Value, _ b: Value) throws -> Value {
    if case (.date(let a), .date(let b)) = (a, b) { return .double(a.timeIntervalSince(b)) }
    return switch try Operands(a, b: b, operation: "-") {
    case .integers(let a, let b): whole(a.subtractingReportingOverflow(b), Double(a) - Double(b))
    case .doubles(let a, let b): .double(a - b)
    case .decimals(let a, let b): .decimal(a - b)
    }
  }

  static func multiply(_ a: Value, _ b: Value) throws -> Value {
    switch try Operands(a, b: b, operation: "*") {
    case .integers(let a, let b): whole(a.multipliedReportingOverflow(by: b), Double(a) * Double(b))
    case .doubles(let a, let b): .double(a * b)
    case .decimals(let a, let b): .decimal(a * b)
    }
  }

  /// `a` / `b`, without fraction when both are integers.
  static func divide(_ a: Value, _ b: Value) throws -> Value {
    switch try Operands(a, b: b, operation: "/") {
    case .integers(_, 0): throw divisionByZero(a)
    case .integers(let a, let b): whole(a.dividedReportingOverflow(by: b), Double(a) / Double(b))
    case .doubles(let a, let b): .double(a / b)
    case .decimals(_, 0): throw divisionByZero(a)
    case .decimals(let a, let b): .decimal(a / b)
    }
  }

  static func remainder(_ a: Value, _ b: Value) throws -> Value {
    switch try Operands(a, b: b, operation: "modulus:by:") {
    case .integers(_, 0): throw divisionByZero(a)
    case .integers(_, -1): .integer(0)
    case .integers(let a, let b): .integer(a % b)
    case .doubles(let a, let b): .double(a.truncatingRemainder(dividingBy: b))
    case .decimals: try remainder(.double(a.doubleValue ?? 0), .double(b.doubleValue ?? 0))
    }
  }

  static func raise(_ base: Value, toPower exponent: Value) throws -> Value {
    switch try Operands(base, b: exponent, operation: "**") {
    case .integers(let a, let b):
      power(a, b).map { .integer($0) } ?? .double(pow(Double(a), Double(b)))
    case .doubles(let a, let b): .double(pow(a, b))
    case .decimals: .double(pow(base.doubleValue ?? 0, exponent.doubleValue ?? 0))
    }
  }

  /// The exact integer power; nil when there is none that fits.
  private static func power(_ base: Int64, _ exponent: Int64) -> Int64? {
    guard (0...64).contains(exponent) else {
      return base == 1 || (base == 0 && exponent > 0) ? base : nil
    }
    var result: Int64 = 1
    for _ in 0..<exponent {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { return nil }
      result = product
    }
    return result
  }

  private static func whole(
    _ result: (partialValue: Int64, overflow: Bool), _ approximation: Double
  ) -> Value {
    result.overflow ? .double(approximation) : .integer(result.partialValue)
  }

  private static func divisionByZero(_ dividend: Value) -> PredicateEvaluationError {
    PredicateEvaluationError(
      .invalidArgument, "Can't divide \(FormatConstant.text(of: dividend)) by zero.")
  }

  /// Two numbers brought to one type.
  private enum Operands {
    case integers(Int64, Int64)
    case doubles(Double, Double)
    case decimals(Decimal, Decimal)

    init(_ a: Value, b: Value, operation: String) throws {
      if case (.integer(let a), .integer(let b)) = (a, b) {
        self = .integers(a, b)
      } else if Self.isDecimal(a) || Self.isDecimal(b), let a = a.decimalValue,
        let b = b.decimalValue
      {
        self = .decimals(a, b)
      } else if let a = a.doubleValue, let b = b.doubleValue {
        self = .doubles(a, b)
      } else {
        throw PredicateEvaluationError(
          .invalidArgument,
          "\(operation) needs numbers, not \(FormatConstant.text(of: a)) and "
            + "\(FormatConstant.text(of: b)).")
      }
    }

    private static func isDecimal(_ value: Value) -> Bool {
      if case .decimal = value { true } else { false }
    }
  }
}
