/// Functions of several values. nil counts as 0 where values are added up, and is left out where
/// they are ordered.
enum Statistics {
  /// The sum; of integers alone it is the same in whichever order they come.
  static func sum(_ values: [Value]) throws -> Value {
    var integers = IntegerSum()
    for (position, value) in values.enumerated() where !value.isNull {
      guard case .integer(let integer) = value else {
        return try values[position...].reduce(integers.value) {
          $1.isNull ? $0 : try Arithmetic.add($0, $1)
        }
      }
      integers.add(integer)
    }
    return integers.value
  }

  /// The mean, never rounded; nil for no values.
  static func average(_ values: [Value]) throws -> Value {
    if values.isEmpty { return .null }
    let total = try sum(values)
    if case .decimal = total { return try Arithmetic.divide(total, .integer(Int64(values.count))) }
    return try Arithmetic.divide(total, .double(Double(values.count)))
  }

  static func minimum(_ values: [Value]) throws -> Value {
    try extreme(of: values, .orderedAscending)
  }

  static func maximum(_ values: [Value]) throws -> Value {
    try extreme(of: values, .orderedDescending)
  }

  private static func extreme(of values: [Value], _ wanted: ComparisonResult) throws -> Value {
    var best = Value.null
    for value in values where !value.isNull {
      if try best.isNull || ValueComparison.order(value, best) == wanted { best = value }
    }
    return best
  }

  /// The middle value, or the mean of the two in the middle; nil for no values.
  static func median(_ values: [Value]) throws -> Value {
    let sorted = try values.filter { !$0.isNull }.sorted {
      try ValueComparison.order($0, $1) == .orderedAscending
    }
    if sorted.isEmpty { return .null }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted[middle] }
    return try average([sorted[middle - 1], sorted[middle]])
  }

  /// The most frequent values, as a collection.
  static func mode(_ values: [Value]) -> Value {
    var counts: [Value: Int] = [:]
    for value in values where !value.isNull { counts[value.membershipKey, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let modes = values.filter { counts[$0.membershipKey] == most }
    return .collection(.init(.array, modes.distinctMembers()))
  }

  /// The standard deviation of the whole population; nil for no values.
  static func standardDeviation(_ values: [Value]) throws -> Value {
    guard let mean = try average(values).doubleValue else { return .null }
    let squares = values.map { value in
      let deviation = (value.doubleValue ?? 0) - mean
      return deviation * deviation
    }
    return .double((squares.reduce(0, +) / Double(values.count)).squareRoot())
  }
}

/// A sum of integers in two halves, neither of which gets too large.
struct IntegerSum {
  private var high: Int64 = 0
  private var low: Int64 = 0

  mutating func add(_ integer: Int64) {
    high += integer >> 32
    low += integer & 0xFFFF_FFFF
  }

  /// A Double when the sum takes more than 64 bits.
  var value: Value {
    let (high, low) = (high + low >> 32, low & 0xFFFF_FFFF)
    guard let whole = Int32(exactly: high) else {
      return .double(Double(high) * 0x1p32 + Double(low))
    }
    return .integer(Int64(whole) << 32 + low)
  }
}
