/// Makes expressions and predicates ready for rows: a key is a place in the row, found once, and nothing is
/// looked up by name for each of them.
///
/// Only what reads the row's own values can be made ready; whatever asks for objects, other rows or code
/// can't.
package struct RowProgram {
  /// Values by slot.
  package typealias Row = ContiguousArray<Value>
  package typealias Reader = (Row) throws -> Value
  package typealias Test = (Row) throws -> Bool

  /// The variable that stands for the row, as SELF does; nil where there is none.
  private let variable: String?
  private let slot: (String) -> Int?

  /// - Parameter slot: The place of a key's value; nil for keys that aren't values of the row.
  package init(variable: String?, slot: @escaping (String) -> Int?) {
    self.variable = variable
    self.slot = slot
  }

  /// What gives an expression's value; nil when it can't be made ready.
  package func reader(_ expression: Expression) -> Reader? {
    switch expression.node {
    case .constant(let value): return { _ in value }
    case .keyPath(let start, let path):
      guard start.map(isRow) ?? true, path.components.count == 1,
        let slot = slot(path.components[0].text)
      else { return nil }
      return { $0[slot] }
    case .function(let function, let arguments):
      guard let readers = readers(arguments) else { return nil }
      return { row in try function.value(for: readers.map { try $0(row) }) }
    case .aggregate(let elements):
      guard let readers = readers(elements) else { return nil }
      return { row in .collection(.init(.array, try readers.map { try $0(row) })) }
    case .conditional(let predicate, let yes, let no):
      guard let test = test(predicate), let yes = reader(yes), let no = reader(no) else {
        return nil
      }
      return { row in try test(row) ? yes(row) : no(row) }
    default: return nil
    }
  }

  /// What says whether a predicate holds; nil when it can't be made ready.
  package func test(_ predicate: Predicate) -> Test? {
    switch predicate {
    case let comparison as ComparisonPredicate:
      guard comparison.comparisonPredicateModifier == .direct,
        comparison.predicateOperatorType != .customSelector,
        let left = reader(comparison.leftExpression),
        let right = reader(comparison.rightExpression)
      else { return nil }
      return { row in try comparison.holds(left(row), right(row)) }
    case let compound as CompoundPredicate:
      let tests = compound.subpredicates.compactMap(test)
      guard tests.count == compound.subpredicates.count else { return nil }
      return Self.combined(tests, compound.compoundPredicateType)
    default: return nil
    }
  }

  private static func combined(
    _ tests: [Test], _ type: CompoundPredicate.LogicalType
  ) -> Test {
    switch type {
    case .and: { row in try tests.allSatisfy { try $0(row) } }
    case .or: { row in try tests.contains { try $0(row) } }
    case .not: { row in try !(tests.first?(row) ?? false) }
    }
  }

  private func readers(_ expressions: [Expression]) -> [Reader]? {
    let readers = expressions.compactMap(reader)
    return readers.count == expressions.count ? readers : nil
  }

  private func isRow(_ expression: Expression) -> Bool {
    switch expression.node {
    case .evaluatedObject: true
    case .variable(let name): name == variable
    default: false
    }
  }
}
