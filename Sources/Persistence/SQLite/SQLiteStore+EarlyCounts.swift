// Counts of rows that were all written early, which need no look at the rows.

extension SQLiteStore {
  /// How many rows answer a query for all of an entity; nil where they have to be counted.
  func earlyCount(of query: StoreQuery) -> Int? {
    // Else others might write to the file.
    guard bulk != nil || isReadOnly, earlyCounts.generation == generation,
      query.predicate == nil, query.limit == 0, query.offset == 0
    else { return nil }
    return earlyCounts.byEntity[ObjectIdentifier(query.entity)]
  }

  /// Knows the same counts as another store of the same file and model, to which nobody writes any more.
  package func takeCounts(of other: SQLiteStore) {
    if other.earlyCounts.generation != other.generation { return }
    earlyCounts = (generation, other.earlyCounts.byEntity)
  }
}
