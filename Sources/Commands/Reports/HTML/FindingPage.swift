/// A part of a command's page beside its findings.
enum PageSection: Sendable, Codable {
  /// With a heading.
  case table(String, TextTable)
  /// The versions that a store goes through, with a heading.
  case way(String, [Stop])

  /// A version, and the step that leads on from it; nil at the end.
  struct Stop: Sendable, Codable {
    let version: String
    var step: String?
    /// The look of the step: `good`, `bad`, `notable`.
    var look = ""
  }
}

extension PageSection {
  var markup: String {
    switch self {
    case .table(let title, let table): Self.section(title, Self.markup(of: table))
    case .way(let title, let stops): Self.section(title, Self.markup(of: stops))
    }
  }

  private static func section(_ title: String, _ content: String) -> String {
    "<section><h2>\(title.markupEscaped)</h2>\n\(content)\n</section>"
  }

  private static func markup(of table: TextTable) -> String {
    let heading = (table.rows.first ?? []).enumerated().map { column, name in
      "<th scope=\"col\"\(table.look(of: column))>\(name.markupEscaped)</th>"
    }
    let rows = table.rows.dropFirst().map { row in
      let cells = row.enumerated().map { column, cell in
        column == 0
          ? "<th scope=\"row\">\(cell.markupEscaped)</th>"
          : "<td\(table.look(of: column))>\(cell.markupEscaped)</td>"
      }
      return "<tr>\(cells.joined())</tr>"
    }
    return """
      <div class="sheet" role="region" tabindex="0" aria-label="\((table.rows.first ?? []).joined(separator: ", ").attributeEscaped)">
      <table><thead><tr>\(heading.joined())</tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
      """
  }

  private static func markup(of stops: [Stop]) -> String {
    let items = stops.map { stop in
      let step = stop.step.map { "<span class=\"\(stop.look)\">\($0.markupEscaped)</span>" } ?? ""
      return "<li><b>\(stop.version.markupEscaped)</b>\(step)</li>"
    }
    return "<ol class=\"way\">\n\(items.joined(separator: "\n"))\n</ol>"
  }
}

extension TextTable {
  fileprivate func look(of column: Int) -> String {
    left.contains(column) ? "" : " class=\"number\""
  }
}

// MARK: - Findings

extension ToldFindings {
  /// How many findings are looked through without a filter.
  private static let few = 5

  private func count(_ severity: FindingSeverity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// The page of any command: what it found, and what else there is to see.
  var page: String {
    let verdict =
      findings.isEmpty ? "Nothing found" : isFailure ? "Findings to look at" : "Nothing that fails"
    let tiles = [
      ("Errors", count(.error), "bad"), ("Warnings", count(.warning), "notable"),
      ("Notes", count(.note), ""),
    ]
    let hasControls = findings.count > Self.few
    return HTMLPage.text(
      title: "\(verdict) · Heavyweight \(command)", isGood: !isFailure,
      body: """
        \(HTMLPage.header("Heavyweight \(command)", verdict: verdict, isGood: !isFailure, meta: shownFile.markupEscaped, tiles: tiles))
        \(hasControls ? controls : "")
        <main>
        \(list)
        \(sections.map(\.markup).joined(separator: "\n"))
        </main>
        """, script: hasControls ? HTMLPage.script : nil)
  }

  /// A page is handed on; where its files lay on this machine is nobody's business.
  private var shownFile: String {
    file.split(separator: ", ").map { path in
      let shown = ShownPath.of(String(path))
      return shown.hasPrefix("/") ? (shown as NSString).lastPathComponent : shown
    }.joined(separator: ", ")
  }

  private var controls: String {
    HTMLPage.controls(
      "findings", hint: "Search places, rules, messages",
      [("error", "Errors"), ("warning", "Warnings"), ("note", "Notes")].filter { state, _ in
        findings.contains { $0.severity.rawValue == state }
      })
  }

  private var list: String {
    if findings.isEmpty { return "<p>Nothing was found.</p>" }
    let items = findings.map(\.markup) + ["<p id=\"empty\" hidden>No finding matches.</p>"]
    return "<section><h2>Found</h2>\n\(items.joined(separator: "\n"))\n</section>"
  }
}

extension ToldFinding {
  fileprivate var markup: String {
    let subject = subject.isEmpty ? rule : subject
    let advice = advice.map { "<p class=\"time\">do: \($0.markupEscaped)</p>" } ?? ""
    return """
      <article class="finding \(severity.rawValue)" data-state="\(severity.rawValue)">
      <h3>\(subject.markupEscaped)</h3>
      <p class="path">\(severity.rawValue) · <code>\(rule.markupEscaped)</code></p>
      \(values.isEmpty ? "<p class=\"said\">\(message.markupEscaped)</p>" : sides)\(advice)
      </article>
      """
  }

  /// Values side by side.
  private var sides: String {
    values.map { value in
      """
      <p class="path">\(value.name.markupEscaped)</p>
      <dl class="values"><div class="side"><dt>\(value.heads.a.markupEscaped)</dt><dd>\(value.texts.a.markupEscaped)</dd></div>\
      <div class="side"><dt>\(value.heads.b.markupEscaped)</dt><dd>\(value.texts.b.markupEscaped)</dd></div></dl>
      """
    }.joined(separator: "\n")
  }
}
