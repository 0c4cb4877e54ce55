/// The cases of a file: JSON lines, or one JSON array.
struct PredicateCases {
  let all: [PredicateCase]
  /// Whether each object is put into an SQLite store and fetched with its predicate, too.
  private let isFetching: Bool

  /// - Throws: ``Diagnostics`` with everything in the file that isn't a case.
  init(_ file: SourceFile, fetching: Bool = false) throws {
    isFetching = fetching
    let start = file.text.first { !$0.isWhitespace }
    all = try start == "[" ? Self.array(file) : Self.lines(file)
    if all.isEmpty { throw Diagnostics(file: file.path, "there is no case in the file") }
  }

  // MARK: Reading

  private static func array(_ file: SourceFile) throws -> [PredicateCase] {
    guard let array = JSONText.parsed(Data(file.text.utf8)) as? [Any] else {
      throw Diagnostics(file: file.path, "the file isn't a JSON array")
    }
    var problems: [Diagnostic] = []
    let cases = array.enumerated().compactMap { index, json -> PredicateCase? in
      do throws(PredicateCase.Problem) {
        return try PredicateCase(json: json)
      } catch {
        problems.append(Diagnostic(file: file.path, "case \(index + 1): \(error.text)"))
        return nil
      }
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
    return cases
  }

  private static func lines(_ file: SourceFile) throws -> [PredicateCase] {
    var problems: [Diagnostic] = []
    var cases: [PredicateCase] = []
    // Only these end a line of JSON; its texts may hold the other separators of Unicode.
    let lines = file.text.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      if text.allSatisfy(\.isWhitespace) { continue }
      do throws(PredicateCase.Problem) {
        guard let json = JSONText.parsed(Data(line)) else {
          throw PredicateCase.Problem(text: "the line isn't JSON")
        }
        cases.append(try PredicateCase(json: json))
      } catch {
        problems.append(Diagnostic(file: "\(file.path):\(index + 1)", error.text))
      }
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
    return cases
  }

  // MARK: Evaluating

  /// Evaluates all cases, giving `body` a line of JSON for each.
  /// - Returns: Whether all had the results they expect.
  func run(_ body: (Data) throws -> Void) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var allAgree = true
    for entry in all {
      let outcome = PredicateCaseOutcome(entry, fetching: isFetching)
      if !outcome.isAsExpected { allAgree = false }
      try body(encoder.encode(entry.line(outcome)) + Data("\n".utf8))
    }
    return allAgree
  }
}
