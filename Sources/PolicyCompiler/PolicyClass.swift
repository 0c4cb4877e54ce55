/// A policy class of a compiled module, as its symbol graph describes it.
struct PolicyClass: Codable {
  /// The name in Swift code, as `BookPolicy` or `Policies.BookPolicy`.
  var swiftName: String
  /// The names under which the class is found at run time.
  var runtimeNames: [String]
  /// The Swift name of its superclass, if that is a class of the module.
  var superclass: String?
  /// The path of the file that declares it.
  var file: String?
  /// Whether code outside of it may write `Name()`.
  var hasPlainInitializer: Bool
  /// Whether neither it nor a superclass overrides `createRelationships`.
  var leavesLinking = false
  var functions: [Function] = []

  /// A method or property that `FUNCTION` can reach.
  struct Function: Codable {
    var selector: String
    /// The Swift expression that calls it, of the variables `policy` and `arguments`.
    var call: String
    /// The name for messages, as `price(for:manager:)`.
    var title: String
    var file: String
    /// Why a device can't call it, with its place; nil for one that can be called.
    var obstacle: String?
  }
}

/// A class with a name of its own for Objective-C, or a managed objects' class with properties that
/// key-value coding reaches.
struct ObjectiveCClass {
  var swiftName: String
  var file: String
  /// What `@objc(Name)` calls it.
  var name: String?
  /// The properties of a managed objects' class that key-value coding reaches, inherited ones too.
  var properties: [Property] = []

  struct Property {
    /// Objective-C's name.
    var key: String
    /// Swift's name.
    var name: String
    /// Whether the class has an accessor of its own, unlike that of `@NSManaged`.
    var isOwn: Bool
    var isSettable: Bool
    /// Whether it is a number, which nil can't be.
    var isScalar: Bool
  }
}

/// Picks the policy classes out of a symbol graph.
struct PolicyClassReader {
  let module: String
  private let exposures: [String: ObjectiveCExposure]
  let classes: [String: SymbolGraph.Symbol]
  let superclasses: [String: SymbolGraph.Relationship]
  let members: [String: [SymbolGraph.Symbol]]
  /// The types that the module declares, by their own names; of several of a name none.
  let types: [String: SymbolGraph.Symbol]
  /// The requirements of the module's `@objc` protocols by the classes that say they conform.
  private let requirements: [String: [SymbolGraph.Symbol]]
  private let foreign: [String: PolicyClass]
  /// The optional requirements of all protocols, and by the classes that say they conform.
  let optionalMembers: Set<String>
  private let optionalMembersOfClasses: [String: Set<String>]

