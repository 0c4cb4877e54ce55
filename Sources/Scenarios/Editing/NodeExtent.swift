/// Where a value ends in a file: the parser only says where it begins.
struct NodeExtent {
  let file: FileText
  /// Whether the value stands between brackets or braces.
  let isInFlow: Bool

  enum Form {
    case plain
    case single, double
    case flow
    /// Over lines of its own, or with an anchor, alias or tag: nothing that is edited in place.
    case other

    /// How a new scalar is quoted in its place.
    var quoting: Notation.Quoting {
      switch self {
      case .single: .single
      case .double: .double
      default: .none
      }
    }
  }

  func form(at start: Int) -> Form {
    guard file.scalars.indices.contains(start) else { return .plain }
    switch file.scalars[start] {
    case "\"": return .double
    case "'": return .single
    case "[", "{": return .flow
    case "|", ">", "&", "*", "!": return .other
    default: return .plain
    }
  }

  /// The stretch of a scalar or of a value in brackets; nil where it can't be told.
  func range(from start: Int) -> Range<Int>? {
    switch form(at: start) {
    case .double: end(ofDouble: start).map { start..<$0 }
    case .single: end(ofSingle: start).map { start..<$0 }
    case .flow: end(ofFlow: start).map { start..<$0 }
    case .plain: start..<end(ofPlain: start)
    case .other: nil
    }
  }

  /// Where a value would begin, behind the colon of a key; nil where that can't be told.
  func offset(behindKeyAt place: SourcePlace?) -> Int? {
    guard let place, let start = file.offset(line: place.line, column: place.column),
      let key = range(from: start)
    else { return nil }
    return file.scalars[key.upperBound...].firstIndex(of: ":").map { $0 + 1 }
  }

  private func end(ofDouble start: Int) -> Int? {
    var index = start + 1
    while index < file.scalars.count {
      if file.scalars[index] == "\"" { return index + 1 }
      index += file.scalars[index] == "\\" ? 2 : 1
    }
    return nil
  }

  private func end(ofSingle start: Int) -> Int? {
    var index = start + 1
    while index < file.scalars.count {
      if file.scalars[index] != "'" {
        index += 1
      } else if index + 1 < file.scalars.count, file.scalars[index + 1] == "'" {
        index += 2
      } else {
        return index + 1
      }
    }
    return nil
  }

  private func end(ofFlow start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < file.scalars.count {
      let before: Unicode.Scalar = index > 0 ? file.scalars[index - 1] : " "
      switch file.scalars[index] {
      case "[", "{": depth += 1
      case "]", "}":
        depth -= 1
        if depth == 0 { return index + 1 }
      case "\"" where Self.canPrecedeQuote(before):
        guard let end = end(ofDouble: index) else { return nil }
        index = end - 1
      case "'" where Self.canPrecedeQuote(before):
        guard let end = end(ofSingle: index) else { return nil }
        index = end - 1
      case "#" where before.properties.isWhitespace: index = endOfLine(index) - 1
      default: break
      }
      index += 1
    }
    return nil
  }

  /// A quote inside a plain text is only a character.
  private static func canPrecedeQuote(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || "[{,:".unicodeScalars.contains(scalar)
  }

  private func endOfLine(_ start: Int) -> Int {
    file.scalars[start...].firstIndex(where: FileText.isBreak) ?? file.scalars.count
  }

  private func end(ofPlain start: Int) -> Int {
    let limit = endOfLine(start)
    var index = start
    while index < limit, !endsPlain(index, limit) { index += 1 }
    while index > start, file.scalars[index - 1].properties.isWhitespace { index -= 1 }
    return index
  }

  private func endsPlain(_ index: Int, _ limit: Int) -> Bool {
    switch file.scalars[index] {
    case ":":
      let next = index + 1 < limit ? file.scalars[index + 1] : " "
      return next.properties.isWhitespace
        || (isInFlow && ",[]{}".unicodeScalars.contains(next))
    case "#": return index > 0 && file.scalars[index - 1].properties.isWhitespace
    case ",", "[", "]", "{", "}": return isInFlow
    default: return false
    }
  }
}
