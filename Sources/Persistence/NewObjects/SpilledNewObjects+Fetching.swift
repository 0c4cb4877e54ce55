// Fetching while new objects are spilled: there are no others.

extension ObjectFetch {
  /// The objects among the unsaved ones, in order.
  func objects(among spilled: SpilledNewObjects) throws -> [ManagedObject] {
    if spilled.isKept(query.entity) {
      return limited(try sorted(newMatches()))
    }
    if let probe = valueProbe, let found = try probedObjects(probe, spilled) {
      return limited(try sorted(found))
    }
    var found: [ManagedObject] = []
    try enumerateWritten(spilled) { found.append(context.object(for: $0)) }
    return found
  }

  /// How many there are, pages apart.
  func count(among spilled: SpilledNewObjects) throws -> Int {
    var all = self
    (all.query.limit, all.query.offset, all.query.sortDescriptors) = (0, 0, [])
    if spilled.isKept(query.entity) { return try all.newMatches().count }
    try spilled.spill(in: context)
    guard spilled.isSpilling else { return try all.pendingMatches().inserted.count }
    all.query.includesValues = false
    return try StoredRows(all.query, in: spilled.store, context: context).count()
  }

  /// After all was written, the store knows all.
  private func enumerateWritten(_ spilled: SpilledNewObjects, _ body: (StoreRow) -> Void) throws {
    try spilled.spill(in: context)
    // These are new objects yet, of which an offset leaves none out.
    var unsaved = query
    unsaved.offset = 0
    try StoredRows(unsaved, in: spilled.store, context: context).forEachRow(body)
  }

  private func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
    try ObjectSorting(query.sortDescriptors).sorted(objects) { $0 }
  }

  // MARK: By one value

  /// An equality that tells which few rows to look at.
  struct Probe {
    let attribute: AttributeDescription
    let value: Value
    /// Whether the equality is the whole predicate.
    let isAll: Bool
  }

  var valueProbe: Probe? {
    guard let predicate = query.predicate, let probe = predicate.equalityProbe(),
      let attribute = query.entity.attribute(named: probe.key),
      attribute.attributeType != .transformable, attribute.attributeType != .composite,
      let value = probe.value.coerced(to: attribute.attributeType)
    else { return nil }
    // Text is compared code unit by code unit here and there.
    guard attribute.attributeType == .string, case .string = probe.value else {
      return Probe(attribute: attribute, value: value, isAll: false)
    }
    return Probe(attribute: attribute, value: value, isAll: predicate is ComparisonPredicate)
  }

  /// - Returns: Nil where the store can't look a value of this type up.
  private func probedObjects(_ probe: Probe, _ spilled: SpilledNewObjects) throws
    -> [ManagedObject]?
  {
    if let keys = try spilled.keys(of: probe.attribute, equalTo: probe.value, in: context) {
      return try objects(keys, probe: probe, spilled: spilled)
    }
    // Where the rest of a predicate is to be judged, too, any row may be in the page.
    let most = probe.isAll ? self.most : .max
    var candidates: [ManagedObject] = []
    let isAnswered = try spilled.store.enumerateSpilledRows(
      of: query.entity, where: probe.attribute, equals: probe.value
    ) { row in
      let object = context.object(for: row)
      if !object.state.contains(.rewritten), query.concerns(object.entity) {
        candidates.append(object)
      }
      return candidates.count < most
    }
    if !isAnswered { return nil }
    candidates += context.insertions(
      of: query.entity, slot: probe.attribute.slot, equalTo: probe.value)
    if candidates.count > 1 {
      candidates.sort { $0.objectID.primaryKey < $1.objectID.primaryKey }
    }
    return try candidates.filter { object in
      guard query.concerns(object.entity) else { return false }
      return try probe.isAll || matches(object)
    }
  }

  /// How many objects in the order of their keys are asked for, at most: nobody sees those behind the
  /// page.
  private var most: Int {
    query.limit > 0 && query.sortDescriptors.isEmpty ? query.limit : .max
  }

  /// Those of the objects with some keys that match.
  private func objects(
    _ keys: [Int64], probe: Probe, spilled: SpilledNewObjects
  ) throws -> [ManagedObject] {
    var found: [ManagedObject] = []
    for key in keys {
      guard let object = try spilled.object(key, of: query.entity, in: context),
        query.concerns(object.entity),
        object.attributeValue(at: probe.attribute.slot) == probe.value,
        try probe.isAll || matches(object)
      else { continue }
      found.append(object)
      if found.count == most { break }
    }
    return found
  }
}

// MARK: - The fetch of each source object

// The fetch that policies make for each of their objects: those with a value, or the first of all.

extension SpilledNewObjects {
  /// What a plain request finds, where an index names it: what ``ObjectFetch`` finds, without describing the query
  /// first.
  /// - Returns: Nil where it takes more.
  func known(
    of entity: EntityDescription, for request: UntypedFetchRequest, in context: ManagedObjectContext
  ) throws -> [ManagedObject]? {
    if request.predicate == nil {
      guard isKept(entity), request.fetchLimit == 1 else { return nil }
      let first = context.insertions(of: entity).first {
        $0.isInserted && request.covers($0, of: entity)
      }
      return first.map { [$0] } ?? []
    }
    guard let probe = textProbe(of: request, entity) else { return nil }
    if isKept(entity) { return kept(of: entity, for: request, equalTo: probe, in: context) }
    guard request.fetchLimit == 1 else { return nil }
    return try only(of: entity, for: request, equalTo: probe, in: context)
  }

  private struct TextProbe {
    let attribute: AttributeDescription
    let value: Value
  }

  /// The text that a predicate wants an attribute to be, and nothing else.
  private func textProbe(
    of request: UntypedFetchRequest, _ entity: EntityDescription
  ) -> TextProbe? {
    guard let probe = request.predicate?.onlyTextProbe(),
      let attribute = entity.attribute(named: probe.key), attribute.attributeType == .string,
      attribute.isStored
    else { return nil }
    return TextProbe(attribute: attribute, value: probe.value)
  }

  /// Those of a hierarchy that is in memory.
  private func kept(
    of entity: EntityDescription, for request: UntypedFetchRequest, equalTo probe: TextProbe,
    in context: ManagedObjectContext
  ) -> [ManagedObject]? {
    let found = context.insertions(of: entity, slot: probe.attribute.slot, equalTo: probe.value)
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
    in context: ManagedObjectContext
  ) throws -> [ManagedObject]? {
    guard let hash = KeyIndex.hash(probe.value),
      let index = keyIndexes.first(where: { $0.attribute === probe.attribute }),
      let keys = index.keys(hash: hash)
    else { return nil }
    for key in keys {
      guard let object = try object(key, of: entity, in: context),
        object.attributeValue(at: probe.attribute.slot) == probe.value,
        request.covers(object, of: entity)
      else { continue }
      return [object]
    }
    return []
  }

  /// The object of a key among the new ones.
  func object(
    _ key: Int64, of entity: EntityDescription, in context: any NewObjectsContext
  ) throws -> ManagedObject? {
    let id = identifier(of: entity, key: key)
    if let known = context.registeredObject(for: id) { return known }
    return try store.row(for: id).map { context.object(for: $0) }
  }
}

extension UntypedFetchRequest {
  /// Whether a fetch of an entity finds an object.
  fileprivate func covers(_ object: ManagedObject, of entity: EntityDescription) -> Bool {
    object.entity === entity || (includesSubentities && object.entity.isKindOf(entity: entity))
  }
}
