// The report for machines. Keys may be added; those that are there keep their meaning.

extension StoreDifferences: Encodable {
  private enum Key: String, CodingKey {
    case format, a, b, entities, onlyInModelOfA, onlyInModelOfB, objects, totals, seconds
    case exitStatus
  }

  private struct Totals: Encodable {
    let equal: Int
    let changed: Int
    let onlyInA: Int
    let onlyInB: Int
  }

  package func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(1, forKey: .format)
    try keyed.encode(stores.a, forKey: .a)
    try keyed.encode(stores.b, forKey: .b)
    try keyed.encode(entities, forKey: .entities)
    try keyed.encode(unpairedEntities.a, forKey: .onlyInModelOfA)
    try keyed.encode(unpairedEntities.b, forKey: .onlyInModelOfB)
    try keyed.encode(objects, forKey: .objects)
    try keyed.encode(totals, forKey: .totals)
    try keyed.encode(seconds, forKey: .seconds)
    try keyed.encode(exitStatus.rawValue, forKey: .exitStatus)
  }

  private var totals: Totals {
    Totals(
      equal: entities.reduce(0) { $0 + $1.equal }, changed: entities.reduce(0) { $0 + $1.changed },
      onlyInA: onlyCount(.a), onlyInB: onlyCount(.b))
  }

  /// The report as JSON with sorted keys.
  func json() throws -> Data {
    try machineReport()
  }
}

extension StoreDifferences.Entity: Encodable {
  private enum Key: String, CodingKey {
    case entity, entityInB, identity, identityOrigin, inA, inB, equal, changed, onlyInA, onlyInB
    case guessed, changedProperties, onlyInModelOfA, onlyInModelOfB
  }

  package func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(names.a, forKey: .entity)
    try keyed.encode(names.b, forKey: .entityInB)
    try keyed.encode(identity, forKey: .identity)
    try keyed.encode(identityOrigin, forKey: .identityOrigin)
    try keyed.encode(counts.a, forKey: .inA)
    try keyed.encode(counts.b, forKey: .inB)
    try keyed.encode(equal, forKey: .equal)
    try keyed.encode(changed, forKey: .changed)
    try keyed.encode(only.a, forKey: .onlyInA)
    try keyed.encode(only.b, forKey: .onlyInB)
    try keyed.encode(guessed, forKey: .guessed)
    try keyed.encode(changedProperties, forKey: .changedProperties)
    try keyed.encode(unpaired.a, forKey: .onlyInModelOfA)
    try keyed.encode(unpaired.b, forKey: .onlyInModelOfB)
  }
}

extension ObjectDifference: Encodable {
  private enum Key: String, CodingKey {
    case kind, entity, object, uriInA, uriInB, attributes, relationships
  }

  package func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(kind.rawValue, forKey: .kind)
    try keyed.encode(entity, forKey: .entity)
    try keyed.encode(object, forKey: .object)
    try keyed.encodeIfPresent(uris.a, forKey: .uriInA)
    try keyed.encodeIfPresent(uris.b, forKey: .uriInB)
    try keyed.encode(attributes, forKey: .attributes)
    try keyed.encode(relationships, forKey: .relationships)
  }
}

extension AttributeDifference: Encodable {
  private enum Key: String, CodingKey { case name, a, b }

  func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(name, forKey: .name)
    try encode(.a, as: .a, to: &keyed)
    try encode(.b, as: .b, to: &keyed)
  }

  /// Numbers, Booleans, texts and nil as such; everything else as reports show it.
  private func encode(
    _ side: StoreSide, as key: Key, to keyed: inout KeyedEncodingContainer<Key>
  ) throws {
    switch values[side] {
    case .null: try keyed.encodeNil(forKey: key)
    case .integer(let value) where attributes[side].attributeType == .boolean:
      try keyed.encode(value != 0, forKey: key)
    case .integer(let value): try keyed.encode(value, forKey: key)
    case .double(let value) where value.isFinite: try keyed.encode(value, forKey: key)
    case .string(let value): try keyed.encode(value, forKey: key)
    default: try keyed.encode(text(side), forKey: key)
    }
  }
}

extension RelationshipDifference: Encodable {
  private enum Key: String, CodingKey {
    case name, a, b, onlyInA, onlyInB, moreOnlyInA, moreOnlyInB, moved, moreMoved
  }

  private struct Place: Encodable {
    let object: String
    let a: Int
    let b: Int
  }

  /// A to-one relationship has `a` and `b`; a to-many one `onlyInA` and `onlyInB`, and `moved` with
  /// places counted from 0.
  func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(name, forKey: .name)
    for change in changes {
      switch change {
      case .destination(let ends):
        try keyed.encode(ends.a, forKey: .a)
        try keyed.encode(ends.b, forKey: .b)
      case .members(let members, let more):
        try keyed.encode(members.a, forKey: .onlyInA)
        try keyed.encode(members.b, forKey: .onlyInB)
        if more.a > 0 { try keyed.encode(more.a, forKey: .moreOnlyInA) }
        if more.b > 0 { try keyed.encode(more.b, forKey: .moreOnlyInB) }
      case .order(let moved, let more):
        let places = moved.map { Place(object: $0.object, a: $0.places.a, b: $0.places.b) }
        try keyed.encode(places, forKey: .moved)
        if more > 0 { try keyed.encode(more, forKey: .moreMoved) }
      }
    }
  }
}
