internal import Yams

extension SourceNode {
  /// Reads a file that holds one YAML document.
  /// - Throws: ``Diagnostics`` with the place of a syntax error or a repeated key.
  package static func yaml(_ file: SourceFile) throws -> SourceNode {
    do {
      guard let root = try Yams.compose(yaml: file.text, .basic) else {
        throw Diagnostics([Diagnostic(file: file.path, "the file is empty")])
      }
      var converter = YAMLConverter(file: file)
      return try converter.convert(root)
    } catch let error as YamlError {
      throw Diagnostics([error.diagnostic(in: file)])
    }
  }
}

/// Turns the parser's nodes into source nodes.
private struct YAMLConverter {
  let file: SourceFile
  /// Aliases of aliases can make a few lines into more values than fit into memory.
  private var valuesLeft = 2_000_000

  init(file: SourceFile) { self.file = file }

  mutating func convert(_ node: Node) throws -> SourceNode {
    valuesLeft -= 1
    if valuesLeft < 0 {
      throw Diagnostics([
        Diagnostic("too many values; are there too many aliases?", at: place(of: node))
      ])
    }
    return SourceNode(content: try content(of: node), place: place(of: node))
  }

  private mutating func content(of node: Node) throws -> SourceNode.Content {
    switch node {
    case .scalar(let scalar): return .scalar(scalar.string, isPlain: scalar.style == .plain)
    case .sequence(let sequence):
      var items: [SourceNode] = []
      for item in sequence { items.append(try convert(item)) }
      return .list(items)
    case .mapping(let mapping):
      var entries: [SourceNode.Entry] = []
      for (key, value) in mapping { entries.append(try entry(key: key, value: value)) }
      return .map(entries)
    case .alias: throw Diagnostics([Diagnostic("an alias leads nowhere", at: place(of: node))])
    }
  }

  private mutating func entry(key: Node, value: Node) throws -> SourceNode.Entry {
    guard case .scalar(let name) = key else {
      throw Diagnostics([Diagnostic("a key must be text", at: place(of: key))])
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
      return Diagnostic("not valid YAML: \(text)\(problem)", at: place(mark))
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _):
      if let tab = file.tab(before: mark) {
        return Diagnostic(
          "a tab stands where YAML wants spaces: write spaces instead",
          at: SourcePlace(file: file, line: mark.line, column: tab))
      }
      let text = context.map { " \($0.text) (line \($0.mark.line))" } ?? ""
      return Diagnostic("not valid YAML: \(problem)\(text)", at: place(mark))
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.map { "'\($0)'" }.joined(separator: ", ")
      return Diagnostic(
        "the key \(names) occurs more than once in this map", at: place(context.mark))
    case .reader(let problem, _, _, _):
      return Diagnostic(file: file.path, "not valid YAML: \(problem)")
    default:
      return Diagnostic(file: file.path, "not valid YAML: \(self)")
    }
  }
}

extension SourceFile {
  /// The column of a tab among what a line begins with, up to a place; nil where there is none.
  fileprivate func tab(before mark: Mark) -> Int? {
    guard let line = line(mark.line) else { return nil }
    let start = line.prefix { $0 == " " || $0 == "\t" }
    guard let tab = start.firstIndex(of: "\t") else { return nil }
    return line.unicodeScalars.distance(from: line.startIndex, to: tab) + 1
  }
}
