import Yams

extension SourceNode {
  /// Reads a file that holds one YAML document.
  /// - Throws: ``Diagnostics`` with the place of a syntax error or a repeated key, or of a second document.
  package static func yaml(_ file: SourceFile) throws -> SourceNode {
    let documents = try yamlDocuments(file)
    if documents.count > 1 {
      throw Diagnostics(
        "this file must be one YAML document, without '---'", at: documents[1].place)
    }
    return documents[0]
  }

  /// Reads a file that holds YAML documents, at least one.
  /// - Throws: ``Diagnostics`` with the place of a syntax error or a repeated key.
  package static func yamlDocuments(_ file: SourceFile) throws -> [SourceNode] {
    try YAMLExpansion.check(file)
    do {
      let roots = try nodes(file)
      if roots.isEmpty { throw Diagnostics(file: file.path, "the file is empty") }
      var converter = YAMLConverter(file: file)
      return try roots.map { try converter.convert($0) }
    } catch let error as YamlError {
      throw Diagnostics([error.diagnostic(in: file)])
    }
  }

  fileprivate static func nodes(_ file: SourceFile) throws -> [Node] {
    var sequence = try Yams.compose_all(yaml: file.text, .basic)
    var roots: [Node] = []
    while let root = sequence.next() { roots.append(root) }
    if let error = sequence.error { throw error }
    return roots
  }
}

/// Turns the parser's nodes into source nodes.
private struct YAMLConverter {
  let file: SourceFile
  /// Aliases of aliases can make a few lines into more values than fit into memory.
  private var valuesLeft = YAMLExpansion.mostValues

  init(file: SourceFile) { self.file = file }

  mutating func convert(_ node: Node) throws -> SourceNode {
    valuesLeft -= 1
    if valuesLeft < 0 {
      throw Diagnostics("too many values; are there too many aliases?", at: place(of: node))
    }
    return SourceNode(content: try content(of: node), place: place(of: node))
  }

  private mutating func content(of node: Node) throws -> SourceNode.Content {
    switch node {
    case .scalar(let scalar):
      // What is tagged as text is text, as if it had quotes.
      let isText = try isTagged(scalar.tag, as: .str, node)
      return .scalar(text(of: scalar), isPlain: scalar.style == .plain && !isText)
    case .sequence(let sequence):
      _ = try isTagged(sequence.tag, as: .seq, node)
      var items: [SourceNode] = []
      for item in sequence { items.append(try convert(item)) }
      return .list(items)
    case .mapping(let mapping):
      _ = try isTagged(mapping.tag, as: .map, node)
      var entries: [SourceNode.Entry] = []
      for (key, value) in mapping { entries.append(try entry(key: key, value: value)) }
      return .map(entries)
    case .alias: throw Diagnostics("an alias refers to nothing", at: place(of: node))
    }
  }

