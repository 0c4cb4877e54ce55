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

  /// Sets the bounds that predicates state; those of other forms are conditions of the model's own.
  static func read(
    _ predicates: ArchivedValue, _ warnings: ArchivedValue, into attribute: AttributeDescription
  ) {
    let warnings = warnings.elements.map { $0.stringValue ?? "" }
    for (index, predicate) in predicates.elements.enumerated() {
      if let object = predicate.objectValue, readBound(object, into: attribute) { continue }
      guard let format = ArchivedFormat.predicate(predicate) else { continue }
      attribute.validationConditions.append(
        ValidationCondition(
          predicateFormat: format, warning: index < warnings.count ? warnings[index] : ""))
    }
  }

  private static func readBound(
    _ predicate: ArchivedObject, into attribute: AttributeDescription
  ) -> Bool {
    let left = predicate["NSLeftExpression"].objectValue.map { ArchivedExpression.text(of: $0) }
    let type = predicate["NSPredicateOperator"].objectValue?["NSOperatorType"].integerValue
    let isLength = attribute.attributeType == .string && type != Operator.matches
    guard left == (isLength ? "length" : "SELF"),
      let right = predicate["NSRightExpression"].objectValue,
      let bound = ArchivedDefault.value(of: right["NSConstantValue"])
    else { return false }
    switch type {
    case Operator.lessThanOrEqualTo: attribute.maximum = bound
    case Operator.greaterThanOrEqualTo: attribute.minimum = bound
    case Operator.matches: attribute.regularExpression = right["NSConstantValue"].stringValue
    default: return false
    }
    return true
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
