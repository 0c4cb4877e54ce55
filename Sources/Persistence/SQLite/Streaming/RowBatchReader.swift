/// Fills batches from a statement, and makes rows of what is in them.
///
/// Filling uses nothing of a store that changes, so that a thread of its own can do it.
struct RowBatchReader {
  private let rows: RowReader
  /// Behind the slots of a row's values: the entity numbers of its to-one relationships.
  private let numberOffset: Int
  private let width: Int

  /// - Returns: Nil where values need more than their columns.
  init?(_ rows: RowReader) {
    guard rows.plans.allSatisfy({ $0.others.count == $0.references.count }) else { return nil }
    self.rows = rows
    numberOffset = rows.plans.map(\.entity.slotCount).max() ?? 0
    width = numberOffset + (rows.plans.map(\.references.count).max() ?? 0)
  }

  func plan(forNumber number: Int64) -> RowPlan? { rows.plan(forNumber: number) }

  func isForeign(_ number: Int64) -> Bool { rows.isForeign(number) }

  /// A batch for its rows.
  func emptyBatch() -> RowBatch {
    RowBatch(width: width, numberOffset: numberOffset)
  }

  // MARK: Filling

  /// Reads rows until the batch is full.
  /// - Returns: Whether there may be more.
  func fill(_ batch: inout RowBatch, from statement: Statement) throws -> Bool {
    guard try statement.step() else { return false }
    while true {
      let number = statement.integer(1)
      guard let plan = rows.plan(forNumber: number) else {
        // Whoever takes the row says that it is a strange one.
        _ = batch.append(statement, number: number)
        return false
      }
      switch try fill(&batch, with: plan, number, from: statement) {
      case .isFull: return true
      case .isLast: return false
      case .isOfAnother: continue
      }
    }
  }

  /// Why reading rows of one entity ends.
  private enum End {
    case isFull, isLast, isOfAnother
  }

  /// Reads the row that a statement is at, and those of its entity behind it: mostly all are.
  private func fill(
    _ batch: inout RowBatch, with plan: RowPlan, _ number: Int64, from statement: Statement
  ) throws -> End {
    // No reference is counted for a row.
    try plan.plain.withUnsafeBufferPointer { plain in
      try plan.references.withUnsafeBufferPointer { references in
        repeat {
          let start = batch.append(statement, number: number)
          try read(plain, from: statement, into: &batch, at: start)
          read(references, from: statement, into: &batch, at: start)
          if batch.isFull { return .isFull }
          guard try statement.step() else { return .isLast }
        } while statement.integer(1) == number
        return .isOfAnother
      }
    }
  }

  @inline(__always)
  private func read(
    _ fields: UnsafeBufferPointer<RowPlan.PlainField>, from statement: Statement,
    into batch: inout RowBatch, at start: Int
  ) throws {
    for field in fields {
      do {
        batch.values[start + field.slot] = try field.codec.read(statement, field.column)
        if field.codec.isOfAnySize { batch.note(size: statement.size(field.column)) }
      } catch {
        throw UnreadableColumn(slot: field.slot, error: error)
      }
    }
  }

  @inline(__always)
  private func read(
    _ references: UnsafeBufferPointer<RowPlan.Reference>, from statement: Statement,
    into batch: inout RowBatch, at start: Int
  ) {
    for (index, reference) in references.enumerated() {
      batch.values[start + reference.slot] = statement.key(reference.column)
      let number = reference.entityColumn.map { statement.key($0) } ?? .null
      batch.values[start + numberOffset + index] = number
    }
  }
}

/// A column with bytes that no value of its attribute has, in the last row of a batch.
struct UnreadableColumn: Error {
  let slot: Int
  let error: any Error
}

extension RowBatch {
  /// Appends the row that a statement is at, without values.
  @inline(__always)
  fileprivate mutating func append(_ statement: Statement, number: Int64) -> Int {
    append(key: statement.integer(0), number: number, version: statement.integer(2))
  }
}

extension Statement {
  /// A key or number as a value.
  fileprivate func key(_ column: Int32) -> Value {
    isNull(column) ? .null : .integer(integer(column))
  }
}