  /// Yams makes texts by Foundation, which takes U+FEFF at the beginning for a mark of the encoding, and drops it.
  private func text(of scalar: Node.Scalar) -> String {
    guard Self.dropsMark, scalar.style == .doubleQuoted, let mark = scalar.mark,
      let source = file.line(mark.line)?.unicodeScalars.dropFirst(mark.column)
    else { return scalar.string }
    let marks = [#"\U0000FEFF"#, #"\uFEFF"#, "\u{FEFF}"]
    let isMarked = marks.contains { source.starts(with: $0.unicodeScalars) }
    return (isMarked ? "\u{FEFF}" : "") + scalar.string
  }

  private static let dropsMark = String(bytes: "\u{FEFF}".utf8, encoding: .utf8) == ""

  /// Whether a node has a tag that says what it is anyway; any other tag would be ignored.
  private func isTagged(_ tag: Tag, as kind: Tag.Name, _ node: Node) throws -> Bool {
    let name = Tag.Name(rawValue: tag.rawValue)
    if name == .implicit { return false }
    if name == kind || name == .nonSpecific { return true }
    let shown = name.rawValue.replacing("tag:yaml.org,2002:", with: "!!")
    throw Diagnostics(
      "the tag '\(shown)' has no meaning here: leave it out, and put what is to be text into quotes",
      at: place(of: node))
  }

  private mutating func entry(key: Node, value: Node) throws -> SourceNode.Entry {
    guard case .scalar(let name) = key else {
      throw Diagnostics("a key must be text", at: place(of: key))
    }
    _ = try isTagged(name.tag, as: .str, key)
    if name.string == "<<", name.style == .plain {
      throw Diagnostics(
        "maps aren't merged ('<<'): write the entries here, or use an alias ('*name') for a whole value",
        at: place(of: key))
    }
    let value = try convert(value)
    return SourceNode.Entry(key: Located(name.string, at: place(of: key)), value: value)
  }

  private func place(of node: Node) -> SourcePlace {
    guard let mark = node.mark else { return SourcePlace(file: file, line: 1, column: 1) }
    var length = 1
    if case .scalar(let scalar) = node, !scalar.string.contains(where: \.isNewline) {
      let quotes = scalar.style == .plain ? 0 : 2
      length = scalar.string.unicodeScalars.count + quotes
    }
    return SourcePlace(file: file, line: mark.line, column: mark.column, length: length)
  }
}

// MARK: - Wording

extension YamlError {
  fileprivate func diagnostic(in file: SourceFile) -> Diagnostic {
    func place(_ mark: Mark) -> SourcePlace {
      SourcePlace(file: file, line: mark.line, column: mark.column)
    }
    switch self {
    case .composer(let context, let problem, let mark, _):
      let text = context.map { "\($0.text) " } ?? ""
      return Diagnostic("not valid YAML: \(text)\(YAMLWords.plain(problem))", at: place(mark))
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _):
      if let tab = file.tab(before: mark) {
        return Diagnostic(
          "a tab is used where YAML needs spaces: write spaces instead",
          at: SourcePlace(file: file, line: mark.line, column: tab))
      }
      if let context, let text = YAMLWords.unclosed(problem, in: context.text),
        file.isEnd(mark) || problem.contains("end of stream")
      {
        if text == YAMLWords.someBracket, let open = file.openBracket {
          return Diagnostic(
            "not valid YAML: the '\(open.bracket)' here isn't closed", at: open.place)
        }
        return Diagnostic("not valid YAML: \(text)", at: place(context.mark))
      }
      return Diagnostic("not valid YAML: \(YAMLWords.plain(problem))", at: place(mark))
    case .duplicatedKeysInMapping(let keys, let context):
      let first = place(context.mark)
      let key = keys[0]
      let second = file.repetition(of: key, firstAt: first)
      return Diagnostic(
        "the key '\(key)' occurs twice in this map"
          + (second == nil ? "" : "; the first one is in line \(first.line)"),
        at: second ?? first)
    case .reader(let problem, let offset, let value, _):
      guard let offset else {
        return Diagnostic(file: file.path, "not valid YAML: \(problem)")
      }
      let code = String(format: "U+%04X", value)
      let inText = (1..<0x20).contains(value) ? ", a text has it as \"\\x\(code.suffix(2))\"" : ""
      return Diagnostic(
        "not valid YAML: \(problem): \(code) here\(inText)", at: file.place(of: offset))
    default:
      return Diagnostic(file: file.path, "not valid YAML: \(self)")
    }
  }
}

/// What the parser says, for people who don't know YAML's grammar.
private enum YAMLWords {
  /// Of what has no end, up to the end of the file.
  static func unclosed(_ problem: String, in context: String) -> String? {
    if context.contains("quoted scalar") { return "the quotes that begin here aren't closed" }
    if context.contains("flow sequence") { return "the '[' here isn't closed" }
    if context.contains("flow mapping") { return "the '{' here isn't closed" }
    return context.contains("flow") ? someBracket : nil
  }

  /// The parser doesn't say which one.
  static let someBracket = "a '[' or '{' isn't closed"

  static func plain(_ problem: String) -> String {
    let quoting = "text with []{},:#, or that begins with a sign, needs quotes"
    switch problem {
    case "did not find expected node content": return "a value is expected here; \(quoting)"
    case "did not find expected ',' or '}'": return "',' or '}' is expected here; \(quoting)"
    case "did not find expected ',' or ']'": return "',' or ']' is expected here; \(quoting)"
    case "mapping values are not allowed in this context":
      return "there can't be a second ':' in this line; \(quoting)"
    case "found character that cannot start any token":
      return "a text can't begin with this character; \(quoting)"
    case "could not find expected ':'":
      return "a key needs ':' and a space after it; is this line indented as it should be?"
    case "did not find expected key":
      return "a key is expected here; is this line indented as those above it?"
    case "did not find expected '-' indicator":
      return "an item of a list ('- …') is expected here; is this line indented as those above it?"
    case "block sequence entries are not allowed in this context":
      return "an item of a list ('- …') can't be here"
    case "found incompatible YAML document":
      return "this is a version of YAML that can't be read; leave out the line with '%YAML'"
    case "did not find expected <document start>":
      return "after '...', only another document can follow, which begins with '---'"
    case "found undefined alias": return "there is no anchor ('&name') before this alias"
    default: return problem
    }
  }
}

