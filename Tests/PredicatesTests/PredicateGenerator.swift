import Predicates
import TestSupport

/// Makes random trees of everything that the format language can write.
struct PredicateGenerator {
  var random: RandomSource

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  mutating func predicate(depth: Int = 3) -> Predicate {
    guard depth > 0 else { return comparison(depth: 1) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return Predicate(value: Bool.random(using: &random))
    case 1: return CompoundPredicate(notPredicateWithSubpredicate: predicate(depth: depth - 1))
    case 2: return compound(.and, depth - 1)
    case 3: return compound(.or, depth - 1)
    default: return comparison(depth: depth)
    }
  }

  /// Of two parts or more: AND and OR of fewer are printed as something simpler, and those of the same kind are read
  /// as one.
  private mutating func compound(_ type: CompoundPredicate.LogicalType, _ depth: Int) -> Predicate {
    let parts = (0..<Int.random(in: 2...3, using: &random)).flatMap { _ in
      let part = predicate(depth: depth)
      let compound = part as? CompoundPredicate
      return compound?.compoundPredicateType == type ? compound?.subpredicates ?? [] : [part]
    }
    return CompoundPredicate(type: type, subpredicates: parts)
  }

  private mutating func comparison(depth: Int) -> Predicate {
    // A method as operator has no text.
    let operators = ComparisonPredicate.Operator.allCases.filter { $0 != .customSelector }
    let modifiers: [ComparisonPredicate.Modifier] = [.direct, .direct, .direct, .any, .all]
    return ComparisonPredicate(
      leftExpression: expression(depth: depth), rightExpression: expression(depth: depth),
      modifier: pick(modifiers), type: pick(operators),
      options: ComparisonOptions(rawValue: UInt.random(in: 0..<16, using: &random)))
  }

  mutating func expression(depth: Int = 3) -> Expression {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0..<15, using: &random) {
    case 0...2: return arithmetic(depth - 1)
    case 3: return Expression(forKeyPath: keyPath(), of: expression(depth: depth - 1))
    case 4: return Expression(forAggregate: expressions(depth - 1, count: 0...3))
    case 5:
      return Expression(
        forSubquery: expression(depth: depth - 1), usingIteratorVariable: pick(["x", "y"]),
        predicate: predicate(depth: depth - 1))
    case 6:
      return Expression(
        forConditional: predicate(depth: depth - 1), trueExpression: expression(depth: depth - 1),
        falseExpression: expression(depth: depth - 1))
    case 7:
      return Expression(
        forFunction: expression(depth: depth - 1), selectorName: "with:and:",
        arguments: expressions(depth - 1, count: 2...2))
    case 8:
      return Expression(
        forFetch: expression(depth: depth - 1), context: expression(depth: depth - 1),
        countOnly: Bool.random(using: &random))
    case 9:
      return Expression(
        forFunction: pick(["castObject:toType:"]),
        arguments: [
          expression(depth: depth - 1), .constant(.string(pick(["NSDate", "NSString"]))),
        ])
    case 10:
      return Expression(
        forFunction: "objectFrom:withIndex:", arguments: expressions(depth - 1, count: 2...2))
    case 11: return Expression(forFunction: "now", arguments: [])
    case 12:
      let (left, right) = (expression(depth: depth - 1), expression(depth: depth - 1))
      return pick([
        Expression(forUnionSet: left, with: right), Expression(forMinusSet: left, with: right),
        Expression(forIntersectSet: left, with: right), .expressionForAnyKey(),
      ])
    default: return leaf()
    }
  }

  private mutating func expressions(_ depth: Int, count: ClosedRange<Int>) -> [Expression] {
    (0..<Int.random(in: count, using: &random)).map { _ in expression(depth: depth) }
  }

  private mutating func arithmetic(_ depth: Int) -> Expression {
    let name = pick([
      "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:",
      "bitwiseAnd:with:", "modulus:by:", "sum:", "abs:",
    ])
    let count = name.count(where: { $0 == ":" })
    return Expression(
      forFunction: name, arguments: expressions(depth, count: count...count))
  }

  private mutating func leaf() -> Expression {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .expressionForEvaluatedObject()
    case 1: Expression(forVariable: pick(["x", "y", "source"]))
    case 2, 3: Expression(forKeyPath: keyPath())
    default: .constant(constant())
    }
  }

  private mutating func keyPath() -> String {
    let keys = [
      "name", "age", "size", "union", "first", "self", "and", "Größe", "two words", "a\"b",
      "@count",
    ]
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(keys) }.joined(
      separator: ".")
  }

  private mutating func constant() -> Value {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: -100...100, using: &random))
    case 2: .double(Double.random(in: -100...100, using: &random))
    case 3: .date(Date(timeIntervalSinceReferenceDate: Double.random(in: 0...1e9, using: &random)))
    case 4: .decimal(Decimal(Int.random(in: 0...1000, using: &random)) / 100)
    case 5: .collection(.init(.array, [constant(), constant()]))
    default: .string(pick(["", "a*", "it's", "\"\\", "%@", "é\n", "x' OR 1 == 1"]))
    }
  }

  mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  /// `text` with a few characters removed, repeated, exchanged or replaced.
  mutating func damaged(_ text: String) -> String {
    var characters = Array(text)
    for _ in 0..<Int.random(in: 1...4, using: &random) where !characters.isEmpty {
      let position = Int.random(in: characters.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: characters.remove(at: position)
      case 1: characters.insert(characters[position], at: position)
      case 2: characters.swapAt(position, Int.random(in: characters.indices, using: &random))
      default: characters[position] = pick(Array("()[]{}'\"%@$#.,:=<>!&|*/+-\\ 0aK"))
      }
    }
    return String(characters)
  }
}
