// What an app's subclasses of NSManagedObject use. During a migration there are no objects of such
// classes, on a device as little as here; but policies refer to the classes for their names and
// constants, so their declarations have to compile.

extension ManagedObject {
  /// The name of the entity that a subclass stands for: its own.
  private class var entityNameOfClass: String { String(describing: self) }

  /// The entity of a subclass. It belongs to no model, and only its name is known.
  public class func entity() -> EntityDescription { EntityDescription(name: entityNameOfClass) }

  /// A request for the objects of a subclass's entity.
  public class func fetchRequest() -> FetchRequest<any FetchRequestResult> {
    FetchRequest(entityName: entityNameOfClass)
  }

  /// A new object of a subclass's entity. An entity that the context's model doesn't have raises.
  public convenience init(context: ManagedObjectContext) {
    let name = Self.entityNameOfClass
    let model = context.Persistence::persistentStoreCoordinator.managedObjectModel
    if let entity = model.entity(named: name) {
      self.init(entity: entity, insertInto: context)
    } else {
      ExceptionTrap.raise(
        CoreDataError(
          .coreData,
          "No NSEntityDescriptions in any model claim the NSManagedObject subclass "
            + "'\(String(reflecting: Self.self))' so +entity is confused."))
      self.init(entity: EntityDescription(name: name), insertInto: nil)
    }
  }

  /// What an `@NSManaged` property gives.
  ///
  /// A property that isn't optional stops the program when there is no value, as on a device.
  public final func managedValue<Property>(forKey key: String) -> Property {
    let value = value(forKey: key) as Any
    guard let property = value as? Property else {
      fatalError("\(type(of: self)).\(key): \(value) is no \(Property.self)")
    }
    return property
  }

  /// Sets an `@NSManaged` property.
  public final func setManagedValue(_ value: Any?, forKey key: String) {
    setValue(value, forKey: key)
  }
}
