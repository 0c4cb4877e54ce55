import Synchronization

/// What was computed last, by what it was computed of: a process that plays many migrations, or opens one store
/// several times, asks for the same again and again.
///
/// Values are used by any thread, so they must be ones that nobody changes.
package final class RecentValues<Key: Hashable & Sendable, Value>: @unchecked Sendable {
  private let mostValues: Int
  private let values = Mutex<[Key: Kept]>([:])

  /// Sendable unchecked: immutable by contract.
  private struct Kept: @unchecked Sendable {
    let value: Value
  }

  /// - Parameter mostValues: When there are so many, all are forgotten.
  package init(most mostValues: Int) { self.mostValues = mostValues }

  /// The value of a key, computed if it isn't known any more; without a lock, so perhaps by two threads, of which
  /// both get that of the faster one.
  package func value(of key: Key, orCompute compute: () throws -> Value) rethrows -> Value {
    if let known = values.withLock({ $0[key] }) { return known.value }
    let computed = Kept(value: try compute())
    return values.withLock { values in
      if let known = values[key] { return known }
      if values.count >= mostValues { values = [:] }
      values[key] = computed
      return computed
    }.value
  }
}
