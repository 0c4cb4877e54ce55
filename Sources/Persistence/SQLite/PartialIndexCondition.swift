/// Which rows a partial index holds, in the words of `CREATE INDEX`, where nothing can be bound.
// Core Data: observed in 538 indexes, of comparisons with integers and nil, and of their conjunctions.
struct PartialIndexCondition {
  let schema: StoreSchema
  let entity: EntityDescription

  /// The condition for a predicate; nil for one that can't be said so.
  func sql(_ format: String) -> String? {
    // A text that is no predicate is refused where the model is used.
    guard let predicate = try? Predicate.parse(format) else { return nil }
    return sql(predicate)
  }

  private func sql(_ predicate: Predicate) -> String? {
    switch predicate {
    case let compound as CompoundPredicate:
      let parts = compound.subpredicates.compactMap(sql)
      guard !parts.isEmpty, parts.count == compound.subpredicates.count else { return nil }
      switch compound.compoundPredicateType {
      case .not: return "NOT (\(parts[0]))"
      case .and: return "(\(parts.joined(separator: " AND ")))"
      case .or: return "(\(parts.joined(separator: " OR ")))"
      }
    case let comparison as ComparisonPredicate: return sql(comparison)
    default: return nil
    }
  }

  private func sql(_ comparison: ComparisonPredicate) -> String? {
    guard comparison.comparisonPredicateModifier == .direct, comparison.options.isEmpty,
      comparison.leftExpression.expressionType == .keyPath,
      let column = schema.column(named: comparison.leftExpression.keyPath, of: entity),
      let value = comparison.rightExpression.constant
    else { return nil }
    let type = comparison.predicateOperatorType
    switch (type, value) {
    case (.equalTo, .null): return "\(column) IS NULL"
    case (.notEqualTo, .null): return "\(column) IS NOT NULL"
    case (_, .null): return nil
    default: break
    }
    guard let symbol = Self.symbols[type], let literal = Self.literal(value) else { return nil }
    return "\(column) \(symbol) \(literal)"
  }

  private static let symbols: [ComparisonPredicate.Operator: String] = [
    .lessThan: "<", .lessThanOrEqualTo: "<=", .greaterThan: ">", .greaterThanOrEqualTo: ">=",
    .equalTo: "=", .notEqualTo: "<>",
  ]

  private static func literal(_ value: Value) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .double(let number) where number.isFinite: "\(number)"
    case .string(let text): StoreCatalog.literal(text)
    default: nil
    }
  }
}
