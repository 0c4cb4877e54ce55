// Running blocks on a context's queue.

extension ManagedObjectContext {
  /// Runs `block` on the context's queue and waits for its result; at once when the caller is on
  /// the queue already, or the context is confined to a thread.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    guard let queue else { return try block() }
    return try queue.sync { try Self.$current.withValue(self, operation: block) }
  }

  /// The context whose block is running, as ``FetchRequest/execute()`` needs it.
  @TaskLocal static var current: ManagedObjectContext?

  /// Runs `block` on the context's queue some time later, then processes pending changes; at once
  /// when the context is confined to a thread.
  public final func perform(_ block: @escaping () -> Void) {
    guard let queue else { return block() }
    queue.async {
      Self.$current.withValue(self, operation: block)
      self.processPendingChanges()
    }
  }

  /// Runs `block` on the context's queue and gives its result.
  public final func perform<Result>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      perform {
        // What a block gives is the waiting task's alone.
        nonisolated(unsafe) let result = Swift.Result(catching: block)
        continuation.resume(with: result)
      }
    }
  }

  /// When an asynchronous block is put on the queue: here always at the call.
  public enum ScheduledTaskType: Sendable {
    case immediate, enqueued
  }
}
