extension Expression {
  /// The value for `object`.
  ///
  /// - Parameter variables: What `$name` stands for, by name without `$`.
  /// - Throws: ``PredicateEvaluationError``, `CoreDataError` for a key the object doesn't have,
  ///   and whatever a function that the expression calls throws.
  public func value(for object: Value, variables: [String: Value] = [:]) throws -> Value {
    var scope = EvaluationScope(object: object, variables: variables)
    return try value(in: &scope)
  }

  /// The value for an object as a store computes it: arithmetic with nil is nil.
  package func value(inStore object: any KeyValueCoding) throws -> Value {
    var scope = EvaluationScope(keyed: object)
    return try value(in: &scope)
  }

  /// Whether a function in it may meet nil: it reads something else than required attributes of an object.
  package func mayMeetNil(in entity: EntityDescription) -> Bool {
    guard case .function(let function, let arguments) = node else {
      return arguments?.contains { $0.mayMeetNil(in: entity) } ?? false
    }
    return arguments.contains { argument in
      if argument.mayMeetNil(in: entity) { return true }
      guard !function.takesNil else { return false }
      switch argument.node {
      case .constant(let value): return value.isNull
      case .keyPath(_, let path):
        return path.singleKey.flatMap { entity.attribute(named: $0) }?.isOptional != false
      case .function(let inner, _): return inner.takesNil
      default: return true
      }
    }
  }

  /// The value for `object` as a Foundation object; nil after raising an exception.
  ///
  /// - Parameter context: What variables stand for, by name without `$`.
  public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    do {
      var variables: [String: Value] = [:]
      for (name, value) in context ?? [:] {
        variables["\(name)"] = Value(evaluating: value)
      }
      return try value(for: Value(evaluating: object), variables: variables).boxed
    } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }

  /// The value with the names of `scope`.
  func value(in scope: inout EvaluationScope) throws -> Value {
    switch node {
    case .constant(let value): return value
    case .evaluatedObject: return scope.object
    case .variable(let name): return try scope.value(ofVariable: name)
    case .keyPath(nil, let path): return try path.value(in: scope)
    case .keyPath(let operand?, let path): return try path.value(of: operand.value(in: &scope))
    case .function(let function, let arguments):
      return try function.value(
        for: arguments.map { try $0.value(in: &scope) }, isInStore: scope.isInStore)
    case .call(let target, let selector, let arguments):
      let receiver = try target.value(in: &scope)
      let values = try arguments.map { try $0.value(in: &scope) }
      return try MethodCall(receiver: receiver, selector: selector, arguments: values).result()
    case .aggregate(let elements):
      return .collection(.init(.array, try elements.map { try $0.value(in: &scope) }))
    case .subquery(let collection, let variable, let predicate):
      let all = try collection.value(in: &scope)
      return try Self.elements(of: all, as: variable, meeting: predicate, &scope)
    case .fetch(let request, let context, let countOnly):
      return try Self.fetch(
        request.value(in: &scope), context: context.value(in: &scope), countOnly: countOnly)
    case .conditional(let predicate, let yes, let no):
      return try (predicate.evaluate(in: &scope) ? yes : no).value(in: &scope)
    case .cast(let operand, let type):
      return try Casting.cast(operand.value(in: &scope), to: type)
    case .index(let collection, let index):
      return try index.value(in: collection.value(in: &scope), &scope)
    case .assignment(let name, let expression):
      let value = try expression.value(in: &scope)
      scope.variables[name] = value
      return value
    case .setOperation(let operation, let left, let right):
      return try operation.value(left.value(in: &scope), right.value(in: &scope))
    case .block(let block, let arguments):
      return block.value(in: scope, try arguments.map { try $0.value(in: &scope) })
    case .anyKey:
      throw PredicateEvaluationError(
        .invalidArgument, "ANYKEY stands for any key of a Spotlight query; objects don't have it.")
    }
  }

  private static func elements(
    of collection: Value, as variable: String, meeting predicate: Predicate,
    _ scope: inout EvaluationScope
  ) throws -> Value {
    switch collection.withKeys {
    case .null: return .collection(.init(.array, []))
    case .collection(let all):
      let element = SubqueryElement(name: variable, outer: scope.element)
      scope.element = element
      defer { scope.element = element.outer }
      let meeting = try all.elements.filter {
        element.value = $0
        return try predicate.evaluate(in: &scope)
      }
      return .collection(.init(all.kind, meeting))
    default:
      throw PredicateEvaluationError(
        .notACollection,
        "Can't use SUBQUERY with \(FormatConstant.text(of: collection)) (not a collection).")
    }
  }

  private static func fetch(_ request: Value, context: Value, countOnly: Bool) throws -> Value {
    guard case .object(let object) = context, let target = object as? any FetchTarget else {
      throw PredicateEvaluationError(
        .invalidArgument,
        "FETCH needs a managed object context as its second argument, not "
          + "\(FormatConstant.text(of: context)).")
    }
    return try target.fetchValue(request: request, countOnly: countOnly)
  }
}

// MARK: - Indexes

extension Expression.CollectionIndex {
  fileprivate func value(in collection: Value, _ scope: inout EvaluationScope) throws -> Value {
    switch (self, collection.withKeys) {
    case (_, .null): return .null
    case (.size, .collection(let values)): return .integer(Int64(values.elements.count))
    case (.element(let index), .object(let object)):
      return try Self.value(of: object, at: index.value(in: &scope))
    case (_, .collection(let values)) where values.kind != .set:
      return try value(inOrdered: values.elements, &scope)
    case (_, .collection):
      throw PredicateEvaluationError(
        .invalidIndex, "Can't take an element of a set by index: a set has no order.")
    case (_, let other):
      throw PredicateEvaluationError(
        .invalidIndex,
        "Can't use an index with \(FormatConstant.text(of: other)) (not a collection).")
    }
  }

  private func value(inOrdered elements: [Value], _ scope: inout EvaluationScope) throws -> Value {
    switch self {
    case .first: return elements.first ?? .null
    case .last: return elements.last ?? .null
    case .size: return .integer(Int64(elements.count))
    case .element(let expression):
      let index = try expression.value(in: &scope)
      guard let position = index.doubleValue.flatMap(Int.init(exactly:)),
        elements.indices.contains(position)
      else {
        throw PredicateEvaluationError(
          .invalidIndex,
          "Index \(FormatConstant.text(of: index)) is beyond a collection of \(elements.count).")
      }
      return elements[position]
    }
  }

  private static func value(of object: AnyObject, at key: Value) throws -> Value {
    guard case .string(let key) = key else {
      throw PredicateEvaluationError(
        .invalidIndex,
        "An object's index is a key in quotes, not \(FormatConstant.text(of: key)).")
    }
    return try KeyValueAccess.value(forKey: key, of: .object(object))
  }
}
