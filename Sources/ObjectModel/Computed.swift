import Synchronization

/// A value computed at first use and kept, safe to ask for from several threads.
final class Computed<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func get(_ compute: () throws -> Value) rethrows -> Value {
    if let known = value.withLock({ $0 }) { return known }
    let computed = try compute()
    value.withLock { $0 = computed }
    return computed
  }

  /// Forgets the value: it is computed anew when it is asked for.
  func reset() { value.withLock { $0 = nil } }
}
