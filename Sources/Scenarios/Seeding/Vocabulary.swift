/// As many words as are wanted, each different from the others, the short ones first.
struct Vocabulary: Sendable {
  let count: Int
  /// The first ones, which most rows are made of.
  private let known: [String]
  private static let knownCount = 1000
  /// Two letters each, so that no two rows of syllables read alike.
  private static let syllables = [
    "ba", "sö", "ko", "ri", "må", "te", "lu", "na", "fo", "gi", "hä", "jo", "ke", "li", "mu", "no",
    "pe", "ra", "so", "ti", "va", "då", "bö", "fe", "ha", "je", "ku", "la", "mi", "ne",
  ]

  init(count: Int) {
    self.count = count
    known = (0..<min(max(0, count), Self.knownCount)).map(Self.made)
  }

  func word(_ index: Int) -> String {
    known.indices.contains(index) ? known[index] : Self.made(index)
  }

  /// The word of a number: its digits in bijective numeration, as syllables.
  private static func made(_ index: Int) -> String {
    var (rest, word) = (index + 1, "")
    let base = syllables.count
    while rest > 0 {
      word += syllables[(rest - 1) % base]
      rest = (rest - 1) / base
    }
    return word
  }
}
