/// An aggregate while the values of a group are added. nil counts for nothing.
struct AggregateState {
  private let function: GroupAggregate.Function?
  private let type: AttributeType
  private var count: Int64 = 0
  private var integers: Int64 = 0
  private var decimals = Decimal(0)
  private var doubles = CompensatedSum()
  private var extreme = Value.null
  /// The first value added, nil or not.
  private(set) var first = Value.null
  private var isEmpty = true

  init(_ column: TableQuery.Column, of entity: EntityDescription) {
    function = if case .aggregate(let aggregate) = column { aggregate.function } else { nil }
    let attribute = column.operand.flatMap { entity.property(readBy: $0) } as? AttributeDescription
    type = attribute?.attributeType ?? .undefined
  }

  /// - Throws: `CoreDataError` when a sum of integers is too large, as from SQLite.
  mutating func add(_ value: Value) throws {
    if isEmpty { first = value }
    isEmpty = false
    if value.isNull { return }
    count += 1
    switch function {
    case .sum, .average: try addNumber(value)
    case .minimum: keep(value, if: .orderedAscending)
    case .maximum: keep(value, if: .orderedDescending)
    case .count, nil: break
    }
  }

  private mutating func addNumber(_ value: Value) throws {
    doubles.add(value.doubleValue ?? 0)
    switch value {
    case .integer(let number):
      let (sum, isTooLarge) = integers.addingReportingOverflow(number)
      if isTooLarge, function == .sum { throw CoreDataError.sumTooLarge }
      integers = sum
    case .decimal(let number): decimals += number
    default: break
    }
    if case .undefined = type { kind = kind ?? value } else { kind = value }
  }
  /// A value of the kind that is added up.
  private var kind: Value?

  private mutating func keep(_ value: Value, if order: ComparisonResult) {
    if extreme.isNull || ValueOrder.natural.compare(value, extreme) == order { extreme = value }
  }

  var result: Value {
    switch function {
    case .count: .integer(count)
    case .sum: sum
    case .average: count == 0 ? .null : average
    case .minimum, .maximum: extreme
    case nil: first
    }
  }

  private var sum: Value {
    switch (kind, type) {
    case (.decimal?, _), (nil, .decimal): .decimal(decimals)
    case (.double?, _), (nil, .double), (nil, .float): .double(doubles.total)
    default: .integer(integers)
    }
  }

  /// Decimals keep the 15 digits that a column of a store has.
  private var average: Value {
    let mean = doubles.total / Double(count)
    guard case .decimal? = kind else { return .double(mean) }
    let text = String(format: "%.15g", mean)
    return .decimal(
      Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? Decimal(mean))
  }
}

/// A sum of doubles with the rounding errors kept apart, as SQLite adds them up (Kahan, Babuška and
/// Neumaier).
private struct CompensatedSum {
  private var sum = 0.0
  private var error = 0.0

  mutating func add(_ value: Double) {
    let next = sum + value
    if next.isFinite {
      error += abs(sum) > abs(value) ? (sum - next) + value : (value - next) + sum
    }
    sum = next
  }

  var total: Double { sum + error }
}
