/// The lines of glue that make known what Objective-C would find by its name in classes that are no
/// policies: methods that observe and validate, transformers, and the names of properties.
struct ObjectGlue {
  /// One statement, to stand in an extension of a class.
  struct Line: Hashable {
    /// The class as code names it.
    var owner: String
    /// The path of the file at whose end the statement may see what it names.
    var file: String
    var code: String
    /// Whether the class is generic: then the statement is executed for each class made of it.
    var isGeneric = false
  }
  var lines: [Line] = []

  init() {}

  init(_ reader: PolicyClassReader, sources: [PolicySource]) {
    let usesKeyPaths = sources.contains { $0.usesKeyPaths }
    let declared = reader.classes.flatMap { id, symbol in
      reader.isReachable(symbol, generic: true)
        ? reader.objectLines(id, symbol, namingProperties: usesKeyPaths) : []
    }
    lines = (declared + reader.managerLines(of: nil, "MigrationManager"))
      .sorted { ($0.owner, $0.code) < ($1.owner, $1.code) }
  }

  /// The functions that execute the statements of a file, and what calls them.
  func functions(in file: String, prefix: String) -> [(code: String, call: String)] {
    let owners = lines.filter { $0.file == file }.map(\.owner).uniqued()
    return owners.enumerated().map { index, owner in
      let name = "\(prefix)_\(index)"
      let own = lines.filter { $0.file == file && $0.owner == owner }
      let body =
        "nonisolated fileprivate static func \(name)() {\n"
        + own.map { "    \($0.code)\n" }.joined() + "  }\n}\n"
      guard own.contains(where: \.isGeneric) else {
        return ("extension \(owner) {\n  \(body)", "\(owner).\(name)()")
      }
      let known = "\(name)_Class"
      return (
        "fileprivate protocol \(known) { static func \(name)() }\n"
          + "extension \(owner): \(known) {\n  \(body)",
        "GenericClasses.add { ($0 as? any \(known).Type)?.\(name)() }"
      )
    }
  }
}

extension PolicyClassReader {
  fileprivate func objectLines(
    _ id: String, _ symbol: SymbolGraph.Symbol, namingProperties: Bool
  ) -> [ObjectGlue.Line] {
    let owner = symbol.pathComponents.joined(separator: ".")
    let members = members[id] ?? []
    func lines(_ code: (SymbolGraph.Symbol) -> String?) -> [ObjectGlue.Line] {
      members.compactMap { member in
        guard let file = member.file, let code = code(member) else { return nil }
        return ObjectGlue.Line(
          owner: owner, file: file, code: code, isGeneric: symbol.swiftGenerics != nil)
      }
    }
    let observers =
      lines { observerLine($0, owner) } + lines { selectorLine($0, owner, of: id) }
      + lines { optionalLine($0, owner) }
    switch root(of: id) {
    case _ where symbol.swiftGenerics != nil: return observers
    case "Persistence.ManagedObject":
      let names = namingProperties ? lines { nameLine($0, owner) } : []
      return observers + lines { validatorLine($0, owner) } + lines { makerLine($0, owner) }
        + lines { hearerLine($0, owner) } + names
    case Self.managerClassName: return observers + managerLines(of: id, owner)
    case let root? where Self.transformerClasses.contains(root):
      return observers + transformerLine(id, symbol: symbol, owner: owner)
    default: return observers
    }
  }

  /// What makes the methods of a class of managers known, or those that the module adds to Core Data's.
  fileprivate func managerLines(of id: String?, _ owner: String) -> [ObjectGlue.Line] {
    functions(in: members[id ?? Self.managerClassName] ?? [], of: id).map { function in
      ObjectGlue.Line(
        owner: owner, file: function.file,
        code: "ManagerMethods.add(\(owner).self, \"\(function.selector)\", "
          + "title: \"\(function.title)\", "
          + "obstacle: \(function.obstacle.map(\.debugDescription) ?? "nil")) "
          + "{ (policy: \(owner), arguments) in try \(function.call) }")
    }
  }

  private static let transformerClasses: Set = [
    "ObjectModel.ValueTransformer", "ObjectModel.SecureUnarchiveFromDataTransformer",
  ]

  private func observerLine(_ member: SymbolGraph.Symbol, _ owner: String) -> String? {
    guard member.pathComponents.last == "observeValue(forKeyPath:of:change:context:)" else {
      return nil
    }
    return "ObserverMethods.add(\(owner).self) { "
      + "$0.observeValue(forKeyPath: $1, of: $2, change: $3, context: $4) }"
  }

