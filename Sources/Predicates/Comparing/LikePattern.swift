/// The pattern of a LIKE comparison: `*` for any text, `?` for one character (a Unicode code
/// point), `\*` and `\?` for themselves.
struct LikePattern {
  enum Element: Equatable {
    case literal(Unicode.Scalar)
    case anyCharacter
    case anyText
  }
  let elements: [Element]

  init(_ pattern: String) {
    var elements: [Element] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        elements.append(.literal(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "*": if elements.last != .anyText { elements.append(.anyText) }
      case "?": elements.append(.anyCharacter)
      default: elements.append(.literal(scalar))
      }
    }
    if isEscaped { elements.append(.literal("\\")) }
    self.elements = elements
  }

  /// The one text that `pattern` matches, so that LIKE means equality; nil where it has wildcards.
  static func onlyMatch(of pattern: String) -> String? {
    if isPlain(pattern) { return pattern }
    var text = String.UnicodeScalarView()
    for element in LikePattern(pattern).elements {
      guard case .literal(let scalar) = element else { return nil }
      text.append(scalar)
    }
    return String(text)
  }

  /// Whether `pattern` has neither wildcards nor escapes.
  private static func isPlain(_ pattern: String) -> Bool {
    !pattern.utf8.contains {
      $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "\\")
    }
  }

  /// Whether the whole of `text` matches.
  ///
  /// - Complexity: O(*n* · *m*) at worst; O(*n*) for patterns with one `*`.
  func matches(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    var position = scalars.startIndex
    var next = elements.startIndex
    // Where to go on when the text after the last `*` turns out to begin later.
    var retry: (position: String.Index, element: Int)?
    while true {
      if next < elements.count, elements[next] == .anyText {
        next += 1
        retry = (position, next)
      } else if position < scalars.endIndex, next < elements.count,
        elements[next].matches(scalars[position])
      {
        position = scalars.index(after: position)
        next += 1
      } else if position == scalars.endIndex, next == elements.count {
        return true
      } else if let last = retry, last.position < scalars.endIndex {
        position = scalars.index(after: last.position)
        next = last.element
        retry = (position, next)
      } else {
        return false
      }
    }
  }
}

extension LikePattern.Element {
  fileprivate func matches(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .literal(let literal): literal == scalar
    case .anyCharacter: true
    case .anyText: false
    }
  }
}
