/// Takes a derivation expression apart, and checks it against the model.
struct DerivationReader {
  let attribute: AttributeDescription

  func read() throws -> Derivation {
    let text = (attribute.derivationExpression ?? "").trimmingCharacters(in: .whitespaces)
    if text.isEmpty { throw refusal(.missing) }
    let expression: Expression
    do { expression = try Expression.parse(text) } catch let error as PredicateFormatError {
      throw refusal(.unparsable(column: error.column, problem: error.problem))
    }
    let derivation = try derivation(expression)
    guard let filter = attribute.filterPredicate else { return derivation }
    return try filtered(derivation, filter)
  }

  // MARK: Filters

  private func filtered(_ derivation: Derivation, _ text: String) throws -> Derivation {
    guard case .expression(let expression) = derivation.form else {
      throw refusal(.unsupported("now() with a filter"))
    }
    let predicate: Predicate
    do { predicate = try Predicate.parse(text) } catch let error as PredicateFormatError {
      throw refusal(.unparsable(column: error.column, problem: error.problem), in: text)
    }
    let isOfMany = derivation.route.last?.isToMany == true
    let start = isOfMany ? derivation.route : []
    let filter = DerivationFilter(
      predicate: predicate,
      collection: isOfMany ? collection(expression, from: start.count) : nil,
      reads: try reads(of: predicate, start))
    return Derivation(
      attribute, derivation.form, route: derivation.route, operand: derivation.operand,
      filter: filter)
  }

  /// `a.items.price.@sum`, which was read as `a.items.@sum.price`, as `a.items` and `SELF.@sum.price` of what is
  /// left of them.
  private func collection(
    _ expression: Expression, from length: Int
  ) -> DerivationFilter.Collection {
    let keys = expression.keyPath.components(separatedBy: ".")
    return DerivationFilter.Collection(
      path: Expression(forKeyPath: keys.prefix(length).joined(separator: ".")),
      reduction: Expression(forKeyPath: keys.dropFirst(length).joined(separator: ".")))
  }

  /// - Parameter start: The way to the objects that the predicate is about.
  private func reads(
    of predicate: Predicate, _ start: [RelationshipDescription]
  ) throws -> [DerivationFilter.Read] {
    if predicate.handsOutObjects || predicate.readsIndirectly || predicate.firstVariable != nil {
      throw refusal(.unsupported(predicate.predicateFormat))
    }
    let entity: EntityDescription = start.last?.destinationEntity ?? attribute.entity
    var reads: [DerivationFilter.Read] = []
    try predicate.forEachKeyPath { keys in
      let plain = keys.prefix { !$0.hasPrefix("@") } + keys.drop { !$0.hasPrefix("@") }.dropFirst()
      if plain.isEmpty { return }
      let (route, operand) = try walk(Array(plain), from: entity)
      reads.append(.init(route: start + route, attribute: operand))
    }
    return reads
  }

  private func derivation(_ expression: Expression) throws -> Derivation {
    switch expression.expressionType {
    case .keyPath where expression.operand.expressionType == .evaluatedObject:
      return try keyPath(expression.keyPath.components(separatedBy: "."))
    case .function: return try call(expression.function, expression.arguments ?? [])
    default: throw refusal(.unsupported(expression.expressionFormat))
    }
  }

  private func call(_ function: String, _ arguments: [Expression]) throws -> Derivation {
    if function == "now", arguments.isEmpty {
      try require(.date)
      return Derivation(attribute, .now)
    }
    guard arguments.count == 1, arguments[0].expressionType == .keyPath,
      arguments[0].operand.expressionType == .evaluatedObject
    else { throw refusal(.unsupported(function)) }
    let keys = arguments[0].keyPath.components(separatedBy: ".")
    if Self.textFunctions.contains(function) { return try text(function, keys) }
    guard let name = Self.operators[function] else { throw refusal(.unsupported(function)) }
    return try aggregate(name, keys)
  }

  private static let textFunctions: Set = ["uppercase:", "lowercase:", "canonical:"]
  private static let operators = [
    "count:": "count", "sum:": "sum", "min:": "min", "max:": "max", "average:": "avg",
  ]

  // MARK: One value

