/// What was asked of a context so far, to be compared before and after something: numbers that depend on nothing
/// but data and code.
public struct ContextWork: Hashable, Sendable, Codable {
  /// Fetch requests that were carried out.
  public var fetches = 0
  /// Objects that they found.
  public var fetched = 0
  /// Objects, and members of relationships to many, that were read one by one when somebody asked for them.
  public var faults = 0
  /// New objects.
  public var inserts = 0
  /// SQL statements; those that write new objects by the thousand aren't anybody's.
  public var statements = 0

  public init() {}

  /// These counts and others, each with each.
  package func combined(
    with other: ContextWork, _ combine: (Int, Int) -> Int
  ) -> ContextWork {
    var result = ContextWork()
    result.fetches = combine(fetches, other.fetches)
    result.fetched = combine(fetched, other.fetched)
    result.faults = combine(faults, other.faults)
    result.inserts = combine(inserts, other.inserts)
    result.statements = combine(statements, other.statements)
    return result
  }
}

extension ManagedObjectContext {
  /// What was asked of the context so far, its stores' statements included.
  package final var workWithStatements: ContextWork {
    var all = work
    all.statements = persistentStoreCoordinator?.store?.statementCount ?? 0
    return all
  }
}
