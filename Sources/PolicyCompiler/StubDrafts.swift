/// What an app's files use and nothing declares, drafted from how they use it.
///
/// Types of results aren't known at first: each is a type of its own, `Unknown1`, until the compiler says what it has to
/// be.
struct StubDrafts {
  private struct TypeDraft {
    var declaration: String
    var body = "public init() {}"
    var module: String?
  }

  private struct Parameter: Hashable {
    var label: String
    var type: String
  }

  private struct Member: Hashable {
    /// The type; nil for what is global.
    var owner: String?
    var name: String
    var isStatic = false
    /// Nil for a property.
    var parameters: [Parameter]?
    /// Nil for an initializer.
    var result: String?
    var module: String?

    /// As code calls it.
    var title: String {
      let owner = owner.map { "\($0)." } ?? ""
      let labels = parameters.map { list in "(" + list.map { "\($0.label):" }.joined() + ")" }
      return owner + name + (labels ?? "")
    }
  }

  private let files: [String: SourceRewriter]
  private var types: [String: TypeDraft] = [:]
  private var members: [Member] = []
  private var placeholders = 0

  init(_ sources: [PolicySource]) {
    files = Dictionary(firstOf: sources.map { ($0.path, SourceRewriter($0.text)) })
  }

  /// Takes in what the compiler misses.
  /// - Returns: Whether anything came of it.
  mutating func add(_ error: PolicyCompilationError) -> Bool {
    let known = modules.map(code)
    for diagnostic in error.diagnostics where diagnostic.severity == .error {
      guard let missed = PolicyCompilationError("", diagnostics: [diagnostic]).missedNames.first
      else {
        resolve(diagnostic)
        continue
      }
      if let type = missed.type {
        addMember(missed.name, of: type, diagnostic)
      } else {
        add(missed.name, diagnostic)
      }
    }
    return known != modules.map(code)
  }

  // MARK: Names

  private mutating func add(_ name: String, _ diagnostic: PolicyDiagnostic) {
    let module = diagnostic.origin
    if diagnostic.message.hasPrefix("unknown attribute") {
      types[name] = TypeDraft(
        declaration: "@propertyWrapper public struct \(name)<Value>",
        body: """
          public var wrappedValue: Value
            public init(wrappedValue: Value, _ first: Any? = nil) { self.wrappedValue = wrappedValue }
          """, module: module)
      return
    }
    guard name.first?.isUppercase == true else {
      if let use = use(of: name, at: diagnostic) { add(use, name, to: nil, module: module) }
      return
    }
    let uses = files.keys.sorted().flatMap { file in
      let source = files[file]!
      return source.tokens.indices.filter { source.text($0) == name && !source.isMark($0 - 1, ".") }
        .map { Use(source: source, index: $0) }
    }
    if uses.contains(where: \.isRefinement) {
      types[name] = TypeDraft(declaration: "public protocol \(name)", body: "", module: module)
      return
    }
    let generics = uses.map(\.genericArguments).max() ?? 0
    let list = (0..<generics).map { "A\($0)" }.joined(separator: ", ")
    types[name] = TypeDraft(
      declaration: "open class \(name)" + (generics > 0 ? "<\(list)>" : ""), module: module)
    for use in uses {
      if use.isCalled { add(use, "init", to: name, module: module) }
      guard use.source.isMark(use.index + 1, "."),
        !["self", "Type"].contains(use.source.text(use.index + 2))
      else { continue }
      let member = Use(source: use.source, index: use.index + 2)
      add(member, use.source.text(member.index), to: name, isStatic: true, module: module)
    }
  }

  private mutating func addMember(_ name: String, of type: String, _ diagnostic: PolicyDiagnostic) {
    guard let use = use(of: name, at: diagnostic) else { return }
    let module = types[type].map(\.module) ?? diagnostic.origin
    let isStatic = !diagnostic.message.hasPrefix("value of")
    add(use, name, to: type, isStatic: isStatic, module: module)
  }

