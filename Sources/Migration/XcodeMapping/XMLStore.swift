import FoundationXML

/// The objects of an XML store, the format of Xcode's mapping files: by identifier, each with its
/// attributes as text and its relationships as lists of identifiers.
struct XMLStore {
  struct Object {
    let type: String
    let id: String
    /// Where the object starts in the file.
    let line: Int
    fileprivate(set) var attributes: [String: String] = [:]
    fileprivate(set) var relationships: [String: [String]] = [:]
  }

  let url: URL
  let objects: [String: Object]

  /// Reads a file.
  /// - Parameter skipped: Names of attributes whose values aren't wanted; they may be large.
  /// - Throws: ``MappingFileError``.
  init(contentsOf url: URL, skipping skipped: Set<String> = []) throws {
    let data = try Data(readingMapping: url)
    if let line = XMLMistake.lineThatIsNotUTF8(in: data) {
      throw MappingFileError(.malformed(XMLMistake.notUTF8), file: url, line: line)
    }
    if let line = XMLMistake.lineOfTooMuchText(in: data) {
      throw MappingFileError(.malformed(XMLMistake.tooMuchText), file: url, line: line)
    }
    let reader = Reader(skipping: skipped)
    // The DTD is on the disk of a Mac; nothing outside the file is read.
    let parser = XMLParser(ofFile: data)
    parser.delegate = reader
    _ = parser.parse()
    if let (code, line) = reader.mistake {
      throw MappingFileError(.malformed(XMLMistake.reason(ofCode: code)), file: url, line: line)
    }
    self.url = url
    objects = reader.objects
  }

  func objects(ofType type: String) -> [Object] { objects.values.filter { $0.type == type } }

  /// The objects a relationship leads to.
  /// - Throws: ``MappingFileError`` when one isn't there or is of another type.
  func objects(_ relationship: String, of object: Object, type: String) throws -> [Object] {
    try (object.relationships[relationship] ?? []).map { id in
      guard let found = objects[id], found.type == type else {
        throw MappingFileError(
          .brokenReference(id, expected: type), file: url, line: object.line)
      }
      return found
    }
  }
}

extension XMLStore {
  private final class Reader: NSObject, XMLParserDelegate {
    private(set) var objects: [String: Object] = [:]
    /// The parser goes on after a mistake, and may even report success: the first one counts.
    private(set) var mistake: (code: Int, line: Int)?
    private let skipped: Set<String>
    private var object: Object?
    private var attribute: String?
    private var text = ""

    init(skipping skipped: Set<String>) { self.skipped = skipped }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
      if mistake == nil { mistake = ((parseError as NSError).code, parser.lineNumber) }
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      switch name {
      case "object":
        object = Object(
          type: attributes["type"] ?? "", id: attributes["id"] ?? "", line: parser.lineNumber)
      case "attribute":
        attribute = attributes["name"].flatMap { skipped.contains($0) ? nil : $0 }
        text = ""
      case "relationship":
        guard let key = attributes["name"] else { return }
        let ids = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
        object?.relationships[key] = ids.map(String.init)
      default: break
      }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      if attribute != nil { text += string }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      if attribute != nil { text += String(decoding: block, as: UTF8.self) }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      switch name {
      case "object":
        if let object { objects[object.id] = object }
        object = nil
      case "attribute":
        if let attribute { object?.attributes[attribute] = StoredText.plain(text) }
        attribute = nil
      default: break
      }
    }
  }
}

/// The escapes that an XML store has in a text below XML's own: a backslash, `u` and the two bytes of a UTF-16 unit,
/// the low one first; and a backslash for itself.
// Core Data: observed in public mapping files for `<`, `>` and `&`; assumed for other characters.
private enum StoredText {
  static func plain(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var units: [UInt16] = []
    var rest = text.utf16[...]
    while let unit = rest.popFirst() {
      if unit != backslash {
        units.append(unit)
      } else if rest.first == backslash {
        units.append(backslash)
        rest.removeFirst()
      } else if let escaped = escaped(rest) {
        units.append(escaped)
        rest.removeFirst(5)
      } else {
        units.append(unit)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static let backslash: UInt16 = 0x5C

  private static func escaped(_ rest: Substring.UTF16View) -> UInt16? {
    let text = String(decoding: rest.prefix(5), as: UTF16.self)
    guard text.first == "u", text.count == 5, let bytes = UInt16(text.dropFirst(), radix: 16) else {
      return nil
    }
    return bytes.byteSwapped
  }
}
