extension StoreDifferences {
  /// The report for machines.
  var json: JSONObject {
    [
      "format": 1, "a": stores.a, "b": stores.b, "entities": entities.map(\.json),
      "onlyInModelOfA": unpairedEntities.a, "onlyInModelOfB": unpairedEntities.b,
      "objects": objects.map(\.json),
      "totals": [
        "equal": entities.reduce(0) { $0 + $1.equal },
        "changed": entities.reduce(0) { $0 + $1.changed }, "onlyInA": onlyCount(.a),
        "onlyInB": onlyCount(.b),
      ] as JSONObject,
      "seconds": seconds, "exitStatus": exitStatus.rawValue,
    ]
  }
}

extension StoreDifferences.Entity {
  fileprivate var json: JSONObject {
    [
      "entity": names.a, "entityInB": names.b, "identity": identity,
      "identityOrigin": identityOrigin, "inA": counts.a, "inB": counts.b, "equal": equal,
      "changed": changed, "onlyInA": only.a, "onlyInB": only.b, "guessed": guessed,
      "changedProperties": changedProperties, "onlyInModelOfA": unpaired.a,
      "onlyInModelOfB": unpaired.b,
    ]
  }
}

extension ObjectDifference {
  fileprivate var json: JSONObject {
    [
      "kind": kind.rawValue, "entity": entity, "object": object, "uriInA": uris.a,
      "uriInB": uris.b, "attributes": attributes.map(\.json),
      "relationships": relationships.map(\.json),
    ]
  }
}

extension AttributeDifference {
  fileprivate var json: JSONObject { ["name": name, "a": value(.a), "b": value(.b)] }

  /// Numbers, Booleans, texts and nil as such; everything else as reports show it.
  private func value(_ side: StoreSide) -> any Encodable {
    switch values[side] {
    case .null: JSONNull()
    case .integer(let value) where attributes[side].attributeType == .boolean: value != 0
    case .integer(let value): value
    case .double(let value) where value.isFinite: value
    case .string(let value): value
    default: text(side)
    }
  }
}

extension RelationshipDifference {
  /// A to-one relationship has `a` and `b`; a to-many one `onlyInA` and `onlyInB`, and `moved` with
  /// places counted from 0.
  fileprivate var json: JSONObject {
    var json: JSONObject = ["name": name]
    for change in changes {
      switch change {
      case .destination(let ends):
        json["a"] = ends.a.map { $0 as any Encodable } ?? JSONNull()
        json["b"] = ends.b.map { $0 as any Encodable } ?? JSONNull()
      case .members(let members, let more):
        json["onlyInA"] = members.a
        json["onlyInB"] = members.b
        if more.a > 0 { json["moreOnlyInA"] = more.a }
        if more.b > 0 { json["moreOnlyInB"] = more.b }
      case .order(let moved, let more):
        json["moved"] = moved.map {
          ["object": $0.object, "a": $0.places.a, "b": $0.places.b] as JSONObject
        }
        if more > 0 { json["moreMoved"] = more }
      }
    }
    return json
  }
}
