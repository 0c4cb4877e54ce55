/// A predicate as a tree of short labels, to be shown to a person.
public struct PredicateTree: Hashable, Sendable {
  /// What the node is: an operator, a function, a key path, a constant.
  public let label: String
  /// What it is applied to, in the order in which it is written.
  public let parts: [PredicateTree]

  init(_ label: String, _ parts: [PredicateTree] = []) {
    self.label = label
    self.parts = parts
  }
}

extension Predicate {
  /// The predicate as it was parsed.
  /// - Complexity: O(*n*) in the number of nodes.
  public final var tree: PredicateTree {
    switch self {
    case let compound as CompoundPredicate:
      PredicateTree(compound.compoundPredicateType.word, compound.subpredicates.map(\.tree))
    case let comparison as ComparisonPredicate:
      PredicateTree(
        comparison.quantifier + comparison.operatorText,
        [comparison.leftExpression.tree, comparison.rightExpression.tree])
    default: PredicateTree(predicateFormat)
    }
  }
}

extension Expression {
  /// The expression as it was parsed.
  /// - Complexity: O(*n*) in the number of nodes.
  public var tree: PredicateTree {
    switch node {
    case .constant, .evaluatedObject: return PredicateTree(leafLabel)
    case .variable(let name): return PredicateTree("variable $\(name)")
    case .keyPath(let operand, let path):
      return PredicateTree("key path \(path.text)", [operand?.tree].compactMap { $0 })
    case .function(let function, let arguments):
      return PredicateTree("function \(function.rawValue)", arguments.map(\.tree))
    case .call(let target, let selector, let arguments):
      return PredicateTree("method \(selector)", [target.tree] + arguments.map(\.tree))
    case .aggregate(let elements): return PredicateTree("aggregate", elements.map(\.tree))
    case .subquery(let collection, let variable, let predicate):
      return PredicateTree("SUBQUERY $\(variable)", [collection.tree, predicate.tree])
    case .fetch(let request, let context, let countOnly):
      return PredicateTree(countOnly ? "FETCH count" : "FETCH", [request.tree, context.tree])
    case .conditional(let predicate, let yes, let no):
      return PredicateTree("TERNARY", [predicate.tree, yes.tree, no.tree])
    case .cast(let operand, let type): return PredicateTree("CAST to \(type)", [operand.tree])
    case .index(let collection, let index): return index.tree(of: collection)
    case .assignment(let name, let value): return PredicateTree("assignment $\(name)", [value.tree])
    case .setOperation(let operation, let left, let right):
      return PredicateTree(operation.rawValue, [left.tree, right.tree])
    case .anyKey: return PredicateTree(expressionFormat)
    case .block(_, let arguments): return PredicateTree("block", arguments.map(\.tree))
    }
  }

  private var leafLabel: String {
    if case .constant = node { "constant \(expressionFormat)" } else { expressionFormat }
  }
}

extension Expression.CollectionIndex {
  fileprivate func tree(of collection: Expression) -> PredicateTree {
    switch self {
    case .first: PredicateTree("element FIRST", [collection.tree])
    case .last: PredicateTree("element LAST", [collection.tree])
    case .size: PredicateTree("SIZE", [collection.tree])
    case .element(let index): PredicateTree("element", [collection.tree, index.tree])
    }
  }
}

extension CompoundPredicate.LogicalType {
  fileprivate var word: String {
    switch self {
    case .not: "NOT"
    case .and: "AND"
    case .or: "OR"
    }
  }
}
