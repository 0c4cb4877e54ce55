/// As many words as are wanted, each different from the others, the short ones first.
struct Vocabulary {
  let count: Int
  /// Two letters each, so that no two rows of syllables read alike.
  private static let syllables = [
    "ba", "sö", "ko", "ri", "må", "te", "lu", "na", "fo", "gi", "hä", "jo", "ke", "li", "mu", "no",
    "pe", "ra", "so", "ti", "va", "då", "bö", "fe", "ha", "je", "ku", "la", "mi", "ne",
  ]

  /// The word of a number: its digits in bijective numeration, as syllables.
  func word(_ index: Int) -> String {
    var (rest, word) = (index + 1, "")
    let base = Self.syllables.count
    while rest > 0 {
      word += Self.syllables[(rest - 1) % base]
      rest = (rest - 1) / base
    }
    return word
  }
}