  /// - Parameter foreign: The policies of the modules before, by `Module.Class`.
  init(
    _ graph: SymbolGraph, module: String, sources: [PolicySource],
    foreign: [String: PolicyClass] = [:], optionalMembers: Set<String> = []
  ) {
    self.module = module
    self.foreign = foreign
    exposures = Dictionary(firstOf: sources.map { ($0.path, $0.exposure) })
    let symbols = Dictionary(firstOf: graph.symbols.map { ($0.identifier.precise, $0) })
    classes = symbols.filter { $0.value.kind.identifier == "swift.class" }
    let inheritance = graph.relationships.filter { $0.kind == "inheritsFrom" }
    superclasses = Dictionary(firstOf: inheritance.map { ($0.source, $0) })
    let membership = graph.relationships.filter { $0.kind == "memberOf" }
    members = Dictionary(grouping: membership, by: \.owner)
      .mapValues { $0.compactMap { symbols[$0.source] } }
    requirements = graph.requirements(of: symbols)
    let optional = sources.reduce(into: [String: Set<String>]()) {
      $0.merge($1.exposure.optionalMembers) { $0.union($1) }
    }
    self.optionalMembers = optionalMembers.union(optional.values.joined())
    let conformances = graph.relationships.filter { $0.kind == "conformsTo" }
    optionalMembersOfClasses = Dictionary(
      conformances.map {
        let name = symbols[$0.target]?.pathComponents.last ?? ""
        return ($0.source, optional[name] ?? [])
      }, uniquingKeysWith: { $0.union($1) })
    let kinds: Set = ["swift.struct", "swift.enum", "swift.class"]
    let declared = graph.symbols.filter {
      kinds.contains($0.kind.identifier) && $0.location != nil
    }
    types = Dictionary(grouping: declared) { $0.pathComponents.last ?? "" }
      .compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  /// All policy classes, in the order of their places in the files, then the additions to
  /// `NSEntityMigrationPolicy` itself.
  func policyClasses() -> [PolicyClass] {
    let policies = classes.filter { isPolicy($0.key) && isReachable($0.value) }
      .map { policyClass($0.key, $0.value) }
    return policies.sorted { $0.swiftName < $1.swiftName } + additions()
  }

  private func isPolicy(_ id: String) -> Bool {
    guard let root = root(of: id) else { return false }
    return root == Self.policyClassName || foreign[root] != nil
  }

  /// The class outside of the module that a class inherits from, as `Persistence.ManagedObject`.
  func root(of id: String) -> String? {
    var relationship = superclasses[id]
    while let current = relationship {
      guard let next = superclasses[current.target] else { return current.targetFallback }
      relationship = next
    }
    return nil
  }

  /// Whether code at the end of the class's file can name it and make objects of it.
  /// - Parameter generic: Whether generic classes count, which are named only where their parameters are known.
  func isReachable(_ symbol: SymbolGraph.Symbol, generic: Bool = false) -> Bool {
    let isHiddenInside = symbol.pathComponents.count > 1 && symbol.accessLevel == "private"
    return (generic || symbol.swiftGenerics == nil) && !isHiddenInside
  }

  /// The engine's class, which all policies inherit from.
  static let policyClassName = "Migration.EntityMigrationPolicy"
  static let additionsName = "EntityMigrationPolicy"
  /// The engine's class, which all migration managers inherit from.
  static let managerClassName = "Migration.MigrationManager"

  private func policyClass(_ id: String, _ symbol: SymbolGraph.Symbol) -> PolicyClass {
    let own = functions(in: members[id] ?? [], of: id)
    return PolicyClass(
      swiftName: symbol.pathComponents.joined(separator: "."),
      runtimeNames: runtimeNames(of: symbol),
      superclass: superclasses[id].flatMap { classes[$0.target] }?
        .pathComponents.joined(separator: "."),
      file: symbol.file,
      hasPlainInitializer: hasPlainInitializer(id),
      leavesLinking: leavesLinking(id),
      functions: own + inherited(by: id, beside: own, in: symbol.file))
  }

  /// What a class of another module gives a class: it has no entry in this module's table.
  private func inherited(
    by id: String, beside own: [PolicyClass.Function], in file: String?
  ) -> [PolicyClass.Function] {
    guard let file else { return [] }
    let known = Set(own.map(\.selector))
    return (foreignSuperclass(of: id)?.functions ?? []).filter { !known.contains($0.selector) }
      .map { function in
        var function = function
        function.file = file
        return function
      }
  }

  private func foreignSuperclass(of id: String) -> PolicyClass? {
    superclasses[id]?.targetFallback.flatMap { foreign[$0] }
  }

  /// What tells the table of the module's migration managers.
  func managers() -> [PolicyGlue.Registration] {
    classes.filter { root(of: $0.key) == Self.managerClassName && isReachable($0.value) }
      .compactMap { id, symbol in
        guard let file = symbol.file else { return nil }
        let own = superclassChain(of: id).flatMap { members[$0] ?? [] }
          .compactMap { $0.pathComponents.last }.first { $0.hasPrefix("migrateStore(") }
        let names = runtimeNames(of: symbol).map(\.debugDescription).joined(separator: ", ")
        return PolicyGlue.Registration(
          file: file,
          code:
            "table.addManager(names: [\(names)], ownMigration: \(own?.debugDescription ?? "nil")) { "
            + "\(symbol.pathComponents.joined(separator: "."))(sourceModel: $0, destinationModel: $1) }"
        )
      }.sorted { $0.code < $1.code }
  }

  // MARK: Names and properties

  /// The classes that Objective-C knows more of than their Swift names.
  func objectiveCClasses() -> [ObjectiveCClass] {
    classes.filter { isReachable($0.value) }.compactMap { id, symbol in
      guard let file = symbol.file else { return nil }
      let properties = root(of: id) == Self.objectClassName ? properties(of: id, from: file) : []
      let name = explicitName(of: symbol)
      if name == nil && properties.isEmpty { return nil }
      return ObjectiveCClass(
        swiftName: symbol.pathComponents.joined(separator: "."), file: file, name: name,
        properties: properties)
    }.sorted { $0.swiftName < $1.swiftName }
  }

  private static let objectClassName = "Persistence.ManagedObject"

  /// A class and its superclasses in the module.
  private func superclassChain(of id: String) -> [String] {
    var chain = [id]
    while let next = superclasses[chain[chain.count - 1]]?.target, classes[next] != nil {
      chain.append(next)
    }
    return chain
  }

  private func properties(of id: String, from file: String) -> [ObjectiveCClass.Property] {
    var seen = Set<String>()
    return superclassChain(of: id).flatMap { owner in
      (members[owner] ?? []).compactMap { symbol -> ObjectiveCClass.Property? in
        guard symbol.kind.identifier == "swift.property", let name = symbol.pathComponents.last,
          let exposure = exposure(of: symbol), let place = symbol.location?.position
        else { return nil }
        let isManaged = exposure.managed.contains(place)
        guard isManaged || isExposed(symbol, in: owner) else { return nil }
        let isHidden = ["private", "fileprivate"].contains(symbol.accessLevel)
        if isHidden && symbol.file != file { return nil }
        let declaration = symbol.declaration
        return ObjectiveCClass.Property(
          key: explicitName(of: symbol) ?? name, name: name, isOwn: !isManaged,
          isSettable: symbol.keywords.contains("var") && !declaration.contains("(set)")
            && (!declaration.contains("{ get") || declaration.contains("set }")),
          isScalar: scalarType(symbol.declarationFragments) != nil)
      }
    }.filter { seen.insert($0.key).inserted }
  }

  /// `Module.Class`, and what `@objc(Name)` says. Nested and private classes have no `Module.Class`
  /// on a device either.
  func runtimeNames(of symbol: SymbolGraph.Symbol) -> [String] {
    let isPrivate = ["private", "fileprivate"].contains(symbol.accessLevel)
    let isPlain = symbol.pathComponents.count == 1 && !isPrivate
    let qualified = isPlain ? ["\(module).\(symbol.pathComponents[0])"] : []
    return qualified + [explicitName(of: symbol)].compactMap { $0 }
  }

  /// Whether `init()` is there: declared, or inherited because no other is declared.
  func hasPlainInitializer(_ id: String) -> Bool {
    let initializers = (members[id] ?? []).filter { $0.kind.identifier == "swift.init" }
    if initializers.contains(where: { $0.pathComponents.last == "init()" }) { return true }
    if initializers.contains(where: { !$0.keywords.contains("convenience") }) { return false }
    if let superclass = foreignSuperclass(of: id) { return superclass.hasPlainInitializer }
    guard let superclass = superclasses[id]?.target, classes[superclass] != nil else { return true }
    return hasPlainInitializer(superclass)
  }

  private func leavesLinking(_ id: String) -> Bool {
    let overrides = (members[id] ?? []).contains { $0.pathComponents.last == Self.linkingHook }
    guard !overrides, let inheritance = superclasses[id] else { return false }
    if let superclass = foreignSuperclass(of: id) { return superclass.leavesLinking }
    if classes[inheritance.target] != nil { return leavesLinking(inheritance.target) }
    return inheritance.targetFallback == Self.policyClassName
  }

  private static let linkingHook = "createRelationships(forDestination:in:manager:)"

  // MARK: Functions

  /// What the module adds to the engine's policy class in extensions.
  private func additions() -> [PolicyClass] {
    let symbols = members[Self.policyClassName] ?? []
    let functions = functions(in: symbols, of: nil)
    guard !functions.isEmpty else { return [] }
    return [
      PolicyClass(
        swiftName: Self.additionsName, runtimeNames: [], superclass: nil, file: nil,
        hasPlainInitializer: true, functions: functions)
    ]
  }

  func functions(
    in symbols: [SymbolGraph.Symbol], of owner: String?
  ) -> [PolicyClass.Function] {
    let functions = symbols.compactMap { function($0, of: owner) }
    // Overloads share a selector unless they are labelled differently; the exposed one counts, and
    // of two that are not none is called by mistake.
    return Dictionary(grouping: functions, by: \.selector).values.compactMap { overloads in
      let exposed = overloads.filter { $0.obstacle == nil }
      return overloads.count == 1 ? overloads[0] : exposed.count == 1 ? exposed[0] : nil
    }.sorted { $0.selector < $1.selector }
  }

  private func function(
    _ symbol: SymbolGraph.Symbol, of owner: String?
  ) -> PolicyClass.Function? {
    guard let title = symbol.pathComponents.last, let file = symbol.file,
      isCallable(symbol, in: owner)
    else {
      return nil
    }
    let isThrowing = symbol.keywords.contains("throws")
    let derived = ObjectiveCSelector(swiftName: title, isThrowing: isThrowing).name
    return PolicyClass.Function(
      selector: explicitName(of: symbol)
        ?? owner.flatMap { requirement(of: symbol, in: $0) }.flatMap(explicitName) ?? derived,
      call: call(title), title: title, file: file,
      obstacle: obstacle(to: symbol, in: owner))
  }

  /// Why a device can't call a method: it isn't `@objc`, or what it takes or returns is no object.
  private func obstacle(to symbol: SymbolGraph.Symbol, in owner: String?) -> String? {
    let line = (symbol.location?.position.line ?? -1) + 1
    let place = " (\(symbol.file ?? "?"):\(line))"
    if !isExposed(symbol, in: owner) {
      return "isn't marked @objc: since Swift 4 FUNCTION doesn't find it on a device" + place
    }
    let parameters = (symbol.functionSignature?.parameters ?? []).map(\.declarationFragments)
    if let type = parameters.compactMap(scalarType).first {
      return "takes \(type): on a device FUNCTION passes objects only, here an NSNumber, whose "
        + "address would be taken for the \(type)" + place
    }
    if let type = scalarType(symbol.functionSignature?.returns ?? []) {
      return "returns \(type): on a device FUNCTION takes objects only, such as NSNumber" + place
    }
    return nil
  }

  /// The type that fragments such as `name: Int` end with, if Objective-C has no object of it.
  func scalarType(_ fragments: [SymbolGraph.Symbol.Fragment]) -> String? {
    let declaration = fragments.map(\.spelling).joined()
    let type = declaration.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? ""
    let plain =
      type.split { "={".contains($0) }.first?.trimmingCharacters(in: .whitespaces) ?? ""
    let name = plain.split(separator: ".").last.map(String.init) ?? ""
    return Self.scalarTypes.contains(name) ? name : nil
  }

  static let scalarTypes: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64", "Float", "Double", "CGFloat", "TimeInterval", "ObjCBool", "NSInteger", "NSUInteger",
    "CFAbsoluteTime", "CInt", "CDouble", "CFloat",
  ]

