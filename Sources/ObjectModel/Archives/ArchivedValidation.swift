/// An attribute's bounds, which archived models hold as comparison predicates.
///
/// Bounds of text compare `length`; the rest compares the value itself. No model cache with bounds
/// was at hand: the predicates' form isn't verified against Core Data's own, only to be read back.
enum ArchivedValidation {
  /// Foundation's numbers for comparison operators.
  private enum Operator {
    static let lessThanOrEqualTo: Int64 = 1
    static let greaterThanOrEqualTo: Int64 = 3
    static let matches: Int64 = 6
  }

  /// Sets the bounds that the predicates state; predicates of other forms are passed over.
  static func read(_ predicates: ArchivedValue, into attribute: AttributeDescription) {
    for predicate in predicates.elements.compactMap(\.objectValue) {
      let comparison = predicate["NSPredicateOperator"].objectValue
      guard let right = predicate["NSRightExpression"].objectValue,
        let bound = ArchivedDefault.value(of: right["NSConstantValue"])
      else { continue }
      switch comparison?["NSOperatorType"].integerValue {
      case Operator.lessThanOrEqualTo: attribute.maximum = bound
      case Operator.greaterThanOrEqualTo: attribute.minimum = bound
      case Operator.matches: attribute.regularExpression = right["NSConstantValue"].stringValue
      default: continue
      }
    }
  }

  /// Adds the predicates for an attribute's bounds; empty when it has none.
  static func add(
    for attribute: AttributeDescription, to writer: KeyedArchiveWriter
  ) -> [KeyedArchiveWriter.Reference] {
    let isText = attribute.attributeType == .string
    var predicates: [KeyedArchiveWriter.Reference] = []
    for (bound, type, selector) in [
      (attribute.minimum, Operator.greaterThanOrEqualTo, "isGreaterThanOrEqualTo:"),
      (attribute.maximum, Operator.lessThanOrEqualTo, "isLessThanOrEqualTo:"),
    ] where !bound.isNull {
      let left =
        isText
        ? ArchivedExpression.add(keyPath: "length", to: writer)
        : ArchivedExpression.addSelf(to: writer)
      predicates.append(
        comparison(
          left, type: type, bound: bound, operatorClass: "NSComparisonPredicateOperator",
          selector: selector,
          to: writer))
    }
    if let pattern = attribute.regularExpression {
      predicates.append(
        comparison(
          ArchivedExpression.addSelf(to: writer), type: Operator.matches, bound: .string(pattern),
          operatorClass: "NSMatchingPredicateOperator", selector: "matches:", to: writer))
    }
    return predicates
  }

  private static func comparison(
    _ left: KeyedArchiveWriter.Reference, type: Int64, bound: Value, operatorClass: String,
    selector: String, to writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference {
    let comparison = writer.add(
      operatorClass, "NSPredicateOperator",
      fields: [
        "NSOperatorType": .integer(type),
        "NSModifier": .integer(0),
        "NSSelectorName": .reference(writer.add(selector)),
      ])
    let right = ArchivedExpression.add(
      constant: ArchivedDefault.add(bound, to: writer), to: writer)
    return writer.add(
      "NSComparisonPredicate", "NSPredicate",
      fields: [
        "NSLeftExpression": .reference(left),
        "NSPredicateOperator": .reference(comparison),
        "NSRightExpression": .reference(right),
      ])
  }
}
