import Synchronization

/// What the Objective-C runtime knows of an app's classes on a device: the names that `@objc(Name)`
/// gives, and the `@objc` properties of managed objects' classes.
public enum ObjectiveCNames {
  /// A property of an app's class, as key-value coding reads and sets it.
  public struct Accessor: Sendable {
    public typealias Reading = @Sendable (ManagedObject) -> Any?
    public typealias Writing = @Sendable (ManagedObject, Any?) throws -> Void
    let read: Reading
    /// Nil for a property that can't be set.
    let write: Writing?
  }

  // Sendable unchecked: only ever inside of its mutex.
  private struct Table: @unchecked Sendable {
    var names: [ObjectIdentifier: String] = [:]
    var classes: [String: AnyClass] = [:]
    var properties: [ObjectIdentifier: [String: Accessor]] = [:]
    var scalars: [ObjectIdentifier: Set<String>] = [:]
    var hearers: [@Sendable (ManagedObject) -> Bool] = []
  }
  private static let table = Mutex(Table())

  /// Notes the name that `@objc(Name)` gives to a class.
  public static func note(_ name: String, of type: AnyClass) {
    table.withLock {
      $0.names[ObjectIdentifier(type)] = name
      $0.classes[name] = type
    }
    if let type = type as? ManagedObject.Type { ObjectClasses.note(type, as: name) }
    ArchivedClassNames.note(name, of: type)
  }

  /// Notes an `@objc` property of a managed objects' class, own or inherited.
  public static func note(
    _ property: String, of type: ManagedObject.Type,
    _ read: @escaping Accessor.Reading, write: Accessor.Writing? = nil
  ) {
    let accessor = Accessor(read: read, write: write)
    table.withLock { $0.properties[ObjectIdentifier(type), default: [:]][property] = accessor }
    hasAccessors.store(true, ordering: .relaxed)
  }

  /// Notes a property of a managed objects' class, own or inherited, that is a number in Swift: it can't
  /// be nil.
  public static func noteScalar(_ property: String, of type: ManagedObject.Type) {
    _ = table.withLock { $0.scalars[ObjectIdentifier(type), default: []].insert(property) }
  }

  static func isScalar(_ key: String, of type: ManagedObject.Type) -> Bool {
    table.withLock { $0.scalars[ObjectIdentifier(type)]?.contains(key) ?? false }
  }

  /// Notes a class that overrides `willChangeValue(forKey:)` or `didChangeValue(forKey:)`.
  public static func noteHearer<Object: ManagedObject>(_ type: Object.Type) {
    table.withLock { $0.hearers.append { $0 is Object } }
    hasHearers.store(true, ordering: .relaxed)
  }

  private static let hasHearers = Atomic<Bool>(false)

  static func hearsOfChanges(_ object: ManagedObject) -> Bool {
    guard hasHearers.load(ordering: .relaxed) else { return false }
    return table.withLock(\.hearers).contains { $0(object) }
  }

  private static let hasAccessors = Atomic<Bool>(false)

  static func accessor(_ key: String, of type: ManagedObject.Type) -> Accessor? {
    guard hasAccessors.load(ordering: .relaxed) else { return nil }
    return table.withLock { $0.properties[ObjectIdentifier(type)]?[key] }
  }

  /// A value as a property of an app's class takes it.
  /// - Throws: What a device stops with where the value is of another type.
  public static func converted<Property>(_ value: Any?, forKey key: String) throws -> Property {
    if let property = value as? Property { return property }
    if let property = Value(value).boxed as? Property { return property }
    throw CoreDataError.castFailure(of: value as Any, to: Property.self).with(value: key)
  }

  /// What `@objc(Name)` calls a class.
  public static func name(of type: AnyClass) -> String? {
    table.withLock { $0.names[ObjectIdentifier(type)] }
  }

  public static func type(named name: String) -> AnyClass? {
    table.withLock { $0.classes[name] }
  }
}
