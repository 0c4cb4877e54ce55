// Comparisons of a property with something of another type, which can never be equal.

/// What sort of values a side of a comparison has. Those of different sorts are never equal, and in no order.
enum ComparedType: Equatable {
  case number, text, date, data, uuid, uri, object

  /// As in "'rank' is a number".
  var noun: String {
    switch self {
    case .number: "a number"
    case .text: "a text"
    case .date: "a date"
    case .data: "binary data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .object: "an object"
    }
  }

  /// - Returns: Nil for what can be of any type, and for several values.
  init?(of constant: Value) {
    switch constant {
    case .integer, .double, .decimal: self = .number
    case .string: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .null, .transformable, .object, .collection: return nil
    }
  }

  /// - Returns: Nil where the model doesn't say what the values are.
  init?(of type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: self = .number
    case .string: self = .text
    case .date: self = .date
    case .binaryData: self = .data
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .undefined, .transformable, .objectID, .composite: return nil
    }
  }
}

/// What the key paths of a condition begin with.
struct ComparedScope {
  /// The version of the model that they are looked up in.
  let version: String
  /// What bare keys are of; nil where that isn't known.
  var entity: EntityDescription?
  /// What variables stand for, by their names without `$`.
  var variables: [String: EntityDescription] = [:]

  /// What the elements of a to-many key path are, as the first part of a SUBQUERY has it.
  func elements(of collection: Expression) -> EntityDescription? {
    guard collection.expressionType == .keyPath else { return nil }
    let start: EntityDescription? =
      switch collection.operand.expressionType {
      case .evaluatedObject: entity
      case .variable: variables[collection.operand.variable]
      default: nil
      }
    return collection.keyPath.split(separator: ".").reduce(start) { entity, key in
      entity?.relationship(named: String(key))?.destinationEntity
    }
  }
}

/// A side of a comparison whose type is known.
struct ComparedSide {
  let type: ComparedType
  /// As messages show it.
  let shown: String
  /// What is looked for in the text, to point at it.
  let written: String
  let isConstant: Bool
  /// Whether it gives several values, each of the type.
  let isPlural: Bool
  /// The key path to the first of several to-many relationships, and the rest; nil where there is but one, or none.
  fileprivate let nesting: (collection: String, rest: String)?
  /// The type of the attribute; nil for what is none.
  fileprivate let attributeType: AttributeType?

  /// - Returns: Nil for whatever isn't known before it is evaluated.
  init?(_ expression: Expression, in scope: ComparedScope) {
    switch expression.expressionType {
    case .constantValue:
      guard let constant = expression.constant, let type = ComparedType(of: constant) else {
        return nil
      }
      let format = expression.expressionFormat
      self.init(type, shown: format, written: format, isConstant: true)
    case .evaluatedObject where scope.entity != nil: self.init(.object, written: "SELF")
    case .variable where scope.variables[expression.variable] != nil:
      self.init(.object, written: "$\(expression.variable)")
    case .keyPath: self.init(keyPath: expression, in: scope)
    case .function:
      guard let type = expression.typeOfFunction else { return nil }
      self.init(type, written: expression.expressionFormat)
    default: return nil
    }
  }

  private init(
    _ type: ComparedType, shown: String? = nil, written: String, isConstant: Bool = false,
    isPlural: Bool = false, nesting: (collection: String, rest: String)? = nil,
    attributeType: AttributeType? = nil
  ) {
    self.type = type
    self.shown = shown ?? "'\(written)'"
    self.written = written
    self.isConstant = isConstant
    self.isPlural = isPlural
    self.nesting = nesting
    self.attributeType = attributeType
  }

  private init?(keyPath expression: Expression, in scope: ComparedScope) {
    let (operand, path) = (expression.operand, expression.keyPath)
    switch operand.expressionType {
    case .evaluatedObject:
      guard let entity = scope.entity else { return nil }
      self.init(path: path, from: entity, written: path)
    case .variable:
      guard let entity = scope.variables[operand.variable] else { return nil }
      self.init(path: path, from: entity, written: "$\(operand.variable).\(path)")
    case .subquery where path == "@count":
      self.init(.number, written: expression.expressionFormat)
    default: return nil
    }
  }

