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

/// A side of a comparison whose type is known.
struct ComparedSide {
  let type: ComparedType
  /// The key path, or SELF; nil for a constant.
  let path: String?
  /// As messages show it.
  let shown: String
  /// Whether it gives several values, each of the type.
  let isPlural: Bool
  private let isBoolean: Bool

  /// - Returns: Nil for functions, variables and whatever else isn't known before it is evaluated.
  init?(_ expression: Expression, of entity: EntityDescription) {
    switch expression.expressionType {
    case .constantValue:
      guard let constant = expression.constant, let type = ComparedType(of: constant) else {
        return nil
      }
      self.init(type, shown: expression.expressionFormat)
    case .evaluatedObject: self.init(.object, path: "SELF")
    case .keyPath where expression.operand.expressionType == .evaluatedObject:
      self.init(path: expression.keyPath, from: entity)
    default: return nil
    }
  }

  private init(
    _ type: ComparedType, path: String? = nil, shown: String? = nil, isPlural: Bool = false,
    isBoolean: Bool = false
  ) {
    self.type = type
    self.path = path
    self.shown = path.map { "'\($0)'" } ?? shown ?? ""
    self.isPlural = isPlural
    self.isBoolean = isBoolean
  }

  private init?(path: String, from entity: EntityDescription) {
    let keys = path.split(separator: ".").map(String.init)
    var current = entity
    var isPlural = false
    for (index, key) in keys.enumerated() {
      let rest = keys[(index + 1)...]
      if key == "@count", rest.isEmpty, isPlural {
        self.init(.number, path: path)
        return
      }
      switch current.property(named: key) {
      case let relationship as RelationshipDescription:
        isPlural = isPlural || relationship.isToMany
        current = relationship.destinationEntity
      case let attribute as AttributeDescription:
        guard let end = attribute.element(at: rest), let type = ComparedType(of: end.attributeType)
        else { return nil }
        self.init(
          type, path: path, isPlural: isPlural, isBoolean: end.attributeType == .boolean)
        return
      default: return nil
      }
    }
    if keys.isEmpty { return nil }
    self.init(.object, path: path, isPlural: isPlural)
  }

  /// What to compare it with.
  var advice: String {
    switch type {
    case .number where isBoolean: "write YES or NO without quotes"
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
}

extension ScenarioChecker {
  /// Reports comparisons of a property with something of another type. In memory such values are never equal;
  /// a device compares them in SQL, where some are.
  // Core Data: nothing says what a store makes of `rank == "1"`. SQLite converts by the column's affinity.
  func checkTypes(
    in predicate: Predicate, about entity: EntityDescription, _ text: Located<String>
  ) {
    switch predicate {
    case let compound as CompoundPredicate:
      for part in compound.subpredicates { checkTypes(in: part, about: entity, text) }
    case let comparison as ComparisonPredicate:
      for (first, second) in comparison.comparedPairs {
        guard let left = ComparedSide(first, of: entity),
          let right = ComparedSide(second, of: entity),
          left.type != right.type, comparison.compares(left, with: right)
        else { continue }
        report(left, beside: right, in: text)
      }
    default: break
    }
  }

  private func report(
    _ left: ComparedSide, beside right: ComparedSide, in text: Located<String>
  ) {
    let (known, other) = left.path == nil ? (right, left) : (left, right)
    // Two constants give the same answer for every object, which is told elsewhere.
    guard let path = known.path else { return }
    let place = text.value.range(of: path).map { text.part($0).place } ?? text.place
    let remedy = other.path == nil ? known.advice : "compare values of one type"
    collector.report(
      "\(known.shown) is \(known.type.noun) and \(other.shown) \(other.type.noun): they are never equal here, "
        + "and how a device compares them isn't known; \(remedy)", at: place)
  }
}
