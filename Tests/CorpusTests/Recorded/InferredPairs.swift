import ObjectModel

/// Which elements of two models belong together under an inferred mapping, by Apple's rule: the
/// destination's renaming identifier is the source's name, or both have the same one. An entity
/// whose version hash is unchanged stays what it was, whatever its identifier says.
enum InferredPairs {
  static func source(
    of entity: EntityDescription, in model: ManagedObjectModel
  ) -> EntityDescription? {
    model.entities.first { $0.name == entity.name && $0.versionHash == entity.versionHash }
      ?? model.entities.first { $0.name == entity.renamingIdentifier }
      ?? model.entities.first { $0.renamingIdentifier == entity.renamingIdentifier }
  }

  static func source(
    of property: PropertyDescription, in entity: EntityDescription
  ) -> PropertyDescription? {
    let candidates = entity.properties.filter {
      !$0.isTransient && ($0 is RelationshipDescription) == (property is RelationshipDescription)
    }
    return candidates.first { $0.name == property.renamingIdentifier }
      ?? candidates.first { $0.renamingIdentifier == property.renamingIdentifier }
  }
}
