/// The methods `validate<Key>(_:)` of an app's classes, which key-value validation finds by their
/// names.
public enum PropertyValidators {
  typealias Validator = (ManagedObject, UnsafeMutablePointer<AnyObject?>) throws -> Void

  /// By the property's name with a capital.
  private static let validators = ClassRegister<Validator>()

  /// - Parameter key: The rest of the method's name, as `Title` of `validateTitle`.
  public static func add<Object: ManagedObject>(
    _ type: Object.Type, key: String,
    _ body: @escaping (Object, UnsafeMutablePointer<AnyObject?>) throws -> Void
  ) {
    validators.add(
      { try body(unsafeDowncast($0, to: Object.self), $1) }, named: key, to: type)
  }

  /// The method for a property, of an object's class or the nearest superclass that has one.
  static func validator(
    of property: PropertyDescription, for object: ManagedObject
  ) -> Validator? {
    let key = property.name.prefix(1).uppercased() + property.name.dropFirst()
    return validators.member(key, of: Swift.type(of: object))
  }
}
