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

  private var hasOthers: Bool { width > numberOffset }

  func plan(forNumber number: Int64) -> RowPlan? { rows.plan(forNumber: number) }

  // MARK: Filling

  /// Reads rows until the batch is full.
  /// - Returns: Whether there may be more.
  func fill(_ batch: inout RowBatch, from statement: Statement) throws -> Bool {
    var (plan, planNumber): (RowPlan?, Int64) = (nil, -1)
    var plain: ContiguousArray<RowPlan.PlainField> = []
    while !batch.isFull {
      guard try statement.step() else { return false }
      let number = statement.integer(1)
      // Mostly all rows are of one entity.
      if number != planNumber {
        (plan, planNumber) = (rows.plan(forNumber: number), number)
        plain = plan?.plain ?? []
      }
      let start = batch.append(
        key: statement.integer(0), number: number, version: statement.integer(2))
      // Whoever takes the row says that it is a strange one.
      guard let plan else { return false }
      try read(plain, from: statement, into: &batch, at: start)
      if hasOthers { read(others: plan.others, from: statement, into: &batch, at: start) }
    }
    return true
  }

  @inline(__always)
  private func read(
    _ fields: ContiguousArray<RowPlan.PlainField>, from statement: Statement,
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

  private func read(
    others: [RowPlan.Field], from statement: Statement, into batch: inout RowBatch, at start: Int
  ) {
    for (index, field) in others.enumerated() {
      guard case .toOne(let toOne) = field.kind else { continue }
      batch.values[start + field.slot] = statement.key(field.column)
      let number = toOne.entityColumn.map { statement.key($0) } ?? .null
      batch.values[start + numberOffset + index] = number
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
