// What Core Data gives to `@NSManaged` declarations when the program runs.

import Persistence

extension SourceRewriter {
  mutating func rewriteManaged(at index: Int) {
    guard let keyword = declarationKeyword(from: index + 1), keyword + 1 < tokens.count else {
      return
    }
    switch text(keyword) {
    case "var":
      let key = objectiveCName(before: keyword) ?? text(keyword + 1).filter { $0 != "`" }
      blank(index)
      noteManaged(keyword)
      insert(
        " { get { managedValue(forKey: \"\(key)\") } "
          + "set { setManagedValue(newValue, forKey: \"\(key)\") } }",
        after: lastTokenOfDeclaration(from: keyword))
    case "func":
      blank(index)
      insert(" { \(accessorCall(of: keyword)) }", after: lastTokenOfDeclaration(from: keyword))
    default: break
    }
  }

  /// Notes why a declaration can't be compiled.
  /// - Returns: A body for it, so that the compiler has nothing to add.
  private mutating func refuse(_ keyword: Int, _ message: String) -> String {
    let place = position(ofToken: keyword)
    problems.append((place, message))
    return "fatalError()"
  }

  /// The call that does what Core Data's generated accessor does; an error where there is none.
  private mutating func accessorCall(of keyword: Int) -> String {
    let title = text(keyword + 1)
    guard let parameters = parameters(after: keyword + 1) else {
      return refuse(keyword, "@NSManaged func \(title): its parameters can't be read")
    }
    let labels = parameters.map { $0.label + ":" }.joined()
    let selector =
      objectiveCName(before: keyword)
      ?? ObjectiveCSelector(swiftName: "\(title)(\(labels))").name
    guard GeneratedAccessor(selector: selector) != nil else {
      return refuse(
        keyword,
        "@NSManaged func \(title): Core Data makes no accessor for the selector \(selector). It makes "
          + "those of to-many relationships, as Xcode declares them: @objc(addSongsObject:) @NSManaged "
          + "func addToSongs(_ value: Song). Copy Xcode's declaration, or write the method's body")
    }
    let arguments = parameters.map { ", \($0.name)" }.joined()
    return "callManagedAccessor(\"\(selector)\"\(arguments))"
  }

  /// The labels and the inner names of a function's parameters.
  private func parameters(after name: Int) -> [(label: String, name: String)]? {
    guard isMark(name + 1, "("), let end = closing(of: name + 1, "(", ")") else { return nil }
    var parameters: [(label: String, name: String)] = []
    var depth = 0
    var index = name + 2
    var startsParameter = true
    while index < end {
      if startsParameter, tokens[index].isWord {
        let isTwofold = index + 1 < end && tokens[index + 1].isWord
        parameters.append((text(index), text(isTwofold ? index + 1 : index)))
        startsParameter = false
      }
      if ["(", "[", "<"].contains(where: { isMark(index, $0) }) { depth += 1 }
      if [")", "]", ">"].contains(where: { isMark(index, $0) }) { depth -= 1 }
      if depth == 0 && isMark(index, ",") { startsParameter = true }
      index += 1
    }
    return parameters
  }

  /// What `@objc(name)` among a declaration's attributes says.
  private func objectiveCName(before keyword: Int) -> String? {
    var index = keyword - 1
    while index >= 0 {
      if isMark(index, ")") {
        guard let open = opening(of: index), open > 0 else { return nil }
        if text(open - 1) == "@objc" { return ((open + 1)..<index).map { text($0) }.joined() }
        index = open - 1
      }
      guard tokens[index].isWord, declarationKeyword(from: index) == keyword else { return nil }
      index -= 1
    }
    return nil
  }

  private func opening(of close: Int) -> Int? {
    var depth = 0
    for index in (0...close).reversed() {
      if isMark(index, ")") { depth += 1 }
      if isMark(index, "(") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
