/// Equality and order of values as predicates see them: numbers of all types by value, text by
/// code unit, values of different types never equal and not in any order.
///
/// Two texts that only look the same, as `é` in one code point and in two, differ: Core Data
/// compares without normalizing, and SQLite does the same.
enum ValueComparison {
  /// Whether `==` holds; nil equals nil.
  static func areEqual(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.string(let a), .string(let b)): CodeUnits.areEqual(a, b)
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.integer(let a), .double(let b)), (.double(let b), .integer(let a)):
      Double(a) == b && Int64(exactly: b) == a
    case (.decimal(let a), .decimal(let b)): a == b
    case (.decimal(let a), .integer(let b)), (.integer(let b), .decimal(let a)): a == Decimal(b)
    case (.decimal, .double), (.double, .decimal): a.doubleValue == b.doubleValue
    case (.date(let a), .date(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.uri(let a), .uri(let b)): a == b
    case (.object(let a), .object(let b)): areSame(a, b)
    case (.collection(let a), .collection(let b)): haveEqualElements(a, b)
    case (.transformable, .transformable): a == b
    case (.transformable, _), (_, .transformable):
      decoded(a, b).map { areEqual($0.0, $0.1) } ?? false
    default: false
    }
  }

  /// The order of two values that have one.
  /// - Throws: ``PredicateEvaluationError`` for values of different types, or without order.
  static func order(_ a: Value, _ b: Value) throws -> ComparisonResult {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): order(a, b)
    case (.string(let a), .string(let b)): CodeUnits.order(a, b)
    case (.double(let a), .double(let b)): order(a, b)
    case (.date(let a), .date(let b)): order(a, b)
    case (.integer(let a), .double(let b)): order(a, b)
    case (.double(let a), .integer(let b)): order(b, a).reversed
    case (.decimal, .double), (.double, .decimal):
      order(a.doubleValue ?? .nan, b.doubleValue ?? .nan)
    case (.decimal, .integer), (.integer, .decimal), (.decimal, .decimal):
      order(a.decimalValue ?? .nan, b.decimalValue ?? .nan)
    case (.uuid(let a), .uuid(let b)): CodeUnits.order(a.uuidString, b.uuidString)
    case (.transformable, _), (_, .transformable):
      if let values = decoded(a, b) {
        try order(values.0, values.1)
      } else {
        throw incomparable(a, b)
      }
    default: throw incomparable(a, b)
    }
  }

  /// What both hold; nil where it is no value that predicates know.
  private static func decoded(_ a: Value, _ b: Value) -> (Value, Value)? {
    let values = (a.decoded, b.decoded)
    switch values {
    case (.transformable, _), (_, .transformable): return nil
    default: return values
    }
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
    if a < b { return .orderedAscending }
    return a == b ? .orderedSame : .orderedDescending
  }

  /// Exact also where a Double can't hold the integer.
  private static func order(_ a: Int64, _ b: Double) -> ComparisonResult {
    if b >= 0x1p63 { return .orderedAscending }
    if b < -0x1p63 || b.isNaN { return .orderedDescending }
    let floor = b.rounded(.down)
    let result = order(a, Int64(floor))
    return result == .orderedSame && b > floor ? .orderedAscending : result
  }

  /// One object, equal objects, or an object and its identifier.
  static func areSame(_ a: AnyObject, _ b: AnyObject) -> Bool {
    if a === b { return true }
    guard let x = a as? NSObject else { return false }
    if x.isEqual(b) { return true }
    guard let identity = (a as? any IdentifiedObject)?.identity,
      let other = (b as? any IdentifiedObject)?.identity, identity !== a || other !== b
    else { return false }
    return (identity as? NSObject)?.isEqual(other) ?? false
  }

  private static func haveEqualElements(_ a: ValueCollection, _ b: ValueCollection) -> Bool {
    if a === b { return true }
    if a.elements.count != b.elements.count { return false }
    if a.kind == .set || b.kind == .set {
      return Set(a.elements.map(\.membershipKey)) == Set(b.elements.map(\.membershipKey))
    }
    return zip(a.elements, b.elements).allSatisfy(areEqual)
  }

  private static func incomparable(_ a: Value, _ b: Value) -> PredicateEvaluationError {
    PredicateEvaluationError(
      .incomparable,
      "Can't compare \(FormatConstant.text(of: a)) with \(FormatConstant.text(of: b)): "
        + "\(a.className) and \(b.className) have no "
        + "common order.")
  }
}

extension ComparisonResult {
  var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}

extension Value {
  /// A value that is equal, also by hash, for values that predicates take for equal.
  var membershipKey: Value {
    switch self {
    case .double(let value): Int64(exactly: value).map { .integer($0) } ?? self
    case .decimal(let value):
      Value.double(NSDecimalNumber(decimal: value).doubleValue).membershipKey
    case .object(let object as any IdentifiedObject): .object(object.identity)
    case .transformable:
      if case .transformable = decoded { self } else { decoded.membershipKey }
    default: self
    }
  }
}
