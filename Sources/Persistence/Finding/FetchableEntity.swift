/// A type that stands for an entity, to hang what an app knows about the entity's objects on.
///
/// In an app that is the class of the objects. Objects of this engine are plain managed objects, so
/// any type will do, an empty enumeration for example.
public protocol FetchableEntity {
  /// The class that found objects have: `ManagedObject`, unless an app's subclass is asked for,
  /// which during a migration fails.
  associatedtype FoundObject = ManagedObject
  static var entityName: String { get }
}

extension FetchableEntity {
  /// A request for objects of the entity.
  public static func fetchRequest() -> FetchRequest<FoundObject> {
    FetchRequest<FoundObject>(entityName: entityName)
  }
}

/// An entity with an order of its own.
public protocol Sortable: FetchableEntity {
  /// The order of objects where nobody asks for another.
  static func defaultSortDescriptors() -> [SortDescriptor]
}
