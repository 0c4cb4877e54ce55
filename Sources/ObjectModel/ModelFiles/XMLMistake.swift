#if canImport(FoundationXML)
  package import FoundationXML
#endif

/// What is wrong with an XML file, in words.
package enum XMLMistake {
  /// Foundation's errors have the numbers of libxml2 and no text; these are the mistakes that people
  /// make.
  private static let reasons: [Int: String] = [
    4: "it doesn't begin with an element",
    5: "it ends too early, or goes on after its end",
    9: "an invalid character",
    26: "an unknown entity ('&…;')",
    38: "'<' in an attribute's value",
    39: "an attribute's value isn't in quotation marks",
    40: "an attribute's value doesn't end",
    41: "an attribute without value",
    42: "an attribute occurs twice",
    65: "a space is missing",
    68: "a name is missing",
    73: "'>' is missing",
    76: "an end tag doesn't match its start tag",
    77: "an element doesn't end",
  ]

  package static func reason(ofCode code: Int) -> String {
    reasons[code] ?? "XML error \(code)"
  }

  /// Xcode writes no other encoding, and Foundation's parser stops the process at a name in another.
  package static let notUTF8 = "it isn't UTF-8"

  package static let tooMuchText = "its entities ('&…;') stand for too much text"

  /// Xcode writes no entities of its own; whoever does hardly needs more text for them.
  private static let mostTextOfEntities = 10 << 20

  /// The line, from 1, from which on the file's own entities stand for more text than is read; nil where they don't.
  package static func lineOfTooMuchText(in data: Data) -> Int? {
    guard data.range(of: Data("<!ENTITY".utf8)) != nil else { return nil }
    var sizes: [Data: Int] = [:]
    var (total, place) = (0, data.startIndex)
    while let start = data[place...].firstIndex(where: {
      $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<")
    }) {
      place = start + 1
      if data[start] == UInt8(ascii: "<") {
        guard let entity = data.entity(declaredAt: start) else { continue }
        sizes[entity.name] = entity.value.count + references(in: entity.value, sizes)
        place = entity.value.endIndex
      } else {
        total += size(ofReferenceAt: start, in: data, sizes)
        if total > mostTextOfEntities {
          return data[..<start].count { $0 == UInt8(ascii: "\n") } + 1
        }
      }
    }
    return nil
  }

  private static func references(in value: Data, _ sizes: [Data: Int]) -> Int {
    value.indices.filter { value[$0] == UInt8(ascii: "&") }.reduce(0) {
      min($0 + size(ofReferenceAt: $1, in: value, sizes), mostTextOfEntities)
    }
  }

  private static func size(ofReferenceAt start: Int, in data: Data, _ sizes: [Data: Int]) -> Int {
    let rest = data[(start + 1)...].prefix(Data.mostBytesOfName)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return 0 }
    return sizes[Data(rest[..<end])] ?? 0
  }

  /// The first line, from 1, that isn't UTF-8; nil when all is.
  package static func lineThatIsNotUTF8(in data: Data) -> Int? {
    if String(validating: data, as: UTF8.self) != nil { return nil }
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
  }
}

extension XMLParser {
  /// A parser of a file that reads nothing outside of it.
  ///
  /// Processing instructions without content (`<?name?>`), which mean nothing in Xcode's files, become
  /// blanks: Foundation's parser stops the process at one.
  package convenience init(ofFile data: Data) {
    self.init(data: data.withoutEmptyInstructions)
    shouldResolveExternalEntities = false
  }
}

extension Data {
  fileprivate static let mostBytesOfName = 1000

  /// The entity that `<!ENTITY name "value">` declares.
  fileprivate func entity(declaredAt start: Int) -> (name: Data, value: Data)? {
    let mark = Data("<!ENTITY".utf8)
    guard self[start...].starts(with: mark) else { return nil }
    let rest = self[(start + mark.count)...].drop(while: \.isSpace)
    let name = rest.prefix { !$0.isSpace }
    let quoted = rest[name.endIndex...].drop(while: \.isSpace)
    guard let quote = quoted.first, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote),
      let end = quoted.dropFirst().firstIndex(of: quote)
    else { return nil }
    return (Data(name), self[(quoted.startIndex + 1)..<end])
  }

  fileprivate var withoutEmptyInstructions: Data {
    let empty = withUnsafeBytes(\.emptyInstructions)
    if empty.isEmpty { return self }
    var bytes = [UInt8](self)
    for instruction in empty {
      for index in instruction where !bytes[index].isSpace { bytes[index] = UInt8(ascii: " ") }
    }
    return Data(bytes)
  }
}

extension UnsafeRawBufferPointer {
  /// Where `<?name?>` stands. Every file that is read is searched for them.
  fileprivate var emptyInstructions: [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while let opening = questionMark(from: place, where: { $0 > place && self[$0 - 1] == 0x3C }),
      let closing = questionMark(
        from: opening + 1, where: { $0 + 1 < count && self[$0 + 1] == 0x3E })
    {
      let inside = self[(opening + 1)..<closing]
      let hasContent = inside.drop { !$0.isSpace }.contains { !$0.isSpace }
      if !hasContent { found.append((opening - 1)..<(closing + 2)) }
      place = hasContent ? closing + 2 : opening + 1
    }
    return found
  }

  /// The first of the signs that are rare in such files.
  private func questionMark(from start: Int, where fits: (Int) -> Bool) -> Int? {
    guard let base = baseAddress else { return nil }
    var place = start
    while place < count, let found = memchr(base + place, 0x3F, count - place) {
      let index = UnsafeRawPointer(found) - base
      if fits(index) { return index }
      place = index + 1
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { [0x20, 0x9, 0xA, 0xD].contains(self) }
}
