/// Puts predicates and expressions into keyed archives, with Apple's names of classes and fields.
/// Core Data: observed in real archives for key paths, variables, constants, function calls and comparisons;
/// assumed, from Apple's names of classes, for subqueries, conditions, sets and casts, which are known to be
/// read back only.
public struct PredicateArchiver: PredicateArchiving {
  public init() {}

  public func add(
    predicate format: String, to writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference? {
    // What can't be parsed has no archived form; the text itself is kept.
    guard let predicate = try? Predicate.parse(format) else { return nil }
    return ArchiveBuilder(writer: writer).add(predicate)
  }

  public func add(
    expression format: String, to writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference? {
    // What can't be parsed has no archived form; the text itself is kept.
    guard let expression = try? Expression.parse(format) else { return nil }
    return ArchiveBuilder(writer: writer).add(expression)
  }
}

/// The work on one archive. Whatever has no archived form makes the whole predicate nil.
struct ArchiveBuilder {
  typealias Reference = KeyedArchiveWriter.Reference

  let writer: KeyedArchiveWriter

  func add(_ predicate: Predicate) -> Reference? {
    switch predicate {
    case let comparison as ComparisonPredicate: return add(comparison)
    case let compound as CompoundPredicate: return add(compound)
    case _ where type(of: predicate) == Predicate.self:
      return writer.add(
        predicate.constant ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate", fields: [:])
    default: return nil
    }
  }

  private func add(_ compound: CompoundPredicate) -> Reference? {
    guard let parts = all(compound.subpredicates.map(add)) else { return nil }
    return writer.add(
      "NSCompoundPredicate", "NSPredicate",
      fields: [
        "NSCompoundPredicateType": .integer(Int64(compound.compoundPredicateType.rawValue)),
        "NSSubpredicates": .reference(writer.add(array: parts)),
      ])
  }

  private func add(_ comparison: ComparisonPredicate) -> Reference? {
    guard let type = comparison.predicateOperatorType.archived,
      let left = add(comparison.leftExpression), let right = add(comparison.rightExpression)
    else { return nil }
    let comparisonOperator = writer.add(
      type.className, "NSPredicateOperator",
      fields: [
        "NSOperatorType": .integer(Int64(comparison.predicateOperatorType.rawValue)),
        "NSModifier": .integer(Int64(comparison.comparisonPredicateModifier.rawValue)),
        type.optionsKey: .integer(Int64(comparison.options.rawValue)),
        "NSSelectorName": .reference(writer.add(type.selector)),
      ])
    return writer.add(
      "NSComparisonPredicate", "NSPredicate",
      fields: [
        "NSLeftExpression": .reference(left), "NSRightExpression": .reference(right),
        "NSPredicateOperator": .reference(comparisonOperator),
      ])
  }

  /// All of some parts; nil when one has no archived form.
  func all(_ parts: [Reference?]) -> [Reference]? {
    let known = parts.compactMap { $0 }
    return known.count == parts.count ? known : nil
  }
}

extension ComparisonPredicate.Operator {
  /// The class of Core Data's operator, the field with its options, and the method it calls; nil for
  /// operators whose number isn't public.
  fileprivate var archived: (className: String, optionsKey: String, selector: String)? {
    switch self {
    case .lessThan: ("NSComparisonPredicateOperator", "NSOptions", "isLessThan:")
    case .lessThanOrEqualTo:
      ("NSComparisonPredicateOperator", "NSOptions", "isLessThanOrEqualTo:")
    case .greaterThan: ("NSComparisonPredicateOperator", "NSOptions", "isGreaterThan:")
    case .greaterThanOrEqualTo:
      ("NSComparisonPredicateOperator", "NSOptions", "isGreaterThanOrEqualTo:")
    case .equalTo: ("NSEqualityPredicateOperator", "NSOptions", "isEqualTo:")
    case .notEqualTo: ("NSEqualityPredicateOperator", "NSOptions", "isNotEqualTo:")
    case .matches: ("NSMatchingPredicateOperator", "NSFlags", "matches:")
    case .like: ("NSLikePredicateOperator", "NSFlags", "like:")
    case .beginsWith: ("NSSubstringPredicateOperator", "NSFlags", "beginsWith:")
    case .endsWith: ("NSSubstringPredicateOperator", "NSFlags", "endsWith:")
    case .in: ("NSInPredicateOperator", "NSFlags", "in:")
    case .contains: ("NSInPredicateOperator", "NSFlags", "contains:")
    case .between: ("NSBetweenPredicateOperator", "NSOptions", "between:")
    case .customSelector, .utiConformsTo, .utiEquals: nil
    }
  }
}
