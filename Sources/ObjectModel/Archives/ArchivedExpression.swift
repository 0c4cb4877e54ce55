/// Derivation expressions in archived models: key paths, and functions of key paths.
enum ArchivedExpression {
  /// The deepest function call that is followed; people nest two.
  private static let deepest = 32

  /// How many parts are followed: an archive can refer to one part many times.
  private static let mostParts = 1_000

  /// The expression as a model file spells it: `author.name`, `canonical:(title)`, `now()`.
  static func text(of expression: ArchivedObject) -> String {
    var partsLeft = mostParts
    return text(of: expression, depth: 0, &partsLeft)
  }

  private static func text(
    of expression: ArchivedObject, depth: Int, _ partsLeft: inout Int
  ) -> String {
    partsLeft -= 1
    if depth == deepest || partsLeft < 0 { return "…" }
    let arguments = expression["NSArguments"].elements.compactMap(\.objectValue)
    switch expression.className {
    case "NSKeyPathExpression":
      return keyPath(expression, arguments: arguments, depth: depth, partsLeft: &partsLeft)
    case "NSKeyPathSpecifierExpression": return expression["NSKeyPath"].stringValue ?? ""
    case "NSSelfExpression": return "SELF"
    case "NSVariableExpression": return "$" + (expression["NSVariable"].stringValue ?? "")
    case "NSConstantValueExpression": return constant(expression["NSConstantValue"])
    default:
      let name = expression["NSSelectorName"].stringValue ?? expression.className
      let texts = arguments.map { text(of: $0, depth: depth + 1, &partsLeft) }
      return "\(name)(\(texts.joined(separator: ", ")))"
    }
  }

  private static func keyPath(
    _ expression: ArchivedObject, arguments: [ArchivedObject], depth: Int,
    partsLeft: inout Int
  ) -> String {
    let path = arguments.first.map { text(of: $0, depth: depth + 1, &partsLeft) } ?? ""
    guard let operand = expression["NSOperand"].objectValue,
      operand.className != "NSSelfExpression"
    else { return path }
    return text(of: operand, depth: depth + 1, &partsLeft) + "." + path
  }

  private static func constant(_ value: ArchivedValue) -> String {
    switch value {
    case .string(let text): "\"\(text)\""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .bool(let truth): truth ? "1" : "0"
    default: "nil"
    }
  }
}

// MARK: - Writing

extension ArchivedExpression {
  private enum ExpressionType {
    static let constant: Int64 = 0
    static let evaluatedObject: Int64 = 1
    static let keyPath: Int64 = 3
    static let function: Int64 = 4
    static let keyPathSpecifier: Int64 = 10
  }

  /// Adds the expression that a derivation's text stands for.
  static func add(_ text: String, to writer: KeyedArchiveWriter) -> KeyedArchiveWriter.Reference {
    add(text, to: writer, depth: 0)
  }

  private static func add(
    _ text: String, to writer: KeyedArchiveWriter, depth: Int
  ) -> KeyedArchiveWriter.Reference {
    guard depth < deepest, text.hasSuffix(")"), let open = text.firstIndex(of: "(") else {
      return text == "SELF" ? addSelf(to: writer) : add(keyPath: text, to: writer)
    }
    let inside = text[text.index(after: open)...].dropLast()
    let arguments = split(inside).map { add($0, to: writer, depth: depth + 1) }
    let target = writer.add(
      "NSConstantValueExpression", "NSExpression",
      fields: [
        "NSExpressionType": .integer(ExpressionType.constant),
        "NSConstantValueClassName": .reference(writer.add("_NSPredicateUtilities")),
        "NSConstantValue": .reference(.null),
      ])
    return writer.add(
      "NSFunctionExpression", "NSExpression",
      fields: [
        "NSExpressionType": .integer(ExpressionType.function),
        "NSOperand": .reference(target),
        "NSSelectorName": .reference(writer.add(String(text[..<open]))),
        "NSArguments": .reference(writer.add(array: arguments, mutable: true)),
      ])
  }

  static func addSelf(to writer: KeyedArchiveWriter) -> KeyedArchiveWriter.Reference {
    writer.add(
      "NSSelfExpression", "NSExpression",
      fields: ["NSExpressionType": .integer(ExpressionType.evaluatedObject)])
  }

  static func add(
    keyPath: String, to writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference {
    let path = writer.add(
      "NSKeyPathSpecifierExpression", "NSExpression",
      fields: [
        "NSExpressionType": .integer(ExpressionType.keyPathSpecifier),
        "NSKeyPath": .reference(writer.add(keyPath)),
      ])
    let selector = keyPath.contains(".") ? "valueForKeyPath:" : "valueForKey:"
    return writer.add(
      "NSKeyPathExpression", "NSFunctionExpression", "NSExpression",
      fields: [
        "NSExpressionType": .integer(ExpressionType.keyPath),
        "NSOperand": .reference(addSelf(to: writer)),
        "NSSelectorName": .reference(writer.add(selector)),
        "NSArguments": .reference(writer.add(array: [path], mutable: true)),
      ])
  }

  static func add(
    constant: KeyedArchiveWriter.Reference, to writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference {
    writer.add(
      "NSConstantValueExpression", "NSExpression",
      fields: [
        "NSExpressionType": .integer(ExpressionType.constant),
        "NSConstantValue": .reference(constant),
      ])
  }

  /// The arguments between commas that aren't within parentheses.
  private static func split(_ text: Substring) -> [String] {
    var arguments: [String] = []
    var (current, depth) = ("", 0)
    for character in text {
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      if character == ",", depth == 0 {
        arguments.append(current.trimmingCharacters(in: .whitespaces))
        current = ""
      } else {
        current.append(character)
      }
    }
    let last = current.trimmingCharacters(in: .whitespaces)
    return last.isEmpty ? arguments : arguments + [last]
  }
}