  private func keyPath(_ keys: [String]) throws -> Derivation {
    if let position = keys.firstIndex(where: { $0.hasPrefix("@") }) {
      let (name, values) = (String(keys[position].dropFirst()), keys[(position + 1)...])
      let plain = Array(keys[..<position] + values)
      if Self.operators.values.contains(name), !values.isEmpty {
        throw refusal(
          .operatorBeforeItsEnd(
            keys.joined(separator: "."), right: (plain + ["@" + name]).joined(separator: ".")))
      }
      return try aggregate(name, plain)
    }
    let (route, operand) = try walk(keys)
    guard let operand else { throw refusal(.noAttribute(keys.joined(separator: "."))) }
    if let relationship = route.first(where: \.isToMany) {
      throw refusal(.toMany(relationship.name))
    }
    try require(operand.attributeType)
    let path = Expression(forKeyPath: keys.joined(separator: "."))
    return Derivation(attribute, .expression(path), route: route, operand: operand)
  }

  private func text(_ function: String, _ keys: [String]) throws -> Derivation {
    let plain = try keyPath(keys)
    guard plain.operand?.attributeType == .string, case .expression(let path) = plain.form else {
      throw refusal(.noText(function, keys.joined(separator: ".")))
    }
    let call = Expression(forFunction: function, arguments: [path])
    return Derivation(attribute, .expression(call), route: plain.route, operand: plain.operand)
  }

  // MARK: One value of many

  /// - Parameter keys: The path without the operator, which stands at its end (`items.price.@sum`).
  private func aggregate(_ name: String, _ keys: [String]) throws -> Derivation {
    guard Self.operators.values.contains(name) else { throw refusal(.unsupported("@" + name)) }
    let (route, operand) = try walk(keys)
    guard route.count(where: \.isToMany) == 1, route.last?.isToMany == true else {
      throw refusal(.notOneToMany(keys.joined(separator: ".")))
    }
    if (operand == nil) != (name == "count") {
      throw refusal(name == "count" ? .countOfValues : .noAttribute(keys.joined(separator: ".")))
    }
    try requireNumber(name, operand)
    let values = keys.dropFirst(route.count)
    let path = (keys.prefix(route.count) + ["@" + name] + values).joined(separator: ".")
    return Derivation(
      attribute, .expression(Expression(forKeyPath: path)), route: route, operand: operand)
  }

  private func requireNumber(_ name: String, _ operand: AttributeDescription?) throws {
    guard let operand else {
      if attribute.attributeType.isNumeric { return }
      throw refusal(.unfitType(.integer64))
    }
    let isOrdered = (name == "min" || name == "max") && operand.attributeType == .date
    guard operand.attributeType.isNumeric || isOrdered else {
      throw refusal(.noNumber(operand.name))
    }
    try require(operand.attributeType)
  }

  // MARK: The model

  /// The relationships of a path, and the attribute at its end.
  private func walk(
    _ keys: [String], from start: EntityDescription? = nil
  ) throws -> (route: [RelationshipDescription], attribute: AttributeDescription?) {
    var entity: EntityDescription = start ?? attribute.entity
    var route: [RelationshipDescription] = []
    for (position, key) in keys.enumerated() {
      switch entity.property(named: key) {
      case let relationship as RelationshipDescription:
        if relationship.isTransient { throw refusal(.transient(key)) }
        route.append(relationship)
        entity = relationship.destinationEntity
      case let attribute as AttributeDescription:
        return (route, try leaf(attribute, keys[(position + 1)...]))
      default: throw refusal(.unknownKey(key, entity: entity.name))
      }
    }
    return (route, nil)
  }

  private func leaf(
    _ operand: AttributeDescription, _ rest: ArraySlice<String>
  ) throws -> AttributeDescription {
    guard let operand = operand.element(at: rest) else {
      throw refusal(.unknownKey(rest.joined(separator: "."), entity: operand.name))
    }
    if operand.attributeType == .composite { throw refusal(.unsupported(operand.name)) }
    if operand === attribute { throw refusal(.itself) }
    if !operand.isStored { throw refusal(.transient(operand.name)) }
    if operand.allowsExternalBinaryDataStorage { throw refusal(.unsupported(operand.name)) }
    return operand
  }

  /// Whether values of a type are the attribute's, or become so without loss of meaning.
  private func require(_ type: AttributeType) throws {
    let own = attribute.attributeType
    if own == type || (own.isNumeric && (type.isNumeric || type == .boolean)) { return }
    throw refusal(.unfitType(type))
  }

  /// - Parameter text: What is wrong; nil for the derivation expression.
  private func refusal(
    _ kind: DerivationError.Kind, in text: String? = nil
  ) -> DerivationError {
    DerivationError(
      kind: kind, entity: attribute.entity.name, attribute: attribute.name,
      type: attribute.attributeType, expression: text ?? attribute.derivationExpression ?? "")
  }
}