  private mutating func add(
    _ use: Use, _ name: String, to owner: String?, isStatic: Bool = false, module: String?
  ) {
    if isStatic, name.first?.isUppercase == true, !use.isCalled {
      types["\(owner ?? "").\(name)"] = TypeDraft(declaration: "open class \(name)", module: module)
      return
    }
    let arguments = use.isCalled ? use.arguments : nil
    let isKnown = members.contains {
      ($0.owner, $0.name, $0.parameters?.map(\.label)) == (owner, name, arguments?.map(\.label))
    }
    if isKnown { return }
    var member = Member(owner: owner, name: name, isStatic: isStatic, module: module)
    member.parameters = arguments?.map { Parameter(label: $0.label, type: type($0.kind, module)) }
    if name != "init" { member.result = use.isStatement ? "Void" : placeholder(module) }
    members.append(member)
  }

  private mutating func type(_ argument: Use.Argument, _ module: String?) -> String {
    switch argument {
    case .closure(let count):
      let parameters = (0..<count).map { _ in placeholder(module) }.joined(separator: ", ")
      return "@escaping (\(parameters)) -> Void"
    case .implicitMember: return placeholder(module)
    case .value: return "Any?"
    }
  }

  private mutating func placeholder(_ module: String?) -> String {
    placeholders += 1
    let name = "Unknown\(placeholders)"
    types[name] = TypeDraft(declaration: "open class \(name)", module: module)
    return name
  }

  private func use(of name: String, at diagnostic: PolicyDiagnostic) -> Use? {
    guard let source = diagnostic.file.flatMap({ files[$0] }) else { return nil }
    let near = source.tokens.indices.filter {
      source.text($0) == name && source.position(ofToken: $0).line == diagnostic.line - 1
    }
    let distance = { abs(source.position(ofToken: $0).character - diagnostic.column + 1) }
    return near.min { distance($0) < distance($1) }.map { Use(source: source, index: $0) }
  }

  // MARK: Types of results

