import Synchronization

/// Stands for the identifier of a store: small, and compared at once. Two stores with one
/// identifier, such as a store before and after its migration, share a number.
struct StoreNumber: Hashable {
  private let rawValue: Int32

  /// The number of no store.
  static let none = StoreNumber(rawValue: -1)

  /// As small as it can be, since none is ever forgotten: somebody may have an object's identifier yet.
  private enum Identifier: Hashable {
    /// One that is written as Foundation does.
    case uuid(UUID)
    case text(String)

    init(_ text: String) {
      let uuid = UUID(uuidString: text)
      self = uuid.map { $0.uuidString == text ? .uuid($0) : .text(text) } ?? .text(text)
    }

    var text: String {
      switch self {
      case .uuid(let uuid): uuid.uuidString
      case .text(let text): text
      }
    }
  }

  private struct Register {
    var numbers: [Identifier: Int32] = [:]
    var identifiers: [Identifier] = []
  }
  private static let register = Mutex(Register())

  private init(rawValue: Int32) { self.rawValue = rawValue }

  init(of identifier: String) {
    let identifier = Identifier(identifier)
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
    return Self.register.withLock { $0.identifiers[Int(rawValue)] }.text
  }
}
