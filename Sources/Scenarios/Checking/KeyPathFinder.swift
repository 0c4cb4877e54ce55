/// Finds the key paths in predicates and expressions, and what they start from.
package struct KeyPathFinder {
  package enum Root: Hashable {
    /// The object that the predicate is about.
    case object
    case variable(String)
  }

  package private(set) var found: [(root: Root, path: String)] = []
  /// The variables that stand for themselves or begin a key path.
  private(set) var variables: [String] = []
  /// What the variables of the SUBQUERYs around stand for: the end of a key path, or something else.
  private var elements: [String: (root: Root, path: String)?] = [:]
  /// Whether it is known what bare keys are of; in a SUBQUERY's condition that is another matter.
  private var knowsObject = true

  package mutating func visit(_ predicate: Predicate) {
    switch predicate {
    case let comparison as ComparisonPredicate:
      visit(comparison.leftExpression)
      visit(comparison.rightExpression)
    case let compound as CompoundPredicate:
      for part in compound.subpredicates { visit(part) }
    default: break
    }
  }

  mutating func visit(_ expression: Expression) {
    switch expression.expressionType {
    case .keyPath: visit(keyPath: expression)
    case .function, .fetch, .block:
      visit(expression.operand)
      for argument in expression.arguments ?? [] { visit(argument) }
    case .aggregate:
      for element in expression.collection ?? [] { visit(element) }
    case .conditional:
      if let condition = expression.predicate { visit(condition) }
      for value in [expression.true, expression.false].compactMap({ $0 }) { visit(value) }
    case .unionSet, .intersectSet, .minusSet:
      for operand in [expression.left, expression.right].compactMap({ $0 }) { visit(operand) }
    case .subquery: visit(subquery: expression)
    case .variable where elements[expression.variable] == nil:
      variables.append(expression.variable)
    case .variable, .constantValue, .evaluatedObject, .assignment, .anyKey: break
    }
  }

  private mutating func visit(keyPath expression: Expression) {
    switch expression.operand.expressionType {
    case .evaluatedObject, .variable:
      guard let start = start(of: expression) else { return }
      if case .variable(let name) = start.root, elements[name] == nil { variables.append(name) }
      found.append(start)
    default: visit(expression.operand)
    }
  }

  /// The whole of a key path; nil where it begins with what isn't the end of another.
  private func start(of expression: Expression) -> (root: Root, path: String)? {
    let (operand, path) = (expression.operand, expression.keyPath)
    guard operand.expressionType == .variable else { return knowsObject ? (.object, path) : nil }
    guard let element = elements[operand.variable] else {
      return (.variable(operand.variable), path)
    }
    return element.map { ($0.root, "\($0.path).\(path)") }
  }

  private mutating func visit(subquery: Expression) {
    guard let collection = subquery.subqueryCollection, let condition = subquery.predicate else {
      return
    }
    visit(collection)
    var inner = KeyPathFinder()
    inner.elements = elements
    inner.elements[subquery.variable] =
      .some(collection.expressionType == .keyPath ? start(of: collection) : nil)
    inner.knowsObject = false
    inner.visit(condition)
    variables += inner.variables
    found += inner.found
  }

  package init(found: [(root: Root, path: String)] = [], variables: [String] = []) {
    self.found = found
    self.variables = variables
  }
}

extension ScenarioChecker {
  /// Reports the first key of a path that an entity doesn't have.
  func checkKeyPath(
    _ path: String, from entity: EntityDescription, in text: Located<String>, version: String
  ) {
    var current = entity
    for key in path.split(separator: ".").map(String.init) {
      // What follows a collection operator is about whatever the operator gives.
      if key.hasPrefix("@") || ["self", "SELF", "objectID", "entity"].contains(key) { return }
      let place = text.value.range(of: key).map { text.part($0).place } ?? text.place
      if key.hasSuffix("]") {
        return collector.report(
          "the index in '\(key)' belongs to the last key alone; write (…)[…], as in ($source.tags)[FIRST]",
          at: place)
      }
      let property = collector.attempt(at: place) {
        try current.property(Located(key, at: place), version: version)
      }
      guard let relationship = property as? RelationshipDescription else { return }
      current = relationship.destinationEntity
    }
  }

