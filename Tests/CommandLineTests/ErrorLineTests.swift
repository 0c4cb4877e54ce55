import Foundation
import TestSupport
import Testing

/// An error that ends a migration is followed to the line of the app's code that met it.
@Suite(.tags(.process), .tiered)
struct ErrorLineTests {
  private static let policy = """
    import CoreData

    enum Trouble: Error { case refused(String) }

    class AppPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        _ = try? check(sInstance)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let context = manager.destinationContext
        switch sInstance.value(forKey: "name") as? String {
        case "throw": try check(sInstance)
        case "wrap": do { try check(sInstance) } catch {
            throw Trouble.refused("wrapped")
          }
        case "typed": try typed()
        case "save":
          _ = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
          try context.save()
        case "fetch":
          _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Nobody"))
        case "key":
          sInstance.setValue(1, forKey: "nothing")
          try check(sInstance)
        case "cancel": manager.cancelMigrationWithError(Trouble.refused("cancelled"))
        default: break
        }
      }

      override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        if manager.sourceModel.entitiesByName["Last"] != nil { throw Trouble.refused("end") }
      }

      func typed() throws(Trouble) { throw .refused("typed") }

      func check(_ object: NSManagedObject) throws {
        guard object.value(forKey: "name") as? String == "" else {
          throw Trouble.refused("name")
        }
      }
    }

    """

  private static func scenario(_ name: String, expecting expectation: String) -> String {
    """
    scenario: A policy meets \(name)
    models:
      v1: { Event: { name: string }, \(name == "end" ? "Last" : "Other"): { name: string } }
      v2: { Event: { name: string, length: int64? } }
    policies: { module: App, sources: Code/*.swift }
    seed: { Event: [{ id: first, name: fine }, { id: second, name: \(name) }] }
    chain:
      - v1 -> v2:
          EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy }
    expect:
      - \(expectation)

    """
  }

  /// The `code` lines of a run's report.
  private func codeLines(_ arguments: [String], in folder: TemporaryFolder) throws -> [String] {
    let result = try Tool.run(["run", "A.scenario.yaml"] + arguments, in: folder)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    return result.output.split(separator: "\n").filter { $0.hasPrefix("      code      ") }
      .map { String($0.dropFirst(16)) }
  }

  @Test(
    arguments: [
      ("throw", 40), ("wrap", 16), ("typed", 36), ("save", 21), ("fetch", 23), ("key", 25),
      ("cancel", 27),
    ], [[], ["--in-process", "--backend", "memory"]])
  func theLineOfTheErrorIsNamed(_ given: (name: String, line: Int), arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Code/Policy.swift")
    try folder.write(
      Self.scenario(given.name, expecting: "count: { Event: 2 }"), to: "A.scenario.yaml")
    #expect(
      try codeLines(arguments, in: folder) == [
        "Code/Policy.swift:\(given.line), createDestinationInstances of App.AppPolicy"
      ])
  }

  /// Hooks that are called once are known, too.
  @Test func anErrorAtTheEndOfAMappingIsNotTakenForOneOfAnObject() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Code/Policy.swift")
    try folder.write(Self.scenario("end", expecting: "count: { Event: 2 }"), to: "A.scenario.yaml")
    #expect(
      try codeLines(["--backend", "memory"], in: folder) == [
        "Code/Policy.swift:33, end of App.AppPolicy"
      ])
  }

  /// The engine's own check, after all hooks, is nobody's line, whatever hooks caught before.
  @Test func whatNoHookMetIsInNoLine() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Code/Policy.swift")
    try folder.write(
      Self.scenario("none", expecting: "count: { Event: 2 }").replacing(
        "length: int64?", with: "length: string"), to: "A.scenario.yaml")
    #expect(try codeLines(["--backend", "memory"], in: folder).isEmpty)
  }
}
