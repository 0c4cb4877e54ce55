/// What every page has: its looks and its behaviour.
package enum HTMLPage {
  /// What a page begins with.
  /// - Parameters:
  ///   - brand: What the page is about.
  ///   - verdict: Markup.
  ///   - isGood: Nil where that isn't known.
  ///   - meta: Markup that says when it was made, and of what.
  ///   - tiles: Numbers with their names, and the class that each has when it isn't 0.
  ///   - below: Markup.
  static func header(
    _ brand: String, verdict: String, isGood: Bool?, meta: String,
    tiles: [(name: String, count: Int, look: String)], below: String = ""
  ) -> String {
    let tiles = tiles.map { name, count, look in
      "<div class=\"tile \(count > 0 ? look : "")\"><dt>\(name)</dt><dd>\(count)</dd></div>"
    }
    return """
      <header>
      <p class="brand">\(brand)</p>
      <h1><span class="mark" aria-hidden="true">\(isGood.map { $0 ? "✓" : "✗" } ?? "?")</span> \(verdict)</h1>
      <p class="meta">\(meta)</p>
      <dl class="tiles">\(tiles.joined())</dl>
      \(below)
      </header>
      """
  }

  /// What chooses among the parts of a page that have a state.
  /// - Parameters:
  ///   - noun: What these are, in the plural.
  ///   - hint: What can be searched for.
  ///   - states: Each with its name.
  static func controls(_ noun: String, hint: String, _ states: [(String, String)]) -> String {
    let buttons = ([("all", "All")] + states).map { value, text in
      "<button type=\"button\" data-state=\"\(value)\" aria-pressed=\"\(value == "all")\">\(text)"
        + "</button>"
    }
    return """
      <form class="controls" role="search" hidden>
      <label for="search" class="sr">Search \(noun)</label>
      <input id="search" type="search" placeholder="\(hint)" \
      autocomplete="off" spellcheck="false">
      <div class="choices" role="group" aria-label="Show">\(buttons.joined())</div>
      <output id="count" data-noun="\(noun)" aria-live="polite"></output>
      </form>
      """
  }

  package static func time(_ date: Date) -> String {
    let text = date.ISO8601Format()
    let shown = text.replacing("T", with: " ").replacing("Z", with: " UTC")
    return "<time datetime=\"\(text)\">\(shown)</time>"
  }

  /// A whole page: one file that needs no other, and no network.
  /// - Parameters:
  ///   - title: Markup.
  ///   - style: Rules beside those of every page.
  ///   - script: What the page does; nil for one that runs nothing.
  package static func text(
    title: String, isGood: Bool?, style: String? = nil, body: String, script: String? = nil
  ) -> String {
    """
    \(ReportForm.pageStart) \(script == nil ? "" : "script-src 'unsafe-inline'; ")img-src data:">
    <title>\(title)</title>
    <link rel="icon" href="data:,">
    <style>
    \([self.style, style].compactMap { $0 }.joined(separator: "\n"))
    </style>
    </head>
    <body class="\(isGood.map { $0 ? "good" : "bad" } ?? "open")">
    \(body)
    \(script.map { "<script>\n\($0)\n</script>\n" } ?? "")</body>
    </html>

    """
  }

  /// Colours that are legible on both grounds; nothing wider than a phone.
  static let style = BuiltInFile.style

  /// Filter, search and copying; without it all scenarios are there to be read.
  static let script = BuiltInFile.script
}
