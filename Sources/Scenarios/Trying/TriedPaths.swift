/// The key paths of a condition, as far as the model says what they lead to.
struct TriedPaths {
  /// An attribute at the end of a path.
  struct Leaf {
    let path: String
    let attribute: AttributeDescription
    let way: Way
  }
  /// A relationship at the end of a path, or on it.
  struct Link {
    let path: String
    let relationship: RelationshipDescription
    /// What leads to the objects that have it.
    let start: Way
  }
  /// The objects that paths start from: none by its name where that isn't known.
  struct Scope {
    /// Where bare keys start.
    var object: Way?
    /// Where variables do, by their names without `$`.
    var variables: [String: Way] = [:]
    /// Whether SQL alone answers: it may find a row by ANY and nil, which memory never does.
    var isFetched = false
  }

  private(set) var leaves: [Leaf] = []
  private(set) var links: [Link] = []
  private(set) var constants: [Value] = []
  /// The numbers that numbers of objects are compared with.
  private(set) var counts: Set<Int> = []
  /// Whether it has parts whose values can't be tried: code, what the model says nothing of.
  private(set) var isOpen = false
  /// Whether texts are compared with patterns: one that no tried text matches may well match another.
  private(set) var hasPatterns = false
  /// Whether values are added up, for which nil is nothing.
  private(set) var addsUp = false
  private var known: Set<String> = []

  init(_ predicate: Predicate, in scope: Scope) { visit(predicate, scope) }

  init(_ expression: Expression, in scope: Scope) { visit(expression, scope) }

  var isEmpty: Bool { leaves.isEmpty && links.isEmpty && !isOpen }

  /// Everything that a trial could vary.
  var names: [String] { leaves.map(\.path) + links.map(\.path) }

  /// The values that are tried, by path; none for attributes of which the model doesn't say what values they have.
  /// - Parameter others: What is next to these is tried, too.
  func values(near others: [Value] = []) -> [String: [Value]] {
    // A required attribute is nil only where somebody asks for that.
    let asksForNil = constants.contains(where: \.isNull)
    return Dictionary(
      firstOf: leaves.compactMap { leaf in
        leaf.attribute.attributeType.trialValues(
          near: constants + others, orNil: asksForNil || leaf.attribute.isOptional
        ).map { (leaf.path, $0) }
      })
  }

  private mutating func visit(_ predicate: Predicate, _ scope: Scope) {
    switch predicate {
    case let comparison as ComparisonPredicate:
      switch comparison.predicateOperatorType {
      case .matches, .like: hasPatterns = true
      case .customSelector, .utiConformsTo, .utiEquals: isOpen = true
      default: break
      }
      let sides = [comparison.leftExpression, comparison.rightExpression]
      // Which objects there are isn't tried.
      if sides.allSatisfy({ scope.leadsToObjects($0) }) { isOpen = true }
      for (side, other) in zip(sides, sides.reversed()) {
        visit(side, scope)
        if side.lastKey == "@count" { count(as: other) }
        let isLength = side.lastKey == "length"
        isOpen =
          isOpen || isLength && other.numbers.contains { $0 > AttributeType.longestTrialText }
      }
    case let compound as CompoundPredicate:
      for part in compound.subpredicates { visit(part, scope) }
    case _ where type(of: predicate) == Predicate.self: break
    default: isOpen = true
    }
  }

  /// As many objects as are counted are made up, if they aren't too many.
  private mutating func count(as other: Expression) {
    for number in other.numbers where number > 0 {
      if number <= 200 { counts.insert(Int(number)) } else { isOpen = true }
    }
  }

  private mutating func visit(_ expression: Expression, _ scope: Scope) {
    switch expression.expressionType {
    case .constantValue:
      constants += expression.collection?.compactMap(\.constant) ?? [expression.constant ?? .null]
    case .keyPath: visit(keyPath: expression, scope)
    case .subquery:
      guard let collection = expression.subqueryCollection, let predicate = expression.predicate
      else { return }
      visit(collection, scope)
      // What bare keys are of in there is another matter.
      var inner = Scope(object: nil, variables: scope.variables)
      inner.variables[expression.variable] = scope.way(along: collection)
      visit(predicate, inner)
    case .aggregate: for element in expression.collection ?? [] { visit(element, scope) }
    case .function where Self.statistics.contains(expression.function):
      addsUp = addsUp || expression.function == "sum:"
      for argument in expression.arguments ?? [] { visit(argument, scope) }
    case .evaluatedObject: isOpen = isOpen || scope.object == nil
    case .variable: isOpen = isOpen || scope.variables[expression.variable] == nil
    case .function, .conditional, .unionSet, .intersectSet, .minusSet, .assignment, .fetch, .anyKey,
      .block:
      isOpen = true
      for part in expression.parts { visit(part, scope) }
      if let condition = expression.predicate { visit(condition, scope) }
    }
  }

