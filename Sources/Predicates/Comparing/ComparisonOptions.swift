/// How text is compared: the letters in brackets after an operator. Raw values are Core Data's own.
public struct ComparisonOptions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// `c`: without regard to case.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `d`: without regard to diacritics.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `n`: both sides are in one normal form already, and compared as they are.
  public static let normalized = ComparisonOptions(rawValue: 4)
  /// `l`: by a locale's rules; taken as the locale `en_US_POSIX`, whose order is the plain one.
  public static let localeSensitive = ComparisonOptions(rawValue: 8)

  /// The letters between the brackets.
  public var letters: String {
    var letters = ""
    if contains(.caseInsensitive) { letters += "c" }
    if contains(.diacriticInsensitive) { letters += "d" }
    if contains(.normalized) { letters += "n" }
    if contains(.localeSensitive) { letters += "l" }
    return letters
  }

  /// The options that `letters` name, in either case; nil when one is unknown or there is none.
  public init?(letters: String) {
    self = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": insert(.caseInsensitive)
      case "d": insert(.diacriticInsensitive)
      case "n": insert(.normalized)
      case "l": insert(.localeSensitive)
      default: return nil
      }
    }
    if isEmpty { return nil }
  }

  /// Whether both sides are folded before they are compared.
  var foldsText: Bool {
    !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }
}

extension String {
  /// The text in the form in which `[c]`, `[d]` and `[cd]` compare it.
  ///
  /// Stores fold with this function, too, so that both evaluators agree.
  public func folded(for options: ComparisonOptions) -> String {
    guard options.foldsText else { return self }
    if utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? lowercased() : self
    }
    var folding: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
    // Folding leaves composed and decomposed forms apart; without `d` they compare as one.
    return self.folding(options: folding, locale: nil).precomposedStringWithCanonicalMapping
  }
}
