import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What Scenarios/COVERAGE.md says, against the scenarios and tests that there are.
@Suite struct CoverageTests {
  /// The points that must be in the list.
  private static let points = [1...117]
    .flatMap { $0 }.map { "S\($0)" }

  private let rows: [Row]
  /// The scenarios of each file.
  private let scenarios: [String: [Scenario]]

  init() throws {
    let folder = DocumentationTests.scenarios
    let text = try String(contentsOf: folder.appending(path: "COVERAGE.md"), encoding: .utf8)
    rows = Row.all(in: text)
    var scenarios: [String: [Scenario]] = [:]
    for path in try ScenarioFinder.files(at: [folder.path]) {
      let file = URL(fileURLWithPath: path)
      scenarios[String(path.dropFirst(folder.path.count + 1))] = try ScenarioReader.readAll(
        try SourceFile(contentsOf: file), in: file.deletingLastPathComponent())
    }
    self.scenarios = scenarios
  }

  @Test func everyPointHasARowWithAScenarioOrATest() {
    let numbers = rows.compactMap(\.number)
    #expect(numbers.count == Set(numbers).count, "a point has two rows")
    #expect(Set(Self.points).subtracting(numbers).sorted() == [], "points without a row")
    for row in rows {
      #expect(!row.text.isEmpty, "\(row) says nothing")
      #expect(!row.scenarios.isEmpty || !row.tests.isEmpty, "\(row) is shown by nothing")
    }
  }

  @Test func scenariosAndListNameEachOther() {
    var named: [String: Set<String>] = [:]
    for row in rows {
      for path in row.scenarios {
        #expect(scenarios[path] != nil, "\(row): there is no \(path)")
        named[path, default: []].formUnion([row.number].compactMap { $0 })
      }
    }
    for (path, ofFile) in scenarios {
      #expect(named[path] != nil, "\(path) is in no item; list it, under + if it is about no point")
      #expect(
        Set(ofFile.flatMap(\.covers)) == named[path] ?? [],
        "\(path) and the list differ in what it covers")
    }
  }

  @Test func everyTestNamedIsInTheSources() throws {
    let declared = try Self.declaredTests()
    let missing = rows.flatMap { row in
      row.tests.filter { !declared.contains($0) }.map { "\(row): \($0)" }
    }
    #expect(missing == [])
  }

  /// Each pass of a migration has a scenario that fails in it and checks all that helps to find the
  /// cause.
  @Test(arguments: [MigrationPass.instances, .relationships, .validation])
  func everyPassHasAFailureThatSaysWhere(_ pass: MigrationPass) {
    let failures = scenarios.values.joined().flatMap(\.expectations).compactMap(
      \.check.expectedFailure)
    #expect(
      failures.contains {
        $0.pass?.value == pass.rawValue && $0.mapping != nil && $0.object != nil
          && $0.property != nil
      })
  }

  /// `Suite.test` for every test function under Tests, whatever type it is declared in.
  private static func declaredTests() throws -> Set<String> {
    let folder = DocumentationTests.package.appending(path: "Tests")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    var names = Set<String>()
    for path in files ?? [] where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      var suite = ""
      for line in text.split(separator: "\n") {
        // Hardly any line is one of these, and a pattern takes its time to find that out.
        if line.first != " ",
          let found = line.firstMatch(
            of: #/^(?:@Suite.* )?(?:final )?(?:struct|class|extension) (\w+)/#)
        {
          suite = String(found.1)
        }
        if line.contains("func "), let found = line.firstMatch(of: #/^  .*\bfunc (\w+)/#) {
          names.insert("\(suite).\(found.1)")
        }
      }
    }
    return names
  }
}

/// An item of the list, with what is shown, and below it the scenarios and tests that show it:
///
/// ```text
/// - **S59** text
///   - scenarios: [Tags/A](Tags/A.scenario.yaml)
///   - tests: `Suite.test`
/// ```
///
/// With `+` in place of a number for what is no point of the checklist.
private struct Row: CustomStringConvertible {
  let number: String?
  private(set) var text: String
  private(set) var scenarios: [String] = []
  private(set) var tests: [String] = []

  private init?(_ first: Substring) {
    guard let found = first.wholeMatch(of: #/- \*\*(S\d+|\+)\*\* (.*)/#) else { return nil }
    number = found.1 == "+" ? nil : String(found.1)
    text = String(found.2)
  }

  /// The items of a page, whose lines are wrapped.
  static func all(in page: String) -> [Row] {
    var rows: [Row] = []
    var part = Part.text
    for line in page.split(separator: "\n") {
      if let row = Row(line) {
        rows.append(row)
        part = .text
      } else if line.hasPrefix("  "), !rows.isEmpty {
        if line.hasPrefix("  - scenarios: ") { part = .scenarios }
        if line.hasPrefix("  - tests: ") { part = .tests }
        rows[rows.count - 1].add(line, part)
      }
    }
    return rows
  }

  private enum Part {
    case text, scenarios, tests
  }

  private mutating func add(_ line: Substring, _ part: Part) {
    switch part {
    case .text: text += " " + line.trimmingCharacters(in: .whitespaces)
    case .scenarios: scenarios += line.matches(of: #/\]\(([^)]+)\)/#).map { String($0.1) }
    case .tests: tests += line.matches(of: #/`([^`]+)`/#).map { String($0.1) }
    }
  }

  var description: String { number ?? text }
}
