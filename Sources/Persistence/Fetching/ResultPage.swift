/// Counts results off against an offset and a limit.
struct ResultPage {
  private var toSkip: Int
  private var left: Int

  init(_ query: StoreQuery) {
    toSkip = query.offset
    left = query.limit > 0 ? query.limit : .max
  }

  var wantsMore: Bool { left > 0 }

  /// Whether the next result is in the page.
  mutating func takes() -> Bool {
    if toSkip > 0 {
      toSkip -= 1
      return false
    }
    left -= 1
    return left >= 0
  }
}
