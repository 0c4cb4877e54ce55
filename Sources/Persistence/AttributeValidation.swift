import Synchronization

/// The rules an attribute's value must keep.
package enum AttributeValidation {
  /// What is wrong with `value`; nil when it is valid.
  package static func failure(
    of value: Value, for attribute: AttributeDescription
  ) -> CoreDataError? {
    if value.isNull { return attribute.isOptional ? nil : .missing(attribute) }
    if let failure = boundsFailure(of: value, for: attribute) { return failure }
    for condition in attribute.validationConditions {
      if let failure = failure(of: value, for: attribute, condition) { return failure }
    }
    return nil
  }

  /// Whether any value of the attribute's type could fail; false only where none can.
  package static func hasRules(_ attribute: AttributeDescription) -> Bool {
    !attribute.isOptional || hasRulesForValues(attribute)
  }

  /// Whether a value other than nil could fail; false only where none can.
  package static func hasRulesForValues(_ attribute: AttributeDescription) -> Bool {
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .string, .date,
      .binaryData, .uuid:
      !attribute.minimum.isNull || !attribute.maximum.isNull
        || attribute.regularExpression != nil || !attribute.validationConditions.isEmpty
    default: true
    }
  }

  private static func boundsFailure(
    of value: Value, for attribute: AttributeDescription
  ) -> CoreDataError? {
    switch value {
    case .object(let object as CompositeValue): return failure(of: object)
    case .transformable(let value): return SecureTransformer.failure(of: value, for: attribute)
    case .string(let text): return failure(of: text, for: attribute)
    case .date(let date): return failure(of: date, for: attribute)
    case .integer, .double, .decimal: return failure(ofNumber: value, for: attribute)
    case .uri(let url) where url.absoluteString.isEmpty:
      return .invalidURI(attribute)
    default: return nil
    }
  }

  /// The first failure among the elements.
  private static func failure(of composite: CompositeValue) -> CoreDataError? {
    for (element, value) in zip(composite.elements, composite.values) {
      if let failure = failure(of: value, for: element) { return failure }
    }
    return nil
  }

  /// A text's bounds are bounds of its length in UTF-16 units, as `NSString` counts.
  private static func failure(
    of text: String, for attribute: AttributeDescription
  ) -> CoreDataError? {
    if let least = attribute.minimum.doubleValue, Double(text.utf16.count) < least {
      return CoreDataError.tooShort(attribute).notMeeting("length >= %@", NSNumber(value: least))
    }
    if let most = attribute.maximum.doubleValue, Double(text.utf16.count) > most {
      return CoreDataError.tooLong(attribute).notMeeting("length <= %@", NSNumber(value: most))
    }
    if let pattern = attribute.regularExpression, !matches(text, pattern) {
      return CoreDataError.notMatchingPattern(attribute).notMeeting(
        "SELF MATCHES %@", pattern as NSString)
    }
    return nil
  }

  /// A predicate that can't be parsed holds for nothing.
  private static func failure(
    of value: Value, for attribute: AttributeDescription, _ condition: ValidationCondition
  ) -> CoreDataError? {
    // A condition that can't be read refuses every value.
    let predicate = try? Predicate.parse(condition.predicateFormat)
    if predicate?.evaluate(with: value.boxed(as: attribute.attributeType)) == true { return nil }
    return .refused(attribute, by: condition, predicate)
  }

  /// Whether the whole of `text` matches. A pattern that can't be compiled matches nothing.
  private static func matches(_ text: String, _ pattern: String) -> Bool {
    guard let expression = patterns.expression(pattern) else { return false }
    let range = NSRange(text.startIndex..., in: text)
    return expression.firstMatch(in: text, range: range) != nil
  }

  private static let patterns = CompiledPatterns()

  private static func failure(
    of date: Date, for attribute: AttributeDescription
  ) -> CoreDataError? {
    if case .date(let earliest) = attribute.minimum, date < earliest {
      return CoreDataError.tooEarly(attribute).notMeeting("SELF >= %@", earliest as NSDate)
    }
    if case .date(let latest) = attribute.maximum, date > latest {
      return CoreDataError.tooLate(attribute).notMeeting("SELF <= %@", latest as NSDate)
    }
    return nil
  }

  private static func failure(
    ofNumber value: Value, for attribute: AttributeDescription
  ) -> CoreDataError? {
    if let least = attribute.minimum.decimalValue, let number = value.decimalValue, number < least {
      return CoreDataError.tooSmall(attribute).notMeeting(
        "SELF >= %@", NSDecimalNumber(decimal: least))
    }
    if let most = attribute.maximum.decimalValue, let number = value.decimalValue, number > most {
      return CoreDataError.tooLarge(attribute).notMeeting(
        "SELF <= %@", NSDecimalNumber(decimal: most))
    }
    return nil
  }
}

extension CoreDataError {
  /// The same error with the predicate that Xcode makes of a bound.
  fileprivate func notMeeting(_ format: String, _ bound: NSObject) -> CoreDataError {
    var copy = self
    copy.predicate = Predicate(format: format, argumentArray: [bound])
    return copy
  }
}

/// Regular expressions of attributes, each compiled once: a save may check a million values.
private final class CompiledPatterns: Sendable {
  // Sendable unchecked: a regular expression never changes.
  private struct Compiled: @unchecked Sendable {
    let expression: NSRegularExpression?
  }
  private let known = Mutex<[String: Compiled]>([:])

  /// The expression for the whole of a text; nil for a pattern that can't be compiled.
  func expression(_ pattern: String) -> NSRegularExpression? {
    known.withLock { known in
      if let compiled = known[pattern] { return compiled }
      // A pattern that is none matches nothing, and refuses every value.
      let compiled = Compiled(
        expression: try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z"))
      known[pattern] = compiled
      return compiled
    }.expression
  }
}
