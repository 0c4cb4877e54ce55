/// A predicate or sort key that Core Data's SQLite store refuses: it raises an exception before it
/// fetches anything, while evaluation in memory would give an answer.
/// Core Data: observed in reports of apps' exceptions, and only that. What Apple documents as unsupported but
/// works in practice (MATCHES) isn't here.
public struct UnsupportedByStore: Error, Hashable, Sendable {
  /// What is refused. Match on this, never on the text.
  public enum Kind: Hashable, Sendable {
    /// A key that the entity doesn't have in the store: misspelt, transient, a method, `length`.
    case keyPath(String)
    /// A to-many key whose values are compared without ANY.
    case toManyKey
    /// Two to-many keys in one path.
    case severalToManyKeys
    /// A sort key with a collection operator.
    case aggregateSortKey
    /// A comparison without SQL: ALL, ANY of a single value, content of transformable values.
    case comparison
    /// A function, an index or an operator without SQL.
    case function
    /// A predicate in code.
    case block
    /// An operator that compares with a value, and has nil on its right.
    case nilOnTheRight
  }
  public let kind: Kind
  /// The entity that was asked.
  public let entity: String
  /// The part that is refused, as it is printed.
  public let part: String

  init(_ kind: Kind, _ part: some CustomStringConvertible, in entity: EntityDescription) {
    self.kind = kind
    self.part = part.description
    self.entity = entity.name
  }
}

// MARK: - Wording

extension UnsupportedByStore: CustomStringConvertible, LocalizedError {
  /// The exception's text, in Core Data's words.
  public var description: String {
    switch kind {
    case .keyPath(let path): "keypath \(path) not found in entity \(entity)"
    case .toManyKey: "to-many key not allowed here: \(part)"
    case .severalToManyKeys: "multiple to-many keys not allowed here: \(part)"
    case .aggregateSortKey:
      "Keypath containing KVC aggregate where there shouldn't be one; failed to handle \(part)"
    case .comparison: "unimplemented SQL generation for predicate : (\(part))"
    case .function: "Unsupported function expression \(part)"
    case .block: "Unsupported predicate \(part)"
    case .nilOnTheRight: "Invalid predicate: nil RHS (\(part))"
    }
  }

  public var errorDescription: String? { description }

  /// What to write instead.
  public var advice: String {
    switch kind {
    case .keyPath:
      "Use a stored property of the model, or fetch without this part and filter in memory."
    case .toManyKey: "Write ANY before the key, or use SUBQUERY(…).@count."
    case .severalToManyKeys: "Ask for one of the to-many keys in a SUBQUERY."
    case .aggregateSortKey:
      "Sort in memory, or by a derived attribute that keeps the number."
    case .comparison:
      "ALL can be written SUBQUERY(…, $x, NOT …).@count == 0; ANY needs a to-many key; anything "
        + "else is for a filter in memory."
    case .nilOnTheRight: "Ask with == nil, or don't ask where there is no value to compare with."
    case .function, .block: "Fetch without this part, and filter the result in memory."
    }
  }
}
