/// Rewrites what a Swift file has from Apple's systems: their modules and the Objective-C runtime.
///
/// - `#keyPath(Song.book.title)` becomes `"book.title"`.
/// - `#selector(NSString.compare(_:))` becomes `Selector("compare:")`.
/// - `import Foundation` becomes `import CoreData`: the engine's `NSPredicate` is declared there,
///   and would be ambiguous beside Foundation's. So do imports of what isn't there; see
///   ``ImportRules``.
/// - Optional requirements of protocols become members of extensions, and calls of them plain ones.
/// - `@objc`, `@objc(name)` and `@objcMembers` become blanks; ``exposure`` remembers them.
/// - `@NSManaged` properties get accessors by key; `@NSManaged` methods become what Core Data
///   generates for their selector, or an error.
/// - `NSDate()` and `NSUUID()` are made of `Date()` and `UUID()`; see ``StandIns``.
/// - `catch let error as NSError` and `as CocoaError` catch the engine's errors, too, and convert them.
/// - `as?` and `as!` to these types, `NSFetchRequest<…>`, `Set<…>` and
///   `NSMutableSet` become operators that can do it.
/// - Of a type parameter it isn't required that it is an `NSFetchRequestResult`: an `@objc` protocol conforms to
///   itself, another doesn't, and the engine's requests ask for no more.
/// - `urls(forResourcesWithExtension:subdirectory:)` of bundles becomes a method that gives `URL`.
/// - `observeValue(forKeyPath:of:change:context:)` overrides nothing but that of an app's class.
///
/// Comments and strings are left alone. Replacements are padded to the length of what they replace,
/// so that diagnostics point to the user's own columns.
struct SourceRewriter: TokenizedSource {
  let bytes: [UInt8]
  let tokens: [SwiftLexer.Token]
  let lineStarts: [Int]
  private var edits: [Edit] = []
  var exposure = ObjectiveCExposure()
  private(set) var imports: [SourceImport] = []

  private struct Edit {
    var range: Range<Int>
    var replacement: [UInt8]
  }

  let conditions: BuildConditions
  /// What was asked of the platform, and answered.
  var platformConditions: [(position: SourcePosition, answer: String)] = []

  /// What can't be compiled, and why.
  var problems: [(position: SourcePosition, message: String)] = []
  /// Names that `@objc(name)` gives properties of the module, for `#keyPath`.
  private let keyNames: [String: String]
  /// The base names of optional requirements.
  private let optionalNames: Set<String>
  /// Up to where the text is replaced as a whole.
  private var replacedEnd = 0

  /// The keywords of observing methods that override another class's of the module.
  let inheritedObservers: Set<Int>

  /// - Parameters:
  ///   - keyNames: What `@objc(name)` calls properties of the module's files, by Swift name.
  ///   - optionalMembers: Optional requirements of the module's protocols, and of those that it imports.
  ///   - inheritedObservers: The tokens of the observing methods' keywords that override another
  ///     class's of the module.
  init(
    _ text: String, imports rules: ImportRules = ImportRules(), keyNames: [String: String] = [:],
    optionalMembers: Set<String> = [], inheritedObservers: Set<Int> = [],
    conditions: BuildConditions = BuildConditions()
  ) {
    self.keyNames = keyNames
    optionalNames = Set(optionalMembers.map { String($0.prefix { $0 != "(" }) })
    self.conditions = conditions
    self.inheritedObservers = inheritedObservers
    let bytes = Array(text.utf8)
    self.bytes = bytes
    tokens = SwiftLexer.tokens(of: bytes)
    lineStarts = Self.lineStarts(of: bytes)
    let imports = tokens.indices.compactMap { importDeclaration(at: $0) }
    for declaration in imports { rewriteImport(declaration, by: rules) }
    let imported = IndexSet(imports.flatMap { $0.start...$0.end })
    for index in tokens.indices
    where tokens[index].isWord && !imported.contains(index)
      && tokens[index].range.lowerBound >= replacedEnd
    {
      rewriteWord(at: index)
      renameModule(at: index, by: rules)
    }
    if text.contains("NSManaged"), text.contains("init") { provideInitializers(text) }
  }

