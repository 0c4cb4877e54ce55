/// Gives an entity functions that find its objects, in its default order.
///
/// They never throw: what goes wrong is written to standard error, and nothing is found. Who wants
/// to know uses ``find(in:sortDescriptors:with:limit:)``.
public protocol CoreDataFinders: Sortable {}

extension CoreDataFinders {
  /// All objects that meet a predicate; all objects for nil.
  public static func findAll(
    with predicate: Predicate?, context: ManagedObjectContext
  ) -> [FoundObject] {
    logging(predicate) { try find(in: context, with: predicate) }
  }

  /// The first object that meets a predicate; nil when none does.
  public static func findFirst(
    with predicate: Predicate?, context: ManagedObjectContext
  ) -> FoundObject? {
    logging(predicate) { try find(in: context, with: predicate, limit: 1) }.first
  }

  /// The objects that meet a predicate.
  ///
  /// - Parameters:
  ///   - sortDescriptors: nil for the default order.
  ///   - limit: Most objects to give; nil for all.
  /// - Throws: What the fetch throws, also in place of exceptions.
  public static func find(
    in context: ManagedObjectContext, sortDescriptors: [SortDescriptor]? = nil,
    with predicate: Predicate? = nil, limit: Int? = nil
  ) throws -> [FoundObject] {
    let request = fetchRequest()
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors ?? defaultSortDescriptors()
    request.fetchLimit = limit ?? 0
    return try ExceptionTrap.catching { try context.fetch(request) }
  }

  private static func logging(
    _ predicate: Predicate?, _ search: () throws -> [FoundObject]
  ) -> [FoundObject] {
    do { return try search() } catch {
      let condition = predicate.map { "with predicate: \($0)" } ?? "with no predicate."
      FinderLog.write("Failed to fetch objects of \(entityName) \(condition) error: \(error)")
      return []
    }
  }
}

/// Where finders write what went wrong.
public enum FinderLog {
  /// Takes the messages; standard error, unless set for a task.
  @TaskLocal public static var output: @Sendable (String) -> Void = { message in
    // Where nobody can read it, the program goes on.
    try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
  }

  static func write(_ message: String) { output(message) }
}
