import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Modules that policies import: stubs and the app's own.
@Suite(.tags(.compiles), .tiered)
struct ModuleTests {
  private let policy = """
    import CoreData
    import HealthKit
    class Policy: NSEntityMigrationPolicy { @objc func unit() -> String { HKUnit.gram().text } }
    """

  private func stub(_ text: String) -> String {
    "public struct HKUnit { public var text: String; "
      + "public static func gram() -> HKUnit { HKUnit(text: \"\(text)\") } }\n"
  }

  @Test func aStubIsPartOfWhatAPolicyDependsOn() async throws {
    let folder = try PolicyFolder()
    let file = try folder.folder.write(policy, to: "Policy.swift")
    let stub = try folder.folder.write(self.stub("g"), to: "HealthKit.swift")
    let compiler = folder.compiler()
    let stubs = [try #require(StubFile(argument: "HealthKit=\(stub.path)"))]
    func unit() async throws -> String? {
      let library = try await compiler.library(of: [file], module: "App", stubs: stubs)
      let policy = try #require(try library.makePolicy(named: "App.Policy"))
      return try policy.functionDispatcher?(policy, "unit", []) as? String
    }
    #expect(try await unit() == "g")
    try folder.folder.write(self.stub("kg"), to: "HealthKit.swift")
    #expect(try await unit() == "kg")
  }

  @Test func aModuleIsCompiledOnceForAllThatImportIt() async throws {
    let folder = try PolicyFolder()
    let stub = ModuleSources(
      name: "HealthKit", sources: [PolicySource(path: "H.swift", text: stub("g"))], isStub: true)
    let policies = ["A", "B"].map {
      ModuleSources(name: $0, sources: [PolicySource(path: "\($0).swift", text: policy)])
    }
    let first = try await folder.compiler().compile([stub, policies[0]])
    let second = try await folder.compiler().compile([stub, policies[1]])
    #expect(first[0].key == second[0].key)
    #expect(first[1].key != second[1].key)
    #expect(second[1].dependencies.map(\.name) == ["HealthKit"])
  }

  @Test func aModuleThatIsNotImportedIsNoReasonToCompileAgain() async throws {
    let folder = try PolicyFolder()
    let alone = ModuleSources(
      name: "A", sources: [PolicySource(path: "A.swift", text: "import CoreData\n")])
    let other = ModuleSources(
      name: "Other", sources: [PolicySource(path: "O.swift", text: "let one = 1\n")])
    let first = try await folder.compiler().compile([alone])
    let second = try await folder.compiler().compile([other, alone])
    #expect(first[0].key == second[1].key)
  }

  @Test(arguments: ["HealthKit", "=a.swift", "HealthKit=", ""])
  func aStubOnTheCommandLineNeedsNameAndFile(argument: String) {
    #expect(StubFile(argument: argument) == nil)
  }

  @Test(arguments: [
    ("{ module: A, sources: A.swift, stubs: { CoreData: A.swift } }", "needs no stub"),
    ("{ module: A, sources: A.swift, stubs: { A: A.swift } }", "'A' is given twice"),
    (
      "[{ module: A, sources: A.swift }, { module: A, sources: A.swift }]",
      "the module 'A' is given twice: list all its files in one 'sources'"
    ),
    ("{ module: A, sources: A.swift, stubs: { B: None.swift } }", "no file 'None.swift'"),
  ])
  func mistakesInModulesAreNamed(policies: String, message: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("import CoreData\n", to: "A.swift")
    let text = """
      scenario: Modules
      models: { v1: { Note: { text: string } }, v2: { Note: { text: string? } } }
      policies: \(policies)
      seed: { Note: [{ text: one }] }
      chain: [v1 -> v2]
      expect: [{ count: { Note: 1 } }]

      """
    let file = try folder.write(text, to: "Modules.scenario.yaml")
    let error = #expect(throws: Diagnostics.self) {
      try CheckedScenario.load(contentsOf: file, shownAs: "Modules.scenario.yaml")
    }
    #expect("\(try #require(error))".contains(message))
  }
}
