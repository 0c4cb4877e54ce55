/// `for_each`: rows whose cells stand for placeholders. Each row makes a scenario of what is written once.
///
///     scenario: <text> is a length of <minutes> minutes
///     for_each:
///       - { text: "3:30", minutes: 3.5 }
///       - { text: "", minutes: 0 }
struct ForEachTable {
  static let key = "for_each"

  private let rows: [TableRow]
  private let collector: DiagnosticCollector

  /// - Returns: Nil for a scenario without a table, and one whose table is wrong, which is reported.
  init?(_ root: SourceNode, _ collector: DiagnosticCollector) {
    self.collector = collector
    guard let entry = root.map?.first(where: { $0.key.value == Self.key }),
      let items = collector.list(entry.value, of: Self.key)
    else { return nil }
    if items.isEmpty {
      collector.report("'\(Self.key)' has no rows, so nothing would be run", at: entry.value.place)
    }
    let read = items.enumerated().compactMap { TableRow($1, number: $0 + 1, collector) }
    guard read.count == items.count, !read.isEmpty else { return nil }
    rows = read
    checkCells()
    checkPlaceholders(of: root)
  }

  /// The scenario of each row.
  func cases(of root: SourceNode) -> [(TableRow?, SourceNode)] {
    let entries = (root.map ?? []).filter { $0.key.value != Self.key }
    return rows.map { row in
      let filled = entries.map { entry in
        entry.key.value == "scenario" ? title(entry, row) : row.filled(entry, collector)
      }
      return (row, SourceNode(content: .map(filled), place: root.place))
    }
  }

  /// A title that no placeholder tells from those of other rows gets the cells. It stands where the row
  /// does: what concerns the whole scenario is told there.
  private func title(_ entry: SourceNode.Entry, _ row: TableRow) -> SourceNode.Entry {
    guard let written = entry.value.text else { return entry }
    let placeholders = Placeholder.all(in: written)
    let cells = row.cells.map(\.value.shown).joined(separator: ", ")
    let title =
      placeholders.isEmpty
      ? "\(written): \(cells)"
      : row.filled(written, placeholders) { $0.isNull ? "null" : $0.text ?? $0.shown }
    return SourceNode.Entry(
      key: entry.key,
      value: SourceNode(
        content: .scalar(title, isPlain: false), place: row.place.ofPlaceholder()))
  }

  // MARK: Checking

  private var columns: [String] { rows[0].cells.map(\.key.value) }

  /// All rows have the cells of the first one.
  private func checkCells() {
    for row in rows.dropFirst() {
      let names = row.cells.map(\.key.value)
      for column in columns where !names.contains(column) {
        collector.report(
          "\(row.name) has no '\(column)', which row 1 has; write 'null' for no value",
          at: row.place
        )
      }
      for cell in row.cells where !columns.contains(cell.key.value) {
        collector.report("row 1 has no", unknown: cell.key, among: columns, called: "cells")
      }
    }
  }

  private func checkPlaceholders(of root: SourceNode) {
    var used: Set<String> = []
    for entry in root.map ?? [] where entry.key.value != Self.key {
      for text in [entry.key] + entry.value.texts {
        for placeholder in Placeholder.all(in: text.value) {
          used.insert(placeholder.name)
          if columns.contains(placeholder.name) { continue }
          let hint = Spelling.hint(for: placeholder.name, among: columns, called: "cells")
          collector.report(
            "no row of '\(Self.key)' has a cell for '<\(placeholder.name)>'\(hint)",
            at: text.part(placeholder.range).place)
        }
      }
    }
    for cell in rows[0].cells where !used.contains(cell.key.value) {
      collector.report(
        "'<\(cell.key.value)>' isn't used in the scenario, so its cells have no effect",
        at: cell.key.place)
    }
  }
}

