// The fetch that policies make for each of their objects: those with a value, or the first of all.

extension ManagedObjectContext {
  /// What a plain request finds among spilled objects, where an index names it: what
  /// ``ObjectFetch`` finds, without describing the query first.
  /// - Returns: Nil where it takes more.
  final func objects(
    answering request: UntypedFetchRequest, _ spilled: SpilledNewObjects
  ) throws -> [ManagedObject]? {
    guard request.isPlain, !hasUnpropagatedDeletions, let name = request.entityName else {
      return nil
    }
    return try withModel { model in
      guard let entity = model.entity(named: name) else { return nil }
      return try known(of: entity, for: request, spilled)
    } ?? nil
  }

  private func known(
    of entity: EntityDescription, for request: UntypedFetchRequest, _ spilled: SpilledNewObjects
  ) throws -> [ManagedObject]? {
    let isKept = spilled.hierarchies[entity.hierarchyIndex].isKept
    if request.predicate == nil {
      guard isKept, request.fetchLimit == 1 else { return nil }
      let first = insertions(of: entity).first { $0.isInserted && request.covers($0, of: entity) }
      return first.map { [$0] } ?? []
    }
    guard let probe = textProbe(of: request, entity) else { return nil }
    if isKept {
      return kept(of: entity, for: request, equalTo: probe)
    }
    guard request.fetchLimit == 1 else { return nil }
    return try only(of: entity, for: request, equalTo: probe, spilled)
  }

  private struct TextProbe {
    let attribute: AttributeDescription
    let value: Value
  }

  /// The text that a predicate wants an attribute to be, and nothing else.
  private func textProbe(
    of request: UntypedFetchRequest, _ entity: EntityDescription
  ) -> TextProbe? {
    guard request.predicate != nil,
      let probe = uncounted(request.predicate!, { $0.onlyTextProbe() }),
      let attribute = entity.attribute(named: probe.key), attribute.attributeType == .string
    else { return nil }
    return TextProbe(attribute: attribute, value: probe.value)
  }

  /// Those of a hierarchy that is in memory.
  private func kept(
    of entity: EntityDescription, for request: UntypedFetchRequest, equalTo probe: TextProbe
  ) -> [ManagedObject]? {
    let found = insertions(of: entity, slot: probe.attribute.slot, equalTo: probe.value)
    // Mostly there is one.
    if found.count < 2, found.allSatisfy({ $0.isInserted && request.covers($0, of: entity) }) {
      return found
    }
    let all = found.filter { $0.isInserted && request.covers($0, of: entity) }
    return request.fetchLimit > 0 ? Array(all.prefix(request.fetchLimit)) : all
  }

  /// The first of a hierarchy whose rows an index names, where it names one.
  private func only(
    of entity: EntityDescription, for request: UntypedFetchRequest, equalTo probe: TextProbe,
    _ spilled: SpilledNewObjects
  ) throws -> [ManagedObject]? {
    guard let hash = KeyIndex.hash(probe.value),
      let place = spilled.keyIndexes.firstIndex(where: { $0.attribute === probe.attribute }),
      case .some(let key) = uncounted(spilled.keyIndexes[place], { $0.onlyKey(hash: hash) })
    else { return nil }
    guard let key, let object = try newObject(key, of: entity, spilled),
      object.attributeValue(at: probe.attribute.slot) == probe.value,
      request.covers(object, of: entity)
    else { return [] }
    return [object]
  }

  /// The object of a key among the new ones.
  final func newObject(
    _ key: Int64, of entity: EntityDescription, _ spilled: SpilledNewObjects
  ) throws -> ManagedObject? {
    let id = spilled.identifier(of: entity, key: key)
    if let known = registeredObject(for: id) { return known }
    return try spilled.store.row(for: id).map { object(for: $0) }
  }
}

extension UntypedFetchRequest {
  /// Whether a fetch of an entity finds an object.
  fileprivate func covers(_ object: ManagedObject, of entity: EntityDescription) -> Bool {
    object.entity === entity || (includesSubentities && object.entity.isKindOf(entity: entity))
  }
}