  /// Whether Objective-C could call a member: overrides are reached through what they override,
  /// generic, asynchronous and variadic methods have no selector, and of properties only those
  /// count that say `@objc`.
  private func isCallable(_ symbol: SymbolGraph.Symbol, in owner: String?) -> Bool {
    switch symbol.kind.identifier {
    case "swift.method": break
    case "swift.property" where isExposed(symbol, in: owner): break
    default: return false
    }
    let unreachable: Set = ["override", "async", "inout", "rethrows"]
    return symbol.swiftGenerics == nil && symbol.keywords.isDisjoint(with: unreachable)
      && !symbol.declaration.contains("...")
  }

  private func call(_ title: String) -> String {
    let parts = title.split(separator: "(", maxSplits: 1)
    guard parts.count == 2 else { return "policy.`\(title)`" }
    let labels = parts[1].dropLast().split(separator: ":")
    let arguments = labels.enumerated().map { index, label in
      (label == "_" ? "" : "\(label): ") + "arguments.value(\(index))"
    }
    return "policy.`\(parts[0])`(\(arguments.joined(separator: ", ")))"
  }

  // MARK: @objc

  /// Whether a member is `@objc`: marked so, in an `@objc` extension, or of a class that says
  /// `@objcMembers` or inherits it.
  func isExposed(_ symbol: SymbolGraph.Symbol, in owner: String?) -> Bool {
    guard let position = symbol.location?.position, let exposure = exposure(of: symbol) else {
      return false
    }
    if exposure.isExposed(at: position) { return true }
    if exposure.hidden.contains(position) { return false }
    if let owner, requirement(of: symbol, in: owner) != nil { return true }
    let title = symbol.pathComponents.last ?? ""
    let isOptional = owner.map(superclassChain)?.contains {
      optionalMembersOfClasses[$0]?.contains(title) == true
    }
    if isOptional == true { return true }
    if ["private", "fileprivate"].contains(symbol.accessLevel)
      || ObjectiveCTypes(self).problem(of: symbol) != nil
    {
      return false
    }
    return owner.map(superclassChain)?.contains { hasObjectiveCMembers($0) } ?? false
  }

