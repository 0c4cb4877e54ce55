/// One file of tests: its own part, and what all such files have in common.
struct ExportedFile {
  enum Library: String, Codable {
    case xctest = "XCTest"
    case swiftTesting = "Testing"
  }
  static let mark = "// Made by heavyweight export"

  let library: Library
  /// The name of the class with the tests.
  var suite = "ExportedTests"
  let scenarios: [ExportedScenario]
  /// Those that aren't exported, and why.
  var refusals: [ExportedScenario.Omission] = []
  /// The policies' files to be compiled with it, as paths.
  var policies: [String] = []
  /// Modules whose functions its tests call.
  var modules: [String] = []

  var text: String {
    var taken = Set<String>()
    let named = scenarios.map { ($0, Self.name($0.title, &taken)) }
    var parts = [
      """
      \(Self.mark): scenarios as tests of Core Data, by Apple's API alone.
      // Each test prints every difference as the scenario would.

      """
    ]
    if !policies.isEmpty {
      parts[0] += "// Compile it together with \(policies.joined(separator: ", ")).\n\n"
    }
    parts[0] += Self.comments(refusals)
    parts[0] += "import CoreData\nimport \(library.rawValue)\n"
    if !modules.isEmpty {
      parts[0] += "\n" + modules.map { "@testable import \($0)\n" }.joined()
    }
    parts.append(tests(named))
    parts += named.map { scenario, name in
      let omissions = scenario.omissions.map { "// Not exported: \($0)\n" }.joined()
      let body = scenario.body.map { "  \($0)\n" }.joined()
      return "// \(scenario.address)\n\(omissions)private func \(name)() -> Exported {\n\(body)}\n"
    }
    parts.append(
      BuiltInFile.exported.replacing("ExportedUnvalidated", with: suite + "Unvalidated"))
    return parts.joined(separator: "\n") + "\n"
  }

  /// What is said of scenarios that are no tests.
  static func comments(_ refusals: [ExportedScenario.Omission]) -> String {
    let lines = refusals.map { "// The scenario isn't exported: \($0)\n" }.uniqued()
    return lines.isEmpty ? "" : lines.joined() + "\n"
  }

  private func tests(_ named: [(ExportedScenario, String)]) -> String {
    let tests = named.map { scenario, name in
      let run = "\(name)().run(from: \(scenario.startLiteral))"
      switch library {
      case .xctest:
        let method = name.prefix(1).uppercased() + name.dropFirst()
        return "  func test\(method)() { for difference in \(run) { XCTFail(difference) } }\n"
      case .swiftTesting:
        return """
            @Test(\(scenario.titleLiteral)) func \(name)Holds() {
              for difference in \(run) { Issue.record(Comment(rawValue: difference)) }
            }

          """
      }
    }
    let head =
      library == .xctest ? "final class \(suite): XCTestCase {" : "@Suite struct \(suite) {"
    return "\(head)\n\(tests.joined())}\n"
  }

  /// A suite's name of a file's.
  static func suite(in path: String) -> String {
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      .filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return name.first?.isLetter == true ? name : "Exported\(name)"
  }

  /// A function's name of the words of a title.
  private static func name(_ title: String, _ taken: inout Set<String>) -> String {
    let words = title.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map { $0.lowercased() }
    let joined = words.enumerated().map {
      $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst()
    }
    .joined()
    let first = joined.first.map { $0.isNumber ? "scenario" + joined : joined } ?? "scenario"
    let name =
      (["\(first)"] + (2...).lazy.prefix(10_000).map { "\(first)\($0)" }).first {
        !taken.contains($0)
      } ?? first
    taken.insert(name)
    return name + "Scenario"
  }
}
