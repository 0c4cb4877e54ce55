/// One scenario of a file, which may have several: YAML documents, and rows of a table.
struct ScenarioCase {
  /// What it says, with a row's cells for placeholders.
  let root: SourceNode
  /// Counts from 1 in the order of the file; nil for the only one.
  var number: Int?
  /// The document that it is written in; counts from 0.
  let document: Int
  let row: TableRow?
  /// What the scenarios of the file share.
  let shared: [SourceNode.Entry]

  /// All of a file, in its order.
  /// - Throws: ``Diagnostics`` for what isn't YAML, and what is wrong with documents or tables themselves.
  static func all(of file: SourceFile) throws -> [ScenarioCase] {
    let documents = try SourceNode.yamlDocuments(file)
    let collector = DiagnosticCollector()
    let sharesFirst = documents.count > 1 && documents[0].isWithoutTitle
    let shared = sharesFirst ? sharedEntries(documents[0], collector) : []
    var cases: [ScenarioCase] = []
    for (index, root) in documents.enumerated().dropFirst(sharesFirst ? 1 : 0) {
      if root.isNull, documents.count > 1 {
        collector.report(
          "this document is empty: write a scenario, or remove the '---' before it", at: root.place)
        continue
      }
      let rows = ForEachTable(root, collector)?.cases(of: root) ?? [(nil, root)]
      cases += rows.map { ScenarioCase(root: $1, document: index, row: $0, shared: shared) }
    }
    try collector.throwIfAny()
    if cases.count > 1 { for index in cases.indices { cases[index].number = index + 1 } }
    try checkTitles(of: cases)
    return cases
  }

  private static func sharedEntries(
    _ root: SourceNode, _ collector: DiagnosticCollector
  ) -> [SourceNode.Entry] {
    (root.map ?? []).filter { entry in
      if Includes.keys.contains(entry.key.value) { return true }
      let known = Includes.keys + ["scenario"]
      let hint = Spelling.hint(for: entry.key.value, among: known, called: "known keys")
      collector.report(
        "unknown key '\(entry.key.value)' in a document without 'scenario', which is shared by those "
          + "after it\(hint)", at: entry.key.place)
      return false
    }
  }

  /// Reports tell scenarios apart by their titles.
  private static func checkTitles(of cases: [ScenarioCase]) throws {
    var known: [String: ScenarioCase] = [:]
    let collector = DiagnosticCollector()
    for one in cases {
      guard let title = one.root.map?.first(where: { $0.key.value == "scenario" })?.value,
        let text = title.text
      else { continue }
      guard let other = known.updateValue(one, forKey: text) else { continue }
      if let row = one.row, other.document == one.document {
        collector.report(
          "\(row.name) has the title of row \(other.row?.number ?? 1), '\(text)': use a cell that differs "
            + "in the title", at: row.place)
      } else {
        collector.report("another scenario of this file has the title '\(text)'", at: title.place)
      }
    }
    try collector.throwIfAny()
  }
}

extension SourceNode {
  fileprivate var isWithoutTitle: Bool {
    map.map { !$0.contains { $0.key.value == "scenario" } } ?? false
  }
}

// MARK: - What is wrong with several

extension Diagnostics {
  /// What is wrong with the scenarios of a file, each thing once. Of a mistake that only some rows of a table
  /// have, the rows are told.
  init(of cases: [(document: Int, row: TableRow?, diagnostics: [Diagnostic])]) {
    var all: [Diagnostic] = []
    for document in Set(cases.map(\.document)).sorted() {
      let group = cases.filter { $0.document == document }
      let texts = group.map { Set($0.diagnostics.map(\.description)) }
      for (_, row, diagnostics) in group {
        for diagnostic in diagnostics {
          let text = diagnostic.description
          let isOfAll = texts.allSatisfy { $0.contains(text) }
          all.append(isOfAll ? diagnostic : row.map { diagnostic.about($0) } ?? diagnostic)
        }
      }
    }
    var seen: Set<String> = []
    self.init(all.filter { seen.insert($0.description).inserted })
  }
}

extension Diagnostic {
  fileprivate func about(_ row: TableRow) -> Diagnostic {
    let text = "\(message) (\(row.name), line \(row.place.line))"
    guard let place else { return Diagnostic(file: file, text) }
    return Diagnostic(text, at: place, isMissingFile: isMissingFile)
  }
}
