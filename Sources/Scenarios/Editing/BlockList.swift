/// A list with an item on each line. Lines that stay keep their comments; those of items that change
/// keep theirs, too.
struct BlockList {
  let text: FileText
  let value: FoundNode
  let extent: NodeExtent

  func edits(to new: Notation) throws -> [TextEdit] {
    guard case .list(let wanted) = new else { throw refusal("it is a list, and shouldn't be") }
    let items = value.node.list ?? []
    if wanted.isEmpty { return try emptied(items) }
    let shared = sharedEnds(items, wanted)
    let old = items[shared.first..<items.count - shared.last]
    let changed = wanted[shared.first..<wanted.count - shared.last]
    let pairs = zip(old, changed)
    var edits = try pairs.map { try replacing($0, by: $1) }
    edits += try old.dropFirst(changed.count).map { try removal(of: $0) }
    let extra = changed.dropFirst(old.count)
    if !extra.isEmpty {
      let place = shared.first + min(old.count, changed.count)
      edits.append(try insertion(Array(extra), after: place - 1, items))
    }
    return edits
  }

  private func refusal(_ reason: String) -> Diagnostic {
    .notUpdated(reason, value.node)
  }

  /// How many items stay at the beginning and at the end.
  private func sharedEnds(
    _ items: [SourceNode], _ wanted: [Notation]
  ) -> (first: Int, last: Int) {
    func isSame(_ pair: (SourceNode, Notation)) -> Bool {
      pair.0.says(theSameAs: pair.1.node(at: pair.0.place))
    }
    let first = zip(items, wanted).prefix(while: isSame).count
    let most = min(items.count, wanted.count) - first
    let last = zip(items.reversed(), wanted.reversed()).prefix(while: isSame).count
    return (first, min(last, most))
  }

  // MARK: One item

  /// The item's text, without the dash and without a comment behind it.
  private func range(of item: SourceNode) throws -> Range<Int> {
    guard let start = text.offset(line: item.place.line, column: item.place.column) else {
      throw refusal("an item's place can't be found")
    }
    if let entry = item.map?.first, item.map?.count == 1, extent.form(at: start) != .flow {
      guard let end = try end(of: entry.value, item) else {
        throw refusal("an item spans several lines")
      }
      return start..<end
    }
    guard let range = extent.range(from: start), !spansLines(range) else {
      throw refusal("an item spans several lines")
    }
    return range
  }

  /// The end of a map with one entry, on one line.
  private func end(of value: SourceNode, _ item: SourceNode) throws -> Int? {
    guard value.place.line == item.place.line,
      let start = text.offset(line: value.place.line, column: value.place.column)
    else { return nil }
    return extent.range(from: start)?.upperBound
  }

  private func spansLines(_ range: Range<Int>) -> Bool {
    text.scalars[range].contains(where: FileText.isBreak)
  }

  private func replacing(_ item: SourceNode, by new: Notation) throws -> TextEdit {
    let range = try range(of: item)
    return TextEdit(
      range: range, new: new.yaml(extent.form(at: range.lowerBound).quoting, inFlow: false))
  }

  private func removal(of item: SourceNode) throws -> TextEdit {
    _ = try range(of: item)
    let line = text.range(ofLine: item.place.line)
    guard isAlone(item) else { throw refusal("an item shares its line with something else") }
    return TextEdit(range: line, new: "")
  }

  /// Whether only the dash is before the item.
  private func isAlone(_ item: SourceNode) -> Bool {
    let line = text.range(ofLine: item.place.line)
    let before = text.scalars[line.lowerBound..<line.lowerBound + item.place.column - 1]
    return before.allSatisfy { $0.properties.isWhitespace || $0 == "-" }
      && before.filter { $0 == "-" }.count == 1
  }

  /// New lines after an item, written as the first item's line begins.
  private func insertion(
    _ new: [Notation], after index: Int, _ items: [SourceNode]
  ) throws -> TextEdit {
    guard let model = items.first, isAlone(model), items.indices.contains(max(index, 0)) else {
      throw refusal("there is no line to write new items after")
    }
    let neighbour = items[max(index, 0)]
    _ = try range(of: neighbour)
    let modelLine = text.range(ofLine: model.place.line)
    let start = text.text(
      modelLine.lowerBound..<modelLine.lowerBound + model.place.column - 1)
    let line = text.range(ofLine: neighbour.place.line)
    let end = text.lineEnd(ofLine: neighbour.place.line)
    let separator = end.isEmpty ? "\n" : end
    let lines = new.map { start + $0.yaml(inFlow: false) }
    if index < 0 {
      return TextEdit(
        range: line.lowerBound..<line.lowerBound, new: lines.map { $0 + separator }.joined())
    }
    return TextEdit(
      range: line.upperBound..<line.upperBound,
      new: end.isEmpty
        ? lines.map { separator + $0 }.joined() : lines.map { $0 + separator }.joined())
  }

  private func emptied(_ items: [SourceNode]) throws -> [TextEdit] {
    guard let offset = extent.offset(behindKeyAt: value.key) else {
      throw refusal("there is nothing to write an empty list after")
    }
    return [TextEdit(range: offset..<offset, new: " []")]
      + (try items.map { try removal(of: $0) })
  }
}
