/// The selector under which Objective-C knows a Swift method.
///
/// The Swift compiler's rule: the base name, then the first argument label with a capital, joined
/// by `With` unless the label starts or the base name ends with a preposition; then the other
/// labels; a colon for each argument. A method that throws has one more argument, the error.
struct ObjectiveCSelector: Hashable, Sendable {
  let name: String

  /// - Parameters:
  ///   - title: The method's full name, as `price(for:manager:)`; a property's plain name.
  ///   - isThrowing: Whether the method throws.
  init(swiftName title: String, isThrowing: Bool = false) {
    let parts = title.split(separator: "(", maxSplits: 1)
    let base = String(parts.first ?? "")
    let labels = parts.count < 2 ? [] : parts[1].dropLast().split(separator: ":").map(String.init)
    name = Self.pieces(base, labels: labels.map { $0 == "_" ? "" : $0 }, isThrowing: isThrowing)
      .joined()
  }

  private static func pieces(_ base: String, labels: [String], isThrowing: Bool) -> [String] {
    guard let first = labels.first else {
      return [base + (isThrowing ? "AndReturnError:" : "")]
    }
    let others = labels.dropFirst() + (isThrowing ? ["error"] : [])
    return [firstPiece(base, first) + ":"] + others.map { $0 + ":" }
  }

  private static func firstPiece(_ base: String, _ label: String) -> String {
    guard let initial = label.first else { return base }
    let needsWith =
      !prepositions.contains(words(in: label).first ?? "")
      && !prepositions.contains(words(in: base).last ?? "")
    return base + (needsWith ? "With" : "") + initial.uppercased() + label.dropFirst()
  }

  /// The words of a camel-case name, in lower case.
  private static func words(in name: String) -> [String] {
    var words: [String] = []
    var previousWasUpper = true
    for character in name {
      let isUpper = character.isUppercase
      if words.isEmpty || (isUpper && !previousWasUpper) {
        words.append("")
      }
      words[words.count - 1].append(character.lowercased())
      previousWasUpper = isUpper
    }
    return words
  }

  private static let prepositions: Set<String> = [
    "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following",
    "for", "from", "given", "in", "including", "inside", "into", "matching", "of", "on", "passing",
    "preceding", "since", "to", "until", "using", "via", "when", "with", "within",
  ]
}
