/// Changes values in a scenario file, and nothing else: comments, order, quotes and line ends stay.
package struct ScenarioEdit {
  private let source: SourceFile
  private let text: FileText
  let documents: [SourceNode]

  /// - Throws: ``Diagnostics`` when the file can't be read as YAML (any more).
  package init(_ source: SourceFile) throws {
    self.source = source
    text = FileText(source.text)
    documents = try SourceNode.yamlDocuments(source)
  }

  /// What came of the repairs of one file.
  package struct Outcome {
    /// The file's new text.
    package var text: String
    /// How many values were changed.
    package var count = 0
    /// Why others weren't.
    package var refusals: [Diagnostic] = []
  }

  /// Makes as many of the repairs as can be made without touching anything else.
  ///
  /// Each is tried for itself: an edit whose result doesn't say just what it should is refused.
  package func applying(_ repairs: [Repair]) -> Outcome {
    var outcome = Outcome(text: source.text)
    var edits: [TextEdit] = []
    var wanted = documents
    for repair in repairs.sorted(by: { $0.line < $1.line }) {
      do {
        let (found, edit) = try self.edits(for: repair)
        var next = wanted
        next[found.document] = next[found.document].replacing(
          found.path.steps[...], with: repair.value.node(at: found.node.place))
        let candidate = text.applying(edits + edit)
        let result = try SourceNode.yamlDocuments(SourceFile(path: source.path, text: candidate))
        guard result.count == next.count,
          zip(result, next).allSatisfy({ $0.says(theSameAs: $1) })
        else {
          throw Diagnostic.notUpdated(
            "it can't be changed without changing something else", found.node)
        }
        if found.column != nil, (try? ScenarioCase.all(of: source)) != nil,
          (try? ScenarioCase.all(of: SourceFile(path: source.path, text: candidate))) == nil
        {
          throw Diagnostic.notUpdated(
            "it is part of the title, which another scenario would have, too", found.node)
        }
        edits += edit
        wanted = next
        outcome.text = candidate
        outcome.count += 1
      } catch {
        outcome.refusals.append(error as? Diagnostic ?? Diagnostic(file: source.path, "\(error)"))
      }
    }
    return outcome
  }

  /// The values that a repair may mean, in all documents.
  func values(for target: Repair.Target) -> [FoundNode] {
    documents.enumerated().flatMap { index, root in
      root.values(for: target).map { found in
        var found = found
        found.document = index
        return found
      }
    }
  }

  // MARK: Finding the stretch of text

  private func edits(for repair: Repair) throws -> (FoundNode, [TextEdit]) {
    let found = values(for: repair.target)
    guard let value = found.first else {
      throw Diagnostic(file: source.path, "line \(repair.line) has changed; run again")
    }
    guard found.count == 1 else {
      throw Diagnostic.notUpdated("an alias uses it in several places", value.node)
    }
    if let column = value.column {
      guard !documents[value.document].usesOutsideOfExpectations(column) else {
        throw Diagnostic.notUpdated(
          "'<\(column)>' is also used outside 'expect' and 'then'", value.node)
      }
    } else if !value.isExpected {
      throw Diagnostic.notUpdated("an alias uses it outside 'expect' and 'then'", value.node)
    }
    return (value, try edits(of: value, to: repair.value))
  }

  private func edits(of value: FoundNode, to new: Notation) throws -> [TextEdit] {
    let isInFlow = value.ancestors.contains { isFlow($0) }
    let extent = NodeExtent(file: text, isInFlow: isInFlow)
    guard let start = text.offset(line: value.node.place.line, column: value.node.place.column)
    else { throw Diagnostic.notUpdated("its place can't be found", value.node) }
    if value.node.list != nil, !isFlow(value.node) {
      return try BlockList(text: text, value: value, extent: extent).edits(to: new)
    }
    guard value.node.map == nil || isFlow(value.node) else {
      throw Diagnostic.notUpdated("it is a map that spans several lines", value.node)
    }
    let isEmpty = value.node.text == nil && value.node.isBare
    if isEmpty { return [try insertion(after: value, new, isInFlow)] }
    return [try replacement(of: value.node, at: start, new, extent)]
  }

  private func isFlow(_ node: SourceNode) -> Bool {
    guard node.list != nil || node.map != nil,
      let start = text.offset(line: node.place.line, column: node.place.column)
    else { return false }
    return NodeExtent(file: text, isInFlow: false).form(at: start) == .flow
  }

  private func replacement(
    of node: SourceNode, at start: Int, _ new: Notation, _ extent: NodeExtent
  ) throws -> TextEdit {
    let form = extent.form(at: start)
    guard let range = extent.range(from: start) else {
      throw Diagnostic.notUpdated(
        form == .other
          ? "it has an anchor, an alias or a tag, or lines of its own" : "its end can't be found",
        node)
    }
    if form == .plain, let written = node.text, text.text(range) != written {
      throw Diagnostic.notUpdated("it spans several lines", node)
    }
    if form == .flow, hasComment(range) {
      throw Diagnostic.notUpdated("there are comments between the brackets", node)
    }
    return TextEdit(range: range, new: new.yaml(form.quoting, inFlow: extent.isInFlow))
  }

  private func hasComment(_ range: Range<Int>) -> Bool {
    range.contains { index in
      text.scalars[index] == "#" && index > range.lowerBound
        && text.scalars[index - 1].properties.isWhitespace
    }
  }

  /// A key that nothing is written after.
  private func insertion(
    after value: FoundNode, _ new: Notation, _ isInFlow: Bool
  ) throws -> TextEdit {
    let extent = NodeExtent(file: text, isInFlow: isInFlow)
    guard let offset = extent.offset(behindKeyAt: value.key) else {
      throw Diagnostic.notUpdated("there is nothing to write it after", value.node)
    }
    return TextEdit(range: offset..<offset, new: " " + new.yaml(inFlow: isInFlow))
  }
}

extension SourceNode {
  /// Whether nothing at all is written.
  fileprivate var isBare: Bool {
    if case .scalar("", isPlain: true) = content { true } else { false }
  }
}

extension FoundNode {
  /// Whether it is part of an expectation, by the keys that lead to it.
  fileprivate var isExpected: Bool {
    guard case .key(let first)? = path.steps.first else { return false }
    return first == "expect" || first == "then"
  }
}

extension Diagnostic {
  /// Why a value stays as it is.
  static func notUpdated(_ reason: String, _ node: SourceNode) -> Diagnostic {
    Diagnostic("not updated: \(reason); edit it by hand", at: node.place)
  }
}
