/// A parsed format with room for other arguments: predicates made of it need no parsing.
///
/// Exists for formats whose arguments can't change how they are parsed: AND, OR and NOT of comparisons
/// of keys, variables, constants and whole arguments.
/// Sendable unchecked: nothing in it changes once it is made.
enum PredicateTemplate: @unchecked Sendable {
  case fixed(Predicate)
  /// A comparison; a side with a number is the argument of that number.
  case comparison(ComparisonPredicate, left: Int?, right: Int?)
  case compound(CompoundPredicate.LogicalType, [PredicateTemplate])

  /// Stands for an argument while the format is parsed.
  private final class Placeholder {
    let index: Int
    init(_ index: Int) { self.index = index }
  }

  /// What to parse in place of arguments: no two are equal, and none is anything that a format could write.
  static func placeholders(_ count: Int) -> [Value] {
    (0..<count).map { .object(Placeholder($0)) }
  }

  /// The template that a predicate parsed with ``placeholders(_:)`` is; nil where arguments may matter.
  init?(_ predicate: Predicate) {
    switch predicate {
    case let comparison as ComparisonPredicate:
      guard comparison.customSelector == nil, let left = Side(comparison.leftExpression),
        let right = Side(comparison.rightExpression)
      else { return nil }
      let isFixed = left.argument == nil && right.argument == nil
      self =
        isFixed
        ? .fixed(comparison)
        : .comparison(comparison, left: left.argument, right: right.argument)
    case let compound as CompoundPredicate:
      let parts = compound.subpredicates.compactMap { PredicateTemplate($0) }
      guard parts.count == compound.subpredicates.count else { return nil }
      self = .compound(compound.compoundPredicateType, parts)
    case _ where type(of: predicate) == Predicate.self: self = .fixed(predicate)
    default: return nil
    }
  }

  /// One side of a comparison, if it is something whole.
  private struct Side {
    var argument: Int?

    init?(_ expression: Expression) {
      switch expression.node {
      case .constant(.object(let placeholder as Placeholder)): argument = placeholder.index
      case .constant(.collection), .constant(.object): return nil
      case .constant, .evaluatedObject, .variable, .keyPath(nil, _): break
      default: return nil
      }
    }
  }

  /// The predicate with `arguments` in their places.
  func predicate(_ arguments: [Value]) -> Predicate {
    switch self {
    case .fixed(let predicate): predicate
    case .comparison(let model, let left, let right):
      ComparisonPredicate(
        leftExpression: left.map { .argument(arguments[$0]) } ?? model.leftExpression,
        rightExpression: right.map { .argument(arguments[$0]) } ?? model.rightExpression,
        modifier: model.comparisonPredicateModifier, type: model.predicateOperatorType,
        options: model.options)
    case .compound(let type, let parts):
      CompoundPredicate(type: type, subpredicates: parts.map { $0.predicate(arguments) })
    }
  }
}
