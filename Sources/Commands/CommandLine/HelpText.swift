/// A command's help as it is laid out for a terminal of 80 columns.
///
/// Paragraphs are wrapped by whoever prints them. What is indented (examples, lists) is laid out here: a line
/// that is too long goes on below the text that it ends with, and not at the margin.
enum HelpText {
  /// Of a terminal of 80 columns the help printer leaves the last one free.
  private static let columns = 79

  static func laidOut(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { laidOut(line: $0) }.joined(separator: "\n")
  }

  private static func laidOut(line: Substring) -> String {
    guard line.hasPrefix(" "), line.count > columns else { return String(line) }
    let indent = hangingIndent(of: line)
    var lines: [String] = []
    var current = String(line.prefix(indent))
    var isEmpty = true
    for word in line.dropFirst(indent).split(separator: " ") {
      if !isEmpty, current.count + 1 + word.count > columns {
        lines.append(current)
        (current, isEmpty) = (String(repeating: " ", count: indent), true)
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// Where the text of a line begins, behind a command or a number if it has one.
  private static func hangingIndent(of line: Substring) -> Int {
    let start = line.prefix { $0 == " " }.count
    let text = line.dropFirst(start)
    guard let gap = text.firstRange(of: "  ") else { return start }
    let behind = text[gap.lowerBound...].drop { $0 == " " }
    return start + text.distance(from: text.startIndex, to: behind.startIndex)
  }
}
