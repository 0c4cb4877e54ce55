extension ModuleSources {
  /// The module without what the compiler objects to in files beside the policies'.
  ///
  /// An app's file has much that policies don't need, and that needs in its turn what isn't here. What such a function
  /// does gives way to an end of the process that says why, so that nothing is done in silence that the app doesn't do;
  /// what can't even be declared goes as a whole.
  /// - Parameter keepsUsed: Whether nothing goes by whose name the policies may use it. Else that goes, too, once
  ///   nothing else is left to go and the policies' own files compile.
  /// - Returns: Nil where the policies themselves can't be compiled, or need what can't.
  func leavingOut(_ diagnostics: [PolicyDiagnostic], keepsUsed: Bool) -> ModuleSources? {
    let all = sources.map { SourceDeclarations($0.text) }
    let own = Self.filesOfPolicies(all)
    guard !own.isEmpty, own.count < sources.count, !all.contains(where: Self.isOfStages) else {
      return nil
    }
    let others = sources.indices.filter { !own.contains($0) }
    var rest = self
    rest.typeNames.formUnion(
      others.flatMap { all[$0].all }.filter { $0.isType && $0.keyword != "extension" }.map(\.name))
    let reach = PolicyReach(
      own.map { all[$0] }, besides: others.map { all[$0] }, types: rest.typeNames)
    let errors = diagnostics.filter { $0.severity == .error }
    func leftOut(evenUsed: Bool) -> ModuleSources? {
      var rest = rest
      for index in others {
        let path = sources[index].path
        let edits = errors.filter { $0.file == path }
          .compactMap { reach.edit(for: $0, in: all[index], evenUsed: evenUsed) }
        if edits.isEmpty { continue }
        rest.sources[index] = PolicySource(path: path, text: all[index].text(with: edits))
      }
      return zip(rest.sources, sources).allSatisfy { $0.text == $1.text } ? nil : rest
    }
    if let less = leftOut(evenUsed: false) { return less }
    let isOwnError = errors.contains { error in own.contains { sources[$0].path == error.file } }
    return keepsUsed || isOwnError ? nil : leftOut(evenUsed: true)
  }

  /// Those with a class that Core Data calls by itself.
  private static func filesOfPolicies(_ files: [SourceDeclarations]) -> Set<Int> {
    var bases = calledByCoreData
    var found: Set<Int> = []
    var open = files.enumerated().flatMap { index, file in
      file.all.filter { $0.keyword == "class" }
        .map { (file: index, name: $0.name, head: file.names(in: file.code(usedWith: $0)).alone) }
    }
    while true {
      let split = open.partition { !$0.head.isDisjoint(with: bases) }
      if split == open.count { return found }
      for policy in open[split...] {
        found.insert(policy.file)
        bases.insert(policy.name)
      }
      open.removeSubrange(split...)
    }
  }

  private static let calledByCoreData: Set = [
    "NSEntityMigrationPolicy", "NSMigrationManager", "ValueTransformer",
    "NSSecureUnarchiveFromDataTransformer",
  ]

  /// Whether a file has to do with stages, whose handlers meet the app's managed objects: a migration by mapping models
  /// runs no code of these.
  private static func isOfStages(_ file: SourceDeclarations) -> Bool {
    !file.names(in: file.tokens.indices).alone
      .isDisjoint(with: ["NSStagedMigrationManager", "NSCustomMigrationStage"])
  }
}

/// What policies may use of the files beside them, by name.
private struct PolicyReach {
  private var names = SourceDeclarations.Names()
  /// The types that the files beside declare, or did.
  private let types: Set<String>

  init(
    _ policies: [SourceDeclarations], besides files: [SourceDeclarations], types: Set<String>
  ) {
    self.types = types
    for file in policies { names.formUnion(file.names(in: file.tokens.indices)) }
    var open = files.flatMap { file in file.all.map { (file, $0) } }
    while true {
      let split = open.partition { isUsed($1, in: $0) }
      if split == open.count { return }
      for (file, declaration) in open[split...] {
        var used = file.names(in: file.code(usedWith: declaration))
        // Of its own type as well.
        used.ofSomething.formUnion(used.alone)
        names.formUnion(used)
      }
      open.removeSubrange(split...)
    }
  }