/// One row of a `for_each` table.
package struct TableRow: Sendable {
  /// Counts from 1.
  package let number: Int
  package let place: SourcePlace
  package let cells: [SourceNode.Entry]

  fileprivate init?(_ node: SourceNode, number: Int, _ collector: DiagnosticCollector) {
    guard let cells = node.map, !cells.isEmpty else {
      collector.report(
        "a row of '\(ForEachTable.key)' must be a map of cells, as in '- { text: \"3:30\", minutes: 3.5 }'",
        at: node.place)
      return nil
    }
    for cell in cells where !Placeholder.isName(cell.key.value) {
      collector.report(
        "a cell's name is made of letters, digits, '-' and '_', so that '<\(cell.key.value)>' can refer to it",
        at: cell.key.place)
      return nil
    }
    self.number = number
    self.cells = cells
    place = node.place
  }

  /// For messages.
  package var name: String { "row \(number) of '\(ForEachTable.key)'" }

  package func cell(_ name: String) -> SourceNode? {
    cells.first { $0.key.value == name }?.value
  }

  // MARK: Filling

  fileprivate func filled(
    _ entry: SourceNode.Entry, _ collector: DiagnosticCollector
  ) -> SourceNode.Entry {
    SourceNode.Entry(
      key: filled(entry.key, collector), value: filled(entry.value, collector))
  }

  /// A placeholder alone, without quotes, is the cell, whatever that is; in a text it is the cell's text.
  private func filled(_ node: SourceNode, _ collector: DiagnosticCollector) -> SourceNode {
    switch node.content {
    case .scalar(let text, let isPlain):
      if isPlain, let name = Placeholder.only(in: text), let cell = cell(name) { return cell }
      let filled = filled(Located(text, at: node.place), collector)
      return SourceNode(content: .scalar(filled.value, isPlain: isPlain), place: filled.place)
    case .list(let items):
      return SourceNode(content: .list(items.map { filled($0, collector) }), place: node.place)
    case .map(let entries):
      return SourceNode(content: .map(entries.map { filled($0, collector) }), place: node.place)
    }
  }

  private func filled(
    _ text: Located<String>, _ collector: DiagnosticCollector
  ) -> Located<String> {
    let placeholders = Placeholder.all(in: text.value)
    if placeholders.isEmpty { return text }
    for placeholder in placeholders {
      guard let cell = cell(placeholder.name), cell.text == nil else { continue }
      collector.report(
        "'<\(placeholder.name)>' is part of a text, so its cell must be text, not \(cell.kind)",
        at: cell.place)
    }
    let filled = filled(text.value, placeholders) { $0.text ?? "" }
    return Located(filled, at: text.place.ofPlaceholder())
  }

  /// A text with what cells say for placeholders; one that has no cell was reported.
  fileprivate func filled(
    _ text: String, _ placeholders: [Placeholder], by say: (SourceNode) -> String
  ) -> String {
    var result = ""
    var position = text.startIndex
    for placeholder in placeholders {
      result += text[position..<placeholder.range.lowerBound]
      position = placeholder.range.upperBound
      result += cell(placeholder.name).map(say) ?? ""
    }
    return result + text[position...]
  }
}

/// `<name>` in a text.
struct Placeholder {
  let name: String
  let range: Range<String.Index>

  static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }

  static func all(in text: String) -> [Placeholder] {
    var found: [Placeholder] = []
    var position = text.startIndex
    while let open = text[position...].firstIndex(of: "<") {
      position = text.index(after: open)
      guard let close = text[position...].firstIndex(where: { $0 == ">" || $0 == "<" }),
        text[close] == ">"
      else { continue }
      let name = String(text[position..<close])
      if isName(name) {
        position = text.index(after: close)
        found.append(Placeholder(name: name, range: open..<position))
      }
    }
    return found
  }

  /// The name of a placeholder that is all of a text.
  static func only(in text: String) -> String? {
    guard let placeholder = all(in: text).first,
      placeholder.range == text.startIndex..<text.endIndex
    else { return nil }
    return placeholder.name
  }
}

extension SourceNode {
  /// All texts here and below, keys too.
  fileprivate var texts: [Located<String>] {
    switch content {
    case .scalar(let text, _): [Located(text, at: place)]
    case .list(let items): items.flatMap(\.texts)
    case .map(let entries): entries.flatMap { [$0.key] + $0.value.texts }
    }
  }

  /// Whether a placeholder stands here or below.
  var hasPlaceholders: Bool { texts.contains { !Placeholder.all(in: $0.value).isEmpty } }

  /// Whether a placeholder of a name stands here or below.
  func hasPlaceholder(_ name: String) -> Bool {
    texts.contains { Placeholder.all(in: $0.value).contains { $0.name == name } }
  }
}
