extension SQLiteStore {
  /// The statement that finds the objects of an entity, and of those derived from it, which meet a
  /// predicate.
  ///
  /// Fetches use the condition of ``SQLLogic/nullSafe``.
  /// - Throws: ``UntranslatablePredicate`` when a fetch looks at the objects in memory instead.
  public func statement(
    fetching entity: EntityDescription, where predicate: Predicate, logic: SQLLogic = .nullSafe
  ) throws -> SQLFragment {
    // Queries don't say why they have no condition.
    _ = try SQLTranslator(schema: PredicateSchema(store: self), logic: logic)
      .translate(predicate, entity: entity)
    var query = StoreQuery(entity: entity)
    query.predicate = predicate
    query.logic = logic
    return try selection("*", for: query)
  }
}
