import Synchronization

/// The name under which a value transformer is registered.
public struct ValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Takes values from one form into another, as from a colour into the bytes that a store holds.
///
/// Foundation has this class on Apple's systems only. A Transformable attribute names one; see
/// ``TransformableValue``.
open class ValueTransformer: NSObject, ValueTransformerFinding {
  public override init() {}

  /// The class of what ``transformedValue(_:)`` gives.
  open class func transformedValueClass() -> AnyClass { NSObject.self }
  open class func allowsReverseTransformation() -> Bool { true }
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// As Foundation's: the same as ``transformedValue(_:)``, unless a subclass says otherwise. Raises an
  /// exception where ``allowsReverseTransformation()`` is false.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    isReversedByDefault.store(true, ordering: .relaxed)
    guard type(of: self).allowsReverseTransformation() else {
      ExceptionTrap.raise(CoreDataError.noReverseTransformation(of: self))
      return nil
    }
    return transformedValue(value)
  }

  /// Whether the method above was called, and so not replaced by a subclass's own, or not entirely.
  let isReversedByDefault = Atomic<Bool>(false)
}

/// An initializer that gives a transformer that is there already; one of a class can't do that.
public protocol ValueTransformerFinding {}

extension ValueTransformerFinding where Self: ValueTransformer {
  /// The transformer registered under a name, else a new one of the class of that name; nil without
  /// either.
  public init?(forName name: ValueTransformerName) {
    guard let found = ValueTransformer.registered(name) as? Self else { return nil }
    self = found
  }
}

// MARK: - Registering

extension ValueTransformer {
  private struct Register {
    var transformers: [ValueTransformerName: ValueTransformer] = [:]
    var makers: [String: () -> ValueTransformer] = [:]
  }
  /// Recursive, since making a transformer may register others.
  private static let lock = NSRecursiveLock()
  // Guarded by the lock.
  nonisolated(unsafe) private static var register = Register()

  public static func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: ValueTransformerName
  ) {
    lock.withLock { register.transformers[name] = transformer }
  }

  public static func valueTransformerNames() -> [ValueTransformerName] {
    lock.withLock {
      (Array(register.transformers.keys) + ValueTransformerName.standard).uniqued()
        .sorted { $0.rawValue < $1.rawValue }
    }
  }

  /// Makes a class of an app's known, which is taken where no transformer is registered under one of
  /// its names: an app registers its transformers when it starts, and nobody starts it here.
  public static func addClass(names: [String], _ make: @escaping () -> ValueTransformer) {
    lock.withLock { for name in names { register.makers[name] = make } }
  }

  package static func registered(_ name: ValueTransformerName) -> ValueTransformer? {
    lock.withLock {
      if let known = register.transformers[name] { return known }
      guard let made = register.makers[name.rawValue]?() ?? standard(name) else { return nil }
      register.transformers[name] = made
      return made
    }
  }

  private static func standard(_ name: ValueTransformerName) -> ValueTransformer? {
    switch name {
    case .negateBooleanTransformerName: return BooleanTransformer { !$0 }
    case .isNilTransformerName: return NilTransformer(givesNil: true)
    case .isNotNilTransformerName: return NilTransformer(givesNil: false)
    case .keyedUnarchiveFromDataTransformerName, .unarchiveFromDataTransformerName:
      return UnarchiveFromDataTransformer()
    case .secureUnarchiveFromDataTransformerName: return SecureUnarchiveFromDataTransformer()
    default: return nil
    }
  }
}

extension ValueTransformerName {
  public static let negateBooleanTransformerName = Self("NSNegateBoolean")
  public static let isNilTransformerName = Self("NSIsNil")
  public static let isNotNilTransformerName = Self("NSIsNotNil")
  public static let unarchiveFromDataTransformerName = Self("NSUnarchiveFromData")
  public static let keyedUnarchiveFromDataTransformerName = Self("NSKeyedUnarchiveFromData")
  public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")

  static let standard: [Self] = [
    .negateBooleanTransformerName, .isNilTransformerName, .isNotNilTransformerName,
    .unarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
    .secureUnarchiveFromDataTransformerName,
  ]
}

// MARK: - Foundation's own

private final class BooleanTransformer: ValueTransformer {
  private let transform: (Bool) -> Bool
  init(_ transform: @escaping (Bool) -> Bool) { self.transform = transform }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: transform((value as? NSNumber)?.boolValue ?? false))
  }
}

private final class NilTransformer: ValueTransformer {
  private let givesNil: Bool
  init(givesNil: Bool) { self.givesNil = givesNil }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override class func allowsReverseTransformation() -> Bool { false }
  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: (value == nil) == givesNil)
  }
}

/// Opens keyed archives; in reverse it archives.
public class UnarchiveFromDataTransformer: ValueTransformer {
  public override func transformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap(KeyedArchiveValue.unarchived)
  }

  public override func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap(KeyedArchiveValue.archivedOrException)
  }
}

/// Opens secure archives whose root is of one of some classes; in reverse it archives.
///
/// An app's subclass names classes of its own. What is of none of them becomes nil.
open class SecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that an archive's root may have.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, let object = KeyedArchiveValue.unarchived(data),
      type(of: self).allows(object)
    else { return nil }
    return object
  }

  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value, type(of: self).allows(value) else { return nil }
    return KeyedArchiveValue.archivedOrException(value)
  }

  /// Whether an object, or the one that a value of Swift's own bridges to, is of an allowed class.
  public static func allows(_ value: Any) -> Bool {
    var type: AnyClass? = foundationClass(of: value) ?? Swift.type(of: value as AnyObject)
    while let current = type {
      if allowedTopLevelClasses.contains(where: { $0 == current }) { return true }
      type = _getSuperclass(current)
    }
    return false
  }

  /// `as AnyObject` boxes some of Swift's own types instead of bridging them.
  private static func foundationClass(of value: Any) -> AnyClass? {
    switch value {
    case is String: NSString.self
    case is Data: NSData.self
    case is Date: NSDate.self
    case is URL: NSURL.self
    case is UUID: NSUUID.self
    case is Bool, is any BinaryInteger, is any BinaryFloatingPoint, is Decimal: NSNumber.self
    case is NSObject: nil
    case is [Any]: NSArray.self
    case is [AnyHashable: Any]: NSDictionary.self
    case is Set<AnyHashable>: NSSet.self
    default: nil
    }
  }
}
