/// What names mean while a predicate or an expression is evaluated: the object, and the variables.
struct EvaluationScope {
  /// The evaluated object: SELF, and the start of key paths.
  let object: Value
  /// The same as something with keys, found out once instead of at every key.
  let keyed: (any KeyValueCoding)?
  /// What variables stand for, by name without `$`. An assignment adds to them.
  var variables: [String: Value]
  /// The variables of the SUBQUERYs around, innermost first.
  var element: SubqueryElement?
  /// Whether it is a store that is asked: SQL's arithmetic with nil gives nil, and its ANY takes one value, too.
  var isInStore = false

  init(object: Value, variables: [String: Value]) {
    self.object = object
    self.variables = variables
    keyed = if case .object(let object) = object { object as? any KeyValueCoding } else { nil }
  }

  init(keyed: any KeyValueCoding) {
    object = .object(keyed)
    self.keyed = keyed
    variables = [:]
    isInStore = true
  }

  /// What `$name` stands for.
  func value(ofVariable name: String) throws -> Value {
    var candidate = element
    while let current = candidate {
      if current.name == name { return current.value }
      candidate = current.outer
    }
    guard let value = variables[name] else {
      throw PredicateEvaluationError(
        .unboundVariable, "Can't get value for '\(name)' in bindings: $\(name) has no value.")
    }
    return value
  }
}

/// The variable of a SUBQUERY, and the element it stands for now.
final class SubqueryElement {
  let name: String
  let outer: SubqueryElement?
  var value = Value.null

  init(name: String, outer: SubqueryElement?) {
    self.name = name
    self.outer = outer
  }
}
