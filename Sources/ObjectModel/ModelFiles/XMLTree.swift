#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// An element of an XML file. Text between elements isn't kept: Xcode's model files have none.
final class XMLElementNode {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [XMLElementNode] = []
  /// Where the start tag ends, which is what the parser knows; see ``SourcePlaces``.
  let tagEnd: SourcePlaces.Place

  init(name: String, attributes: [String: String], tagEnd: SourcePlaces.Place) {
    self.name = name
    self.attributes = attributes
    self.tagEnd = tagEnd
  }

  func children(named name: String) -> [XMLElementNode] { children.filter { $0.name == name } }
}

/// Reads an XML file into a tree. Never loads anything from outside the file.
final class XMLTreeBuilder: NSObject, XMLParserDelegate {
  private var root: XMLElementNode?
  private var path: [XMLElementNode] = []
  /// The parser goes on after a mistake, and may even report success: the first one counts.
  private var mistake: (reason: String, place: SourcePlaces.Place)?
  /// Model files are five levels deep. Letting go of a tree takes stack for each of its levels.
  private static let deepest = 100

  /// - Throws: ``ModelFileError`` with the line and column of the first mistake.
  static func root(of data: Data, file: String) throws(ModelFileError) -> XMLElementNode {
    if let line = XMLMistake.lineThatIsNotUTF8(in: data) {
      throw ModelFileError(.badXML(XMLMistake.notUTF8), file: file, line: line, column: 1)
    }
    if let line = XMLMistake.lineOfTooMuchText(in: data) {
      throw ModelFileError(.badXML(XMLMistake.tooMuchText), file: file, line: line, column: 1)
    }
    let builder = XMLTreeBuilder()
    let parser = XMLParser(ofFile: data)
    parser.delegate = builder
    _ = parser.parse()
    if let (reason, place) = builder.mistake {
      throw ModelFileError(.badXML(reason), file: file, line: place.line, column: place.column)
    }
    guard let root = builder.root else {
      throw ModelFileError(.badXML("it is empty"), file: file, line: 1, column: 1)
    }
    return root
  }

  private static func place(_ parser: XMLParser) -> SourcePlaces.Place {
    SourcePlaces.Place(line: max(parser.lineNumber, 1), column: max(parser.columnNumber, 1))
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    if mistake != nil { return }
    mistake = (XMLMistake.reason(ofCode: (parseError as NSError).code), Self.place(parser))
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if mistake != nil { return }
    if path.count == Self.deepest {
      mistake = ("its elements are nested too deeply", Self.place(parser))
      parser.abortParsing()
      return
    }
    let node = XMLElementNode(
      name: elementName, attributes: attributes, tagEnd: Self.place(parser))
    if let parent = path.last {
      parent.children.append(node)
    } else {
      root = node
    }
    path.append(node)
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    _ = path.popLast()
  }
}
