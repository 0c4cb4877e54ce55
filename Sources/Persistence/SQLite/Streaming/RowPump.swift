/// Reads rows on a thread of its own, some batches ahead of whoever takes them.
///
/// Batches go round: one that is done with is filled again, so that what was allocated on a thread
/// is freed there.
/// Sendable unchecked: what both threads use is guarded by its condition.
final class RowPump: @unchecked Sendable {
  private let reader: RowBatchReader
  /// Used by the thread alone until that has ended.
  private let statement: Statement
  private let condition = NSCondition()
  // What the condition guards.
  private var waiting: [Filled] = []
  private var idle: [RowBatch]
  /// How many bytes those that wait have beside their rows.
  private var waitingBytes = 0
  private var isStopped = false
  private var hasEnded = false
  /// Whether the thread waits for something to fill.
  private var isAsleep = false

  struct Filled {
    var batch: RowBatch
    /// What comes behind the batch's rows: nothing more, or an error.
    var end: Result<Void, any Error>?
  }

  /// How many batches there are.
  private static let batchCount = 16
  /// With so few that wait to be taken the thread wakes up, once for many: each time it takes a
  /// processor, perhaps that of whoever woke it.
  private static let wakeCount = 8
  /// No more than so many bytes of texts and data wait to be taken, but for the last batch.
  private static let mostBytes = 4 * 1024 * 1024

  /// - Parameter statement: One with its values bound, of a connection that nobody else uses until
  ///   ``stop()``.
  init(_ statement: Statement, _ reader: RowBatchReader) {
    self.statement = statement
    self.reader = reader
    idle = (0..<Self.batchCount).map { _ in reader.emptyBatch() }
    let thread = Thread { [self] in run() }
    thread.name = "rows"
    thread.start()
  }

  /// Puts the next rows into `batch`, whose own are done with; waits for them.
  /// - Returns: What comes behind these rows; nil for more rows.
  func advance(_ batch: inout RowBatch) -> Result<Void, any Error>? {
    condition.lock()
    defer { condition.unlock() }
    if batch.width > 0 {
      batch.removeAll()
      idle.append(RowBatch())
      swap(&idle[idle.count - 1], &batch)
    }
    assert(!hasEnded || !waiting.isEmpty, "rows are asked for behind the last one")
    while waiting.isEmpty { condition.wait() }
    var filled = waiting.removeFirst()
    waitingBytes -= filled.batch.size
    // Whether it sleeps for want of batches or of room.
    if waiting.count <= Self.wakeCount, isAsleep { condition.broadcast() }
    swap(&batch, &filled.batch)
    return filled.end
  }

  /// Ends the reading, and waits until it has ended.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
      while !hasEnded { condition.wait() }
    }
  }

  // MARK: On the thread

  private func run() {
    while var batch = emptyBatch() {
      let end = fill(&batch)
      condition.withLock {
        waitingBytes += batch.size
        waiting.append(Filled(batch: batch, end: end))
        if waiting.count == 1 { condition.broadcast() }
      }
      if end != nil { break }
    }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  /// A batch to fill; nil when no more are wanted.
  private func emptyBatch() -> RowBatch? {
    condition.withLock {
      while idle.isEmpty || isCrowded, !isStopped {
        isAsleep = true
        condition.wait()
      }
      isAsleep = false
      return isStopped ? nil : idle.removeLast()
    }
  }

  private var isCrowded: Bool { waitingBytes > Self.mostBytes && !waiting.isEmpty }

  private func fill(_ batch: inout RowBatch) -> Result<Void, any Error>? {
    do {
      return try reader.fill(&batch, from: statement) ? nil : .success(())
    } catch {
      return .failure(error)
    }
  }
}