  /// Functions of several values, which have one of nothing, too.
  private static let statistics: Set<String> = ["sum:", "max:", "min:", "average:", "count:"]

  private mutating func visit(keyPath expression: Expression, _ scope: Scope) {
    if expression.operand.expressionType == .subquery {
      visit(expression.operand, scope)
      isOpen = isOpen || expression.keyPath != "@count"
      return
    }
    guard var way = scope.start(of: expression.operand) else {
      isOpen = true
      return visit(expression.operand, scope)
    }
    let keys = expression.keyPath.split(separator: ".").map(String.init)
    for (index, key) in keys.enumerated() {
      let rest = keys[(index + 1)...]
      if key.hasPrefix("@") {
        addsUp = addsUp || key == "@sum"
        isOpen = isOpen || !["@count", "@sum", "@avg", "@min", "@max"].contains(key)
      } else if let relationship = way.entity.relationship(named: key) {
        let start = way
        way = way.following(relationship)
        if known.insert(way.path).inserted {
          links.append(Link(path: way.path, relationship: relationship, start: start))
        }
      } else if let attribute = way.entity.attribute(named: key) {
        let isText = attribute.attributeType == .string
        let names = rest.filter {
          $0 != "self" && !$0.hasPrefix("@") && !(isText && $0 == "length")
        }
        guard let element = attribute.element(at: names[...]) else { break }
        let path = way.prefix + ([key] + names).joined(separator: ".")
        if known.insert(path).inserted {
          leaves.append(Leaf(path: path, attribute: element, way: way))
        }
        return
      } else {
        break
      }
      if rest.isEmpty { return }
    }
    isOpen = true
  }
}

/// Relationships that lead from the object that a condition is about to others.
package struct Way {
  package let relationships: [RelationshipDescription]
  /// The entity at its end.
  package let entity: EntityDescription
  /// What it begins with: nothing, or a variable.
  private let root: String

  init(from entity: EntityDescription, root: String = "") {
    self.init(relationships: [], entity: entity, root: root)
  }

  private init(relationships: [RelationshipDescription], entity: EntityDescription, root: String) {
    self.relationships = relationships
    self.entity = entity
    self.root = root
  }

  func following(_ relationship: RelationshipDescription) -> Way {
    Way(
      relationships: relationships + [relationship],
      entity: relationship.destinationEntity ?? entity, root: root)
  }

  package var path: String {
    ([root].filter { !$0.isEmpty } + relationships.map(\.name)).joined(separator: ".")
  }

  /// What the paths of its end's properties begin with.
  var prefix: String { path.isEmpty ? "" : path + "." }
}

extension TriedPaths.Scope {
  /// Where a key path with an operand starts.
  func start(of operand: Expression) -> Way? {
    switch operand.expressionType {
    case .evaluatedObject: object
    case .variable: variables[operand.variable]
    default: nil
    }
  }

  func leadsToObjects(_ expression: Expression) -> Bool {
    start(of: expression) != nil || way(along: expression) != nil
  }

  /// The way along a key path that consists of relationships; nil for others.
  func way(along expression: Expression) -> Way? {
    guard expression.expressionType == .keyPath else { return nil }
    return expression.keyPath.split(separator: ".").reduce(start(of: expression.operand)) {
      way, key in
      way.flatMap { way in way.entity.relationship(named: String(key)).map(way.following) }
    }
  }
}

extension Expression {
  fileprivate var lastKey: Substring? { keyPath.split(separator: ".").last }

  /// The whole numbers that it is, or consists of.
  fileprivate var numbers: [Int64] {
    (collection ?? [self]).compactMap {
      if case .integer(let number)? = $0.constant { number } else { nil }
    }
  }

  /// The expressions that it is made of, but those of its condition.
  var parts: [Expression] {
    (arguments ?? []) + [`true`, `false`, left, right].compactMap(\.self)
      + (expressionType == .function && operand.expressionType != .evaluatedObject ? [operand] : [])
  }
}
