/// Something wrong in a file, with its place.
public struct Diagnostic: Error, Sendable {
  /// The file's path, for a diagnostic about a whole file.
  public let file: String
  /// Line, column and length; nil when the whole file is meant.
  public let place: SourcePlace?
  public let message: String

  public init(_ message: String, at place: SourcePlace) {
    self.message = message
    self.place = place
    file = place.file.path
  }

  public init(file: String, _ message: String) {
    self.message = message
    self.file = file
    place = nil
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, the line itself, and a caret under the place.
  public var description: String {
    guard let place else { return "\(file): error: \(message)" }
    let head = "\(place): error: \(message)"
    guard let line = place.file.line(place.line) else { return head }
    let number = "\(place.line)"
    let gutter = String(repeating: " ", count: number.count)
    return """
      \(head)
        \(number) | \(line)
        \(gutter) | \(underline(of: line, at: place))
      """
  }

  private func underline(of line: Substring, at place: SourcePlace) -> String {
    let before = line.unicodeScalars.prefix(place.column - 1)
    // Tabs are kept, so that the caret stands right whatever their width.
    let indent = before.map { $0 == "\t" ? "\t" : " " }.joined()
    let rest = max(1, line.unicodeScalars.count - before.count)
    return indent + "^" + String(repeating: "~", count: min(place.length, rest) - 1)
  }
}

/// All that is wrong with an input.
public struct Diagnostics: Error, Sendable, CustomStringConvertible {
  public let all: [Diagnostic]

  /// Orders the diagnostics as the file has them.
  public init(_ all: [Diagnostic]) {
    self.all = all.enumerated().sorted { a, b in
      let (x, y) = (a.element.place, b.element.place)
      let first = (x?.line ?? 0, x?.column ?? 0, a.offset)
      return first < (y?.line ?? 0, y?.column ?? 0, b.offset)
    }.map(\.element)
  }

  public var description: String { all.map(\.description).joined(separator: "\n") }
}

/// Collects what is wrong while reading goes on.
final class DiagnosticCollector {
  private(set) var all: [Diagnostic] = []

  func report(_ message: String, at place: SourcePlace) {
    all.append(Diagnostic(message, at: place))
  }

  func report(_ diagnostic: Diagnostic) { all.append(diagnostic) }

  /// Runs `body`; what it throws is reported where that has a place, else at `place`.
  func attempt<Result>(at place: SourcePlace, _ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch let diagnostic as Diagnostic {
      report(diagnostic)
    } catch let several as Diagnostics {
      several.all.forEach(report)
    } catch {
      report("\(error)", at: place)
    }
    return nil
  }

  /// Throws everything reported, if anything was.
  func throwIfAny() throws {
    if !all.isEmpty { throw Diagnostics(all) }
  }
}
