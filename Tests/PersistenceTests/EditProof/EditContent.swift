import Persistence

/// What a store holds, as lines in a fixed order, and whether that can be.
struct EditContent: Equatable {
  let lines: [String]
  /// What must never be in a store; nil when all is well.
  let fault: String?

  /// - Parameter name: Names an object by its identifier.
  init(of context: ManagedObjectContext, naming name: (ManagedObjectID) -> String) throws {
    var lines: [String] = []
    var links: [String: [String]] = [:]
    let objects = try EditModel.entities.filter { $0 != "Player" }.flatMap { try context.all($0) }
    for object in objects {
      lines.append("    " + Self.line(of: object, name))
      for relationship in object.entity.relationships {
        links["\(name(object.objectID)).\(relationship.name)"] = Self.ends(of: object, relationship)
          .map(name)
      }
    }
    self.lines = lines.sorted()
    fault = Self.oneSided(links, objects, name) ?? Self.duplicate(among: objects, name)
  }

  /// An object with all its properties.
  static func line(of object: ManagedObject, _ name: (ManagedObjectID) -> String)
    -> String
  {
    let attributes = object.entity.attributes.map(\.name).sorted()
    var parts = attributes.map { "\(object.value(forKey: $0) ?? "nil")" }
    for relationship in object.entity.relationships.sorted(by: { $0.name < $1.name }) {
      let ends = ends(of: object, relationship).map(name)
      let shown = relationship.isOrdered ? ends : ends.sorted()
      parts.append("\(relationship.name) \(shown.joined(separator: "+"))")
    }
    return "\(name(object.objectID)) \(parts.joined(separator: ", "))"
  }

  private static func ends(
    of object: ManagedObject, _ relationship: RelationshipDescription
  ) -> [ManagedObjectID] {
    relationship.isToMany
      ? object.destinationIDs(of: relationship)
      : object.destinationID(of: relationship).map { [$0] } ?? []
  }

  /// A link that only one of its sides knows of.
  private static func oneSided(
    _ links: [String: [String]], _ objects: [ManagedObject],
    _ name: (ManagedObjectID) -> String
  ) -> String? {
    for object in objects {
      for relationship in object.entity.relationships {
        guard let inverse = relationship.inverseRelationship else { continue }
        for end in ends(of: object, relationship) {
          let other = "\(name(end)).\(inverse.name)"
          // A reference to an object that others deleted may stay behind.
          guard let back = links[other] else { continue }
          if !back.contains(name(object.objectID)) {
            return "\(name(object.objectID)).\(relationship.name) has \(name(end)), but "
              + "\(other) is \(back)"
          }
        }
      }
    }
    return nil
  }

  /// Two objects with values that are wanted once.
  private static func duplicate(
    among objects: [ManagedObject], _ name: (ManagedObjectID) -> String
  ) -> String? {
    for entity in ["Team", "Person"] {
      var owners: [[String]: String] = [:]
      for object in objects where object.entity.rootEntity.name == entity {
        for constraint in object.entity.rootEntity.uniquenessConstraints {
          let key = constraint.compactMap { object.value(forKey: $0).map { "\($0)" } }
          guard key.count == constraint.count else { continue }
          if let other = owners.updateValue(name(object.objectID), forKey: key) {
            return "\(other) and \(name(object.objectID)) have the same \(constraint)"
          }
        }
      }
    }
    return nil
  }
}
