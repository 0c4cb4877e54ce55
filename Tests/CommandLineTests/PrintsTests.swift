import Foundation
import TestSupport
import Testing

/// What an app's code prints can be expected, and counts for nothing else.
@Suite(.tags(.process), .tiered)
struct PrintsTests {
  private static let policy = """
    import CoreData
    class AppPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let name = sInstance.value(forKey: "name") as! String
        if name == "loud" { print("loud\\u{7}, loud") } else { NSLog("%@ has %d letters", name, name.count) }
        if name == "flood" { for _ in 0..<2200 { print(String(repeating: "x", count: 8000)) } }
      }
    }

    """

  private static func scenario(_ expectation: String, names: String = "calm, loud") -> String {
    let rows = names.split(separator: ", ").map { "{ name: \($0) }" }.joined(separator: ", ")
    return """
      scenario: A policy prints
      models:
        v1: { Event: { name: string } }
        v2: { Event: { name: string, length: int64? } }
        v3: { Event: { name: string, length: int64?, note: string? } }
      policies: { module: App, sources: Policy.swift }
      seed: { Event: [\(rows)] }
      chain:
        - v1 -> v2:
            EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy }
        - v2 -> v3
      expect:
        - \(expectation)

      """
  }

  private func run(
    _ scenario: String, _ arguments: String...
  ) throws -> (result: Tool.Result, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Policy.swift")
    try folder.write(scenario, to: "A.scenario.yaml")
    return (try Tool.run(["run", "."] + arguments, in: folder), folder)
  }

  @Test func whatIsPrintedToEitherOutputIsCounted() throws {
    // As in reports: a sign stands for what a terminal would obey.
    let (result, _) = try run(
      Self.scenario("prints: { calm has 4 letters: 1, loud: 2, loud␇: 1, quiet: 0 }"))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(arguments: [
    ("loud: 1", "expected  1", "found     2"), ("calm: 0", "expected  0", "found     1"),
    ("quiet: 1", "expected  1", "found     0"),
  ])
  func anotherNumberFails(counted: String, expected: String, found: String) throws {
    let (result, _) = try run(Self.scenario("prints: { \(counted) }"))
    #expect(result.status == 1)
    let text = String(counted.prefix { $0 != ":" })
    for part in ["A.scenario.yaml:13:15: printed \"\(text)\"", expected, found] {
      #expect(result.output.contains(part), "\(part) in:\n\(result.output)")
    }
  }

  @Test func aStoreOfAnEarlierCallIsNotTakenWhichPrintsNothing() throws {
    let (first, folder) = try run(Self.scenario("prints: { loud: 2 }"), "--cache", "cache")
    #expect(first.status == 0, "\(first.output)")
    let second = try Tool.run(["run", ".", "--cache", "cache"], in: folder)
    #expect(second.status == 0, "\(second.output)")
  }

  @Test func theNextStartCountsAnew() throws {
    let text =
      Self.scenario("prints: { loud: 2 }") + """
        then:
          - start:
            expect: [{ prints: { loud: 0 } }, { steps: [] }]

        """
    let (result, _) = try run(text)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func numbersAreUpdated() throws {
    let (_, folder) = try run(Self.scenario("prints: { loud: 1, quiet: 3 }"))
    let result = try Tool.run(
      script: "CI= \"$0\" run . --update", [Tool.executable().path], in: folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let file = folder.url.appending(path: "A.scenario.yaml")
    #expect(
      try String(contentsOf: file, encoding: .utf8)
        == Self.scenario("prints: { loud: 2, quiet: 0 }"))
  }

  @Test func moreThanIsKeptIsNotCounted() throws {
    let (result, _) = try run(
      Self.scenario("prints: { flood: 1 }", names: "flood"), "--backend", "memory")
    #expect(result.status == 1)
    #expect(
      result.output.contains("more than 16 MB were printed; the middle isn't kept"),
      "\(result.output.prefix(4000))")
  }
}
