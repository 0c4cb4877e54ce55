/// A sort criterion: a key path and a direction.
/// Sendable unchecked: nothing in it changes once it is made.
public final class SortDescriptor: NSObject, @unchecked Sendable {
  public let key: String?
  public let ascending: Bool
  /// The comparison to use instead of the natural one, by Foundation's name:
  /// `caseInsensitiveCompare:`, `localizedStandardCompare:` and the like.
  public let selectorName: String?
  /// The comparison in code; nil for one that a selector names. nil values come before all others
  /// without its being asked.
  public let comparator: Comparator?

  public init(key: String?, ascending: Bool, selectorName: String? = nil) {
    self.key = key
    self.ascending = ascending
    self.selectorName = selectorName
    comparator = nil
  }

  /// A criterion in code: for objects in memory, since no SQLite store can sort by it.
  public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self.key = key
    self.ascending = ascending
    selectorName = nil
    self.comparator = comparator
  }

  /// Criteria are equal by their content; those in code by the object alone, as code can't be compared.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SortDescriptor else { return false }
    if other === self { return true }
    return other.key == key && other.ascending == ascending && other.selectorName == selectorName
      && comparator == nil && other.comparator == nil
  }

  public override var hash: Int { key.hashValue }
}

extension SortDescriptor {
  /// The ways to order texts, by the selectors that Core Data knows.
  enum TextOrder: String, CaseIterable {
    /// By code unit.
    case binary = "compare:"
    case caseInsensitive = "caseInsensitiveCompare:"
    case localized = "localizedCompare:"
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    /// As the Finder orders names: numbers by value.
    case localizedStandard = "localizedStandardCompare:"

    init?(selectorName: String?) {
      guard let selectorName else {
        self = .binary
        return
      }
      self.init(rawValue: selectorName)
    }

    /// The order of two texts. The same on every machine, whatever its locale; with a locale
    /// Foundation forgets outside Apple's systems that case is to be left out.
    func compare(_ a: String, _ b: String) -> ComparisonResult {
      switch self {
      case .binary: ByteOrder.compare(a.utf8, b.utf8)
      case .caseInsensitive, .localizedCaseInsensitive: a.compare(b, options: .caseInsensitive)
      case .localized: a.compare(b, locale: Locale(identifier: "en_US_POSIX"))
      case .localizedStandard:
        a.compare(b, options: [.caseInsensitive, .numeric, .widthInsensitive])
      }
    }
  }
}

/// The order of bytes, a shorter text before its continuations.
enum ByteOrder {
  static func compare(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> ComparisonResult {
    if a.lexicographicallyPrecedes(b) { return .orderedAscending }
    return b.lexicographicallyPrecedes(a) ? .orderedDescending : .orderedSame
  }
}
