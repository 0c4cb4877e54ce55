/// The unsaved changes that bear on a fetch: those of the fetched entity and its subentities.
struct PendingMatches {
  /// New objects that match, in the order of their insertion.
  var inserted: [ManagedObject] = []
  /// Changed objects that match now.
  var updated: [ManagedObject] = []
  /// How many stored objects were changed or deleted, so that their rows don't count.
  var displacedCount = 0

  /// Whether the result isn't just what the stores answer.
  var isRelevant: Bool { displacedCount > 0 || !inserted.isEmpty }
}

extension ObjectFetch {
  func pendingMatches() throws -> PendingMatches {
    var pending = PendingMatches()
    guard includesPending else { return pending }
    if !context.inserted.isEmpty { pending.inserted = try newMatches() }
    for object in context.updated where object.isUpdated && concerns(object) {
      pending.displacedCount += 1
      if try matches(object) { pending.updated.append(object) }
    }
    for object in context.deleted where concerns(object) {
      pending.displacedCount += 1
    }
    return pending
  }

  func newMatches() throws -> [ManagedObject] {
    // Of those behind the page nobody asks.
    let isLimited = query.limit > 0 && query.sortDescriptors.isEmpty
    // Two say that there are several.
    let most = isLimited ? max(query.limit, context.givesNewestFirst ? 2 : 1) : .max
    let (candidates, areMatches) = candidates()
    // What a policy finds that looks each object up by its name.
    if areMatches, candidates.count < 2,
      candidates.allSatisfy({ $0.isInserted && concerns($0) })
    {
      return candidates
    }
    var found: [ManagedObject] = []
    let last = candidates.count - 1
    for index in candidates.indices {
      let object = candidates[context.givesNewestFirst ? last - index : index]
      guard object.isInserted, concerns(object) else { continue }
      if try areMatches || matches(object) { found.append(object) }
      if found.count == most { break }
    }
    return found
  }

  /// The new objects worth looking at: those an index names, or all; and whether the index has
  /// compared all there is to compare. Transformable values are compared as objects, which an index
  /// over their bytes can't do.
  private func candidates() -> (objects: [ManagedObject], areMatches: Bool) {
    if context.inserted.count < context.newObjects.leastIndexed {
      return (context.inserted, false)
    }
    guard let probe = valueProbe else {
      return (context.insertions(of: query.entity), query.predicate == nil)
    }
    return (
      context.insertions(of: query.entity, slot: probe.attribute.slot, equalTo: probe.value),
      probe.isAll
    )
  }

  /// Whether an object with unsaved changes is of the entity, and of the stores that the fetch is about.
  private func concerns(_ object: ManagedObject) -> Bool {
    guard query.concerns(object.entity) else { return false }
    guard let affected = query.affectedStores else { return true }
    let store =
      object.objectID.persistentStore
      ?? (try? context.persistentStoreCoordinator?.store(forNew: object.entity))
    return affected.contains { $0 === store }
  }

  func matches(_ object: ManagedObject) throws -> Bool {
    guard let predicate = query.predicate else { return true }
    return try predicate.evaluate(keyed: object)
  }
}

extension StoreQuery {
  /// Whether objects of an entity are wanted.
  func concerns(_ candidate: EntityDescription) -> Bool {
    candidate === entity || (includesSubentities && candidate.isKindOf(entity: entity))
  }
}

extension ManagedObjectContext {
  /// The new objects of a hierarchy whose attribute has a value, in the order of their insertion.
  final func insertions(
    of entity: EntityDescription, slot: Int, equalTo value: Value
  ) -> [ManagedObject] {
    noteIndex(ofSlot: slot)
    return pendingIndexes.objects(
      among: newObjects.objects(ofHierarchy: entity.hierarchyIndex, in: self), of: entity,
      slot: slot,
      equalTo: value)
  }

  /// The new objects of a hierarchy, in the order of their insertion.
  final func insertions(of entity: EntityDescription) -> [ManagedObject] {
    hasPendingIndexes = true
    return pendingIndexes.objects(
      among: newObjects.objects(ofHierarchy: entity.hierarchyIndex, in: self), of: entity)
  }
}
