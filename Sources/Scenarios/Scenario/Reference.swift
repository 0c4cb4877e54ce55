/// Objects of an entity: all, or those a predicate holds for.
package struct ObjectQuery: Sendable {
  package var entity: Located<String>
  package var predicate: Located<String>?

  /// The query as the scenario writes it.
  package var shown: String {
    predicate.map { "\(entity.value) where \($0.value)" } ?? entity.value
  }
}

/// One object: by its local name, or as the only one a query finds.
package enum ObjectReference: Sendable {
  case named(entity: Located<String>, name: Located<String>)
  case query(ObjectQuery)

  package var entity: Located<String> {
    switch self {
    case .named(let entity, _): entity
    case .query(let query): query.entity
    }
  }

  /// The reference as the scenario writes it.
  package var shown: String {
    switch self {
    case .named(let entity, let name): "\(entity.value) \(name.value)"
    case .query(let query): query.shown
    }
  }
}

/// `Entity.property`, `Entity.(one, other)` or just `Entity`.
package struct PropertyReference: Sendable {
  package var entity: Located<String>
  package var properties: [Located<String>]

  package var shown: String {
    switch properties.count {
    case 0: entity.value
    case 1: "\(entity.value).\(properties[0].value)"
    default: "\(entity.value).(\(properties.map(\.value).joined(separator: ", ")))"
    }
  }
}
