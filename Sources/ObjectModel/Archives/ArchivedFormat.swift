/// Archived predicates and expressions as text in the format language.
///
/// Predicates are a matter of a layer above this one; here they are text, as in a model file. What
/// an archive holds is written out with functions instead of infix operators, which parses to the
/// same.
/// Core Data: observed in compiled mapping models for expressions and comparisons; assumed, from Apple's names
/// of classes, for the rest, which is known to be read back only.
package final class ArchivedFormat {
  /// How deep a predicate is followed, and how many parts it may have: an archive can refer to one
  /// part many times, even to one that it is in itself. People nest a handful of levels.
  private static let deepest = 64
  private var partsLeft = 10_000

  private init() {}

  /// The text of a predicate; nil for none, and for what has no text.
  package static func predicate(_ value: ArchivedValue) -> String? {
    ArchivedFormat().predicate(value, depth: 0)
  }

  /// The text of an expression; nil for none, and for what has no text.
  package static func expression(_ value: ArchivedValue) -> String? {
    ArchivedFormat().expression(value, depth: 0)
  }

  /// Takes one more part into account.
  private func follows(depth: Int) -> Bool {
    partsLeft -= 1
    return partsLeft >= 0 && depth < Self.deepest
  }
}

// MARK: - Predicates

extension ArchivedFormat {
  private func predicate(_ value: ArchivedValue, depth: Int) -> String? {
    guard follows(depth: depth), let object = value.objectValue else { return nil }
    let classNames = Set(object.classNames)
    if classNames.contains("NSTruePredicate") { return "TRUEPREDICATE" }
    if classNames.contains("NSFalsePredicate") { return "FALSEPREDICATE" }
    if classNames.contains("NSCompoundPredicate") { return compound(object, depth: depth + 1) }
    if classNames.contains("NSComparisonPredicate") { return comparison(object, depth: depth + 1) }
    return nil
  }

  private func compound(_ object: ArchivedObject, depth: Int) -> String? {
    var parts: [String] = []
    for part in object["NSSubpredicates"].elements {
      guard let part = predicate(part, depth: depth) else { return nil }
      parts.append("(\(part))")
    }
    switch object["NSCompoundPredicateType"].integerValue ?? 0 {
    case 0: return parts.first.map { "NOT \($0)" }
    case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.joined(separator: " AND ")
    case 2: return parts.isEmpty ? "FALSEPREDICATE" : parts.joined(separator: " OR ")
    default: return nil
    }
  }

  private func comparison(_ object: ArchivedObject, depth: Int) -> String? {
    guard let comparison = object["NSPredicateOperator"].objectValue,
      let type = comparison["NSOperatorType"].integerValue, let symbol = Self.symbols[type],
      let left = expression(object["NSLeftExpression"], depth: depth),
      let right = expression(object["NSRightExpression"], depth: depth)
    else { return nil }
    let quantifier =
      switch comparison["NSModifier"].integerValue ?? 0 {
      case 1: "ALL "
      case 2: "ANY "
      default: ""
      }
    return "\(quantifier)\(left) \(symbol)\(Self.letters(of: comparison)) \(right)"
  }

  /// Core Data's numbers of operators.
  private static let symbols: [Int64: String] = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH",
    9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]

  /// The letters in brackets for options, which operators of text call flags.
  private static func letters(of comparison: ArchivedObject) -> String {
    let options =
      comparison["NSOptions"].integerValue ?? comparison["NSFlags"].integerValue ?? 0
    let letters = zip("cdnl", 0...).filter { options & 1 << $0.1 != 0 }.map { String($0.0) }
    return letters.isEmpty ? "" : "[\(letters.joined())]"
  }
}

// MARK: - Expressions

