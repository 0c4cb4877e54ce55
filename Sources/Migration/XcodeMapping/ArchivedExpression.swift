/// An expression as `NSKeyedArchiver` writes it, the form of hand-written expressions in Xcode's
/// mapping files.
struct ArchivedExpression {
  private let value: ArchivedValue
  private let depth: Int
  private let size: Size

  /// How deep an expression is followed, and how many parts it may have: a damaged archive can refer
  /// to one part many times, even to one that it is in itself.
  private static let deepest = 64
  private final class Size {
    var partsLeft = 10_000
  }

  init(_ value: ArchivedValue) { self.init(value, depth: 0, size: Size()) }

  private init(_ value: ArchivedValue, depth: Int, size: Size) {
    self.value = value
    self.depth = depth
    self.size = size
  }

  private func part(_ value: ArchivedValue) throws -> Expression {
    try ArchivedExpression(value, depth: depth + 1, size: size).expression()
  }

  /// - Throws: ``ArchivedExpressionError`` for a class that isn't known here.
  func expression() throws -> Expression {
    guard let object = value.objectValue else { throw ArchivedExpressionError("no expression") }
    size.partsLeft -= 1
    if depth == Self.deepest || size.partsLeft < 0 {
      throw ArchivedExpressionError("it contains itself, or is nested too deeply")
    }
    switch object.className {
    case "NSSelfExpression": return .expressionForEvaluatedObject()
    case "NSVariableExpression": return Expression(forVariable: try text(object, "NSVariable"))
    case "NSConstantValueExpression": return .constant(Value(object["NSConstantValue"]))
    case "NSKeyPathExpression", "NSFunctionExpression": return try function(object)
    case "NSAggregateExpression":
      return Expression(forAggregate: try expressions(object["NSCollection"]))
    case "NSFetchRequestExpression":
      return Expression(
        forFetch: try part(object["NSFRExpression"]),
        context: try part(object["NSMOCExpression"]),
        countOnly: object["NSCountOnlyFlag"].isTrue)
    default: return try rareExpression(object)
    }
  }

  /// What has predicates in it (TERNARY, SUBQUERY), and set operations.
  private func rareExpression(_ object: ArchivedObject) throws -> Expression {
    guard let format = ArchivedFormat.expression(value) else {
      throw ArchivedExpressionError("don't know \(object.className)")
    }
    do { return try Expression.parse(format) } catch {
      throw ArchivedExpressionError("'\(format)' can't be parsed")
    }
  }

  /// A key path is archived as a call of `valueForKeyPath:`; predefined functions as calls of a
  /// class.
  private func function(_ object: ArchivedObject) throws -> Expression {
    let selector = try text(object, "NSSelectorName")
    let arguments = object["NSArguments"]
    if selector == "valueForKeyPath:" || selector == "valueForKey:" {
      return try keyPath(object, arguments)
    }
    let parsed = try expressions(arguments)
    guard let target = object["NSOperand"].objectValue,
      target["NSConstantValueClassName"].isNull
    else { return try call(of: selector, parsed) }
    return Expression(
      forFunction: try part(object["NSOperand"]),
      selectorName: selector, arguments: parsed)
  }

  private func call(of name: String, _ arguments: [Expression]) throws -> Expression {
    do { return try Expression.calling(name, arguments: arguments) } catch {
      throw ArchivedExpressionError("\(error)")
    }
  }

  private func keyPath(_ object: ArchivedObject, _ arguments: ArchivedValue) throws -> Expression {
    guard let argument = arguments.elements.first?.objectValue else {
      throw ArchivedExpressionError("a key path expression has no key path")
    }
    let path = try argument["NSKeyPath"].stringValue ?? text(argument, "NSConstantValue")
    if object["NSOperand"].objectValue?.className == "NSSelfExpression" {
      return Expression(forKeyPath: path)
    }
    return Expression(
      forKeyPath: path, of: try part(object["NSOperand"]))
  }

  private func expressions(_ values: ArchivedValue) throws -> [Expression] {
    try values.elements.map(part)
  }

  private func text(_ object: ArchivedObject, _ key: String) throws -> String {
    if let text = object[key].stringValue { return text }
    throw ArchivedExpressionError("\(object.className) has no \(key)")
  }
}

/// Why an archived expression can't be decoded.
struct ArchivedExpressionError: Error, CustomStringConvertible {
  let description: String

  init(_ reason: String) { description = "this expression can't be decoded: \(reason)" }
}

extension Value {
  /// A constant in an archive.
  init(_ archived: ArchivedValue) {
    self =
      switch archived {
      case .array(let values): .collection(ValueCollection(.array, values.map { Value($0) }))
      case .dictionary, .object: Value(archived.foundationObject)
      default: ArchivedDefault.value(of: archived) ?? .null
      }
  }
}

extension ArchivedValue {
  private static func dictionary(
    of entries: [(key: ArchivedValue, value: ArchivedValue)]
  ) -> [AnyHashable: Any] {
    var dictionary: [AnyHashable: Any] = [:]
    for (key, value) in entries {
      guard let key = key.foundationObject as? AnyHashable else { continue }
      dictionary[key] = value.foundationObject
    }
    return dictionary
  }

  /// The value as user info holds it; nil for null and for objects of other classes.
  var foundationObject: Any? {
    switch self {
    case .null, .object: nil
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .array(let values): values.compactMap(\.foundationObject)
    case .dictionary(let entries): Self.dictionary(of: entries)
    }
  }
}
