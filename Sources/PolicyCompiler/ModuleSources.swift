/// The sources of one module, with what came of the modules before it that it imports.
package struct ModuleSources: Sendable {
  package let name: String
  var sources: [PolicySource]
  /// What `@objc(name)` calls properties of any of the files.
  let keyNames: [String: String]
  /// The types of files beside policies, also of what was left out of these.
  var typeNames: Set<String> = []
  /// Stands in for a module that isn't here, and has no policies.
  var isStub = false
  var conditions = BuildConditions()

  /// The modules that its files import, by name.
  var imports: Set<String> { Set(sources.flatMap { $0.imports.map(\.module) }) }

  func importsTestable(_ module: String) -> Bool {
    sources.contains { $0.imports.contains { $0.isTestable && $0.module == module } }
  }

  package init(
    name: String, sources: [PolicySource], isStub: Bool = false,
    conditions: BuildConditions = BuildConditions()
  ) {
    self.name = name
    self.sources = sources
    keyNames = Dictionary(firstOf: sources.flatMap(\.exposure.keyNames))
    self.isStub = isStub
    self.conditions = conditions
  }
}

/// A module that was compiled.
package struct CompiledModule: Sendable {
  let name: String
  /// What its library depends on, as a digest.
  let key: String
  let library: URL
  /// The optional requirements of its protocols.
  let optionalMembers: Set<String>
  /// Those that it imports, and that they import.
  let dependencies: [CompiledModule]

  /// Its name for the compiler: another one where it is also that of a module in the executable.
  var compiledName: String { Self.compiledName(of: name) }

  static func compiledName(of module: String) -> String {
    EngineModules.allNames.contains(module) ? "\(module)_App" : module
  }

  /// What other modules are compiled against.
  var interface: URL {
    library.deletingLastPathComponent().appendingPathComponent("\(compiledName).swiftmodule")
  }
}

extension CompiledModule {
  static func policiesFile(beside library: URL) -> URL {
    library.deletingLastPathComponent().appendingPathComponent("policies.json")
  }

  /// Its policies, by name as the compiler knows them.
  func policies() throws -> [String: PolicyClass] {
    let data = try Data(contentsOf: Self.policiesFile(beside: library))
    let classes = try JSONDecoder().decode([PolicyClass].self, from: data)
    return Dictionary(firstOf: classes.map { ("\(compiledName).\($0.swiftName)", $0) })
  }
}

/// What a module is compiled for.
struct ModuleRole: Hashable, Sendable {
  /// Another module imports it.
  var isImported = false
  /// Another module imports it with `@testable`.
  var isTestable = false
}