  /// The file with all edits made.
  func rewritten() -> String { rewritten(bytes.indices, edits) }

  private func rewritten(_ range: Range<Int>, _ edits: [Edit]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var copied = range.lowerBound
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[copied..<edit.range.lowerBound]
      result += edit.replacement
      copied = edit.range.upperBound
    }
    result += bytes[copied..<range.upperBound]
    return String(decoding: result, as: UTF8.self)
  }

  /// Takes tokens out of the file, and leaves its lines.
  /// - Returns: What they are rewritten to, and where they began.
  mutating func cut(_ cut: ClosedRange<Int>) -> (code: String, position: SourcePosition) {
    let range = tokens[cut.lowerBound].range.lowerBound..<tokens[cut.upperBound].range.upperBound
    func isInside(_ edit: Edit) -> Bool {
      range.lowerBound <= edit.range.lowerBound && edit.range.upperBound <= range.upperBound
    }
    let code = rewritten(range, edits.filter(isInside))
    edits.removeAll(where: isInside)
    replace(range, by: "")
    return (code, position(of: range.lowerBound))
  }

  private mutating func rewriteWord(at index: Int) {
    switch text(index) {
    case "#keyPath": rewriteKeyPath(at: index)
    case "#selector": rewriteSelector(at: index)
    case "@objc", "@objcMembers": rewriteObjectiveC(at: index)
    case "@nonobjc": rewriteHidden(at: index)
    case "#if", "#elseif": rewriteCondition(at: index)
    case "@NSManaged": rewriteManaged(at: index)
    case "catch": rewriteCatch(at: index)
    case "forResourcesWithExtension" where text(index - 2) == "urls" && text(index - 3) != "func":
      replace(tokens[index].range, by: "withExtension")
    case "NSDate", "NSUUID": rewriteFoundationClass(at: index)
    case "as": rewriteCast(at: index)
    case "NSFetchRequestResult" where isConstraint(at: index):
      replace(tokens[index].range, by: "Any")
    case "override": rewriteObserver(at: index)
    case "optional": rewriteOptional(at: index)
    case let name where optionalNames.contains(name): rewriteOptionalCall(at: index)
    case "#import":
      problems.append(
        (position(ofToken: index), "this is Objective-C: such policies have to be put into Swift"))
    default: break
    }
  }
}

// MARK: - NSDate() and NSUUID()

extension SourceRewriter {
  /// Makes them of `Date()` and `UUID()`, which a scenario may fix; as long as the brackets are empty.
  private mutating func rewriteFoundationClass(at index: Int) {
    guard isMark(index + 1, "("), isMark(index + 2, ")") else { return }
    let range = tokens[index].range.lowerBound..<tokens[index + 2].range.upperBound
    switch text(index) {
    case "NSDate":
      replace(
        range,
        by: "NSDate(timeIntervalSinceReferenceDate: Date().timeIntervalSinceReferenceDate)")
    default: replace(range, by: "NSUUID(uuidString: UUID().uuidString)!")
    }
  }
}

// MARK: - Reading tokens

extension SourceRewriter {
  /// The code of some tokens in one line, without comments.
  func code(_ range: Range<Int>) -> String {
    range.map { index in
      let isApart =
        index > range.lowerBound
        && tokens[index - 1].range.upperBound < tokens[index].range.lowerBound
      return (isApart ? " " : "") + text(index)
    }.joined()
  }

  /// Whether a word is a declaration's keyword or modifier.
  static func startsMember(_ word: String) -> Bool {
    keywords.contains(word) || modifiers.contains(word)
  }

  func isModifier(_ index: Int) -> Bool {
    let isClass = text(index) == "class" && Self.startsMember(text(index + 1))
    return isClass || Self.modifiers.contains(text(index))
  }

