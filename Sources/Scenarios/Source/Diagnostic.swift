/// Something wrong in a file, with its place.
package struct Diagnostic: Error, Sendable, Codable {
  /// The file's path, for a diagnostic about a whole file.
  package let file: String
  /// Line, column and length; nil when the whole file is meant.
  package let place: SourcePlace?
  package let message: String
  /// Whether the file is right and something that it names isn't there.
  package let isMissingFile: Bool

  package init(_ message: String, at place: SourcePlace, isMissingFile: Bool = false) {
    self.message = message
    self.place = place
    self.isMissingFile = isMissingFile
    file = place.file.path
  }

  package init(file: String, _ message: String) {
    self.message = message
    self.file = file
    isMissingFile = false
    place = nil
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, the line itself, and a caret under the place.
  package var description: String {
    let message = message.shortened.withoutControls
    guard let place else { return "\(file): error: \(message)" }
    let head = "\(place): error: \(message)"
    guard let line = place.file.line(place.line) else { return head }
    let excerpt = Excerpt(of: line, at: place)
    let number = "\(place.line)"
    let gutter = String(repeating: " ", count: number.count)
    return """
      \(head)
        \(number) | \(excerpt.text.withoutControls)
        \(gutter) | \(excerpt.underline)
      """
  }
}

extension String {
  /// With the middle left out where nobody would read it all: names and values may be of any length.
  fileprivate var shortened: String {
    let (most, ends) = (2_000, 400)
    guard count > most else { return self }
    return "\(prefix(ends))… (\(count - 2 * ends) characters) …\(suffix(ends))"
  }
}

/// The part of a line that is worth showing, with a mark under the place.
private struct Excerpt {
  let text: String
  let underline: String
  private static let width = 160

  init(of line: Substring, at place: SourcePlace) {
    let scalars = Array(line.unicodeScalars)
    let column = min(place.column - 1, scalars.count)
    // Of a very long line, what is around the place.
    let start = column > Self.width ? column - Self.width / 2 : 0
    let end = min(scalars.count, start + Self.width)
    let before = String.UnicodeScalarView(scalars[start..<column])
    let shown = String(String.UnicodeScalarView(scalars[start..<end]))
    text = (start > 0 ? "…" : "") + shown + (end < scalars.count ? "…" : "")
    // Tabs are kept, so that the mark stands right whatever their width.
    let indent = before.map {
      $0 == "\t" ? "\t" : String(repeating: " ", count: $0.columns)
    }.joined()
    let length = max(1, min(place.length, end - column))
    underline = (start > 0 ? " " : "") + indent + "^" + String(repeating: "~", count: length - 1)
  }
}

/// All that is wrong with an input.
package struct Diagnostics: Error, Sendable, CustomStringConvertible {
  package let all: [Diagnostic]

  /// Orders the diagnostics as the file has them.
  package init(_ all: [Diagnostic]) {
    self.all = all.enumerated().sorted { a, b in
      let (x, y) = (a.element.place, b.element.place)
      let first = (x?.line ?? 0, x?.column ?? 0, a.offset)
      return first < (y?.line ?? 0, y?.column ?? 0, b.offset)
    }.map(\.element)
  }

  package init(file: String, _ message: String) { self.init([Diagnostic(file: file, message)]) }

  package init(_ message: String, at place: SourcePlace) {
    self.init([Diagnostic(message, at: place)])
  }

  /// All of them; of one mistake in many places the first, and the lines of the others.
  package var description: String {
    func mistake(_ diagnostic: Diagnostic) -> String { diagnostic.file + diagnostic.message }
    let alike = Dictionary(grouping: all, by: mistake)
    var told: Set<String> = []
    return all.filter { told.insert(mistake($0)).inserted }.map { diagnostic in
      let others = (alike[mistake(diagnostic)] ?? []).compactMap(\.place).dropFirst()
      if others.isEmpty { return diagnostic.description }
      let lines = others.prefix(12).map { "\($0.line):\($0.column)" }.joined(separator: ", ")
      return "\(diagnostic.description)\n  and \(others.count.counted("time")) more: \(lines)"
        + (others.count > 12 ? ", …" : "")
    }.joined(separator: "\n")
  }

  /// Whether nothing else is wrong than that files aren't there.
  package var areOnlyMissingFiles: Bool { !all.isEmpty && all.allSatisfy(\.isMissingFile) }
}

/// Collects what is wrong while reading goes on.
package final class DiagnosticCollector {
  private(set) var all: [Diagnostic] = []
  /// What was said already: a name that several checks look at is wrong once.
  private var seen = Set<String>()

  package init() {}

  package var isEmpty: Bool { all.isEmpty }

  package func report(_ message: String, at place: SourcePlace) {
    report(Diagnostic(message, at: place))
  }

  package func report(_ diagnostic: Diagnostic) {
    if seen.insert(diagnostic.description).inserted { all.append(diagnostic) }
  }

  /// Runs `body`; what it throws is reported where that has a place, else at `place`.
  package func attempt<Result>(at place: SourcePlace, _ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch let diagnostic as Diagnostic {
      report(diagnostic)
    } catch let several as Diagnostics {
      several.all.forEach(report)
    } catch {
      let isMissing =
        (error as? ModelFileError)?.kind == .noSuchFile
        || (error as? MappingFileError)?.isAbsence == true
      // Errors about files say so as whole lines do; here they are part of one.
      report(
        Diagnostic(
          "\(error)".replacing(": error: ", with: ": ", maxReplacements: 1), at: place,
          isMissingFile: isMissing))
    }
    return nil
  }

  /// Throws everything reported, if anything was.
  package func throwIfAny() throws {
    if !all.isEmpty { throw Diagnostics(all) }
  }
}
