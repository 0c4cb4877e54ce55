/// The types that a Swift file declares, extends and names, as far as its words tell.
package struct SourceTypes {
  /// The types outside of any other.
  package private(set) var declared: Set<String> = []
  package private(set) var extended: Set<String> = []
  /// What may be a type of the module: words that aren't members of something.
  package private(set) var named: Set<String> = []
  /// What is declared by `func`, `var` or `let`, wherever; and that of it which is in no type.
  package private(set) var members: Set<String> = []
  package private(set) var global: Set<String> = []
  /// The types in other types.
  package private(set) var nested: Set<String> = []
  /// The classes' Swift names by what the file calls them, for Swift and by `@objc(Name)`.
  package private(set) var classes: [String: String] = [:]
  /// The types in whose names key paths begin.
  package private(set) var keyPathTypes: Set<String> = []
  /// Whether properties have other names in key paths.
  package private(set) var renamesKeys = false
  /// The classes that say `@objc(Name)`, by that name.
  package private(set) var objectiveCNames: Set<String> = []

  private static let typeKeywords: Set = [
    "class", "struct", "enum", "actor", "protocol", "typealias",
  ]
  private static let otherKeywords: Set = ["func", "var", "let", "init", "subscript", "extension"]

  package init(_ text: String) {
    let bytes = Array(text.utf8)
    let words = SwiftLexer.tokens(of: bytes)
      .map { String(decoding: bytes[$0.range], as: UTF8.self) }
    func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }
    var depth = 0
    var objectiveCName: String?
    // The key path's names are those of properties, and it is a text when it is compiled.
    var endOfKeyPath = -1
    for (index, text) in words.enumerated() where index > endOfKeyPath {
      let next = word(index + 1)
      switch text {
      case "{": depth += 1
      case "}": depth -= 1
      case "#keyPath":
        endOfKeyPath = words[index...].firstIndex(of: ")") ?? index
        keyPathTypes.insert(word(index + 2))
      case "@objc" where next == "(" && word(index + 3) == ")": objectiveCName = word(index + 2)
      case "extension": extended.insert(next)
      case "func", "var", "let":
        members.insert(next)
        if depth == 0 { global.insert(next) }
        if text == "var", objectiveCName != nil { renamesKeys = true }
      case _ where Self.typeKeywords.contains(text) && !Self.isMember(next):
        if depth == 0 { declared.insert(next) } else { nested.insert(next) }
        if text == "class" {
          // A nested class has a mangled name, unless it says another.
          if depth == 0 { classes[next] = next }
          if let name = objectiveCName {
            classes[name] = next
            objectiveCNames.insert(name)
          }
        }
        objectiveCName = nil
      case _ where word(index - 1) != ".": named.insert(text)
      default: break
      }
      if Self.otherKeywords.contains(text) { objectiveCName = nil }
    }
    named.subtract(nested.subtracting(declared))
  }

  /// Whether what follows `class` shows that it is no type's keyword, as in `class func`.
  private static func isMember(_ next: String) -> Bool {
    otherKeywords.contains(next) || SourceRewriter.startsMember(next)
  }
}