  private init?(path: String, from entity: EntityDescription, written: String) {
    let keys = path.split(separator: ".").map(String.init)
    var current = entity
    var isPlural = false
    var nesting: (collection: String, rest: String)?
    var firstOfMany: Int?
    for (index, key) in keys.enumerated() {
      let rest = keys[(index + 1)...]
      if key.hasPrefix("@") {
        guard isPlural else { return nil }
        switch key {
        case "@count" where rest.isEmpty, "@sum", "@avg":
          self.init(.number, written: written, nesting: nesting)
        case "@min", "@max":
          let path = rest.joined(separator: ".")
          guard let each = ComparedSide(path: path, from: current, written: path) else {
            return nil
          }
          self.init(each.type, written: written, nesting: nesting)
        default: return nil
        }
        return
      }
      switch current.property(named: key) {
      case let relationship as RelationshipDescription:
        isPlural = isPlural || relationship.isToMany
        if relationship.isToMany, nesting == nil {
          if let first = firstOfMany {
            nesting = (
              String(written.dropLast(path.count)) + keys[...first].joined(separator: "."),
              keys[(first + 1)...].joined(separator: ".")
            )
          }
          firstOfMany = index
        }
        current = relationship.destinationEntity
      case let attribute as AttributeDescription:
        guard let end = attribute.element(at: rest), let type = ComparedType(of: end.attributeType)
        else { return nil }
        self.init(
          type, written: written, isPlural: isPlural, nesting: nesting,
          attributeType: end.attributeType)
        return
      default: return nil
      }
    }
    if keys.isEmpty { return nil }
    self.init(.object, written: written, isPlural: isPlural, nesting: nesting)
  }

  /// What to compare it with.
  var advice: String {
    switch type {
    case .number where attributeType == .boolean: "write YES or NO without quotes"
    case .number: "write a number without quotes"
    case .text: "write a text in quotes"
    case .date: "write a date as CAST(378151200, 'NSDate'), in seconds since 2001"
    case .data: "write data as CAST('aGVsbG8=', 'NSData'), in Base64"
    case .uuid: "write a UUID as CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')"
    case .uri: "write a URI as CAST('https://example.com', 'NSURL')"
    case .object: "compare one of its attributes, or ask for nil"
    }
  }
}

extension Expression {
  /// The type of what a function gives; nil where it depends on what it is given.
  fileprivate var typeOfFunction: ComparedType? {
    switch function {
    case "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "abs:", "floor:",
      "ceiling:", "trunc:", "sqrt:", "length:", "count:", "sum:", "average:":
      .number
    case "uppercase:", "lowercase:", "canonical:": .text
    case "now": .date
    case "castObject:toType:":
      switch arguments?.last?.constant {
      case .string("NSString")?: .text
      case .string("NSNumber")?: .number
      case .string("NSDate")?: .date
      default: nil
      }
    default: nil
    }
  }
}

extension ComparisonPredicate {
  /// The pairs of values that are compared, one of each side.
  fileprivate var comparedPairs: [(Expression, Expression)] {
    switch predicateOperatorType {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
      .contains:
      [(leftExpression, rightExpression)]
    case .in where rightExpression.collection == nil: [(leftExpression, rightExpression)]
    case .in, .between: (rightExpression.collection ?? []).map { (leftExpression, $0) }
    case .matches, .like, .beginsWith, .endsWith, .customSelector, .utiConformsTo, .utiEquals: []
    }
  }

  /// Whether values of each side are compared one by one. A set beside a single value is another matter, and so
  /// is a text that is looked for in another.
  fileprivate func compares(_ left: ComparedSide, with right: ComparedSide) -> Bool {
    let isQuantified = comparisonPredicateModifier != .direct
    switch predicateOperatorType {
    case .contains: return !isQuantified && left.isPlural && !right.isPlural
    case .in where rightExpression.collection == nil:
      return right.isPlural && left.isPlural == isQuantified
    default: return !right.isPlural && left.isPlural == isQuantified
    }
  }

