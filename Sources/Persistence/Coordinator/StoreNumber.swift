import Synchronization

/// Stands for the identifier of a store: small, and compared at once. Two stores with one
/// identifier, such as a store before and after its migration, share a number.
struct StoreNumber: Hashable {
  private let rawValue: Int32

  /// The number of no store.
  static let none = StoreNumber(rawValue: -1)

  private struct Register {
    var numbers: [String: Int32] = [:]
    var identifiers: [String] = []
  }
  private static let register = Mutex(Register())

  private init(rawValue: Int32) { self.rawValue = rawValue }

  init(of identifier: String) {
    rawValue = Self.register.withLock { register in
      if let known = register.numbers[identifier] { return known }
      let number = Int32(register.identifiers.count)
      register.numbers[identifier] = number
      register.identifiers.append(identifier)
      return number
    }
  }

  /// The identifier; empty for no store.
  var identifier: String {
    if rawValue < 0 { return "" }
    return Self.register.withLock { $0.identifiers[Int(rawValue)] }
  }
}
