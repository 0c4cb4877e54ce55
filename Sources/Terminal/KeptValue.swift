/// A value that stays until the process ends, and needn't be taken apart then.
package final class KeptValue {
  private let value: Any

  private init(_ value: Any) { self.value = value }

  /// For what is large, and needed nearly to the end.
  package static func keep(_ value: Any) { _ = Unmanaged.passRetained(KeptValue(value)) }
}
