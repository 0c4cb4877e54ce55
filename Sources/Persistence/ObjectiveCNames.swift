import Synchronization

/// What the Objective-C runtime knows of an app's classes on a device: the names that `@objc(Name)`
/// gives, and the `@objc` properties of managed objects' classes.
public enum ObjectiveCNames {
  public typealias Property = @Sendable (ManagedObject) -> Any?

  // Sendable unchecked: only ever inside of its mutex.
  private struct Table: @unchecked Sendable {
    var names: [ObjectIdentifier: String] = [:]
    var classes: [String: AnyClass] = [:]
    var properties: [ObjectIdentifier: [String: Property]] = [:]
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
    _ property: String, of type: ManagedObject.Type, _ read: @escaping Property
  ) {
    table.withLock { $0.properties[ObjectIdentifier(type), default: [:]][property] = read }
  }

  static func property(_ key: String, of type: ManagedObject.Type) -> Property? {
    if type == ManagedObject.self { return nil }
    return table.withLock { $0.properties[ObjectIdentifier(type)]?[key] }
  }

  /// What `@objc(Name)` calls a class.
  public static func name(of type: AnyClass) -> String? {
    table.withLock { $0.names[ObjectIdentifier(type)] }
  }

  public static func type(named name: String) -> AnyClass? {
    table.withLock { $0.classes[name] }
  }
}
