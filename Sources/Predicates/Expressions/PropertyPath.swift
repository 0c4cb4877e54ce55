/// A key path: keys and collection operators, taken apart once.
struct PropertyPath: Hashable, Sendable {
  let components: [Component]

  enum Component: Hashable, Sendable {
    case key(String)
    /// An operator such as `@count`; what follows it is applied to each element.
    case collectionOperator(CollectionOperator)
    /// A key with an index, as in `a.tags[0]`; an error when evaluated.
    case indexedKey(String)
    /// `@name` that is no operator; an error when evaluated.
    case unknownOperator(String)
  }

  init(_ components: [Component]) { self.components = components }

  /// The path that `text` writes with dots.
  init(_ text: String) {
    self.init(keys: text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
  }

  /// The path of `keys`, of which those with `@` in front are operators.
  init(keys: [String]) {
    components = keys.map { Component($0) }
  }

  /// The only key, when there is nothing else.
  var singleKey: String? {
    if components.count == 1, case .key(let key) = components[0] { key } else { nil }
  }

  /// The keys, when there are no operators.
  var keys: [String]? {
    var keys: [String] = []
    for component in components {
      guard case .key(let key) = component else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// The path with dots, as `value(forKeyPath:)` takes it.
  var text: String { components.map(\.text).joined(separator: ".") }

  func appending(_ component: Component) -> PropertyPath { PropertyPath(components + [component]) }
}

extension PropertyPath.Component {
  init(_ text: String) {
    guard text.hasPrefix("@") else {
      self = .key(text)
      return
    }
    let name = String(text.dropFirst())
    self =
      CollectionOperator(rawValue: name).map { .collectionOperator($0) }
      ?? .unknownOperator(name)
  }

  var text: String {
    switch self {
    case .key(let key): key
    case .collectionOperator(let name): "@" + name.rawValue
    case .indexedKey(let key): key
    case .unknownOperator(let name): "@" + name
    }
  }
}

/// An operator on the elements of a collection, by its name without `@`.
enum CollectionOperator: String, Hashable, Sendable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects
  case unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets

  /// Whether equal results are given once.
  var isDistinct: Bool {
    switch self {
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets: true
    default: false
    }
  }

  /// Whether the elements' values are collections whose elements are given.
  var joinsCollections: Bool {
    switch self {
    case .unionOfArrays, .distinctUnionOfArrays, .unionOfSets, .distinctUnionOfSets: true
    default: false
    }
  }
}

// MARK: - Evaluation

extension PropertyPath {
  /// The value from the evaluated object on.
  func value(in scope: borrowing EvaluationScope) throws -> Value {
    if let keyed = scope.keyed, case .key(let key)? = components.first, key != "self" {
      let first = try keyed.typedValue(forKey: key)
      return components.count == 1 ? first : try value(of: first, from: 1)
    }
    return try value(of: scope.object, from: 0)
  }

  /// The value from `object` on.
  func value(of object: Value) throws -> Value { try value(of: object, from: 0) }

  private func value(of object: Value, from start: Int) throws -> Value {
    var value = object
    for position in start..<components.count {
      switch components[position] {
      case .key(let key): value = try KeyValueAccess.value(forKey: key, of: value)
      case .collectionOperator(let function):
        return try apply(function, to: value, from: position + 1)
      case .indexedKey(let key):
        throw PredicateEvaluationError(
          .invalidIndex,
          "The index belongs to the last key alone: \(text). Write (…)[…] for an element of what the "
            + "whole path leads to; \(key) is none.")
      case .unknownOperator(let name):
        throw PredicateEvaluationError(
          .undefinedKey, "this class does not implement the \(name) operation.")
      }
    }
    return value
  }

  /// Applies an operator to the elements' values at the rest of the path.
  private func apply(
    _ function: CollectionOperator, to collection: Value, from rest: Int
  ) throws -> Value {
    guard let elements = try Self.elements(of: collection, for: function) else { return .null }
    if function == .count { return .integer(Int64(elements.count)) }
    if rest == components.count, !function.joinsCollections {
      throw PredicateEvaluationError(
        .undefinedKey, "@\(function.rawValue) needs a key after it; for plain values it is self.")
    }
    let values = try elements.map { try value(of: $0, from: rest) }
    return try function.result(of: values)
  }

  /// The elements of what an operator is applied to; nil for nil.
  private static func elements(
    of collection: Value, for function: CollectionOperator
  ) throws -> [Value]? {
    switch collection.withKeys {
    case .null: return nil
    case .collection(let values):
      // Core Data: observed in public tests: only arrays have these.
      if values.kind == .set, function == .unionOfObjects || function == .unionOfArrays {
        throw PredicateEvaluationError(
          .undefinedKey,
          "this class does not implement the \(function.rawValue) operation. (A set, such as an "
            + "unordered relationship, has @distinctUnionOfObjects.)")
      }
      return values.elements
    case .object(let object):
      if let dictionary = object as? KeyedValues, function == .count {
        return Array(dictionary.values.values)
      }
      fallthrough
    default:
      throw PredicateEvaluationError(
        .notACollection,
        "Can't use @\(function.rawValue) with \(FormatConstant.text(of: collection)) "
          + "(not a collection).")
    }
  }
}

extension CollectionOperator {
  /// The result for the values of all elements.
  fileprivate func result(of values: [Value]) throws -> Value {
    switch self {
    case .count: return .integer(Int64(values.count))
    case .sum: return try Statistics.sum(values)
    case .avg: return try Statistics.average(values)
    case .min: return try Statistics.minimum(values)
    case .max: return try Statistics.maximum(values)
    default:
      let joined = joinsCollections ? values.flatMap(Self.members) : values
      let present = joined.filter { !$0.isNull }
      return .collection(.init(.array, isDistinct ? present.distinctMembers() : present))
    }
  }

  private static func members(_ value: Value) -> [Value] {
    if case .collection(let collection) = value { collection.elements } else { [value] }
  }
}

extension [Value] {
  /// Each value once, in the order of first appearance; equal as members of a set are.
  func distinctMembers() -> [Value] {
    var seen = Set<Value>()
    return filter { seen.insert($0.membershipKey).inserted }
  }
}
