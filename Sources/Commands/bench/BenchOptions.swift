/// How `heavyweight bench` is asked for lists.
enum BenchOptions {
  /// Sizes as people write them: `1000`, `1e5`, `10k`, `1.5M`, separated by commas.
  static func sizes(_ text: String) -> [Int]? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let sizes = words.map { size($0.trimmingCharacters(in: .whitespaces)) }
    return sizes.contains(nil) ? nil : sizes.compactMap { $0 }
  }

  private static func size(_ word: String) -> Int? {
    let factor = ["k": 1000.0, "K": 1000, "M": 1_000_000][word.last ?? " "]
    let digits = factor == nil ? word : String(word.dropLast())
    guard let number = Double(digits), number.isFinite else { return nil }
    let size = (number * (factor ?? 1) * 1000).rounded() / 1000
    return Int(exactly: size).flatMap { (1...100_000_000).contains($0) ? $0 : nil }
  }

  /// Backends as `--backend` has them: `memory,sqlite`; each once. Nil for anything else.
  static func backends(_ text: String) -> [Backend]? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { Backend(rawValue: $0.trimmingCharacters(in: .whitespaces)) }
    let backends = words.compactMap { $0 }
    return backends.count == words.count && Set(backends).count == words.count ? backends : nil
  }
}
