/// The Swift code that makes a module's policies known to the engine.
///
/// Outside Apple's systems there is no Objective-C runtime that makes an object of a class by its
/// name, or calls a method by its selector. This code does. Each file's part is compiled as the end
/// of that file, since that way it reaches private members too.
struct PolicyGlue {
  let classes: [PolicyClass]
  let sources: [PolicySource]

  /// The symbol in the compiled library that fills a `PolicyTable`.
  static let entryPoint = "heavyweight_list_policies"

  /// The name under which diagnostics know the part for the source file `index`.
  static func fileName(_ index: Int) -> String { "policy-glue-\(index)" }

  /// The part that belongs to the source file `index`; nil when it declares nothing of a policy.
  func part(_ index: Int) -> String? {
    let path = sources[index].path
    let extended = classes.filter { $0.functions.contains { $0.file == path } }
    let declared = classes.filter { $0.file == path }
    guard !extended.isEmpty || !declared.isEmpty else { return nil }
    let calls =
      extended.map { "  \($0.swiftName).heavyweightFunctions\(index)(table)" }
      + declared.map { "  " + registration(of: $0) }
    return extended.map { functionList(of: $0, index) }.joined()
      + "func heavyweightPolicies\(index)(_ table: PolicyTable) {\n"
      + calls.joined(separator: "\n") + "\n}\n"
  }

  /// The file that all parts are reached from.
  var entryFile: String {
    let calls = sources.indices.filter { part($0) != nil }
      .map { "  heavyweightPolicies\($0)(table)\n" }
    return """
      import Migration
      @_cdecl("\(Self.entryPoint)")
      public func heavyweightListPolicies(_ table: UnsafeMutableRawPointer) {
        let table = Unmanaged<PolicyTable>.fromOpaque(table).takeUnretainedValue()
      \(calls.joined())}

      """
  }

  private func registration(of policy: PolicyClass) -> String {
    let superclass = policy.superclass.map { "\"\($0)\"" } ?? "nil"
    let names = policy.runtimeNames.map { "\"\($0)\"" }.joined(separator: ", ")
    let make = policy.hasPlainInitializer ? "{ \(policy.swiftName)() }" : "nil"
    return "table.addClass(\"\(policy.swiftName)\", names: [\(names)], superclass: \(superclass), "
      + "make: \(make))"
  }

  private func functionList(of policy: PolicyClass, _ index: Int) -> String {
    let functions = policy.functions.filter { $0.file == sources[index].path }
    let lines = functions.map { function in
      "    table.addFunction(\"\(function.selector)\", title: \"\(function.title)\", "
        + "isExposed: \(function.isExposed), to: \"\(policy.swiftName)\") "
        + "{ (policy: \(policy.swiftName), arguments) in try \(function.call) }\n"
    }
    return "extension \(policy.swiftName) {\n"
      + "  fileprivate static func heavyweightFunctions\(index)(_ table: PolicyTable) {\n"
      + lines.joined() + "  }\n}\n"
  }
}
