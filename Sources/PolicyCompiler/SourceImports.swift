/// What becomes of the imports of a source.
///
/// Core Data and Foundation are the engine's `CoreDataNames`, which re-exports Foundation. So is a
/// module that isn't there: nearly all of Apple's re-export Foundation, and only what is used of it fails.
struct ImportRules: Sendable {
  /// Modules that aren't there.
  var missing: Set<String> = []
  /// The names of modules for the compiler, where they aren't those in the sources.
  var renamed: [String: String] = [:]
  /// Modules of the app's, stubs among them.
  var given: Set<String> = []
  /// Modules whose names are also those of a type, which code means by them then.
  var ambiguous: Set<String> = []

  fileprivate static let own: Set<String> = ["CoreData", "Foundation"]

  fileprivate func isOwn(_ module: String) -> Bool {
    Self.own.contains(module) || missing.contains(module)
  }
}

/// An import of a source.
struct SourceImport: Hashable, Sendable {
  var module: String
  /// Counted from 1.
  var line: Int
  var isTestable: Bool
}

extension SourceRewriter {
  /// An import's parts, by their tokens.
  struct ImportDeclaration {
    /// The first attribute or modifier, or `import`.
    var start: Int
    var keyword: Int
    /// The module's name.
    var module: Int
    /// The last name of the path.
    var end: Int
    /// `import class X.Y`
    var isScoped: Bool
  }

  /// The import whose keyword is at `index`.
  func importDeclaration(at index: Int) -> ImportDeclaration? {
    guard text(index) == "import", !isMark(index - 1, "."), index + 1 < tokens.count else {
      return nil
    }
    let isScoped = Self.importKinds.contains(text(index + 1))
    let module = isScoped ? index + 2 : index + 1
    guard module < tokens.count, tokens[module].isWord else { return nil }
    var end = module
    while isMark(end + 1, "."), end + 2 < tokens.count, tokens[end + 2].isWord { end += 2 }
    return ImportDeclaration(
      start: startOfModifiers(before: index), keyword: index, module: module, end: end,
      isScoped: isScoped)
  }

  private static let importKinds: Set<String> = [
    "typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor",
  ]

  mutating func rewriteImport(_ declaration: ImportDeclaration, by rules: ImportRules) {
    let module = text(declaration.module)
    note(declaration)
    let isPlain = declaration.end == declaration.module && !declaration.isScoped
    // Generated files import without a word about access, as all must then. What a file exports of Apple's, all
    // files import anyway.
    for index in declaration.start..<declaration.keyword
    where Self.accessWords.contains(text(index))
      || (text(index) == "@_exported" && !rules.given.contains(module))
    {
      blank(index)
    }
    if rules.isOwn(module) {
      if module == "CoreData" && isPlain { return }
      if module == "Foundation" && isPlain {
        replace(tokens[declaration.module].range, by: "CoreData")
      } else {
        let inside = conditions.platform == .macos ? "AppKit" : "UIKit"
        let all = FrameworkModules.reexporting[module]?.map { $0 == "UIKit" ? inside : $0 } ?? []
        let own = all.filter { !rules.given.contains($0) }
        replaceWhole(
          declaration, by: own.isEmpty ? "CoreData" : own.joined(separator: "; import "))
      }
    } else if FrameworkModules.isStandIn(module), !declaration.isScoped {
      let name = rules.renamed[module] ?? module
      if !isPlain || name != module { replaceWhole(declaration, by: name) }
    } else if rules.given.contains(module), !isPlain, !declaration.isScoped {
      // A stub has no submodules.
      replaceWhole(declaration, by: rules.renamed[module] ?? module)
    } else if let name = rules.renamed[module] {
      replace(tokens[declaration.module].range, by: name)
    }
  }

  private static let accessWords: Set<String> = [
    "private", "fileprivate", "internal", "package", "public",
  ]

  /// Attributes are about a module that isn't imported any more; whatever a file exports, all files of a
  /// module import what they need of Core Data.
  private mutating func replaceWhole(_ declaration: ImportDeclaration, by module: String) {
    let range =
      tokens[declaration.start].range.lowerBound..<tokens[declaration.end].range.upperBound
    replaceEdits(in: range, by: "import \(module)")
  }

  /// Renames a module where code names it: `Module.Type`, `canImport(Module)`.
  mutating func renameModule(at index: Int, by rules: ImportRules) {
    if text(index) == "Foundation", isMark(index + 1, "."),
      Self.ownNames.contains(text(index + 2)), !isMark(index - 1, ".")
    {
      return replace(tokens[index].range, by: "CoreData")
    }
    let isAbsent = Self.absentModules.contains(text(index))
    guard let name = rules.renamed[text(index)] ?? (isAbsent ? "CoreData" : nil),
      !isMark(index - 1, ".")
    else { return }
    let isAsked =
      isMark(index - 1, "(") && text(index - 2) == "canImport" && rules.renamed[text(index)] != nil
    let isQualifier = isMark(index + 1, ".") && !rules.ambiguous.contains(text(index))
    if isAsked || isQualifier { replace(tokens[index].range, by: name) }
  }

  /// Modules of Apple's that aren't here, and that code needn't import.
  private static let absentModules: Set<String> = ["ObjectiveC", "Darwin"]

  /// Names of Foundation's that are the engine's.
  private static let ownNames: Set<String> = [
    "ValueTransformer", "NSPredicate", "NSCompoundPredicate", "NSComparisonPredicate",
    "NSExpression", "NSSortDescriptor", "Selector",
  ]

  /// The first of the attributes and modifiers before a keyword; the keyword if there are none.
  func startOfModifiers(before keyword: Int) -> Int {
    var start = keyword
    while start > 0 {
      var index = start - 1
      if isMark(index, ")") {
        guard let open = opening(of: index) else { break }
        index = open - 1
      }
      guard text(index).hasPrefix("@") || isModifier(index) else { break }
      start = index
    }
    return start
  }

  /// The index of the bracket that the one at `close` closes.
  func opening(of close: Int) -> Int? {
    var depth = 0
    for index in stride(from: close, through: 0, by: -1) {
      if isMark(index, ")") { depth += 1 }
      if isMark(index, "(") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
