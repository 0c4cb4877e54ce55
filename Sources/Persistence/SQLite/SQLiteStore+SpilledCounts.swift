// Counts of rows that were all spilled, which need no look at the rows.

extension SQLiteStore {
  /// How many rows answer a query for all of an entity; nil where they have to be counted.
  func spilledCount(of query: StoreQuery) -> Int? {
    // Else others might write to the file.
    guard bulk != nil || isReadOnly, spilledCounts.generation == generation,
      query.predicate == nil, query.limit == 0, query.offset == 0
    else { return nil }
    return spilledCounts.byEntity[ObjectIdentifier(query.entity)]
  }

  /// Knows the same counts as another store of the same file and model, to which nobody writes any more.
  package func takeCounts(of other: SQLiteStore) {
    if other.spilledCounts.generation != other.generation { return }
    spilledCounts = (generation, other.spilledCounts.byEntity)
  }
}