  /// The word of an operator that looks into texts; nil for others, and for CONTAINS and IN of a collection.
  fileprivate func wordOfTexts(_ left: ComparedSide?) -> String? {
    switch predicateOperatorType {
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .contains where left?.isPlural == false && comparisonPredicateModifier == .direct:
      "CONTAINS"
    default: nil
    }
  }

  /// Whether it has one value beside all those of a to-many key path at once.
  fileprivate func forgetsQuantifier(_ left: ComparedSide) -> Bool {
    guard comparisonPredicateModifier == .direct, left.isPlural else { return false }
    switch predicateOperatorType {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
      .between, .matches, .like, .beginsWith, .endsWith:
      return true
    case .in, .contains, .customSelector, .utiConformsTo, .utiEquals: return false
    }
  }
}

extension ScenarioChecker {
  /// Reports comparisons of a property with something that it can't be equal to. In memory such values are never
  /// equal; a device compares them in SQL, where some are.
  // Core Data: nothing says what a store makes of `rank == "1"`. SQLite converts by the column's affinity.
  func checkTypes(in predicate: Predicate, _ scope: ComparedScope, _ text: Located<String>) {
    switch predicate {
    case let compound as CompoundPredicate:
      for part in compound.subpredicates { checkTypes(in: part, scope, text) }
    case let comparison as ComparisonPredicate:
      let sides = [comparison.leftExpression, comparison.rightExpression]
      for side in sides { checkTypes(in: side, scope, text) }
      let (left, right) = (ComparedSide(sides[0], in: scope), ComparedSide(sides[1], in: scope))
      if let word = comparison.wordOfTexts(left) {
        if let other = [left, right].compactMap({ $0 }).first(where: { $0.type != .text }) {
          report(other, isNoTextFor: word, in: text)
          return
        }
      }
      if let side = [left, right].compactMap({ $0 }).first(where: { $0.nesting != nil }) {
        reportNesting(of: side, in: text)
        return
      }
      if let left, comparison.forgetsQuantifier(left), right?.isPlural != true {
        report(left, needsQuantifierBeside: sides[1], in: text)
        return
      }
      checkPairs(of: comparison, scope, text)
    default: break
    }
  }

  /// Looks for conditions within an expression: those of SUBQUERY and TERNARY.
  func checkTypes(in expression: Expression, _ scope: ComparedScope, _ text: Located<String>) {
    switch expression.expressionType {
    case .keyPath where expression.operand.expressionType == .subquery,
      .keyPath where expression.operand.expressionType == .function:
      checkTypes(in: expression.operand, scope, text)
    case .function:
      for argument in expression.arguments ?? [] { checkTypes(in: argument, scope, text) }
    case .aggregate:
      for element in expression.collection ?? [] { checkTypes(in: element, scope, text) }
    case .conditional:
      if let condition = expression.predicate { checkTypes(in: condition, scope, text) }
      for value in [expression.true, expression.false].compactMap({ $0 }) {
        checkTypes(in: value, scope, text)
      }
    case .subquery: checkSubquery(expression, scope, text)
    default: break
    }
  }

  private func checkSubquery(
    _ subquery: Expression, _ scope: ComparedScope, _ text: Located<String>
  ) {
    guard let elements = subquery.subqueryCollection.flatMap({ scope.elements(of: $0) }),
      let condition = subquery.predicate
    else { return }
    let side = subquery.subqueryCollection.flatMap { ComparedSide($0, in: scope) }
    if let side, side.nesting != nil {
      reportNesting(of: side, in: text)
      return
    }
    var finder = KeyPathFinder()
    finder.visit(condition)
    for (root, path) in finder.found where root == .variable(subquery.variable) {
      checkKeyPath(path, from: elements, in: text, version: scope.version)
    }
    // What bare keys are of there, and SELF, is another matter.
    var inner = ComparedScope(version: scope.version, variables: scope.variables)
    inner.variables[subquery.variable] = elements
    checkTypes(in: condition, inner, text)
  }

