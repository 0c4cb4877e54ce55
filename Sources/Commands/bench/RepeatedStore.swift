/// A store with a scenario's rows as often as it takes to have so many objects.
///
/// The rows are read once and written again with other keys: row numbers move, and so do the ends of
/// their relationships. Values are equal in every copy, but for those that must be unique.
struct RepeatedStore {
  let template: PersistentStore
  private let hierarchies: [ObjectIdentifier: Hierarchy]
  private let rows: [Row]
  /// What must be unique, by entity: the names of each constraint.
  private let constraints: [String: Set<[String]>]

  /// How far keys move from copy to copy.
  private struct Hierarchy {
    var stride: Int64
  }

  private struct Row {
    let content: StoreRow
    let links: [SaveRequest.ToManyChange]
  }

  /// Objects in one copy.
  var count: Int { rows.count }

  /// - Parameter models: The versions that the store is to be migrated to: what must be unique in one of
  ///   them is made unique at once.
  /// - Throws: What reading throws.
  init(of template: PersistentStore, through models: [ManagedObjectModel] = []) throws {
    self.template = template
    constraints = ([template.model] + models).flatMap(\.entities).reduce(into: [:]) {
      $0[$1.name, default: []].formUnion($1.allUniquenessConstraints)
    }
    var (rows, hierarchies): ([Row], [ObjectIdentifier: Hierarchy]) = ([], [:])
    for entity in template.model.entities where !entity.isAbstract {
      var query = StoreQuery(entity: entity)
      query.includesSubentities = false
      let root = ObjectIdentifier(entity.rootEntity)
      try template.enumerateRows(matching: query) { row in
        rows.append(Row(content: row, links: try Self.links(of: row.objectID, in: template)))
        let stride = max(hierarchies[root]?.stride ?? 0, row.objectID.primaryKey)
        hierarchies[root] = Hierarchy(stride: stride)
        return true
      }
    }
    (self.rows, self.hierarchies) = (rows, hierarchies)
  }

  private static func links(
    of id: ManagedObjectID, in store: PersistentStore
  ) throws -> [SaveRequest.ToManyChange] {
    try id.entity.relationships.filter { $0.isToMany && !$0.isTransient }.compactMap {
      relationship in
      let ends = try store.destinations(of: relationship, from: id)
      return ends.isEmpty
        ? nil
        : SaveRequest.ToManyChange(
          relationship: relationship, added: ends, removed: [],
          ordered: relationship.isOrdered ? ends : nil)
    }
  }

  // MARK: Writing

  /// Copies written at a time.
  private static let batch = 5000

  /// Makes a store of about `count` objects, the last copy whole.
  /// - Returns: How many objects it has.
  /// - Throws: `CoreDataError`, also for values that must be unique and can't be varied.
  func write(_ count: Int, to url: URL) throws -> Int {
    guard !rows.isEmpty else { return 0 }
    let copies = max(1, (count + rows.count - 1) / rows.count)
    let store = try SQLiteStore.create(at: url, model: template.model)
    do {
      try store.beginBulk(undoesSaves: false)
      var copy = 0
      while copy < copies {
        let next = min(copies, copy + max(1, Self.batch / rows.count))
        var request = SaveRequest()
        for number in copy..<next { try add(number, to: &request, store) }
        try store.save(request)
        copy = next
      }
      try store.endBulk()
      try store.close()
    } catch {
      // The first error is the one to tell.
      try? store.discard()
      throw error
    }
    return copies * rows.count
  }

  private func add(_ copy: Int, to request: inout SaveRequest, _ store: SQLiteStore) throws {
    for row in rows {
      var values = row.content.values
      for index in values.indices {
        guard case .object(let object) = values[index], let id = object as? ManagedObjectID else {
          continue
        }
        values[index] = .object(moved(id, toCopy: copy, in: store))
      }
      try vary(&values, of: row.content.objectID.entity, copy)
      request.inserted.append(
        SaveRequest.ObjectChange(
          objectID: moved(row.content.objectID, toCopy: copy, in: store), version: 0,
          values: values,
          toMany: row.links.map { moved($0, toCopy: copy, in: store) }))
    }
  }

  private func moved(
    _ id: ManagedObjectID, toCopy copy: Int, in store: SQLiteStore
  ) -> ManagedObjectID {
    let stride = hierarchies[ObjectIdentifier(id.entity.rootEntity)]?.stride ?? 0
    return ManagedObjectID(
      entity: id.entity, primaryKey: id.primaryKey + Int64(copy) * stride, store: store)
  }

  private func moved(
    _ links: SaveRequest.ToManyChange, toCopy copy: Int, in store: SQLiteStore
  ) -> SaveRequest.ToManyChange {
    SaveRequest.ToManyChange(
      relationship: links.relationship,
      added: links.added.map { moved($0, toCopy: copy, in: store) },
      removed: [], ordered: links.ordered?.map { moved($0, toCopy: copy, in: store) })
  }

  // MARK: Unique values

  private func vary(
    _ values: inout ContiguousArray<Value>, of entity: EntityDescription, _ copy: Int
  ) throws {
    if copy == 0 { return }
    // An attribute of several constraints is varied once.
    var varied: Set<String> = []
    for names in constraints[entity.name] ?? [] where varied.isDisjoint(with: names) {
      // An empty value is equal to none, and a link leads to another object in each copy. What only a later
      // version has tells nothing apart.
      let isHeldAnyway = names.contains { name in
        entity.relationship(named: name) != nil
          || entity.attribute(named: name).map { values[$0.slot] == .null } == true
      }
      let attributes = names.compactMap { entity.attribute(named: $0) }
      if isHeldAnyway || attributes.isEmpty { continue }
      var first: (AttributeDescription, Value)?
      for attribute in attributes where first == nil {
        first = attribute.distinct(values[attribute.slot], copy).map { (attribute, $0) }
      }
      guard let (attribute, value) = first else {
        throw CoreDataError(
          .managedObjectConstraintMerge,
          "'\(names.joined(separator: ", "))' must be unique, and can't be repeated",
          advice:
            "Make it a text, whole number, UUID or URI, or benchmark with a store of the size "
            + "you want."
        ).at(entity: entity.name, property: names.first)
      }
      values[attribute.slot] = value
      varied.insert(attribute.name)
    }
  }
}
