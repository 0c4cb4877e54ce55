internal import Dispatch

/// Writes rows of new objects, and their changes and links, on a thread of its own, while others are
/// being made.
///
/// One batch at a time. Nobody else uses the connection meanwhile: whoever asks the store for it waits
/// (``SQLiteStore/database``).
final class RowsBehind: @unchecked Sendable {
  private let queue = DispatchQueue(label: "rows")
  private let group = DispatchGroup()
  private var isWorking = false
  /// Why a batch couldn't be written; set by the thread, read after it has ended.
  private var failure: (any Error)?
  private var batch = EarlyBatch()

  /// Starts to write a batch, after ``finish()``.
  func start(_ full: consuming EarlyBatch, in store: SQLiteStore) {
    batch = full
    // Nobody else uses it until it has been waited for.
    nonisolated(unsafe) let store = store
    start { [self] in
      do { try store.write(batch) } catch { failure = error }
    }
  }

  /// Starts something else to be done with the connection, behind what was started before.
  func start(_ work: @escaping @Sendable () -> Void) {
    isWorking = true
    queue.async(group: group, execute: work)
  }

  /// Waits until all that was started is done.
  @inline(__always)
  func finish() {
    if isWorking { wait() }
  }

  private func wait() {
    group.wait()
    isWorking = false
  }

  /// Says what went wrong with something that was written. Nothing more is to be written then.
  func throwIfFailed() throws {
    if let failure { throw failure }
  }

  /// An empty batch, in the memory of the last.
  /// - Parameter recycle: Takes the values of its rows.
  func emptyBatch(_ recycle: (inout EarlyBatch.Insertion) -> Void) -> EarlyBatch {
    var empty = EarlyBatch()
    swap(&empty, &batch)
    for index in empty.insertions.indices { recycle(&empty.insertions[index]) }
    empty.removeAll()
    return empty
  }
}
