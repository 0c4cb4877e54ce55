/// The rows of one store that answer a query: the store does what it can, the rest is done here.
///
/// All is judged and sorted by what the store holds.
struct StoredRows {
  private let store: PersistentStore
  private let query: StoreQuery
  private let capability: QueryCapability
  /// Gives objects to predicates that hand them to code.
  private let context: ManagedObjectContext?

  init(_ query: StoreQuery, in store: PersistentStore, context: ManagedObjectContext?) {
    self.store = store
    self.query = query
    self.context = context
    capability = store.capability(for: query)
  }

  /// Gives the rows in order, page and all.
  /// - Parameter body: Returns false to stop.
  func enumerate(_ body: (StoreRow) throws -> Bool) throws {
    if capability == .all { return try store.enumerateRows(matching: query, body) }
    var page = ResultPage(query)
    var isEnough = false
    try enumerateInOrder { row in
      if !isEnough, page.takes(), try !body(row) { isEnough = true }
      return judgesAll || (page.wantsMore && !isEnough)
    }
  }

  /// Gives all of the rows.
  func forEachRow(_ body: (StoreRow) throws -> Void) throws {
    try enumerate {
      try body($0)
      return true
    }
  }

  /// Whether the predicate is asked about rows behind the page, too: the order is nobody's choice
  /// but the sort descriptors', so that whether it fails mustn't hang on who sorts.
  private var judgesAll: Bool {
    !capability.contains(.predicate) && !query.sortDescriptors.isEmpty
  }

  private func enumerateInOrder(_ body: (StoreRow) throws -> Bool) throws {
    if isSorted { return try enumerateMatches(body) }
    var rows: [StoreRow] = []
    try enumerateMatches {
      rows.append($0)
      return true
    }
    let sorted = try ObjectSorting(query.sortDescriptors).sorted(rows) {
      StoredObject($0, in: store)
    }
    for row in sorted { guard try body(row) else { return } }
  }

  /// How many rows there are.
  func count() throws -> Int {
    if capability == .all { return try store.count(of: query) }
    var count = 0
    var unsorted = self.query
    unsorted.sortDescriptors = []
    try StoredRows(unsorted, in: store, context: context).forEachRow { _ in count += 1 }
    return count
  }

  /// Whether rows come in the order that is wanted.
  private var isSorted: Bool { capability.contains(.sort) || query.sortDescriptors.isEmpty }

  /// The part of the query that the store answers; pages are made here.
  private var storeQuery: StoreQuery {
    var part = query
    (part.limit, part.offset) = (0, 0)
    part.includesValues = true
    if !capability.contains(.predicate) { part.predicate = nil }
    if !capability.contains(.sort) { part.sortDescriptors = [] }
    return part
  }

  /// All rows that meet the predicate, in whatever order the store gives them.
  private func enumerateMatches(_ body: (StoreRow) throws -> Bool) throws {
    guard let predicate = query.predicate, !capability.contains(.predicate) else {
      return try store.enumerateRows(matching: storeQuery, body)
    }
    let judge = judge(predicate)
    try store.enumerateRows(matching: storeQuery) { try judge($0) ? body($0) : true }
  }

  private func judge(_ predicate: Predicate) -> (StoreRow) throws -> Bool {
    if let context, predicate.handsOutObjects {
      return { try predicate.evaluate(keyed: context.object(for: $0)) }
    }
    return { try predicate.evaluate(keyed: StoredObject($0, in: store)) }
  }
}