  fileprivate static let keywords: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "extension", "func", "var", "let", "init",
    "subscript", "case", "typealias",
  ]
  fileprivate static let modifiers: Set<String> = [
    "private", "fileprivate", "internal", "package", "public", "open", "static", "final",
    "override", "dynamic", "lazy", "weak", "unowned", "optional", "required", "convenience",
    "mutating", "nonmutating", "indirect", "nonisolated",
  ]
}

extension TokenizedSource {
  /// The index of the mark that closes the one at `opening`; nil when it is missing.
  func closing(of opening: Int, _ open: Character, _ close: Character) -> Int? {
    var depth = 0
    for index in opening..<tokens.count {
      if isMark(index, open) { depth += 1 }
      if isMark(index, close) { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// The index after attributes and modifiers, at the keyword that starts the declaration.
  func declarationKeyword(from index: Int) -> Int? {
    var index = index
    while index < tokens.count, tokens[index].isWord {
      let word = text(index)
      let isOfType = word == "class" && SourceRewriter.startsMember(text(index + 1))
      if SourceRewriter.keywords.contains(word), !isOfType { return index }
      guard word.hasPrefix("@") || SourceRewriter.modifiers.contains(word) || word == "class" else {
        return nil
      }
      index += 1
      if isMark(index, "(") {
        guard let end = closing(of: index, "(", ")") else { return nil }
        index = end + 1
      }
    }
    return nil
  }

  /// The last token of a declaration without a body: it ends with its line, outside of brackets.
  func lastTokenOfDeclaration(from index: Int) -> Int {
    var index = index
    var depth = 0
    while index + 1 < tokens.count {
      if isMark(index, "(") || isMark(index, "[") { depth += 1 }
      if isMark(index, ")") || isMark(index, "]") { depth -= 1 }
      let gap = bytes[tokens[index].range.upperBound..<tokens[index + 1].range.lowerBound]
      let endsHere = gap.contains(UInt8(ascii: "\n")) || isMark(index + 1, ";")
      if depth == 0 && (endsHere || isMark(index + 1, "}")) { break }
      index += 1
    }
    return index
  }
}

// MARK: - #keyPath and #selector

extension SourceRewriter {
  private mutating func rewriteKeyPath(at index: Int) {
    guard isMark(index + 1, "("), let end = closing(of: index + 1, "(", ")") else { return }
    let inside = (index + 2)..<end
    let names = inside.filter { tokens[$0].isWord }.map { text($0) }
    let isPath = inside.allSatisfy { tokens[$0].isWord || isMark($0, ".") }
    guard isPath, let last = names.last else { return }
    // The path starts after the type, whose name (and module) has a capital; properties of a
    // managed object can't have one.
    let keys = names.drop { $0.first?.isUppercase == true }
    let path =
      keys.isEmpty
      ? last : keys.map { keyNames[$0] ?? $0 }.joined(separator: ".")
    replaceWhole(index...end, by: "\"\(path)\"")
  }

  private mutating func rewriteSelector(at index: Int) {
    guard isMark(index + 1, "("), let end = closing(of: index + 1, "(", ")") else { return }
    let accessor = isMark(index + 3, ":") ? text(index + 2) : ""
    let isAccessor = ["getter", "setter"].contains(accessor)
    let method = ((index + (isAccessor ? 4 : 2))..<end).map { text($0) }.joined()
    let start = method.prefix { $0 != "(" }.lastIndex(of: ".").map(method.index(after:))
    let name = String(method[(start ?? method.startIndex)...])
    let key = keyNames[name] ?? name
    let selector =
      switch accessor {
      case "getter": key
      case "setter": "set\(key.prefix(1).uppercased())\(key.dropFirst()):"
      default: ObjectiveCSelector(swiftName: name).name
      }
    replaceWhole(index...end, by: "Selector(\"\(selector)\")")
  }

  /// Replaces tokens, in which nothing else is rewritten.
  mutating func replaceWhole(_ tokens: ClosedRange<Int>, by new: String) {
    let range =
      self.tokens[tokens.lowerBound].range
      .lowerBound..<self.tokens[tokens.upperBound].range
      .upperBound
    replaceEdits(in: range, by: new)
    replacedEnd = max(replacedEnd, range.upperBound)
  }

  /// Replaces a range, keeping its length if possible and always its line breaks.
  mutating func replace(_ range: Range<Int>, by new: String) {
    let lineBreaks = bytes[range].filter { $0 == UInt8(ascii: "\n") }
    var replacement = Array(new.utf8) + lineBreaks
    let padding = max(0, range.count - replacement.count)
    replacement += Array(repeating: UInt8(ascii: " "), count: padding)
    edits.append(Edit(range: range, replacement: replacement))
  }
}

// MARK: - @objc

extension SourceRewriter {
  private mutating func rewriteObjectiveC(at index: Int) {
    var end = index
    var explicitName: String?
    if isMark(index + 1, "("), let close = closing(of: index + 1, "(", ")") {
      explicitName = ((index + 2)..<close).map { text($0) }.joined()
      end = close
    }
    replace(tokens[index].range.lowerBound..<tokens[end].range.upperBound, by: "")
    guard let keyword = declarationKeyword(from: end + 1), keyword + 1 < tokens.count else {
      return
    }
    let name = keyword + 1
    let place = position(of: tokens[name].range.lowerBound)
    exposure.names[place] = .some(explicitName)
    if text(index) == "@objcMembers" { exposure.memberClasses.insert(place) }
    if text(keyword) == "var", let explicitName { exposure.keyNames[text(name)] = explicitName }
    if text(keyword) == "protocol" { rewriteProtocol(name) }
    if text(keyword) == "extension" { exposeBody(after: name) }
  }

  /// Objective-C's protocols are of classes, whether they say it or not.
  private mutating func rewriteProtocol(_ name: Int) {
    exposure.protocols.insert(text(name))
    guard let open = (name..<tokens.count).first(where: { isMark($0, "{") }) else { return }
    if (name..<open).contains(where: { ["class", "AnyObject"].contains(text($0)) }) { return }
    if isMark(name + 1, ":") { insert(" AnyObject,", after: name + 1) }
    if open == name + 1 { insert(": AnyObject", after: name) }
  }

  private mutating func rewriteHidden(at index: Int) {
    blank(index)
    guard let keyword = declarationKeyword(from: index + 1) else { return }
    exposure.hidden.insert(position(ofToken: keyword + 1))
  }

  mutating func noteManaged(_ keyword: Int) {
    exposure.managed.insert(position(ofToken: keyword + 1))
  }

  private mutating func exposeBody(after index: Int) {
    guard let open = (index..<tokens.count).first(where: { isMark($0, "{") }),
      let close = closing(of: open, "{", "}")
    else { return }
    let start = position(of: tokens[open].range.lowerBound)
    exposure.bodies.append(start...position(of: tokens[close].range.lowerBound))
  }
}

// MARK: - Editing

extension SourceRewriter {
  mutating func note(_ declaration: ImportDeclaration) {
    imports.append(
      SourceImport(
        module: text(declaration.module), line: position(ofToken: declaration.keyword).line + 1,
        isTestable: (declaration.start..<declaration.keyword).contains {
          text($0) == "@testable"
        }))
  }

  /// Replaces a range, with whatever was replaced in it.
  mutating func replaceEdits(in range: Range<Int>, by new: String) {
    edits.removeAll {
      range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound
    }
    replace(range, by: new)
  }

  mutating func blank(_ index: Int) { replace(tokens[index].range, by: "") }

  mutating func insert(_ new: String, before index: Int) {
    let offset = tokens[index].range.lowerBound
    edits.append(Edit(range: offset..<offset, replacement: Array(new.utf8)))
  }

  mutating func insert(_ new: String, after index: Int) {
    let offset = tokens[index].range.upperBound
    edits.append(Edit(range: offset..<offset, replacement: Array(new.utf8)))
  }

  /// Whether there is more than space between two tokens, such as a text.
  func hasText(between index: Int, and end: Int) -> Bool {
    bytes[tokens[index].range.upperBound..<tokens[end].range.lowerBound]
      .contains { !" \t\r\n".utf8.contains($0) }
  }
}
