// The fetch that policies make for each of their objects: the first one with a value, or any.

extension ManagedObjectContext {
  /// What a request for one object finds among new objects that are written early, where an index names
  /// it: what ``ObjectFetch`` finds, without describing the query first.
  /// - Returns: Nil where it takes more.
  final func firstUnsaved(
    for request: UntypedFetchRequest, _ unsaved: UnsavedRows
  ) throws -> [ManagedObject]? {
    guard request.wantsFirstObject, !hasUnpropagatedDeletions, let name = request.entityName,
      let entity = model?.entity(named: name)
    else { return nil }
    let object: ManagedObject?
    if let predicate = request.predicate as? ComparisonPredicate {
      guard let key = onlyKey(for: predicate, of: entity, unsaved) else { return nil }
      object = try key.row.flatMap { try newObject($0, of: entity, unsaved) }
      if let object, object.attributeValue(at: key.slot) != key.value { return [] }
    } else {
      guard request.predicate == nil, unsaved.isKept(entity) else { return nil }
      object = insertions(of: entity).first {
        $0.isInserted && entity.covers($0.entity, withSubentities: request.includesSubentities)
      }
    }
    guard let object, entity.covers(object.entity, withSubentities: request.includesSubentities)
    else { return [] }
    return [object]
  }

  /// The object of a key among the new ones.
  final func newObject(
    _ key: Int64, of entity: EntityDescription, _ unsaved: UnsavedRows
  ) throws -> ManagedObject? {
    let id = unsaved.identifier(of: entity, key: key)
    if let known = registeredObject(for: id) { return known }
    return try unsaved.store.row(for: id).map { object(for: $0) }
  }

  /// What an equality with a text asks for.
  private struct SoughtKey {
    let slot: Int
    let value: Value
    /// The one row that may have the value; nil where none has.
    let row: Int64?
  }

  /// Nil where no index knows, or where it names several rows.
  private func onlyKey(
    for predicate: ComparisonPredicate, of entity: EntityDescription, _ unsaved: UnsavedRows
  ) -> SoughtKey? {
    if unsaved.keyIndexes.isEmpty || unsaved.isKept(entity) { return nil }
    guard predicate.keyComparedWithConstant != nil, let probe = predicate.equalityProbe(),
      case .string = probe.value,
      let hash = KeyIndex.hash(probe.value), let attribute = entity.attribute(named: probe.key),
      attribute.attributeType == .string,
      let index = unsaved.keyIndexes.first(where: { $0.attribute === attribute }),
      case .some(let row) = index.onlyKey(hash: hash)
    else { return nil }
    return SoughtKey(slot: attribute.slot, value: probe.value, row: row)
  }
}

extension EntityDescription {
  /// Whether a fetch of this entity finds objects of another.
  fileprivate func covers(_ other: EntityDescription, withSubentities: Bool) -> Bool {
    other === self || (withSubentities && other.isKindOf(entity: self))
  }
}
