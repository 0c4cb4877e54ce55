import Synchronization

/// The methods `validate<Key>(_:)` of an app's classes, which key-value validation finds by their
/// names.
public enum PropertyValidators {
  typealias Validator = (ManagedObject, UnsafeMutablePointer<AnyObject?>) throws -> Void

  /// By class, then by the property's name with a capital. Written while a library is loaded.
  /// Sendable unchecked: only ever inside of its mutex.
  private struct Register: @unchecked Sendable {
    var validators: [ObjectIdentifier: [String: Validator]] = [:]
  }
  private static let register = Mutex(Register())

  /// - Parameter key: The rest of the method's name, as `Title` of `validateTitle`.
  public static func add<Object: ManagedObject>(
    _ type: Object.Type, key: String,
    _ body: @escaping (Object, UnsafeMutablePointer<AnyObject?>) throws -> Void
  ) {
    let entry = Register(validators: [
      ObjectIdentifier(type): [key: { try body(unsafeDowncast($0, to: Object.self), $1) }]
    ])
    register.withLock {
      $0.validators.merge(entry.validators) { old, new in old.merging(new) { $1 } }
    }
  }

  /// The method for a property, of an object's class or the nearest superclass that has one.
  static func validator(
    of property: PropertyDescription, for object: ManagedObject
  ) -> Validator? {
    let register = register.withLock { $0 }
    if register.validators.isEmpty { return nil }
    let key = property.name.prefix(1).uppercased() + property.name.dropFirst()
    var type: AnyClass? = Swift.type(of: object)
    while let current = type {
      if let found = register.validators[ObjectIdentifier(current)]?[key] { return found }
      type = _getSuperclass(current)
    }
    return nil
  }
}
