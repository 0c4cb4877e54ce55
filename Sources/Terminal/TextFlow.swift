/// Text laid out for the width of a terminal: nothing breaks inside a word, and what belongs to a line hangs below it.
package enum TextFlow {
  /// How many columns a text has: what `COLUMNS` says, else the terminal; nil for a pipe or a file, whose lines stay as
  /// they are for whoever looks for something in them.
  package static func columns(of descriptor: Int32) -> Int? {
    let given = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    if let given, given >= 20 { return given }
    return isatty(descriptor) == 1 ? TerminalWidth.columns(of: descriptor) : nil
  }

  /// A text as it is printed on standard output.
  package static func printed(_ text: String) -> String {
    laidOut(text, columns: columns(of: STDOUT_FILENO))
  }

  package static func laidOut(_ text: String, columns: Int?) -> String {
    guard let columns else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { lines(String($0), columns) }.joined(separator: "\n")
  }

  /// A line is one or more cells, with two blanks or more between: each goes to a line of its own before its words do.
  static func lines(_ line: String, _ columns: Int) -> [String] {
    let text = line.drop { $0 == " " }
    // A line of a file, and the mark below it, belong together as they are.
    if line.shownColumns <= columns || text.contains(#/^\d* *[|│] /#) { return [line] }
    let lead = line.count - text.count
    let cells = text.split(separator: #/ {2,}/#).map(String.init)
    let second = text.firstMatch(of: #/ {2,}/#).map {
      lead + String(text[..<$0.range.upperBound]).shownColumns
    }
    // A label has what it is of beside it; else the text hangs behind a mark.
    let label = second.flatMap { cells[0].contains(" ") || $0 > columns / 3 ? nil : $0 }
    var flow = Flow(
      columns: columns, hang: label ?? lead + 2, line: String(repeating: " ", count: lead))
    for (index, cell) in cells.enumerated() {
      let isBeside = index == 1 && label != nil
      let gap = isBeside ? (label ?? 0) - flow.line.shownColumns : index == 0 ? 0 : 2
      flow.add(cell, after: gap, isBeside: isBeside || index == 0)
    }
    return flow.lines + [flow.line]
  }

  private struct Flow {
    let columns: Int
    let hang: Int
    var line: String
    var lines: [String] = []

    mutating func add(_ cell: String, after gap: Int, isBeside: Bool) {
      if line.shownColumns + gap + cell.shownColumns <= columns {
        line += String(repeating: " ", count: gap) + cell
        return
      }
      if isBeside { line += String(repeating: " ", count: gap) } else { end() }
      // What is to be copied is continued as a shell continues it, and nothing in it is shortened.
      let isCommand = cell.withoutColours.hasPrefix("heavyweight ")
      var isFirst = true
      for word in words(cell, isCommand: isCommand) {
        let width = word.shownColumns
        if !isFirst, line.shownColumns + 1 + width > columns - (isCommand ? 2 : 0) {
          end(isCommand ? " \\" : "")
          isFirst = true
        }
        let isPath = !isCommand && word.contains("/") && width > columns - hang
        line += (isFirst ? "" : " ") + (isPath ? word.shortened(to: columns - hang) : word)
        isFirst = false
      }
    }

    private mutating func end(_ mark: String = "") {
      lines.append(line.trimmingTrailingSpaces + mark)
      line = String(repeating: " ", count: hang)
    }

    /// Of a command what is in quotes is one word.
    private func words(_ cell: String, isCommand: Bool) -> [String] {
      let words = cell.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard isCommand else { return words }
      return words.reduce(into: []) { words, word in
        if let last = words.last, last.count(where: { $0 == "'" }) % 2 == 1 {
          words[words.count - 1] = last + " " + word
        } else {
          words.append(word)
        }
      }
    }
  }
}

extension String {
  private static var colour: Regex<Substring> { #/\u{1B}\[[0-9;]*m/# }

  fileprivate var withoutColours: String {
    contains("\u{1B}") ? replacing(Self.colour, with: "") : self
  }

  /// How many columns a terminal shows the text in.
  fileprivate var shownColumns: Int {
    withoutColours.reduce(0) { $0 + TerminalWidth.columns(of: $1) }
  }

  /// Without its middle, in its colours.
  fileprivate func shortened(to columns: Int) -> String {
    let core = withoutColours
    guard columns > 8, let range = range(of: core) else { return self }
    let head = columns / 3
    return self[..<range.lowerBound] + core.prefix(head) + "…" + core.suffix(columns - head - 1)
      + self[range.upperBound...]
  }
}
