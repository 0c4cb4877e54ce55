/// A version's name as words and numbers: `App_v2.10` is `app`, 2, 10.
struct VersionName: Hashable {
  enum Part: Hashable {
    case word(String)
    case number(Int)

    var number: Int? { if case .number(let number) = self { number } else { nil } }
  }
  let parts: [Part]

  init(_ name: String) {
    var parts: [Part] = []
    var rest = Substring(name)
    while let first = rest.first {
      let isNumber = first.isASCIIDigit
      let run = rest.prefix { $0.isASCIIDigit == isNumber }
      rest = rest[run.endIndex...]
      // A number too long for an integer is a word like any other.
      if isNumber, let number = Int(run) {
        parts.append(.number(number))
      } else {
        parts += Self.words(in: run, beforeNumber: !rest.isEmpty)
      }
    }
    self.parts = parts
  }

  /// - Parameter beforeNumber: Then a `v` or `version` at the end only announces it.
  private static func words(in text: Substring, beforeNumber: Bool) -> [Part] {
    var words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if beforeNumber, let last = words.last {
      if ["v", "ver", "version"].contains(last.lowercased()) {
        words.removeLast()
      } else if last.hasSuffix("V"), last.dropLast().last?.isLowercase == true {
        words[words.count - 1] = String(last.dropLast())
      }
    }
    return words.map { .word($0.lowercased()) }
  }

  /// The number that follows, where another name begins with all of this one.
  func number(after prefix: VersionName) -> Int? {
    guard parts.count > prefix.parts.count, parts.starts(with: prefix.parts) else { return nil }
    return parts[prefix.parts.count].number
  }

  /// Whether numbers say that this name comes before another; nil where they say nothing.
  ///
  /// - Parameter others: All names, which tell whether one without a number is the first of those with
  ///   numbers: Xcode calls the second version of `App` `App 2`.
  func precedes(_ other: VersionName, among others: [VersionName]) -> Bool? {
    if let difference = zip(parts, other.parts).first(where: { $0 != $1 }) {
      guard let own = difference.0.number, let theirs = difference.1.number else { return nil }
      return own < theirs
    }
    if other.number(after: self) != nil { return isFirst(of: others) ? true : nil }
    if number(after: other) != nil { return other.isFirst(of: others) ? false : nil }
    return nil
  }

  private func isFirst(of others: [VersionName]) -> Bool {
    if parts.last?.number != nil { return true }
    return others.allSatisfy { ($0.number(after: self) ?? 2) > 1 }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
