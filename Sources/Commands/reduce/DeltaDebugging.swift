/// Finds a small part of a list that still does what all of it does, by leaving out ever smaller parts (Zeller and Hildebrandt,
/// "Simplifying and Isolating Failure-Inducing Input", 2002).
struct DeltaDebugging<Element: Sendable> {
  /// Asks of several parts at once which still do it: the place of the first; nil for none.
  let firstThatFails: ([[Element]]) async throws -> Int?

  /// - Parameter elements: All of them, which are known to do it.
  /// - Returns: A part of which no element can be left out alone.
  func minimum(of elements: [Element]) async throws -> [Element] {
    var current = elements
    if !current.isEmpty, try await firstThatFails([[]]) != nil { return [] }
    var count = 2
    while current.count >= 2 {
      let chunks = Self.chunks(of: current, count)
      // With two parts, what is left of one is the other.
      let rests =
        count == 2
        ? []
        : chunks.indices.map { left in
          chunks.indices.filter { $0 != left }.flatMap { chunks[$0] }
        }
      let candidates = chunks + rests
      if let found = try await firstThatFails(candidates) {
        current = candidates[found]
        count = found < chunks.count ? 2 : max(count - 1, 2)
      } else if count < current.count {
        count = min(current.count, count * 2)
      } else {
        break
      }
    }
    return current
  }

  private static func chunks(of elements: [Element], _ count: Int) -> [[Element]] {
    (0..<count).map { part in
      let range = elements.count * part / count..<elements.count * (part + 1) / count
      return Array(elements[range])
    }.filter { !$0.isEmpty }
  }
}
