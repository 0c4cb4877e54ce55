extension SQLiteStore {
  /// The statement that finds the objects of an entity, and of those derived from it, which meet a
  /// predicate.
  ///
  /// Its condition is the one that fetches use.
  /// - Throws: ``UntranslatablePredicate`` when a fetch looks at the objects in memory instead.
  public func statement(
    fetching entity: EntityDescription, where predicate: Predicate
  ) throws -> SQLFragment {
    // Queries don't say why they have no condition.
    _ = try SQLTranslator(schema: PredicateSchema(store: self))
      .translate(predicate, entity: entity)
    var query = StoreQuery(entity: entity)
    query.predicate = predicate
    return try selection("*", for: query)
  }
}
