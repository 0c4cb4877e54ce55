import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Stubs of what an app's files use and nothing declares.
@Suite(.tags(.compiles), .tiered)
struct MissingStubTests {
  private let policy = """
    import CoreData
    import HealthKit
    import RealmSwift
    struct Settings: Configured { @Setting("key") var isOn = false }
    final class Policy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        Realm.log("begin", at: Date())
      }
      @objc func answer(_ value: String) -> String {
        let quantity = HKQuantity(unit: HKUnit.gram(), doubleValue: 3)
        if quantity.is(compatibleWith: .pound()) { return "yes" }
        let grams: Double = quantity.doubleValue(for: HKUnit.gram())
        for item in Realm.shared.items { print(item.name, grams) }
        guard let known = Realm.shared.find("a") else { return value.shortened }
        return value.shortened + known.title
      }
    }

    """

  @Test func theyHaveWhatIsUsedAndCompile() async throws {
    let folder = try PolicyFolder(module: "App")
    let compiler = folder.compiler()
    let source = try folder.folder.write(policy, to: "Policy.swift")
    let module = ModuleSources(
      name: "App", sources: [try PolicySource(contentsOf: source)])
    let error = try await #require(throws: PolicyCompilationError.self) {
      try await compiler.compile([module])
    }
    let stubs = folder.folder.url.appending(path: "Stubs")
    let told = try await compiler.writeStubs(
      after: error, for: module, ModuleRole(), dependencies: [], in: stubs)
    #expect(told.diagnostics == error.diagnostics)
    func written(_ name: String) throws -> String {
      try String(contentsOf: stubs.appending(path: name), encoding: .utf8)
    }
    #expect(
      try written("HealthKit.swift").contains(
        """
        open class HKQuantity { public init() {} }
        open class HKUnit { public init() {} }
        open class Unknown4 { public init() {} }
        extension HKQuantity {
          public convenience init(unit a0: Any?, doubleValue a1: Any?) { self.init() }
          public func `is`(compatibleWith a0: Unknown4) -> Bool { fatalError("is is a stub") }
          public func doubleValue(for a0: Any?) -> Double { fatalError("doubleValue is a stub") }
        }
        extension HKUnit {
          public static func gram() -> HKUnit { fatalError("gram is a stub") }
        }
        """))
    #expect(
      try written("RealmSwift.swift").contains(
        "static func log(_ a0: Any?, at a1: Any?) { fatalError(\"log is a stub\") }"))
    #expect(try written("AppMissing.swift").contains("var shortened: String {"))
    // As the advice says.
    let files = try ["HealthKit", "RealmSwift"].map {
      try #require(StubFile(argument: "\($0)=\(stubs.path)/\($0).swift"))
    }
    _ = try await compiler.library(
      of: [source, stubs.appending(path: "AppMissing.swift")], module: "App", stubs: files)
  }

  @Test func aFileThatIsThereIsLeft() async throws {
    let folder = try PolicyFolder()
    let module = ModuleSources(
      name: "App",
      sources: [PolicySource(path: "P.swift", text: "import CoreData\nlet one = Missing.one\n")])
    let file = try folder.folder.write("// mine\n", to: "Stubs/AppMissing.swift")
    let error = try await #require(throws: PolicyCompilationError.self) {
      try await folder.compiler().compile([module])
    }
    let told = try await folder.compiler().writeStubs(
      after: error, for: module, ModuleRole(), dependencies: [],
      in: file.deletingLastPathComponent())
    #expect(try String(contentsOf: file, encoding: .utf8) == "// mine\n")
    #expect(
      told.advice?.hasSuffix("left as it is. What is missed besides: Missing, Missing.one.") == true
    )
  }
}
