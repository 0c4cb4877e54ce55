/// The Swift code that makes a module's policies known to the engine.
///
/// Outside Apple's systems there is no Objective-C runtime that makes an object of a class by its
/// name, or calls a method by its selector. This code does. Each file's part is compiled as the end
/// of that file, since that way it reaches private members too.
struct PolicyGlue {
  private(set) var classes: [PolicyClass]
  /// What else the table is told, a line each.
  private(set) var registrations: [Registration]
  private(set) var objects = ObjectGlue()
  let objectiveCClasses: [ObjectiveCClass]
  let sources: [PolicySource]

  /// A line that tells the table of something which a file declares.
  struct Registration: Equatable {
    let file: String
    let code: String
  }

  /// The symbol in the compiled library that fills a `PolicyTable`.
  static let entryPoint = "heavyweight_list_policies"

  /// The name under which diagnostics know the part for the source file `index`.
  static func fileName(_ index: Int) -> String { "policy-glue-\(index)" }

  /// The part that belongs to the source file `index`; nil when it declares nothing of a policy.
  func part(_ index: Int) -> String? {
    let path = sources[index].path
    let extended = classes.enumerated().filter { $1.functions.contains { $0.file == path } }
    let declared = classes.filter { $0.file == path }
    let registrations = registrations.filter { $0.file == path }
    let objects = objects.functions(in: path, prefix: "heavyweightObjects\(index)")
    let known = objectiveCClasses.filter { $0.file == path }
    let isEmpty =
      extended.isEmpty && declared.isEmpty && registrations.isEmpty && objects.isEmpty
    guard !isEmpty || !known.isEmpty else {
      return nil
    }
    let lists = extended.map { (name: "heavyweightFunctions\(index)_\($0)", policy: $1) }
    let calls =
      lists.map { "  \($0.policy.swiftName).\($0.name)(table)" }
      + declared.map { "  " + registration(of: $0) }
      + registrations.map { "  " + $0.code } + objects.map { "  " + $0.call }
      + known.flatMap(notes)
    return lists.map { functionList(of: $0.policy, in: path, name: $0.name) }.joined()
      + objects.map(\.code).joined()
      + "func heavyweightPolicies\(index)(_ table: PolicyTable) {\n"
      + calls.joined(separator: "\n") + "\n}\n"
  }

  /// The file that all parts are reached from.
  var entryFile: String {
    let calls = sources.indices.filter { part($0) != nil }
      .map { "  heavyweightPolicies\($0)(table)\n" }
    return """
      import CoreData
      @_cdecl("\(Self.entryPoint)")
      public func heavyweightListPolicies(_ table: UnsafeMutableRawPointer) {
        let table = Unmanaged<PolicyTable>.fromOpaque(table).takeUnretainedValue()
      \(calls.joined())}

      """
  }

  /// The classes, each with what it inherits from others of the module.
  var flattenedClasses: [PolicyClass] {
    classes.map { policy in
      var policy = policy
      var superclass = policy.superclass
      while let next = classes.first(where: { $0.swiftName == superclass }) {
        let known = Set(policy.functions.map(\.selector))
        policy.functions += next.functions.filter { !known.contains($0.selector) }
        superclass = next.superclass
      }
      return policy
    }
  }

  /// The names that are both the engine's and Foundation's. Where a module re-exports Foundation, as
  /// XCTest does, they would be ambiguous in files that import it; a module's own names win.
  static let namesFile =
    "import CoreData\n"
    + [
      "NSPredicate", "NSCompoundPredicate", "NSComparisonPredicate", "NSExpression",
      "NSSortDescriptor", "NSKeyedArchiver",
    ].map { "public typealias \($0) = CoreData.\($0)\n" }.joined()
      + """
      func NSStringFromClass(_ type: AnyClass) -> String { CoreData.NSStringFromClass(type) }
      func NSClassFromString(_ name: String) -> AnyClass? { CoreData.NSClassFromString(name) }
      @_disfavoredOverload func NSLog(_ format: String, _ arguments: Any?...) { logAsFoundation(format, arguments) }

      """