  /// What may meet an optional requirement.
  private func optionalLine(_ member: SymbolGraph.Symbol, _ owner: String) -> String? {
    guard ["swift.method", "swift.property"].contains(member.kind.identifier),
      let title = member.pathComponents.last, optionalMembers.contains(title),
      !member.keywords.contains("override")
    else { return nil }
    // The protocol's property of that name would be taken for a method without parameters.
    let result = (member.functionSignature?.returns ?? []).map(\.spelling).joined()
    let effect = member.keywords.contains("throws") ? "throws " : ""
    let name =
      title.hasSuffix("()") ? "\(title.dropLast(2)) as () \(effect)-> \(result)" : title
    return "\(Self.optionalMember)\(owner).self, \"\(title)\") { $0.\(name) as Any }"
  }

  /// Without such a line the member would be missed in silence.
  static let optionalMember = "OptionalMembers.add("

  /// A method that a notification center may call: `@objc`, of one parameter or none.
  private func selectorLine(
    _ member: SymbolGraph.Symbol, _ owner: String, of id: String
  ) -> String? {
    guard member.kind.identifier == "swift.method", let title = member.pathComponents.last,
      member.keywords.isDisjoint(with: ["async", "throws", "override"]),
      member.swiftGenerics == nil || classes[id]?.swiftGenerics != nil, isExposed(member, in: id)
    else { return nil }
    let parameters = member.functionSignature?.parameters ?? []
    guard parameters.count < 2, let name = title.split(separator: "(").first else { return nil }
    let type = parameters.first?.declarationFragments.map(\.spelling).joined()
      .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    let argument: String
    switch type {
    case nil: argument = ""
    case "Notification"?, "Any"?, "Any?"?, "Notification?"?, "Foundation.Notification"?:
      argument = "$1"
    case "NSNotification"?, "NSNotification?"?:
      argument = "NSNotification(name: $1.name, object: $1.object, userInfo: $1.userInfo)"
    default: return nil
    }
    let label = title.dropFirst(name.count + 1).prefix { $0 != ":" && $0 != ")" }
    let selector = explicitName(of: member) ?? ObjectiveCSelector(swiftName: title).name
    let prefix = label.isEmpty || label == "_" ? "" : "\(label): "
    return "ObserverSelectors.add(\(owner).self, \"\(selector)\", \"\(name)\") "
      + "{ _ = $0; _ = $1; $0.`\(name)`(\(argument.isEmpty ? "" : prefix + argument)) }"
  }

  /// `validateTitle(_:)`, which takes a pointer to the value.
  private func validatorLine(_ member: SymbolGraph.Symbol, _ owner: String) -> String? {
    guard member.kind.identifier == "swift.method", let title = member.pathComponents.last,
      title.hasPrefix("validate"), title.hasSuffix("(_:)"),
      member.declaration.contains("UnsafeMutablePointer")
    else { return nil }
    let name = title.dropLast("(_:)".count)
    return "PropertyValidators.add(\(owner).self, key: \"\(name.dropFirst("validate".count))\") "
      + "{ try $0.\(name)($1) }"
  }

  /// `init(context:)`, which generic code would find by its selector.
  private func makerLine(_ member: SymbolGraph.Symbol, _ owner: String) -> String? {
    guard member.kind.identifier == "swift.init", member.pathComponents.last == "init(context:)",
      !member.declaration.contains("init?"), !member.declaration.contains("throws")
    else { return nil }
    return "ObjectMakers.add(\(owner).self) { \(owner)(context: $0) }"
  }

  private func hearerLine(_ member: SymbolGraph.Symbol, _ owner: String) -> String? {
    guard let title = member.pathComponents.last, member.keywords.contains("override"),
      ["willChangeValue(forKey:)", "didChangeValue(forKey:)"].contains(title)
    else { return nil }
    return "ObjectiveCNames.noteHearer(\(owner).self)"
  }

  private func nameLine(_ member: SymbolGraph.Symbol, _ owner: String) -> String? {
    guard member.kind.identifier == "swift.property", let name = member.pathComponents.last else {
      return nil
    }
    return "KeyPathNames.add(\"\(name)\", \\\(owner).`\(name)`)"
  }

  /// A class is found by its name, too, and by its bare name: under that an app registers it.
  private func transformerLine(
    _ id: String, symbol: SymbolGraph.Symbol, owner: String
  ) -> [ObjectGlue.Line] {
    guard let file = symbol.file, hasPlainInitializer(id) else { return [] }
    let names = (runtimeNames(of: symbol) + symbol.pathComponents.suffix(1)).uniqued()
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return [
      ObjectGlue.Line(
        owner: owner, file: file,
        code: "ValueTransformer.addClass(names: [\(list)]) { \(owner)() }")
    ]
  }
}

extension PolicySource {
  /// Whether the file hands key paths of Swift's to somebody.
  fileprivate var usesKeyPaths: Bool {
    code.contains("KeyPath<") || code.contains(#/([kK]eyPath|for): *\\/#)
  }
}