  /// Learns from a mistake of types what an unknown one has to be.
  private mutating func resolve(_ diagnostic: PolicyDiagnostic) {
    let message = diagnostic.message
    let pairs = [
      #/ of type '(?<a>[^']+)' (?:to|cannot match|and|, but context)[^']*'(?<b>[^']+)'/#,
      #/ of type '(?<a>[^']+)', but context expects '(?<b>[^']+)'/#,
    ]
    let needs: [(Regex<(Substring, a: Substring)>, (String) -> String)] = [
      (#/(?:Optional type, not|non-optional (?:value of )?type) '(?<a>Unknown\d+)'/#, { $0 + "?" }),
      (#/'(?<a>Unknown\d+)' to conform to 'Sequence'/#, { "[\($0)]" }),
      (#/'(?<a>Unknown\d+)' cannot be used as a boolean/#, { _ in "Bool" }),
      (
        #/operator (?:function )?'\+' (?:requires that|cannot be applied to two) '(?<a>Unknown\d+)'/#,
        { _ in "String" }
      ),
    ]
    if let (a, b) = pairs.lazy.compactMap({ message.firstMatch(of: $0) }).first.map({ ($0.a, $0.b) }
    ) {
      if isUnknown(a) {
        replace(String(a), by: String(b))
      } else if isUnknown(b) {
        replace(String(b), by: String(a))
      } else if a == "()", let index = member(at: diagnostic) {
        members[index].result = String(b)
      }
    }
    for (pattern, change) in needs {
      guard let name = message.firstMatch(of: pattern).map({ String($0.a) }) else { continue }
      let type = change(name)
      if !type.contains(name) { return replace(name, by: type) }
      for index in members.indices where members[index].result == name {
        members[index].result = type
      }
    }
  }

  /// What is left open at last: a type's own member gives one of the type, as factories and shared objects do.
  mutating func settle() {
    for member in members where member.isStatic {
      if let owner = member.owner, let result = member.result, owner != result,
        isUnknown(result[...])
      {
        replace(result, by: owner)
      }
    }
  }

  private func isUnknown(_ type: Substring) -> Bool {
    type.hasPrefix("Unknown") && types[String(type.filter { $0 != "?" })] != nil
  }

  private mutating func replace(_ unknown: String, by type: String) {
    let name = unknown.filter { $0 != "?" }
    let type = unknown.hasSuffix("?") && type.hasSuffix("?") ? String(type.dropLast()) : type
    types[name] = nil
    for index in members.indices {
      if members[index].result?.filter({ $0 != "?" }) == name {
        members[index].result = members[index].result?.replacing(name, with: type)
      }
      if members[index].owner == name { members[index].owner = type.filter { $0 != "?" } }
      members[index].parameters = members[index].parameters?.map {
        Parameter(
          label: $0.label,
          type: $0.type.replacing(#/\bUnknown\d+\b/#) {
            $0.output == name ? type : String($0.output)
          })
      }
    }
  }

  private func member(at diagnostic: PolicyDiagnostic) -> Int? {
    members.indices.first { use(of: members[$0].name, at: diagnostic) != nil }
  }

  // MARK: Files

  /// The modules that the names belong to; nil for the policies' own.
  var modules: [String?] {
    let types = types.filter { !$0.key.hasPrefix("Unknown") }.values
    return (types.map(\.module) + members.map(\.module)).uniqued().sorted {
      ($0 ?? "~") < ($1 ?? "~")
    }
  }

  /// What is missed of a module.
  func names(of module: String?) -> [String] {
    let types = types.filter { $0.value.module == module && !$0.key.hasPrefix("Unknown") }.map(
      \.key)
    let members = members.filter {
      $0.module == module && $0.name != "init" && $0.owner?.hasPrefix("Unknown") != true
    }.map(\.title)
    return (types.sorted() + members.sorted()).uniqued()
  }

  /// The declarations of what is missed of a module.
  func code(of module: String?) -> String {
    var used: [String] = []
    for member in members {
      used.append(member.owner ?? "")
      used.append(member.result ?? "")
      used += (member.parameters ?? []).map(\.type)
    }
    let words = Set(
      used.joined(separator: " ").split { !$0.isLetter && !$0.isNumber }.map(String.init))
    let own = types.filter { name, draft in
      draft.module == module && (!name.hasPrefix("Unknown") || words.contains(name))
    }.sorted { $0.key < $1.key }
    let declared = own.map { name, draft in
      let body = draft.body.isEmpty ? "{}" : "{ \(draft.body) }"
      let outer = name.split(separator: ".").dropLast().joined(separator: ".")
      return outer.isEmpty
        ? "\(draft.declaration) \(body)\n" : "extension \(outer) { \(draft.declaration) \(body) }\n"
    }
    let members = members.filter { $0.module == module }
      .filter { $0.name != "init" || $0.parameters?.isEmpty == false }
    let owners = members.map(\.owner).uniqued()
    let extensions = owners.map { owner in
      let lines = members.filter { $0.owner == owner }.map { code($0) }
      guard let owner else { return lines.map { "\($0)\n" }.joined() }
      return "extension \(owner) {\n" + lines.map { "  \($0)\n" }.joined() + "}\n"
    }
    return declared.joined() + extensions.joined()
  }

  private func code(_ member: Member) -> String {
    let parameters = (member.parameters ?? []).enumerated().map { "\($1.label) a\($0): \($1.type)" }
      .joined(separator: ", ")
    let access = "public " + (member.isStatic ? "static " : "")
    let name = Self.keywords.contains(member.name) ? "`\(member.name)`" : member.name
    let stop = "fatalError(\"\(member.name) is a stub\")"
    guard let result = member.result else {
      return member.parameters?.isEmpty == true
        ? "" : "public convenience init(\(parameters)) { self.init() }"
    }
    if member.parameters == nil {
      return "\(access)var \(name): \(result) { get { \(stop) } set { \(stop) } }"
    }
    let arrow = result == "Void" ? "" : " -> \(result)"
    return "\(access)func \(name)(\(parameters))\(arrow) { \(stop) }"
  }
}

extension StubDrafts {
  private static let keywords: Set = [
    "as", "break", "case", "catch", "continue", "default", "defer", "do", "else", "enum", "false",
    "for", "func", "if", "import", "in", "is", "nil", "repeat", "return", "switch", "throw", "true",
    "try", "where", "while",
  ]
}

/// A place where a name is used.
private struct Use {
  let source: SourceRewriter
  let index: Int

  enum Argument {
    case value, implicitMember
    /// With as many parameters.
    case closure(Int)
  }

  private var isInCondition: Bool {
    var start = index
    while start > 0, !source.startsLine(start) { start -= 1 }
    return ["if", "guard", "while", "for", "switch", "}"].contains(source.text(start))
  }

  private var close: Int? {
    source.isMark(index + 1, "(") ? source.closing(of: index + 1, "(", ")") : nil
  }

  /// Where the closure after a call begins.
  private var trailingClosure: Int? {
    let next = (close ?? index) + 1
    return source.isMark(next, "{") && !source.startsLine(next) && !isInCondition ? next : nil
  }

  var isCalled: Bool { close != nil || trailingClosure != nil }

  var arguments: [(label: String, kind: Argument)] {
    var starts: [Int] = []
    if let close, source.hasText(between: index + 1, and: close) {
      starts = [index + 2]
      var depth = 0
      for place in (index + 2)..<close {
        if ["(", "[", "{"].contains(where: { source.isMark(place, $0) }) { depth += 1 }
        if [")", "]", "}"].contains(where: { source.isMark(place, $0) }) { depth -= 1 }
        if depth == 0, source.isMark(place, ",") { starts.append(place + 1) }
      }
    }
    let inside = starts.map { start in
      let isLabelled =
        start < close! && source.tokens[start].isWord && source.isMark(start + 1, ":")
      return (isLabelled ? source.text(start) : "_", kind(at: isLabelled ? start + 2 : start))
    }
    return inside + (trailingClosure.map { [("_", kind(at: $0))] } ?? [])
  }

  private func kind(at start: Int) -> Argument {
    if source.isMark(start, ".") { return .implicitMember }
    guard source.isMark(start, "{") else { return .value }
    let head = (start + 1..<source.tokens.count).prefix {
      source.text($0) != "in"
        && (source.tokens[$0].isWord || ["(", ",", ")"].contains(source.text($0)))
    }
    let isHead = source.text(start + 1 + head.count) == "in"
    return .closure(
      isHead ? head.filter { source.tokens[$0].isWord && source.text($0) != "self" }.count : 0)
  }

  /// Whether a call stands for itself, so that nobody wants its result.
  var isStatement: Bool {
    guard isCalled, !source.isMark((close ?? index) + 1, ".") else { return false }
    var start = index
    while source.isMark(start - 1, "."), start > 1 { start -= 2 }
    while ["try", "await", "?", "!"].contains(source.text(start - 1)) { start -= 1 }
    let before = source.text(start - 1)
    return source.startsLine(start)
      && (before == "{" || before == "}" || before == ")" || before.first?.isLetter == true)
  }

  /// Whether the name stands among what a type refines, and not as the superclass of a class.
  var isRefinement: Bool {
    guard source.isMark(index - 1, ":") || source.isMark(index - 1, ",") else { return false }
    var start = index
    while start > 0, source.tokens[start].isWord || [":", ",", "."].contains(source.text(start)),
      !["class", "struct", "enum", "extension", "protocol", "actor"].contains(source.text(start))
    { start -= 1 }
    let isFirst = source.isMark(index - 1, ":") && start == index - 3
    switch source.text(start) {
    case "class": return !isFirst
    case "struct", "enum", "extension", "protocol", "actor": return true
    default: return false
    }
  }

  var genericArguments: Int {
    guard source.isMark(index + 1, "<"), let end = source.closing(of: index + 1, "<", ">") else {
      return 0
    }
    return (index + 1..<end).filter { source.isMark($0, ",") }.count + 1
  }
}
