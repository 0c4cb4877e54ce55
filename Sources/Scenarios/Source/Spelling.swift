/// Finds what a person probably meant.
package enum Spelling {
  /// The candidate nearest to `word`, if it is near enough to be a misspelling of it.
  package static func closest(to word: String, among candidates: some Sequence<String>) -> String? {
    // Nobody types a name of this length, and to compare one takes its square.
    if word.count > 200 { return nil }
    let limit = max(1, word.count / 3)
    // A number that isn't there is no misspelling of one that is: 'v9' means no 'v1'.
    let near = candidates.filter {
      abs($0.count - word.count) <= limit && !differsInNumbersOnly($0, word)
    }
    let ranked = near.map { ($0, distance($0.lowercased(), word.lowercased())) }
    return ranked.filter { $0.1 <= limit }.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }

  private static func differsInNumbersOnly(_ a: String, _ b: String) -> Bool {
    func numbers(_ text: String) -> String { text.filter { $0.isASCII && $0.isNumber } }
    func others(_ text: String) -> String {
      text.filter { !($0.isASCII && $0.isNumber) }.trimmingCharacters(in: .whitespaces)
    }
    // 'Model 9' means no 'Model'; 'int' may mean 'int64'.
    let isOther = !numbers(a).isEmpty || b.contains(" ")
    return others(a) == others(b) && numbers(a) != numbers(b) && !numbers(b).isEmpty && isOther
  }

  /// Of more words than this nobody reads all.
  private static let mostNamed = 24

  /// The end of a message about an unknown word: a suggestion, or the words that are known.
  package static func hint(
    for word: String, among candidates: some Sequence<String>, called plural: String
  ) -> String {
    if let closest = closest(to: word, among: candidates) { return "; did you mean '\(closest)'?" }
    let known = candidates.sorted()
    if known.isEmpty { return "; there are no \(plural)" }
    let shown = known.prefix(mostNamed).joined(separator: ", ")
    return "; \(plural): \(shown)\(known.count > mostNamed ? ", …" : "")"
  }

  /// The number of letters to insert, remove, replace or swap with a neighbour to turn one word
  /// into the other.
  package static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + Array(repeating: 0, count: b.count)
      for j in 1...b.count {
        let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(last[j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
