/// Replaces the words of texts by others that look like them.
///
/// A word is a run of letters and digits; what is between words stays. Each letter becomes another one of its kind and
/// case, by what stands before it in its word: equal beginnings stay equal, equal words wherever they stand, and words in the
/// order of their letters mostly stay in it. Zeros stay.
struct WordAnonymizer {
  /// What follows a beginning, in any case.
  private final class Node {
    var children: [UInt32: Node] = [:]
    var replacements: [UInt32: UInt32] = [:]
  }

  private let root = Node()
  /// Words that stay, in lower case.
  private let kept: Set<String>

  init(keeping kept: Set<String>) { self.kept = kept }

  /// Words are letters and digits, with the marks on them.
  static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .nonspacingMark, .spacingMark, .otherSymbol:
      true
    default: false
    }
  }

  static func words(in text: String) -> [String] {
    text.unicodeScalars.split { !isPartOfWord($0) }.map { String(String.UnicodeScalarView($0)) }
  }

  // MARK: Learning

  /// Takes note of the words of a text that is to be replaced.
  func learn(_ text: String) {
    for word in Self.words(in: text) where !kept.contains(word.lowercased()) {
      var node = root
      for scalar in word.unicodeScalars {
        let key = Self.folded(scalar).value
        let next = node.children[key] ?? Node()
        node.children[key] = next
        node = next
      }
    }
  }

  /// Chooses what each letter becomes. Chance is the machine's: who has the result can't do it again.
  func choose() { Self.choose(root) }

  private static func choose(_ first: Node) {
    var open = [first]
    while let node = open.popLast() {
      // Zeros before a number say how long it is.
      let scalars = node.children.keys.filter { $0 != 48 }.compactMap(Unicode.Scalar.init)
      for (alphabet, members) in Dictionary(grouping: scalars, by: Alphabet.init) {
        let letters = members.map(\.value).sorted()
        for (letter, new) in zip(letters, alphabet.replacements(of: letters)) {
          node.replacements[letter] = new
        }
      }
      open += node.children.values
    }
  }

  // MARK: Replacing

  func replacement(of text: String) -> String {
    var result = String.UnicodeScalarView()
    var word: [Unicode.Scalar] = []
    func finish() {
      if !word.isEmpty { result.append(contentsOf: replacement(of: word)) }
      word = []
    }
    for scalar in text.unicodeScalars {
      if Self.isPartOfWord(scalar) {
        word.append(scalar)
      } else {
        finish()
        result.append(scalar)
      }
    }
    finish()
    return String(result)
  }

  private func replacement(of word: [Unicode.Scalar]) -> [Unicode.Scalar] {
    if kept.contains(String(String.UnicodeScalarView(word)).lowercased()) { return word }
    var node: Node? = root
    return word.map { scalar in
      let folded = Self.folded(scalar)
      defer { node = node?.children[folded.value] }
      guard let new = node?.replacements[folded.value].flatMap(Unicode.Scalar.init) else {
        return scalar
      }
      return folded == scalar ? new : Self.uppercased(new) ?? new
    }
  }

  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    guard lower.count == 1, let only = lower.first, uppercased(only) == scalar else {
      return scalar
    }
    return only
  }

  fileprivate static func uppercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    return upper.count == 1 ? upper.first : nil
  }
}

/// The letters that one letter may become: those of its kind near it, and for Latin ones first those that make no words.
private struct Alphabet: Hashable {
  private let block: UInt32
  private let category: Unicode.GeneralCategory

  init(_ scalar: Unicode.Scalar) {
    block = scalar.value & ~127
    category = scalar.properties.generalCategory
  }

  private static let consonants = "bcdfghjklmnpqrstvwxz".unicodeScalars.map(\.value)

  private var all: [UInt32] {
    // Marks belong to the letter before.
    if [.nonspacingMark, .spacingMark].contains(category) { return [] }
    return (block..<block + 128).filter { value in
      guard value != 48, let scalar = Unicode.Scalar(value),
        scalar.properties.generalCategory == category
      else { return false }
      guard category == .lowercaseLetter else { return true }
      // One that has an upper case, and that one no other lower case.
      guard let upper = WordAnonymizer.uppercased(scalar) else { return false }
      return upper != scalar && upper.properties.lowercaseMapping.unicodeScalars.first == scalar
        && upper.utf8.count == scalar.utf8.count
    }
  }

  /// As many different letters as are given, in their order where there is room for another choice than theirs.
  func replacements(of letters: [UInt32]) -> [UInt32] {
    let all = all
    if all.isEmpty { return letters }
    let few = block == 0 && category == .lowercaseLetter ? Self.consonants : all
    for pool in [few, all] where letters.count * 4 <= pool.count * 3 {
      if let chosen = Self.chosen(letters, from: pool, inOrder: true) { return chosen }
    }
    let changing = letters.filter(all.contains)
    guard let shuffled = Self.chosen(changing, from: all, inOrder: false) else { return letters }
    let new = Dictionary(uniqueKeysWithValues: zip(changing, shuffled))
    return letters.map { new[$0] ?? $0 }
  }

  /// - Returns: The choice with the fewest letters that stay; nil where there are too few letters.
  private static func chosen(
    _ letters: [UInt32], from pool: [UInt32], inOrder: Bool
  ) -> [UInt32]? {
    guard letters.count <= pool.count else { return nil }
    var best: [UInt32]?
    var fewest = Int.max
    for _ in 0..<64 where fewest > 0 {
      let picked = Array(pool.shuffled().prefix(letters.count))
      let candidate = inOrder ? picked.sorted() : picked
      let stays = zip(letters, candidate).count { $0 == $1 }
      if stays < fewest { (best, fewest) = (candidate, stays) }
    }
    return best
  }
}