extension SourceFile {
  /// Whether nothing is written from a place on.
  fileprivate func isEnd(_ mark: Mark) -> Bool {
    guard let line = line(mark.line) else { return true }
    return line.unicodeScalars.dropFirst(mark.column - 1).allSatisfy { $0.properties.isWhitespace }
      && (self.line(mark.line + 1) ?? "").allSatisfy(\.isWhitespace)
  }

  /// The last bracket that is open at the end, outside of quotes and comments.
  fileprivate var openBracket: (bracket: Character, place: SourcePlace)? {
    var (quote, isComment): (Character?, Bool) = (nil, false)
    var open: [(Character, Int)] = []
    var before: Character = "\n"
    for (offset, character) in text.enumerated() {
      defer { before = character }
      if isComment {
        isComment = !character.isNewline
      } else if let end = quote {
        if character == end { quote = nil }
      } else if character == "#" {
        isComment = before.isWhitespace
      } else if "[{".contains(character) {
        open.append((character, offset))
      } else if "]}".contains(character) {
        _ = open.popLast()
      } else if "'\"".contains(character), before.isWhitespace || "[{,:".contains(before) {
        // Elsewhere it is an apostrophe.
        quote = character
      }
    }
    return open.last.map { ($0, place(of: $1)) }
  }

  /// The place of a character, counted from the beginning.
  fileprivate func place(of offset: Int) -> SourcePlace {
    let before = text.prefix(offset)
    let start = before.lastIndex(where: \.isNewline).map { before.index(after: $0) }
    let line = before.count(where: \.isNewline) + 1
    let column = before[(start ?? before.startIndex)...].unicodeScalars.count + 1
    return SourcePlace(file: self, line: line, column: column)
  }

  /// Where a key stands for the second time; nil where that can't be found.
  ///
  /// The parser tells where the first one is. With another key of the same length in its place, the file can
  /// be read, and the key is found where it is left.
  fileprivate func repetition(of key: String, firstAt first: SourcePlace) -> SourcePlace? {
    let text = FileText(text)
    let length = key.unicodeScalars.count
    guard var start = text.offset(line: first.line, column: first.column),
      start < text.scalars.count
    else { return nil }
    if ["'", "\""].contains(text.scalars[start]) { start += 1 }
    guard length > 0, start + length <= text.scalars.count,
      text.text(start..<start + length) == key
    else { return nil }
    let unlikely = String(repeating: "\u{E000}", count: length)
    let changed = SourceFile(
      path: path,
      text: text.applying([TextEdit(range: start..<start + length, new: unlikely)]))
    do {
      var converter = YAMLConverter(file: self)
      let documents = try SourceNode.nodes(changed).map { try converter.convert($0) }
      let map = documents.lazy.compactMap { $0.map(with: unlikely) }.first
      return map?.first { $0.key.value == key }?.key.place
    } catch YamlError.duplicatedKeysInMapping(let keys, let context) where keys.first == key {
      // There is a third one, and the second is the first now.
      return SourcePlace(
        file: self, line: context.mark.line, column: context.mark.column, length: length)
    } catch {
      // What else is wrong with it is told when this is mended.
      return nil
    }
  }

  /// The column of a tab among what a line begins with, up to a place; nil where there is none.
  fileprivate func tab(before mark: Mark) -> Int? {
    guard let line = line(mark.line) else { return nil }
    let start = line.prefix { $0 == " " || $0 == "\t" }
    guard let tab = start.firstIndex(of: "\t") else { return nil }
    return line.unicodeScalars.distance(from: line.startIndex, to: tab) + 1
  }
}

extension SourceNode {
  /// The map, here or below, that has a key.
  fileprivate func map(with key: String) -> [Entry]? {
    if let map {
      return map.contains { $0.key.value == key }
        ? map : map.lazy.compactMap { $0.value.map(with: key) }.first
    }
    return list?.lazy.compactMap { $0.map(with: key) }.first
  }
}
