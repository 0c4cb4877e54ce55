// Going through many objects without keeping them.

extension ManagedObjectContext {
  /// Gives the objects that answer a request one by one, and lets go of each that nobody keeps.
  /// Without sort descriptors in order of their keys, so of their insertion.
  ///
  /// The stores aren't locked while `body` runs: it may fetch and save, in this context and in
  /// others, and wait for other threads that do.
  public final func enumerate(
    _ request: FetchRequest<ManagedObject>, _ body: (ManagedObject) throws -> Void
  ) throws {
    let fetch = try objectFetch(request)
    let isMixed =
      try reading { try fetch.stores.count > 1 || newObjects.mayAnswer(fetch) }
    if isMixed {
      try reading { try fetch.objects { object(for: $0) } }.forEach(body)
    } else if announces {
      try enumerateInGroups(fetch, body)
    } else {
      try stream(fetch, body)
    }
  }

  /// Reads what there is first, then rows by the hundred, so that a save in between, even one that
  /// is rolled back, disturbs nothing.
  private func enumerateInGroups(
    _ fetch: ObjectFetch, _ body: (ManagedObject) throws -> Void
  ) throws {
    let ids = try reading { try fetch.identifiers() }
    for start in stride(from: 0, to: ids.count, by: Self.groupSize) {
      let group = Array(ids[start..<min(start + Self.groupSize, ids.count)])
      let rows = try rows(ofUnread: group)
      for id in group {
        guard let object = self.object(id, in: rows), !object.isMarkedDeleted else { continue }
        try body(object)
      }
    }
  }

  private static var groupSize: Int { 200 }

  /// The rows of those that the context doesn't know, by identifier.
  private func rows(ofUnread ids: [ManagedObjectID]) throws -> [ManagedObjectID: StoreRow] {
    let unread = ids.filter { registeredObject(for: $0)?.awaitsRow != false }
    var rows: [ManagedObjectID: StoreRow] = [:]
    for row in try reading({ try source?.rows(for: unread) ?? [] }) { rows[row.objectID] = row }
    return rows
  }

  /// The object with an identifier; nil when it is gone by now.
  private func object(
    _ id: ManagedObjectID, in rows: [ManagedObjectID: StoreRow]
  ) -> ManagedObject? {
    if let known = registeredObject(for: id), !known.awaitsRow { return known }
    return rows[id].map { object(for: $0) }
  }

  /// Straight from the store, for contexts that nobody saves to meanwhile.
  private func stream(_ fetch: ObjectFetch, _ body: (ManagedObject) throws -> Void) throws {
    var lent: ManagedObject?
    if let outer = registry.lent { registry.insert(outer.takeUnretainedValue()) }
    defer { takeBack(&lent) }
    if let ahead = try reading({ try fetch.rowsAhead() }) {
      return try stream(ahead, lending: &lent, body)
    }
    try reading {
      try fetch.enumerateStored { row in
        if let known = registry.object(row.objectID) {
          if known.isFault { known.fulfill(with: row) }
          try lending { try body(known) }
        } else {
          let object = lend(&lent, row)
          try lending { try body(object) }
        }
        return true
      }
    }
  }

  /// The object for a row, which the context lists once somebody has kept it.
  private func lend(_ lent: inout ManagedObject?, _ row: StoreRow) -> ManagedObject {
    takeBack(&lent)
    let object = makeObject(row.objectID, row: row)
    lent = object
    registry.lent = .passUnretained(object)
    return object
  }

  /// Rows that another thread reads.
  private func stream(
    _ ahead: RowPrefetcher, lending lent: inout ManagedObject?,
    _ body: (ManagedObject) throws -> Void
  ) throws {
    defer { ahead.stop() }
    while let row = try ahead.next() {
      if let known = registry.object(ahead.key(of: row)) {
        if known.isFault { known.fulfill(with: try ahead.storeRow(row)) }
        try body(known)
      } else {
        let object = lend(&lent, try ahead.storeRow(row))
        try body(object)
      }
    }
  }

  /// Lets go of an object, which is listed first where somebody has kept it.
  private func takeBack(_ lent: inout ManagedObject?) {
    registry.lent = nil
    if !isKnownUniquelyReferenced(&lent), let kept = lent, !kept.isListed, kept.context === self {
      // After a reset the object is nobody's.
      registry.insert(kept)
    }
    lent = nil
  }

  /// Runs `body` with the stores unlocked, in the midst of ``reading(_:)``.
  private func lending(_ body: () throws -> Void) rethrows {
    guard let lock = ownLock else { return try body() }
    lock.unlock()
    defer { lock.lock() }
    try body()
  }
}
