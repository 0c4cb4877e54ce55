/// Moves members of extensions into their class where only the Objective-C runtime lets them stay.
///
/// On a device an extension may override, and a subclass may override what an extension declares
/// `@objc`. Elsewhere both must be in the class. Messages keep naming the places where the user wrote
/// the members.
struct MovedMembers {
  private(set) var rewriters: [SourceRewriter]
  /// The sources in the files in which they are compiled: together where a member went to another file
  /// and may use what is private to its own.
  private(set) var files: [[Int]]
  private let paths: [String]

  init(_ rewriters: [SourceRewriter], outlines: [SourceOutline], paths: [String]) {
    self.rewriters = rewriters
    files = rewriters.indices.map { [$0] }
    self.paths = paths
    let overridden = outlines.reduce(into: Set<String>()) { $0.formUnion($1.overriddenNames) }
    var bodies: [String: (source: Int, close: Int)] = [:]
    for (source, outline) in outlines.enumerated() {
      for (name, close) in outline.classes where bodies[name] == nil {
        bodies[name] = (source, close)
      }
    }
    for (source, outline) in outlines.enumerated() {
      for member in outline.extensionMembers where member.mustMove(overridden) {
        guard let body = bodies[member.type] else { continue }
        if outlines[source].hasPrivateMembers { join(source, body.source) }
        move(member, from: source, to: body)
      }
    }
  }

  private mutating func join(_ a: Int, _ b: Int) {
    let joined = files.filter { $0.contains(a) || $0.contains(b) }
    guard joined.count == 2 else { return }
    files.removeAll { joined.contains($0) }
    files.append(joined.flatMap { $0 }.sorted())
  }

  private mutating func move(
    _ member: SourceOutline.Member, from source: Int, to body: (source: Int, close: Int)
  ) {
    let moved = rewriters[source].cut(member.tokens)
    let target = rewriters[body.source].position(ofToken: body.close)
    rewriters[body.source].insert(
      Self.lines(at: moved.position, in: paths[source]) + moved.code
        + Self.lines(at: target, in: paths[body.source]), before: body.close)
  }

  /// Makes what follows appear at a place of a file, column and all.
  private static func lines(at position: SourcePosition, in path: String) -> String {
    "\n" + sourceLocation(path, line: position.line + 1)
      + String(repeating: " ", count: position.character)
  }

  /// The line that says from where the next ones are.
  static func sourceLocation(_ path: String, line: Int) -> String {
    let file = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "#sourceLocation(file: \"\(file)\", line: \(line))\n"
  }
}

/// The types of a source, and what its extensions declare.
struct SourceOutline {
  struct Member {
    /// The extended type's name, with those of the types around it.
    let type: String
    let name: String
    let tokens: ClosedRange<Int>
    let overrides: Bool
    let isExposed: Bool

    func mustMove(_ overridden: Set<String>) -> Bool {
      overrides || (isExposed && overridden.contains(name))
    }
  }

  private let source: SourceDeclarations
  /// The tokens that close the classes' bodies, by qualified name.
  private(set) var classes: [String: Int] = [:]
  /// All types that are declared here, by their own names.
  private(set) var typeNames: Set<String> = []
  private(set) var extensionMembers: [Member] = []
  private(set) var overriddenNames: Set<String> = []
  /// The classes by name, with what they inherit from first.
  private(set) var superclasses: [String: String] = [:]
  /// The methods that observe values by a key path: their types, and the tokens of their keywords.
  private(set) var observers: [(type: String, keyword: Int)] = []

  var hasPrivateMembers: Bool {
    source.tokens.indices.contains { ["private", "fileprivate"].contains(source.text($0)) }
  }

  init(_ source: SourceDeclarations) {
    self.source = source
    for declaration in source.all {
      if declaration.isType || declaration.keyword == "typealias" {
        add(type: declaration)
      } else if source.isMark(declaration.tokens.upperBound, "}") {
        add(member: declaration)
      }
    }
  }

  private mutating func add(type: SourceDeclarations.Declaration) {
    if type.keyword != "extension" { typeNames.insert(type.name) }
    guard type.keyword == "class", let body = type.body else { return }
    classes[source.qualifiedName(of: type)] = body.upperBound
    superclasses[type.name] = superclass(from: type.place + 2, to: body.lowerBound)
  }

  /// What the head of a class, from after its name, says first that it inherits from.
  private func superclass(from start: Int, to open: Int) -> String? {
    let generics = source.isMark(start, "<") ? source.closing(of: start, "<", ">") : nil
    let colon = generics.map { $0 + 1 } ?? start
    guard source.isMark(colon, ":"), colon + 1 < open else { return nil }
    let path = (colon + 1..<open).prefix { source.tokens[$0].isWord || source.isMark($0, ".") }
    return path.last.map { source.text($0) }
  }

  private mutating func add(member: SourceDeclarations.Declaration) {
    let overrides = member.modifiers.contains("override")
    let isExposed = member.modifiers.contains("@objc")
    guard overrides || isExposed else { return }
    if overrides { overriddenNames.insert(member.name) }
    guard let outer = member.outer.map({ source.all[$0] }) else { return }
    let type = source.extendedName(of: outer) ?? outer.name
    if member.name == "observeValue" { observers.append((type, member.place)) }
    guard outer.keyword == "extension", !source.isConditional(outer) else { return }
    extensionMembers.append(
      Member(
        type: type, name: member.name, tokens: member.tokens, overrides: overrides,
        isExposed: isExposed || outer.modifiers.contains("@objc")))
  }
}

extension SourceDeclarations {
  /// With the names of the types around it.
  fileprivate func qualifiedName(of type: Declaration) -> String {
    let outer = type.outer.map { qualifiedName(of: all[$0]) + "." } ?? ""
    return outer + (extendedName(of: type) ?? type.name)
  }

  /// The name of what an extension extends, with those of the types around it; nil for no extension.
  fileprivate func extendedName(of type: Declaration) -> String? {
    guard type.keyword == "extension" else { return nil }
    let path = (type.place + 1..<tokens.count).prefix { isWord($0) || isMark($0, ".") }
    return path.map { text($0) }.joined()
  }

  /// Whether an extension says `where`.
  fileprivate func isConditional(_ type: Declaration) -> Bool {
    (type.place..<(type.body?.lowerBound ?? type.place)).contains { text($0) == "where" }
  }
}

extension [SourceOutline] {
  /// The methods of each source that observe values and override another class's of the module, by
  /// the tokens of their keywords.
  var inheritedObservers: [Set<Int>] {
    let superclasses = reduce(into: [:]) { $0.merge($1.superclasses) { first, _ in first } }
    let observing = Set(flatMap(\.observers).map(\.type))
    func overrides(_ type: String) -> Bool {
      var passed: Set<String> = [type]
      var next = superclasses[type]
      while let name = next, passed.insert(name).inserted {
        if observing.contains(name) { return true }
        next = superclasses[name]
      }
      return false
    }
    return map { Set($0.observers.filter { overrides($0.type) }.map(\.keyword)) }
  }
}
