import Foundation

/// Writes rows of new objects, and their changes and links, on a thread of its own, while others are
/// being made.
///
/// One batch after the other. Nobody else uses the connection meanwhile: whoever asks the store for it
/// waits (``SQLiteStore/database``).
final class RowFlusher {
  private let thread = SerialThread(name: "rows")
  private var isWorking = false
  /// How many batches aren't to be written on the thread, since rows were asked for while one was.
  private var batchesToPass = 0
  private let lock = NSLock()
  // What the lock guards.
  /// Why a batch couldn't be written. None is after it.
  private var failure: (any Error)?
  /// Written batches, of use for others.
  private var written: [Box] = []

  /// Holds a batch, so that its arrays never have two owners.
  private final class Box {
    var batch: SpillBatch
    init(_ batch: consuming SpillBatch) { self.batch = batch }
  }

  /// Most batches that wait or are being written: the two threads needn't keep the same pace.
  private static let mostWaiting = 4

  /// Whether the next batch is to be written on the thread; asked once for each.
  func takesNextBatch() -> Bool {
    if batchesToPass == 0 { return true }
    batchesToPass -= 1
    return false
  }

  /// To be called before rows are read: whoever reads has to wait for what is being written.
  @inline(__always)
  func noteReading() {
    if isWorking { batchesToPass = SecondThread.current.passedBatches }
  }

  /// Starts to write a batch, once there is room for it.
  func start(_ full: consuming SpillBatch, in store: SQLiteStore) {
    let box = Box(full)
    isWorking = true
    // It uses the batch, the statements of its writers, and the connection; nobody else does meanwhile.
    thread.perform(limit: Self.mostWaiting) { [self] in
      write(box, in: store)
    }
  }

  /// Waits until all that was started is done.
  @inline(__always)
  func finish() {
    if isWorking { wait() }
  }

  private func wait() {
    thread.wait()
    isWorking = false
  }

  /// Says what went wrong with something that was written. Nothing more is to be written then.
  func throwIfFailed() throws {
    if let failure = lock.withLock({ failure }) { throw failure }
  }

  /// An empty batch, in the memory of one that is written, if there is one.
  func emptyBatch() -> SpillBatch {
    var empty = SpillBatch()
    guard let box = lock.withLock({ written.popLast() }) else { return empty }
    swap(&empty, &box.batch)
    empty.removeAll()
    return empty
  }

  // MARK: On the thread

  private func write(_ box: Box, in store: SQLiteStore) {
    if lock.withLock({ failure != nil }) { return }
    do {
      try box.batch.write(to: store)
      lock.withLock { written.append(box) }
    } catch {
      lock.withLock { failure = error }
    }
  }
}