  private func isUsed(
    _ declaration: SourceDeclarations.Declaration, in file: SourceDeclarations
  ) -> Bool {
    let name = declaration.name
    let outer = declaration.outer.map { file.all[$0] }
    switch declaration.keyword {
    case "init": return names.ofSomething.contains("init") || names.made.contains(outer?.name ?? "")
    // Without it the code that has brackets doesn't compile.
    case "subscript": return false
    // An operator's name is no word.
    case "func" where name.first?.isLetter == false && name.first != "_":
      return outer.map { isUsed($0, in: file) } ?? true
    case "extension": return !types.contains(name) || names.alone.contains(name)
    // They can't go alone.
    case "case": return outer.map { isUsed($0, in: file) } ?? true
    default: break
    }
    if declaration.isStored, !file.isNilAtFirst(declaration), let outer, isUsed(outer, in: file) {
      return true
    }
    if names.ofSomething.contains(name) { return true }
    let isOfType = !declaration.modifiers.isDisjoint(with: ["static", "class"])
    if isOfType || declaration.isType, names.ofSomethingKnown.contains(name) { return true }
    let isOfOwnType = outer.map { types.contains($0.name) } ?? false
    return (declaration.isType || !isOfOwnType) && names.alone.contains(name)
  }

  /// What becomes of the code that the compiler objects to; nil where it is used, or can't go alone.
  func edit(
    for diagnostic: PolicyDiagnostic, in file: SourceDeclarations, evenUsed: Bool
  ) -> SourceDeclarations.Edit? {
    let place = SourcePosition(line: diagnostic.line - 1, character: diagnostic.column - 1)
    guard let (index, isInBody, token) = file.innermost(at: place) else { return nil }
    // Of which the subscript was left out.
    if file.text(token) == "@dynamicMemberLookup" {
      return SourceDeclarations.Edit(range: file.tokens[token].range, text: "")
    }
    // A type that nothing names goes as a whole.
    if let type = file.types(around: index).first(where: { !isUsed(file.all[$0], in: file) }) {
      return file.omission(of: type)
    }
    let declaration = file.all[index]
    if declaration.isType {
      guard declaration.keyword == "extension", !isInBody else { return nil }
      // What it extends isn't here, so that nothing has its members.
      let members = file.members(of: index).map { file.all[$0] }
      if members.contains(where: { changesPolicy($0, in: file) }) { return nil }
      let hasUsed = members.contains { isUsed($0, in: file) }
      return evenUsed || !hasUsed ? file.omission(of: index) : nil
    }
    let goes = !isUsed(declaration, in: file)
    if !goes, !evenUsed { return nil }
    let mayGo =
      goes || declaration.modifiers.contains("@NSManaged") || file.isNilAtFirst(declaration)
      || file.isOfParameters(token, of: declaration)
    return (isInBody ? file.stop(in: index, because: diagnostic.message) : nil)
      ?? (mayGo && !changesPolicy(declaration, in: file) ? file.omission(of: index) : nil)
  }

  /// Whether a policy would do something else without it: it overrides, in an extension of a class of the policies.
  private func changesPolicy(
    _ declaration: SourceDeclarations.Declaration, in file: SourceDeclarations
  ) -> Bool {
    guard declaration.modifiers.contains("override"), let outer = declaration.outer else {
      return false
    }
    return !types.contains(file.all[outer].name)
  }
}

extension SourceDeclarations {
  struct Edit {
    let range: Range<Int>
    let text: String
  }

  /// The innermost declaration around a place, and whether the place is in its body.
  fileprivate func innermost(
    at place: SourcePosition
  ) -> (index: Int, isInBody: Bool, token: Int)? {
    guard lineStarts.indices.contains(place.line) else { return nil }
    let offset = lineStarts[place.line] + place.character
    guard let token = tokens.lastIndex(where: { $0.range.lowerBound <= offset }),
      let index = all.lastIndex(where: { $0.tokens.contains(token) })
    else { return nil }
    return (index, all[index].body?.contains(token) ?? false, token)
  }

  /// The types and extensions that a declaration is in, the outermost first, and itself if it is one.
  fileprivate func types(around index: Int) -> [Int] {
    all.indices.filter { all[$0].isType && all[$0].tokens.contains(all[index].tokens.lowerBound) }
  }

  /// What is declared in a type, and in types in it.
  fileprivate func members(of type: Int) -> [Int] {
    all.indices.filter { $0 > type && all[type].tokens.contains(all[$0].tokens.lowerBound) }
  }

  /// Names that code mentions.
  fileprivate struct Names {
    var alone: Set<String> = []
    /// As in `a.name`.
    var ofSomething: Set<String> = []
    /// As in `.name`: of a type that the compiler knows.
    var ofSomethingKnown: Set<String> = []
    /// Types of which something may be made.
    var made: Set<String> = []

    mutating func formUnion(_ other: Names) {
      alone.formUnion(other.alone)
      ofSomething.formUnion(other.ofSomething)
      ofSomethingKnown.formUnion(other.ofSomethingKnown)
      made.formUnion(other.made)
    }
  }