  /// The requirement of an `@objc` protocol that a member is the witness of: it is `@objc`, too.
  private func requirement(
    of symbol: SymbolGraph.Symbol, in owner: String
  ) -> SymbolGraph.Symbol? {
    let title = symbol.pathComponents.last
    return superclassChain(of: owner).lazy.flatMap { requirements[$0] ?? [] }
      .first { $0.pathComponents.last == title && isOfObjectiveC($0) }
  }

  /// Whether a requirement is that of a protocol which says `@objc`.
  private func isOfObjectiveC(_ requirement: SymbolGraph.Symbol) -> Bool {
    guard let name = requirement.pathComponents.dropLast().last, let file = requirement.file else {
      return false
    }
    return exposures[file]?.protocols.contains(name) ?? false
  }

  private func hasObjectiveCMembers(_ id: String) -> Bool {
    guard let symbol = classes[id], let position = symbol.location?.position else { return false }
    return exposure(of: symbol)?.memberClasses.contains(position) ?? false
  }

  func explicitName(of symbol: SymbolGraph.Symbol) -> String? {
    symbol.location.flatMap { exposure(of: symbol)?.explicitName(at: $0.position) }
  }

  func exposure(of symbol: SymbolGraph.Symbol) -> ObjectiveCExposure? {
    symbol.file.flatMap { exposures[$0] }
  }
}

extension SymbolGraph.Relationship {
  /// The class a member belongs to: its identifier in the module, the name of one of the engine's.
  fileprivate var owner: String {
    let engines = [PolicyClassReader.policyClassName, PolicyClassReader.managerClassName]
    return engines.first { $0 == targetFallback } ?? target
  }
}
