/// Objects of an entity: all, or those a predicate holds for.
public struct ObjectQuery: Sendable {
  public var entity: Located<String>
  public var predicate: Located<String>?

  /// The query as the scenario writes it.
  public var shown: String {
    predicate.map { "\(entity.value) where \($0.value)" } ?? entity.value
  }
}

/// One object: by its local name, or as the only one a query finds.
public enum ObjectReference: Sendable {
  case named(entity: Located<String>, name: Located<String>)
  case query(ObjectQuery)

  public var entity: Located<String> {
    switch self {
    case .named(let entity, _): entity
    case .query(let query): query.entity
    }
  }

  /// The reference as the scenario writes it.
  public var shown: String {
    switch self {
    case .named(let entity, let name): "\(entity.value) \(name.value)"
    case .query(let query): query.shown
    }
  }
}

/// `Entity.property`, `Entity.(one, other)` or just `Entity`.
public struct PropertyReference: Sendable {
  public var entity: Located<String>
  public var properties: [Located<String>]

  public var shown: String {
    switch properties.count {
    case 0: entity.value
    case 1: "\(entity.value).\(properties[0].value)"
    default: "\(entity.value).(\(properties.map(\.value).joined(separator: ", ")))"
    }
  }
}
