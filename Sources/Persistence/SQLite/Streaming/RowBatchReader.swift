/// Fills batches from a statement, and makes rows of what is in them.
///
/// Filling uses nothing of a store that changes, so that a thread of its own can do it.
struct RowBatchReader {
  private let rows: RowReader
  /// Behind the slots of a row's values: the entity numbers of its to-one relationships.
  private let numberOffset: Int
  let width: Int

  /// - Returns: Nil where values need more than their columns.
  init?(_ rows: RowReader) {
    guard rows.plans.allSatisfy({ $0.others.allSatisfy(\.isReference) }) else { return nil }
    self.rows = rows
    numberOffset = rows.plans.map(\.entity.slotCount).max() ?? 0
    width = numberOffset + (rows.plans.map(\.others.count).max() ?? 0)
  }

  func plan(forNumber number: Int64) -> RowPlan? { rows.plan(forNumber: number) }

  // MARK: Filling

  /// Reads rows until the batch is full.
  /// - Returns: Whether there may be more.
  func fill(_ batch: inout RowBatch, from statement: Statement) throws -> Bool {
    while !batch.isFull {
      guard try statement.step() else { return false }
      let number = statement.integer(1)
      let start = batch.append(
        key: statement.integer(0), number: number, version: statement.integer(2))
      // Whoever takes the row says that it is a strange one.
      guard let plan = rows.plan(forNumber: number) else { return false }
      try read(plan, from: statement, into: &batch, at: start)
    }
    return true
  }

  @inline(__always)
  private func read(
    _ plan: RowPlan, from statement: Statement, into batch: inout RowBatch, at start: Int
  ) throws {
    for field in plan.plain {
      do {
        let value = try field.codec.read(statement, field.column)
        batch.set(value, at: start + field.slot)
        if case .transformable = value { batch.note(size: statement.size(field.column)) }
      } catch {
        throw UnreadableColumn(slot: field.slot, error: error)
      }
    }
    for (index, field) in plan.others.enumerated() {
      guard case .toOne(let toOne) = field.kind else { continue }
      batch.set(statement.key(field.column), at: start + field.slot)
      let number = toOne.entityColumn.map { statement.key($0) } ?? .null
      batch.set(number, at: start + numberOffset + index)
    }
  }

  // MARK: Taking

  /// The entity number of a to-one relationship, one of its plan's other fields.
  /// - Parameter start: Where the row's values begin.
  func entityNumber(of index: Int, in batch: RowBatch, from start: Int) -> Int64? {
    guard case .integer(let number) = batch.values[start + numberOffset + index] else { return nil }
    return number
  }
}

/// A column with bytes that no value of its attribute has, in the last row of a batch.
struct UnreadableColumn: Error {
  let slot: Int
  let error: any Error
}

extension RowPlan.Field {
  fileprivate var isReference: Bool {
    if case .toOne = kind { true } else { false }
  }
}

extension Statement {
  /// A key or number as a value.
  fileprivate func key(_ column: Int32) -> Value {
    isNull(column) ? .null : .integer(integer(column))
  }
}
