/// Reads the destinations of relationships for many objects together: per relationship one query
/// for the links, where there are any to ask for, and one for the rows.
struct RelationshipPrefetch {
  let context: ManagedObjectContext

  /// Follows each key path from `objects`.
  /// - Throws: `CoreDataError` for a key that isn't a relationship.
  func prefetch(_ keyPaths: [String], of objects: [ManagedObject]) throws {
    for keyPath in keyPaths {
      var reached = objects
      for key in keyPath.components(separatedBy: ".") { reached = try step(key, from: reached) }
    }
  }

  /// The objects at the other end of a relationship, filled.
  private func step(_ key: String, from objects: [ManagedObject]) throws -> [ManagedObject] {
    var groups: [ObjectIdentifier: (relationship: RelationshipDescription, [ManagedObject])] = [:]
    for object in objects {
      guard let relationship = try relationship(key, of: object.entity) else { continue }
      groups[ObjectIdentifier(relationship), default: (relationship, [])].1.append(object)
    }
    let ids = try groups.values.sorted { $0.relationship.slot < $1.relationship.slot }
      .flatMap { try destinations(of: $0.relationship, from: $0.1) }
    return try filled(ids)
  }

  /// The relationship of an entity; nil for one that only other entities of the hierarchy have.
  private func relationship(
    _ key: String, of entity: EntityDescription
  ) throws -> RelationshipDescription? {
    if let relationship = entity.relationship(named: key) { return relationship }
    let hierarchy = entity.rootEntity?.selfAndDescendants ?? []
    if hierarchy.contains(where: { $0.relationship(named: key) != nil }) { return nil }
    throw CoreDataError.notPrefetchable(key, of: entity)
  }

  private func destinations(
    of relationship: RelationshipDescription, from objects: [ManagedObject]
  ) throws -> [ManagedObjectID] {
    if !relationship.isToMany {
      return objects.compactMap { $0.destinationID(of: relationship) }
    }
    try loadMembers(of: relationship, for: objects)
    return objects.flatMap { $0.destinationIDs(of: relationship) }
  }

  private func loadMembers(
    of relationship: RelationshipDescription, for objects: [ManagedObject]
  ) throws {
    let waiting = objects.filter {
      !$0.objectID.isTemporaryID && !relationship.isTransient
        && !$0.toManyDestinations(of: relationship).isLoaded
    }
    guard !waiting.isEmpty, let store = context.source else { return }
    let found = try store.destinations(of: relationship, fromEach: waiting.map(\.objectID))
    for object in waiting {
      object.toManyDestinations(of: relationship).load(found[object.objectID] ?? [])
    }
  }

  /// Reads the rows of objects that the context doesn't have yet.
  private func filled(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
    var seen = Set<ManagedObjectID>()
    let distinct = ids.filter { seen.insert($0).inserted }
    let missing = distinct.filter {
      !$0.isTemporaryID && context.registeredObject(for: $0)?.isFault ?? true
    }
    if !missing.isEmpty, let store = context.source {
      let rows = try store.rows(for: missing)
      // Nobody holds the objects yet, so the rows wait for them.
      context.keep(rows)
      for row in rows { context.registeredObject(for: row.objectID)?.fulfill(with: row) }
    }
    return distinct.map { context.object(with: $0) }
  }
}
