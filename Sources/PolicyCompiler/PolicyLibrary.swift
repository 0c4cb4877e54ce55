/// A compiled library of migration policies, loaded into this process.
///
/// Classes are found as on a device: by `Module.Class`, or by the bare name that `@objc(Name)`
/// gives. Everything is found through the library's own table, never by the names of symbols, so
/// several libraries of one module name can be loaded side by side.
///
/// May be used by several threads: nothing changes after loading.
package final class PolicyLibrary: PolicyProvider, @unchecked Sendable {
  /// The app's module.
  package let module: String
  private let table: PolicyTable
  private let keys: [String: String]

  /// Loads a library. It stays loaded until the process ends, since Swift's types can't go away.
  /// - Throws: ``PolicyCompilationError`` with the loader's reason.
  init(contentsOf url: URL, module: String) throws {
    FrameworkModules.registerArchivedClasses()
    self.module = module
    table = PolicyTable()
    guard let handle = dlopen(url.path, RTLD_NOW | RTLD_LOCAL),
      let symbol = dlsym(handle, PolicyGlue.entryPoint)
    else { throw Self.loadingError(url) }
    PolicyImages.add(url, containing: symbol)
    typealias List = @convention(c) (UnsafeMutableRawPointer) -> Void
    unsafeBitCast(symbol, to: List.self)(Unmanaged.passUnretained(table).toOpaque())
    let pairs = table.classes.flatMap { key, entry in entry.names.map { ($0, key) } }
    keys = Dictionary(firstOf: pairs)
    LoadedPolicies.shared.add(self)
  }

  private static func loadingError(_ url: URL) -> PolicyCompilationError {
    let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
    return PolicyCompilationError(
      "can't load the compiled policies \(url.path): \(reason)",
      advice: "Symbols of the engine are found in the running executable, which must be linked "
        + "with --export-dynamic and come from the same build as the engine's modules.")
  }

  /// The names under which mappings can name the policies, sorted.
  package var policyNames: [String]? { keys.keys.sorted() }

  /// The selectors that `FUNCTION` can call on a class, sorted; empty for an unknown class.
  package func selectors(ofClassNamed name: String) -> [String] {
    keys[name].map { table.functions(of: $0).keys.sorted() } ?? []
  }

  package func makePolicy(named name: String) throws -> EntityMigrationPolicy? {
    guard let key = keys[name], let entry = table.classes[key] else { return nil }
    guard let make = entry.make else { throw Self.noInitializer(name) }
    let policy = make()
    policy.leavesLinkingToCoreData = entry.leavesLinking
    let functions = table.functions(of: key)
    policy.functionSelectors = Set(functions.keys)
    policy.functionDispatcher = { [self] policy, selector, arguments in
      try call(functions, policy: policy, selector: selector, arguments: arguments)
    }
    return policy
  }

  package func stageHandler(named name: String) -> CustomMigrationStage.Handler? {
    guard name.hasPrefix("\(module).") else { return nil }
    return table.stageHandlers[String(name.dropFirst(module.count + 1))]
  }

  package var stagedManagers: [String: StagedManagerMaker] {
    Dictionary(uniqueKeysWithValues: table.stagedManagers.map { ("\(module).\($0)", $1) })
  }

  package var managers: [String: MigrationManagerClass] { table.managers }

  /// The functions of the module that a stage can call, sorted.
  package var stageHandlerNames: [String] {
    table.stageHandlers.keys.map { "\(module).\($0)" }.sorted()
  }

  private func call(
    _ functions: [String: NamedMethod], policy: EntityMigrationPolicy,
    selector: String, arguments: [Any?]
  ) throws -> Any? {
    guard let function = functions[selector] else {
      throw Self.unrecognized(selector, policy, known: functions.keys.sorted())
    }
    return try function.call(on: policy, selector: selector, arguments: arguments)
  }

  private static func unrecognized(
    _ selector: String, _ policy: EntityMigrationPolicy, known: [String]
  ) -> CoreDataError {
    var error = CoreDataError.unrecognizedSelector(selector, policy: policy)
    if !known.isEmpty {
      error.advice = "Its methods, as selectors: \(known.joined(separator: ", "))."
    }
    return error
  }

  private static func noInitializer(_ name: String) -> CoreDataError {
    CoreDataError(
      .migration, "Use of unimplemented initializer 'init()' for class '\(name)'",
      advice: "Core Data makes policies with init(); give the class one, or default values to its "
        + "properties.")
  }
}
