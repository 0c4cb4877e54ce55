// Casts and overrides that only Apple's systems have.

extension SourceRewriter {
  /// Makes an operator of `as?` and `as!` to a type to which only Objective-C can cast: errors, which
  /// have to be converted, fetch requests, whose type there says nothing of their results, `CGFloat`,
  /// and sets: the value of a to-many relationship is an `NSMutableSet` and a Swift `Set` alike.
  mutating func rewriteCast(at index: Int) {
    let (mark, name) = (index + 1, index + 2)
    // It is a text to Objective-C.
    if text(index - 3) == "FileProtectionType" { insert(".rawValue", after: index - 1) }
    guard isMark(mark, "?") || isMark(mark, "!"), let end = endOfCastType(at: name) else { return }
    let range = tokens[index].range.lowerBound..<tokens[mark].range.upperBound
    replace(range, by: isMark(mark, "?") ? "<~?" : "<~!")
    insert(".self", after: end)
  }

  private func endOfCastType(at name: Int) -> Int? {
    switch text(name) {
    case "NSFetchRequest" where isMark(name + 1, "<"): closing(of: name + 1, "<", ">")
    case "CocoaError", "NSError", "NSMutableSet", "CGFloat": isMark(name + 1, ".") ? nil : name
    case "Set" where isMark(name + 1, "<"): endOfSetType(at: name + 1)
    default: nil
    }
  }

  /// `as? Set<Song>?` and `Set<Song>.Element` are left to the compiler.
  private func endOfSetType(at bracket: Int) -> Int? {
    guard let end = closing(of: bracket, "<", ">") else { return nil }
    return ["?", "!", "."].contains { isMark(end + 1, $0) } ? nil : end
  }

  /// Whether a type is what is required of a type parameter or an associated type.
  func isConstraint(at index: Int) -> Bool {
    guard isMark(index - 1, ":"), index > 2, !isMark(index - 2, ">") else { return false }
    if text(index - 3) == "associatedtype" { return true }
    var depth = 0
    for index in (0..<index - 2).reversed() {
      switch text(index) {
      case ")", "]", ">": depth += 1
      case "(", "[": depth -= 1
      // A list of parameters follows its name at once, an operator doesn't.
      case "<" where depth == 0:
        return index > 0 && tokens[index - 1].range.upperBound == tokens[index].range.lowerBound
      case "<": depth -= 1
      case "where" where depth == 0: return true
      case "{", "}", ";": return false
      case let word where Self.startsMember(word): return false
      default: break
      }
      if depth < 0 { return false }
    }
    return false
  }

  /// Makes `override func observeValue(forKeyPath:…)` a method of its own unless a superclass in the
  /// module has one: NSObject has none here that could be overridden. The glue makes it known by its
  /// class.
  mutating func rewriteObserver(at index: Int) {
    if rewriteInitializer(at: index) { return }
    guard let keyword = declarationKeyword(from: index), text(keyword) == "func",
      text(keyword + 1) == "observeValue", isMark(keyword + 2, "("),
      text(keyword + 3) == "forKeyPath", !inheritedObservers.contains(keyword)
    else { return }
    blank(index)
  }

  /// Makes `override init(entity:insertInto:)` a required one, which it is here: the engine makes objects
  /// of an app's classes by it.
  private mutating func rewriteInitializer(at index: Int) -> Bool {
    guard let keyword = declarationKeyword(from: index), text(keyword) == "init",
      isMark(keyword + 1, "("), text(keyword + 2) == "entity"
    else { return false }
    for word in startOfModifiers(before: keyword)..<keyword
    where ["private", "fileprivate", "internal", "public", "open"].contains(text(word)) {
      blank(word)
    }
    replace(tokens[index].range, by: "public required")
    return true
  }

  /// Gives the class of managed objects that has a designated initializer of its own, and so doesn't inherit
  /// `init(entity:insertInto:)`, what the engine makes objects of rows by. On a device there is another
  /// initializer for that; inserting an object by the missing one stops the program.
  mutating func provideInitializers(_ code: String) {
    let declarations = SourceDeclarations(code).all
    for (index, type) in declarations.enumerated() where type.keyword == "class" {
      let own = declarations.filter { $0.outer == index }
      let makers = own.filter { $0.keyword == "init" && !$0.modifiers.contains("convenience") }
      let isManaged =
        isMark(type.place + 2, ":") && text(type.place + 3) == "NSManagedObject"
        || own.contains { $0.modifiers.contains("@NSManaged") }
      let hidesIt = !makers.isEmpty && !makers.contains { text($0.place + 2) == "entity" }
      guard let body = type.body, isManaged, hidesIt else { continue }
      insert(
        " public override class var lacksInitializer: Bool { true }; public required "
          + "init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) "
          + "{ super.init(entity: entity, insertInto: context) } ", before: body.upperBound)
    }
  }
}
