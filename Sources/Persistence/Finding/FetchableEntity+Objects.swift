// What a type that stands for an entity can do for it.

extension FetchableEntity {
  /// The name of the type, without its module: `Event` for `App.Event`.
  public static var entityName: String { String(describing: self) }

  /// A new object of the entity in a context.
  /// - Throws: `CoreDataError` for an entity that the context's model doesn't have, and one that is
  ///   abstract.
  public static func insertNewObject(
    into context: ManagedObjectContext
  ) throws -> ManagedObject {
    let entity = try context.requireEntity(named: entityName)
    return try ExceptionTrap.catching { context.insertNewObject(for: entity) }
  }

  /// All objects of the entity; nil when they can't be fetched, which is written to ``FinderLog``.
  public static func allObjects(in context: ManagedObjectContext) -> [FoundObject]? {
    do { return try ExceptionTrap.catching { try context.fetch(fetchRequest()) } } catch {
      FinderLog.write("Problems fetching objects of \(entityName): \(error)")
      return nil
    }
  }
}