  private func registration(of policy: PolicyClass) -> String {
    let superclass = policy.superclass.map { "\"\($0)\"" } ?? "nil"
    let names = policy.runtimeNames.map { "\"\($0)\"" }.joined(separator: ", ")
    let make = policy.hasPlainInitializer ? "{ \(policy.swiftName)() }" : "nil"
    return "table.addClass(\"\(policy.swiftName)\", names: [\(names)], superclass: \(superclass), "
      + "leavesLinking: \(policy.leavesLinking), make: \(make))"
  }

  private func notes(on known: ObjectiveCClass) -> [String] {
    let name = known.name.map { "  ObjectiveCNames.note(\"\($0)\", of: \(known.swiftName).self)" }
    let scalars = known.properties.filter(\.isScalar).map { property in
      "  ObjectiveCNames.noteScalar(\"\(property.key)\", of: \(known.swiftName).self)"
    }
    let accessors = known.properties.filter(\.isOwn).map { property in
      let owner = "($0 as! \(known.swiftName)).`\(property.name)`"
      let write =
        property.isSettable
        ? " write: { \(owner) = try ObjectiveCNames.converted($1, forKey: \"\(property.key)\") }"
        : ""
      return "  ObjectiveCNames.note(\"\(property.key)\", of: \(known.swiftName).self) "
        + "{ \(owner) }\(write)"
    }
    return [name].compactMap { $0 } + scalars + accessors
  }

  private func functionList(of policy: PolicyClass, in path: String, name: String) -> String {
    let functions = policy.functions.filter { $0.file == path }
    let lines = functions.map { line(for: $0, of: policy) + "\n" }
    return "extension \(policy.swiftName) {\n"
      + "  fileprivate static func \(name)(_ table: PolicyTable) {\n"
      + lines.joined() + "  }\n}\n"
  }

  private func line(for function: PolicyClass.Function, of policy: PolicyClass) -> String {
    "    table.addFunction(\"\(function.selector)\", title: \"\(function.title)\", "
      + "obstacle: \(function.obstacle.map(\.debugDescription) ?? "nil"), to: \"\(policy.swiftName)\") "
      + "{ (policy: \(policy.swiftName), arguments) in try \(function.call) }"
  }
}

// MARK: - Methods that can't be called

extension PolicyGlue {
  /// The glue without the methods that the compiler objected to calling, such as those isolated to
  /// an actor; nil when the objections aren't about calls.
  func withoutMethods(objectedTo diagnostics: [PolicyDiagnostic]) -> PolicyGlue? {
    let errors = diagnostics.filter { $0.severity == .error }
    let lines = Set(errors.compactMap(line(at:)))
    guard !errors.isEmpty, errors.allSatisfy({ line(at: $0) != nil }) else { return nil }
    var glue = self
    for index in classes.indices {
      glue.classes[index].functions.removeAll { lines.contains(line(for: $0, of: classes[index])) }
    }
    glue.registrations.removeAll { lines.contains("  " + $0.code) }
    glue.objects.lines.removeAll {
      lines.contains("    \($0.code)") && !$0.code.hasPrefix(PolicyClassReader.optionalMember)
    }
    let isSame =
      glue.classes.map(\.functions.count) == classes.map(\.functions.count)
      && glue.objects.lines == objects.lines
    return isSame && glue.registrations == registrations ? nil : glue
  }

  /// The line of glue that a diagnostic is about.
  private func line(at diagnostic: PolicyDiagnostic) -> String? {
    let index = sources.indices.first { Self.fileName($0) == diagnostic.file }
    let lines = index.flatMap(part)?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    return lines.indices.contains(diagnostic.line - 1) ? String(lines[diagnostic.line - 1]) : nil
  }
}