  /// Reads a predicate about objects of an entity, and checks its key paths and what they are compared with.
  /// - Parameter isFetched: Whether a device fetches by it, in SQL.
  /// - Returns: Nil where it can't be read.
  @discardableResult
  func resolve(
    _ text: Located<String>, about entity: EntityDescription?, version: String,
    isFetched: Bool = false
  ) -> Predicate? {
    let predicate = collector.attempt(at: text.place) { try FormatText.predicate(text) }
    guard let entity, let predicate else { return predicate }
    var finder = KeyPathFinder()
    finder.visit(predicate)
    // Looking for a place goes through all of the text, and there may be thousands of comparisons.
    for path in finder.found.filter({ $0.root == .object }).map({ $0.path }).uniqued() {
      checkKeyPath(path, from: entity, in: text, version: version)
    }
    let scope = TriedPaths.Scope(object: Way(from: entity), isFetched: isFetched)
    checkTrials(of: predicate, in: scope, text)
    return predicate
  }

  /// Reads a value expression of a mapping, and checks its variables and key paths.
  /// - Returns: Nil where it can't be read.
  func resolve(
    _ text: Located<String>, source: EntityDescription?, destination: EntityDescription?,
    ends: StepEnds
  ) -> Expression? {
    let expression = collector.attempt(at: text.place) { try FormatText.expression(text) }
    guard let expression else { return nil }
    var finder = KeyPathFinder()
    finder.visit(expression)
    for variable in finder.variables { checkVariable(variable, in: text) }
    for (root, path) in finder.found {
      if root == .object, let source {
        checkOwnKeyPath(path, of: source, in: text, version: ends.source)
      } else if root == .variable("source"), let source {
        checkKeyPath(path, from: source, in: text, version: ends.source)
      } else if root == .variable("destination"), let destination {
        checkKeyPath(path, from: destination, in: text, version: ends.destination)
      }
    }
    var scope = TriedPaths.Scope(object: source.map { Way(from: $0) })
    scope.variables["source"] = source.map { Way(from: $0, root: "$source") }
    scope.variables["destination"] = destination.map { Way(from: $0, root: "$destination") }
    checkTrials(in: expression, scope, text)
    return expression
  }

  /// An expression of a mapping is evaluated with the source object: a bare word is one of its keys, and not
  /// the text that somebody may have meant.
  private func checkOwnKeyPath(
    _ path: String, of entity: EntityDescription, in text: Located<String>, version: String
  ) {
    if path == text.value, entity.property(named: path) == nil, !path.contains("."),
      !path.hasPrefix("@"), !["self", "objectID", "entity"].contains(path.lowercased()),
      Spelling.closest(to: path, among: entity.propertiesByName.keys) == nil
    {
      collector.report(
        "'\(path)' is read as a key, and entity '\(entity.name)' of \(version) has no such property; text "
          + "has its own quotes: '\"\(path)\"'", at: text.place)
    } else {
      checkKeyPath(path, from: entity, in: text, version: version)
    }
  }

  /// Reports a variable that the migration manager doesn't give to expressions.
  private func checkVariable(_ name: String, in text: Located<String>) {
    let known = MigrationVariable.allCases.map { "$\($0.rawValue)" }
    let shown = "$\(name)"
    if known.contains(shown) { return }
    let place = text.value.range(of: shown).map { text.part($0).place } ?? text.place
    let hint = Spelling.hint(for: shown, among: known, called: "variables")
    collector.report("expressions of a mapping have no variable '\(shown)'\(hint)", at: place)
  }
}
