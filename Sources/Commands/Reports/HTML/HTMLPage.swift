import Resources

/// What every page has: its looks and its behaviour.
package enum HTMLPage {
  /// A number with its name.
  /// - Parameter look: The class that it has when it isn't 0.
  package static func tile(_ name: String, _ count: Int, _ look: String) -> String {
    "<div class=\"tile \(count > 0 ? look : "")\"><dt>\(name)</dt><dd>\(count)</dd></div>"
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
    title: String, isGood: Bool, style: String? = nil, body: String, script: String? = nil
  ) -> String {
    """
    \(ReportForm.pageStart) \(script == nil ? "" : "script-src 'unsafe-inline'; ")img-src data:">
    <title>\(title)</title>
    <link rel="icon" href="data:,">
    <style>
    \([self.style, style].compactMap { $0 }.joined(separator: "\n"))
    </style>
    </head>
    <body class="\(isGood ? "good" : "bad")">
    \(body)
    \(script.map { "<script>\n\($0)\n</script>\n" } ?? "")</body>
    </html>

    """
  }

  /// Colours that are legible on both grounds; nothing wider than a phone.
  static let style = PageResource.style

  /// Filter, search and copying; without it all scenarios are there to be read.
  static let script = PageResource.script
}
