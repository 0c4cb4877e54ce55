/// A key path: keys and collection operators, taken apart once.
struct PropertyPath: Hashable, Sendable {
  let components: [Component]

  enum Component: Hashable, Sendable {
    case key(String)
    /// An operator such as `@count`; what follows it is applied to each element.
    case collectionOperator(CollectionOperator)
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
