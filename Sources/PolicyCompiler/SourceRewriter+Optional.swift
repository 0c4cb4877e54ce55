// Optional requirements, which only Objective-C's protocols have. They leave their protocol for an extension of it,
// where each gives what an object's class was made known to have: a property of optional type, and of a method one
// whose name ends with `_` besides, for calls: `watcher.song?(self, didEnd: 1)` has labels.

extension SourceRewriter {
  mutating func rewriteOptional(at index: Int) {
    guard let keyword = declarationKeyword(from: index), let owner = enclosingProtocol(of: keyword),
      ["func", "var"].contains(text(keyword))
    else { return }
    let isMethod = text(keyword) == "func"
    let end = isMethod ? lastTokenOfDeclaration(from: keyword) : endOfProperty(keyword)
    let code = isMethod ? method(keyword, to: end, of: owner) : property(keyword, of: owner)
    replaceWhole(startOfModifiers(before: keyword)...(isMark(end + 1, ";") ? end + 1 : end), by: "")
    let access = owner.isPublic ? "public " : ""
    insert("; \(access)extension \(owner.name) { \(code) }", after: owner.end)
  }

  /// Calls what may not be there by its other name: `a.song?(b)` is `a.song_(b)`, `a.song!(b)` is `a.song_(b)!`.
  mutating func rewriteOptionalCall(at index: Int) {
    guard isMark(index - 1, "."), isMark(index + 1, "?") || isMark(index + 1, "!"),
      isMark(index + 2, "("), let end = closing(of: index + 2, "(", ")")
    else { return }
    if isMark(index + 1, "!") { insert("!", after: end) }
    replace(tokens[index + 1].range, by: "_")
  }

  private struct OwningProtocol {
    var name: String
    var isPublic: Bool
    var body: Range<Int>
    var end: Int { body.upperBound }
  }

  private func enclosingProtocol(of index: Int) -> OwningProtocol? {
    guard let keyword = (0..<index).last(where: { text($0) == "protocol" }),
      let open = (keyword..<index).first(where: { isMark($0, "{") }),
      let end = closing(of: open, "{", "}"), end > index
    else { return nil }
    let modifiers = startOfModifiers(before: keyword)..<keyword
    return OwningProtocol(
      name: text(keyword + 1), isPublic: modifiers.contains { text($0) == "public" },
      body: open..<end)
  }

  private func endOfProperty(_ keyword: Int) -> Int {
    let open = (keyword..<tokens.count).first { isMark($0, "{") }
    return open.flatMap { closing(of: $0, "{", "}") } ?? keyword
  }

  private mutating func property(_ keyword: Int, of owner: OwningProtocol) -> String {
    let name = text(keyword + 1)
    let type = code((keyword + 3)..<endOfProperty(keyword)).prefix { $0 != "{" }
    exposure.optionalMembers[owner.name, default: []].insert(name)
    return "var \(name): (\(type))? { OptionalMembers.member(\"\(name)\", of: self) }"
  }

  private mutating func method(
    _ keyword: Int, to end: Int, of owner: OwningProtocol
  ) -> String {
    let name = text(keyword + 1)
    guard let close = closing(of: keyword + 2, "(", ")"),
      let parameters = parameters(after: keyword + 1)
    else { return "" }
    let title = "\(name)(\(parameters.map { $0.label + ":" }.joined()))"
    let arrow = (close...end).first { isMark($0, "-") && isMark($0 + 1, ">") }
    let effects = code((close + 1)..<(arrow ?? end + 1))
    let result = arrow.map { code(($0 + 2)..<(end + 1)) } ?? "Void"
    let optionalResult = result.hasSuffix("?") ? result : "(\(result))?"
    let types = parameters.map { code($0.type) }.joined(separator: ", ")
    let find = "OptionalMembers.member(\"\(title)\", of: self)"
    let mark = effects.contains("throws") ? "try " : ""
    let names = parameters.map(\.name).joined(separator: ", ")
    let type = "((\(types)) \(effects) -> \(result))?"
    exposure.optionalMembers[owner.name, default: []].insert(title)
    let isOnly = owner.body.filter { text($0) == "func" && text($0 + 1) == name }.count == 1
    return (isOnly ? "var \(name): \(type) { \(find) }; " : "")
      + "@discardableResult func \(name)_\(code((keyword + 2)..<(close + 1))) \(effects) "
      + "-> \(optionalResult) { let method: \(type) = \(find); return \(mark)method?(\(names)) }"
  }
}