extension ArchivedFormat {
  private func expression(_ value: ArchivedValue, depth: Int) -> String? {
    guard follows(depth: depth), let object = value.objectValue else { return nil }
    switch object.className {
    case "NSSelfExpression": return "SELF"
    case "NSVariableExpression": return object["NSVariable"].stringValue.map { "$" + $0 }
    case "NSConstantValueExpression": return Self.constant(object["NSConstantValue"])
    case "NSKeyPathSpecifierExpression":
      return object["NSKeyPath"].stringValue.map(FormatConstant.keyPath)
    case "NSKeyPathExpression", "NSFunctionExpression": return function(object, depth: depth + 1)
    case "NSAggregateExpression":
      return list(object["NSCollection"].elements, depth: depth + 1).map { "{\($0)}" }
    case "NSSubqueryExpression": return subquery(object, depth: depth + 1)
    case "NSTernaryExpression": return ternary(object, depth: depth + 1)
    case "NSSetExpression": return setOperation(object, depth: depth + 1)
    case "NSAnyKeyExpression": return "ANYKEY"
    default: return nil
    }
  }

  private func list(_ values: [ArchivedValue], depth: Int) -> String? {
    let texts = values.compactMap { expression($0, depth: depth) }
    return texts.count == values.count ? texts.joined(separator: ", ") : nil
  }

  /// A call of a method, of a predefined function (a method of a class), or a key path (a call of
  /// `valueForKeyPath:`).
  private func function(_ object: ArchivedObject, depth: Int) -> String? {
    guard let selector = object["NSSelectorName"].stringValue else { return nil }
    let values = object["NSArguments"].elements
    if ["valueForKeyPath:", "valueForKey:"].contains(selector), let path = values.first {
      return keyPath(path, of: object["NSOperand"], depth: depth)
    }
    guard let arguments = list(values, depth: depth) else { return nil }
    let operand = object["NSOperand"].objectValue
    if operand == nil || operand?["NSConstantValueClassName"].isNull == false {
      if selector == "castObject:toType:" { return "CAST(\(arguments))" }
      let isPlain = selector.count { $0 == ":" } == 1
      return "\(isPlain ? String(selector.dropLast()) : selector)(\(arguments))"
    }
    guard let target = expression(object["NSOperand"], depth: depth) else { return nil }
    let rest = values.isEmpty ? "" : ", \(arguments)"
    return "FUNCTION(\(target), \(FormatConstant.quoted(selector))\(rest))"
  }

  private func keyPath(
    _ path: ArchivedValue, of operand: ArchivedValue, depth: Int
  ) -> String? {
    let text =
      path.objectValue?["NSConstantValue"].stringValue.map(FormatConstant.keyPath)
      ?? expression(path, depth: depth)
    guard let object = operand.objectValue, object.className != "NSSelfExpression" else {
      return text
    }
    guard let text, let target = expression(operand, depth: depth) else { return nil }
    return object.className == "NSVariableExpression" ? "\(target).\(text)" : "(\(target)).\(text)"
  }

  private func subquery(_ object: ArchivedObject, depth: Int) -> String? {
    guard let collection = expression(object["NSExpression"], depth: depth),
      let variable =
        object["NSVariable"].stringValue
        ?? object["NSVariableExpression"].objectValue?["NSVariable"].stringValue,
      let condition = predicate(object["NSPredicate"], depth: depth)
    else { return nil }
    return "SUBQUERY(\(collection), $\(variable), \(condition))"
  }

  private func ternary(_ object: ArchivedObject, depth: Int) -> String? {
    guard let condition = predicate(object["NSPredicate"], depth: depth),
      let yes = expression(object["NSTrueExpression"], depth: depth),
      let no = expression(object["NSFalseExpression"], depth: depth)
    else { return nil }
    return "TERNARY(\(condition), \(yes), \(no))"
  }

  private func setOperation(_ object: ArchivedObject, depth: Int) -> String? {
    let words: [Int64: String] = [5: "UNION", 6: "INTERSECT", 7: "MINUS"]
    guard let word = object["NSExpressionType"].integerValue.flatMap({ words[$0] }),
      let left = expression(object["NSLeftExpression"], depth: depth),
      let right = expression(object["NSRightExpression"], depth: depth)
    else { return nil }
    return "(\(left)) \(word) (\(right))"
  }

  private static func constant(_ value: ArchivedValue) -> String? {
    if case .array(let elements) = value {
      let texts = elements.compactMap(constant)
      return texts.count == elements.count ? "{\(texts.joined(separator: ", "))}" : nil
    }
    return ArchivedDefault.value(of: value).map(FormatConstant.text)
  }
}
