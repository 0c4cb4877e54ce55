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

  init(_ rewriters: [SourceRewriter], paths: [String]) {
    self.rewriters = rewriters
    files = rewriters.indices.map { [$0] }
    self.paths = paths
    let outlines = rewriters.map { SourceOutline($0) }
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
    var type: String
    var name: String
    var tokens: ClosedRange<Int>
    var overrides: Bool
    var isExposed: Bool

    func mustMove(_ overridden: Set<String>) -> Bool {
      overrides || (isExposed && overridden.contains(name))
    }
  }

  private let source: SourceRewriter
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

  private let closingBraces: [Int: Int]

  private struct Scope {
    var name: String
    var close: Int
    /// Of a type or an extension, not of a function.
    var isType: Bool
    var isExtension = false
    var isExposed = false
  }

  init(_ source: SourceRewriter) {
    self.source = source
    closingBraces = source.pairs(["{"], ["}"])
    var scopes: [Scope] = []
    var nextBody: (open: Int, scope: Scope)?
    var index = 0
    while index < source.tokens.count {
      while let scope = scopes.last, scope.close <= index { scopes.removeLast() }
      if source.isMark(index, "{") {
        let isNamed = nextBody?.open == index
        scopes.append(
          (isNamed ? nextBody?.scope : nil)
            ?? Scope(name: "", close: closingBraces[index] ?? .max, isType: false))
      } else if let body = typeBody(at: index, in: scopes) {
        nextBody = body
      } else if let member = member(at: index) {
        if member.overrides { overriddenNames.insert(member.name) }
        if member.name == "observeValue", let scope = scopes.last {
          observers.append((scope.name, index))
        }
        if let scope = scopes.last, scope.isExtension {
          var member = member
          member.type = scope.name
          member.isExposed = member.isExposed || scope.isExposed
          extensionMembers.append(member)
        }
      }
      index += 1
    }
  }

  // MARK: Types

  private static let typeKeywords: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "extension", "typealias",
  ]

  /// The body of the type or extension whose keyword is at `index`.
  private mutating func typeBody(at index: Int, in scopes: [Scope]) -> (open: Int, scope: Scope)? {
    let keyword = source.text(index)
    guard Self.typeKeywords.contains(keyword), isDeclared(at: index) else { return nil }
    var (name, end) = (source.text(index + 1), index + 1)
    if keyword != "extension" { typeNames.insert(name) }
    while keyword == "extension", source.isMark(end + 1, "."), end + 2 < source.tokens.count {
      name += ".\(source.text(end + 2))"
      end += 2
    }
    guard keyword != "typealias",
      let open = (end..<source.tokens.count).first(where: { source.isMark($0, "{") }),
      let close = closingBraces[open]
    else { return nil }
    if keyword == "class" { superclasses[name] = superclass(from: end + 1, to: open) }
    let outer = scopes.filter(\.isType).map(\.name)
    let qualified = (outer + [name]).joined(separator: ".")
    if keyword == "class" && scopes.allSatisfy(\.isType) { classes[qualified] = close }
    let isPlain = !(end..<open).contains { source.text($0) == "where" }
    return (
      open,
      Scope(
        name: name, close: close, isType: true,
        isExtension: keyword == "extension" && isPlain,
        isExposed: hasAttribute("@objc", before: index))
    )
  }

  /// What the head of a class, from after its name, says first that it inherits from.
  private func superclass(from start: Int, to open: Int) -> String? {
    let generics = source.isMark(start, "<") ? source.closing(of: start, "<", ">") : nil
    let colon = generics.map { $0 + 1 } ?? start
    guard source.isMark(colon, ":"), colon + 1 < open else { return nil }
    let path = (colon + 1..<open).prefix { source.tokens[$0].isWord || source.isMark($0, ".") }
    return path.last.map { source.text($0) }
  }

  /// Whether the word begins a declaration, unlike that of `class func` and `protocol P: class`.
  private func isDeclared(at index: Int) -> Bool {
    guard index + 1 < source.tokens.count, source.tokens[index + 1].isWord,
      !source.isMark(index - 1, "."), !source.isMark(index - 1, ":"),
      !SourceRewriter.startsMember(source.text(index + 1))
    else { return false }
    return true
  }

  // MARK: Members

  private static let memberKeywords: Set<String> = ["func", "var", "init", "subscript"]

  /// The member with a body whose keyword is at `index`, as yet of no type.
  private func member(at index: Int) -> Member? {
    let keyword = source.text(index)
    guard Self.memberKeywords.contains(keyword), !source.isMark(index - 1, ".") else { return nil }
    let start = source.startOfModifiers(before: index)
    let words = (start..<index).map { source.text($0) }
    let isExposed = words.contains("@objc")
    guard words.contains("override") || isExposed, let end = endOfBody(after: index) else {
      return nil
    }
    return Member(
      type: "", name: keyword == "func" || keyword == "var" ? source.text(index + 1) : keyword,
      tokens: start...end, overrides: words.contains("override"), isExposed: isExposed)
  }

  private func endOfBody(after index: Int) -> Int? {
    var depth = 0
    for place in index..<source.tokens.count {
      if source.isMark(place, "(") || source.isMark(place, "[") { depth += 1 }
      if source.isMark(place, ")") || source.isMark(place, "]") { depth -= 1 }
      if depth == 0 && source.isMark(place, "{") { return closingBraces[place] }
      if depth < 0 || source.isMark(place, "}") { return nil }
    }
    return nil
  }

  private func hasAttribute(_ name: String, before index: Int) -> Bool {
    (source.startOfModifiers(before: index)..<index).contains { source.text($0) == name }
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
