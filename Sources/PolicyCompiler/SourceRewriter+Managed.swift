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

  /// A function's parameters, with the tokens of their types.
  func parameters(after name: Int) -> [(label: String, name: String, type: Range<Int>)]? {
    guard isMark(name + 1, "("), let end = closing(of: name + 1, "(", ")") else { return nil }
    var parameters: [(label: String, name: String, type: Range<Int>)] = []
    var depth = 0
    var startsParameter = true
    for index in (name + 2)..<end {
      if startsParameter, tokens[index].isWord {
        let inner = index + 1 < end && tokens[index + 1].isWord ? index + 1 : index
        parameters.append((text(index), text(inner), min(inner + 2, end)..<end))
        startsParameter = false
      }
      if ["(", "[", "<"].contains(where: { isMark(index, $0) }) { depth += 1 }
      let isArrow = isMark(index, ">") && isMark(index - 1, "-")
      if [")", "]", ">"].contains(where: { isMark(index, $0) }) && !isArrow { depth -= 1 }
      if depth == 0 && isMark(index, ",") {
        startsParameter = true
        if let last = parameters.indices.last {
          parameters[last].type = min(parameters[last].type.lowerBound, index)..<index
        }
      }
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
}
