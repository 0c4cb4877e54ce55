extension InspectReport {
  /// The report for a person.
  func text(style: TextStyle) -> String {
    let blocks = [
      [style.strong(store)] + facts(style), EntityTable(self).lines(style), tables(style),
      findings.isEmpty ? [] : findings.flatMap { lines(of: $0, style) },
      [ending(style)] + nextStep,
    ]
    return blocks.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }
      .joined(separator: "\n")
  }

  // MARK: Facts

  private var allFacts: [ReportFact] { VersionText(self).facts + storeFacts + journalFacts }

  private func facts(_ style: TextStyle) -> [String] {
    let facts = allFacts
    let width = facts.map(\.label.count).max() ?? 0
    return facts.flatMap { fact in
      let lines = fact.text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.enumerated().map { index, line in
        "  \(style.faint((index == 0 ? fact.label : "").padded(to: width)))  \(line)"
      }
    }
  }

  private var storeFacts: [ReportFact] {
    let metadata = inspection.metadata
    let release =
      metadata.approximateRelease.map { ", about \($0)" } ?? ", of no system that is known here"
    let framework = metadata.frameworkVersion.map { "framework \($0)\(release)" } ?? "unknown"
    let file = inspection.file
    let free = file.freePages > 0 ? ", \(file.freePages) of them free" : ""
    let keys = metadata.ownKeys.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    return [
      ReportFact("written by", framework), ReportFact("UUID", metadata.identifier ?? "unknown"),
      ReportFact(
        "file",
        "\(ByteText.text(file.byteCount)): \(file.pageCount.counted("page")) of \(file.pageSize) bytes\(free)"
      ),
    ] + (keys.isEmpty ? [] : [ReportFact("own metadata", keys.joined(separator: ", "))])
  }

  private var journalFacts: [ReportFact] {
    [ReportFact("journal", JournalText(inspection.file).text)]
  }

  // MARK: Tables

  private var groups: [(String, [StoreInspection.TableRows])] {
    [
      ("join table", inspection.joinTables), ("history", inspection.historyTables),
      ("other table", inspection.otherTables),
    ]
  }

  private func tables(_ style: TextStyle) -> [String] {
    let all = groups.flatMap(\.1)
    guard !all.isEmpty else { return [] }
    let width = max(11, all.map(\.table.count).max() ?? 0)
    return groups.filter { !$0.1.isEmpty }.flatMap { label, tables in
      [style.faint("  \(label.padded(to: width))  \("rows".alignedRight(to: 8))")]
        + tables.map { table in
          let rows = table.rows.map(String.init) ?? "?"
          let meaning = table.relationship.map { "  \(style.faint($0))" } ?? ""
          return "  \(table.table.padded(to: width))  \(rows.alignedRight(to: 8))\(meaning)"
        }
    }
  }

  // MARK: Findings

  private func lines(of finding: IntegrityFinding, _ style: TextStyle) -> [String] {
    let place = finding.place.map { "\(style.strong($0)): " } ?? ""
    let heading =
      "\(mark(of: finding, style)) \(place)\(finding.message)  \(style.faint(finding.kind.rawValue))"
    let rows = finding.rows.map { row in
      let target = row.target.map { " -> \($0)" } ?? ""
      return "    \(finding.name(of: row))\(target)" + (row.detail.map { ": \($0)" } ?? "")
    }
    let rest = finding.count - finding.rows.count
    let more = !rows.isEmpty && rest > 0 ? ["    … and \(rest) more"] : []
    return [heading] + rows + more
  }

  private func mark(of finding: IntegrityFinding, _ style: TextStyle) -> String {
    switch finding.severity {
    case .error: style.bad("✗ error  ")
    case .warning: style.notable("! warning")
    case .note: style.faint("- note   ")
    }
  }

  /// What to do with it now; nothing for a sound store of the newest version.
  private var nextStep: [String] {
    if let finding = findings.first(where: { $0.severity != .note }) {
      return ["next: heavyweight explain \(finding.kind.rawValue)"]
    }
    guard let version else {
      return [
        "next: heavyweight inspect \(store.shellQuoted) --models MODEL, to check it against the app's versions"
      ]
    }
    if later.count < 2 { return [] }
    return [
      "next: heavyweight migrate \(store.shellQuoted) --models \(version.paths.map(\.shellQuoted).joined(separator: " ")) -o NEW.sqlite"
    ]
  }

  /// The store's version and those after it.
  private var later: [String] {
    guard let name = version?.best?.match.model.name, let order = version?.order else { return [] }
    return Array(order.names.drop { $0 != name })
  }

  private func ending(_ style: TextStyle) -> String {
    let counts = FindingSeverity.allCases.compactMap { severity -> String? in
      let count = count(of: severity)
      return count == 0 ? nil : count.counted(severity.rawValue)
    }
    let list = counts.isEmpty ? "nothing wrong" : counts.joined(separator: ", ")
    let limit = basis == .nothing ? ", as far as can be seen without a model" : ""
    if exitStatus == .passed { return style.good(list + limit) }
    return (count(of: .error) > 0 ? style.bad : style.notable)(list + limit)
  }
}

// MARK: - A page

extension InspectReport {
  /// What the page shows beside the findings: what the store is, its tables, and the versions after its own.
  var sections: [PageSection] {
    let facts = TextTable(
      [["what", "is"]] + allFacts.map { [$0.label, $0.text] }, left: [0, 1])
    let others = groups.flatMap { label, tables in
      tables.map {
        [$0.table, label, $0.rows.map(String.init) ?? "?", $0.relationship ?? ""]
      }
    }
    return [.table("The store", facts)]
      + (later.count < 2
        ? [] : [.way("To the newest version", later.map { PageSection.Stop(version: $0) })])
      + (EntityTable(self).table.map { [.table("Entities", $0)] } ?? [])
      + (others.isEmpty
        ? []
        : [
          .table(
            "Other tables",
            TextTable([["table", "kind", "rows", "relationship"]] + others, left: [0, 1, 3]))
        ])
  }
}

/// A line of the report's head.
struct ReportFact {
  let label: String
  /// May have several lines.
  let text: String

  init(_ label: String, _ text: String) {
    self.label = label
    self.text = text
  }
}
