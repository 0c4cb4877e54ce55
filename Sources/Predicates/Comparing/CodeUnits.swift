/// Text compared as it is stored, code unit by code unit.
///
/// UTF-8 order is the order of Unicode code points, and SQLite's.
enum CodeUnits {
  static func areEqual(_ a: String, _ b: String) -> Bool {
    if a.utf8.count != b.utf8.count { return false }
    return with(a, b: b) { a, b in difference(a, b, count: a.count) == 0 }
  }

  static func order(_ a: String, _ b: String) -> ComparisonResult {
    with(a, b: b) { a, b in
      let common = min(a.count, b.count)
      let difference = difference(a, b, count: common)
      if difference != 0 { return difference < 0 ? .orderedAscending : .orderedDescending }
      if a.count == b.count { return .orderedSame }
      return a.count < b.count ? .orderedAscending : .orderedDescending
    }
  }

  static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
    with(text, b: prefix) { text, prefix in
      text.count >= prefix.count && prefix.elementsEqual(text.prefix(prefix.count))
    }
  }

  static func hasSuffix(_ text: String, _ suffix: String) -> Bool {
    with(text, b: suffix) { text, suffix in
      text.count >= suffix.count && suffix.elementsEqual(text.suffix(suffix.count))
    }
  }

  static func contains(_ text: String, _ part: String) -> Bool {
    with(text, b: part) { text, part in
      guard let first = part.first else { return true }
      guard text.count >= part.count else { return false }
      return (0...(text.count - part.count)).contains { start in
        text[start] == first && part.elementsEqual(text[start..<(start + part.count)])
      }
    }
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private static func difference(_ a: Bytes, _ b: Bytes, count: Int) -> Int32 {
    guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
    return memcmp(a, b, count)
  }

  private static func with<Result>(
    _ a: String, b: String, body: (Bytes, Bytes) -> Result
  ) -> Result {
    var a = a
    var b = b
    return a.withUTF8 { a in b.withUTF8 { b in body(a, b) } }
  }
}