  private func checkPairs(
    of comparison: ComparisonPredicate, _ scope: ComparedScope, _ text: Located<String>
  ) {
    for (first, second) in comparison.comparedPairs {
      guard let left = ComparedSide(first, in: scope), let right = ComparedSide(second, in: scope),
        comparison.compares(left, with: right)
      else { continue }
      if left.type != right.type {
        report(left, beside: right, in: text)
      } else if comparison.predicateOperatorType != .between {
        // A range may well be wider than what a property can have.
        checkRange(left, second, in: text)
        checkRange(right, first, in: text)
      }
    }
  }

  private func place(of side: ComparedSide, in text: Located<String>) -> SourcePlace {
    // A number may also stand somewhere else.
    if side.isConstant { return text.place }
    return text.value.range(of: side.written).map { text.part($0).place } ?? text.place
  }

  private func report(
    _ left: ComparedSide, beside right: ComparedSide, in text: Located<String>
  ) {
    let (known, other) = left.isConstant ? (right, left) : (left, right)
    // Two constants give the same answer for every object, which is told elsewhere.
    if known.isConstant { return }
    let remedy = other.isConstant ? known.advice : "compare values of one type"
    collector.report(
      "\(known.shown) is \(known.type.noun) and \(other.shown) \(other.type.noun): they are never equal here, "
        + "and how a device compares them isn't known; \(remedy)", at: place(of: known, in: text))
  }

  private func report(
    _ side: ComparedSide, isNoTextFor word: String, in text: Located<String>
  ) {
    collector.report(
      "\(side.shown) is \(side.type.noun), and \(word) looks into texts: compare it by ==, < or >, or write a text in "
        + "quotes", at: place(of: side, in: text))
  }

  // Core Data: its SQLite store refuses this ("multiple to-many keys not allowed here"). In memory it gives a set of
  // sets, of which none is ever equal to a value.
  private func reportNesting(of side: ComparedSide, in text: Located<String>) {
    guard let nesting = side.nesting else { return }
    // `songs.tags.@count` is how many different sets of tags there are.
    let isOfSets = nesting.rest.contains("@")
    collector.report(
      "\(side.shown) goes through several to-many relationships: it \(isOfSets ? "is made of" : "gives") sets, not "
        + "values, and SQLite stores refuse it; write 'SUBQUERY(\(nesting.collection), $x, "
        + "\(isOfSets ? "" : "ANY ")$x.\(nesting.rest) …).@count > 0'",
      at: place(of: side, in: text))
  }

  // Core Data: its SQLite store refuses this ("to-many key not allowed here").
  private func report(
    _ side: ComparedSide, needsQuantifierBeside other: Expression, in text: Located<String>
  ) {
    let isNil = other.constant.map { if case .null = $0 { true } else { false } } ?? false
    collector.report(
      isNil
        ? "\(side.shown) leads to several objects, and is never nil: write '\(side.written).@count == 0', or '> 0'"
        : "\(side.shown) gives several values, and this compares them with one: write 'ANY \(side.written)' or "
          + "'ALL \(side.written)'", at: place(of: side, in: text))
  }

  /// Reports a number that the attribute it is compared with can't have.
  private func checkRange(
    _ side: ComparedSide, _ other: Expression, in text: Located<String>
  ) {
    guard let type = side.attributeType, type != .integer64, let range = type.wholeNumbers,
      let number = other.constantNumber,
      number < Double(range.lowerBound) || number > Double(range.upperBound)
    else { return }
    let noun =
      type == .boolean
      ? "YES or NO, which are 1 and 0"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    collector.report(
      "\(side.shown) is \(noun), and \(other.expressionFormat) isn't: comparing them tests nothing",
      at: place(of: side, in: text))
  }
}

extension Expression {
  fileprivate var constantNumber: Double? {
    switch constant {
    case .integer(let number)?: Double(number)
    case .double(let number)?: number
    default: nil
    }
  }
}