  /// The tokens that count where a declaration is used: of a type its head, since its members are used one by one.
  fileprivate func code(usedWith declaration: Declaration) -> Range<Int> {
    let isHead = declaration.isType && declaration.keyword != "protocol"
    let end = isHead ? declaration.body?.lowerBound : nil
    return declaration.tokens.lowerBound..<(end ?? declaration.tokens.upperBound + 1)
  }

  /// The names in some tokens but what they declare. Those of a key path are text.
  fileprivate func names(in range: Range<Int>) -> Names {
    var names = Names()
    var index = range.lowerBound
    while index < range.upperBound {
      let name = text(index)
      if name == "#keyPath" {
        index = closing[index + 1] ?? index
      } else if isMark(index - 1, ".") {
        let isKnown = !isWord(index - 2) && !#")]}?!>\"#.contains(text(index - 2))
        if isKnown { names.ofSomethingKnown.insert(name) } else { names.ofSomething.insert(name) }
      } else if isWord(index), !["func", "var", "let", "case"].contains(text(index - 1)) {
        names.alone.insert(name)
      }
      if isMark(index + 1, "(") || isMark(index + 1, "<") { names.made.insert(name) }
      index += 1
    }
    return names
  }

  /// Ends the process in place of what a function or property does; nil where that is so already.
  fileprivate func stop(in index: Int, because reason: String) -> Edit? {
    guard let body = all[index].body, text(body.lowerBound + 1) != "fatalError" else { return nil }
    let why = "\(all[index].name) is left out: it doesn't compile here: \(reason)"
    let end = "fatalError(\(why.debugDescription))"
    let isSet = body.contains { text($0) == "set" && (isMark($0 + 1, "{") || isMark($0 + 1, "(")) }
    return Edit(
      range: bytes(of: body),
      text: isSet && all[index].keyword != "func"
        ? "{ get { \(end) } set { \(end) } }" : "{ \(end) }")
  }

  /// Takes a declaration out. What each object has room for, and what Core Data finds by its key, can't be missing in
  /// silence.
  fileprivate func omission(of index: Int) -> Edit? {
    let declaration = all[index]
    let outer = declaration.outer.map { all[$0] }
    let exposing = outer?.keyword == "extension" ? "@objc" : "@objcMembers"
    let isExposed =
      declaration.modifiers.contains("@objc") || outer?.modifiers.contains(exposing) == true
    let isSeenByKey =
      declaration.keyword == "var" && isExposed
      && declaration.modifiers.isDisjoint(with: ["@NSManaged", "@nonobjc"])
    let mustStay = declaration.isStored && !isNilAtFirst(declaration)
    if mustStay || isSeenByKey || declaration.keyword == "case" { return nil }
    return Edit(range: bytes(of: declaration.tokens), text: "")
  }

  /// Whether it is a variable of a class that nothing is in until it is set, so that nobody misses it unused.
  fileprivate func isNilAtFirst(_ declaration: Declaration) -> Bool {
    declaration.keyword == "var" && declaration.isStored
      && declaration.outer.map { all[$0].keyword } == "class"
      && isMark(declaration.tokens.upperBound, "?")
      && !declaration.modifiers.contains { $0.hasPrefix("@") && $0 != "@nonobjc" }
  }

  /// Whether it is among the parameters of a function of which each must be given: no call of it can mean another one
  /// once it is gone.
  fileprivate func isOfParameters(_ token: Int, of declaration: Declaration) -> Bool {
    guard ["init", "func"].contains(declaration.keyword),
      let open = declaration.tokens.first(where: { $0 > declaration.place && isMark($0, "(") }),
      let end = closing[open]
    else { return false }
    return open < token && token < end && !(open..<end).contains { isMark($0, "=") }
  }

  private func bytes(of range: ClosedRange<Int>) -> Range<Int> {
    tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound].range.upperBound
  }

  /// The file with some edits, of which outer ones come before inner ones. Lines stay where they are.
  fileprivate func text(with edits: [Edit]) -> String {
    var result: [UInt8] = []
    var copied = 0
    let ordered = edits.sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    for edit in ordered where edit.range.lowerBound >= copied {
      result += bytes[copied..<edit.range.lowerBound]
      result += edit.text.utf8
      result += bytes[edit.range].filter { $0 == UInt8(ascii: "\n") }
      copied = edit.range.upperBound
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }
}
