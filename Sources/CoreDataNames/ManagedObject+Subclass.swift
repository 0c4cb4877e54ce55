// What an app's subclasses of NSManagedObject use. During a migration there are no objects of such
// classes, on a device as little as here; but policies refer to the classes for their names and
// constants, so their declarations have to compile. Contexts that an app makes have such objects.

import Synchronization

extension ManagedObject {
  /// What an `@NSManaged` property gives.
  ///
  /// Where there is no value and the property isn't optional, it is zero or empty if its type has
  /// that; else the program stops, as on a device.
  public final func managedValue<Property>(forKey key: String) -> Property {
    if let value: Property = KeyRecorder.value(recording: key) { return value }
    let value = modelledValue(forKey: key)
    if let property = value as? Property { return property }
    if let property = (value <~? NSMutableSet.self) as? Property { return property }
    if value == nil, let property = Self.emptyValue(of: Property.self) as? Property {
      return property
    }
    fatalError("\(type(of: self)).\(key): \(value ?? "nil") is no \(Property.self)")
  }

  /// Zero, or nothing, of a type that has it.
  final class func emptyValue(of type: Any.Type) -> Any? {
    switch type {
    case let number as any Numeric.Type: number.zero
    case is Bool.Type: false
    case is String.Type: ""
    case is Data.Type: Data()
    case let collection as any RangeReplaceableCollection.Type: collection.init()
    case let set as any SetAlgebra.Type: set.init()
    default: nil
    }
  }

  /// Sets an `@NSManaged` property.
  public final func setManagedValue(_ value: Any?, forKey key: String) {
    setModelledValue(value, forKey: key)
  }
}

/// What a subclass may declare itself, beside what it inherits: in a protocol, so that its own has
/// precedence and generic code can make objects of any subclass.
public protocol ManagedObjectMaking {}

extension ManagedObject: ManagedObjectMaking {}

extension ManagedObjectMaking where Self: ManagedObject {
  /// A request for the objects of a subclass's entity; without entity, so that it can't be executed, where no model
  /// in use names the class.
  public static func fetchRequest() -> FetchRequest<any FetchRequestResult> {
    ObjectClasses.note(self)
    let name = ObjectClasses.entityName(ofClassNamed: nameOfClass)
    return name.map { FetchRequest(entityName: $0) } ?? FetchRequest()
  }

  /// A new object of a subclass's entity, made by the subclass's own `init(context:)` where it has one.
  /// A class that no entity of the context's model names raises.
  public init(context: ManagedObjectContext) {
    if let own = ObjectMakers.maker(of: Self.self) {
      self.init(made: own(context))
      return
    }
    let name = Self.nameOfClass
    ObjectClasses.note(Self.self)
    let model = context.Persistence::persistentStoreCoordinator?.managedObjectModel
    if let entity = model?.entity(ofClassNamed: name) {
      self.init(entity: entity, insertInto: context)
    } else {
      Self.raiseUnclaimed()
      self.init(entity: EntityDescription(name: name), insertInto: nil)
    }
  }
}

extension ManagedObjectMaking {
  fileprivate init(made object: ManagedObject) { self = object as! Self }
}

/// The initializers `init(context:)` that an app's classes declare. On a device generic code,
/// such as `T(context:)`, calls them by their selector; here they are made known by code that is
/// generated when the app is compiled.
public enum ObjectMakers {
  // Sendable unchecked: only ever inside of its mutex.
  private struct Register: @unchecked Sendable {
    var makers: [ObjectIdentifier: (ManagedObjectContext) -> ManagedObject] = [:]
  }
  private static let register = Mutex(Register())

  public static func add<Object: ManagedObject>(
    _ type: Object.Type, _ make: @escaping (ManagedObjectContext) -> Object
  ) {
    let entry = Register(makers: [ObjectIdentifier(type): { make($0) }])
    register.withLock { $0.makers.merge(entry.makers) { $1 } }
  }

  fileprivate static func maker(
    of type: Any.Type
  ) -> ((ManagedObjectContext) -> ManagedObject)? {
    register.withLock { $0 }.makers[ObjectIdentifier(type)]
  }
}

extension ManagedObjectModel {
  /// The entity whose objects are of a class, by the class's name without module.
  fileprivate func entity(ofClassNamed name: String) -> EntityDescription? {
    entities.first { entity in
      entity.managedObjectClassName.split(separator: ".").last.map(String.init) == name
    }
  }
}

extension ManagedObjectContext {
  /// The objects that answer a request, unsaved changes included.
  /// - Throws: `CoreDataError` for an entity or a key the model doesn't have, and for objects that
  ///   are of another class than wanted, as in every migration.
  public func fetch<T>(_ request: FetchRequest<T>) throws -> [T] {
    if T.self != ManagedObject.self, let type = T.self as? ManagedObject.Type {
      ObjectClasses.note(type)
    }
    return try self.Persistence::fetch(request)
  }
}
