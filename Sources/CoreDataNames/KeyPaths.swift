import Synchronization

/// The names of properties that Swift's key paths lead to, as key-value coding needs them.
///
/// On Apple's systems a key path of `@objc` properties knows its text. Elsewhere the names of an app's
/// properties are registered when its library is loaded; of a path through several objects, each
/// `@NSManaged` property says its name when it is asked for its value.
public enum KeyPathNames {
  // Sendable unchecked: only ever inside of its mutex. Key paths never change.
  private struct Register: @unchecked Sendable {
    var names: [AnyKeyPath: String] = [:]
  }
  private static let register = Mutex(Register())

  public static func add(_ name: String, _ keyPath: AnyKeyPath) {
    let entry = Register(names: [keyPath: name])
    register.withLock { $0.names.merge(entry.names) { $1 } }
  }

  /// The text of a key path; nil for one that leads through other than properties of managed objects.
  static func known(_ keyPath: AnyKeyPath) -> String? {
    register.withLock({ $0 }).names[keyPath] ?? recordedText(of: keyPath)
  }

  /// The text of a key path. One that can't be told raises.
  static func text(of keyPath: AnyKeyPath) -> String {
    if let path = known(keyPath) { return path }
    ExceptionTrap.raise(
      CoreDataError(
        .coreData, "Could not extract a String from KeyPath \(keyPath)",
        advice:
          "The path must lead through @NSManaged or @objc properties of managed objects; else "
          + "give it as text."))
    return ""
  }

  private static func recordedText(of keyPath: AnyKeyPath) -> String? {
    guard let type = type(of: keyPath).rootType as? ManagedObject.Type else { return nil }
    let recorder = KeyRecorder()
    recorder.recording { _ = (KeyRecorder.standIn(for: type) as Any)[keyPath: keyPath] }
    if recorder.keys.isEmpty { return nil }
    let path = recorder.keys.joined(separator: ".")
    add(path, keyPath)
    return path
  }
}

/// Notes which `@NSManaged` properties are asked for.
/// Sendable unchecked: used by the task that records with it, and nobody else.
final class KeyRecorder: @unchecked Sendable {
  @TaskLocal private static var current: KeyRecorder?
  private static let recorders = Atomic<Int>(0)
  private(set) var keys: [String] = []

  func recording(_ body: () -> Void) {
    Self.recorders.add(1, ordering: .relaxed)
    Self.$current.withValue(self, operation: body)
    Self.recorders.subtract(1, ordering: .relaxed)
  }

  /// Notes a property, and gives a value to go on with, if somebody records.
  static func value<Property>(recording key: String) -> Property? {
    if recorders.load(ordering: .relaxed) == 0 { return nil }
    guard let current else { return nil }
    current.keys.append(key)
    return standIn(of: Property.self) as? Property
  }

  /// Something of a type, also for an optional one: a path may unwrap it.
  private static func standIn(of type: Any.Type) -> Any? {
    switch type {
    case let optional as any StandInOptional.Type: standIn(of: optional.wrapped) ?? Any?.none as Any
    case let type as ManagedObject.Type: standIn(for: type)
    case is Date.Type: Date.distantPast
    case is UUID.Type: UUID()
    case is URL.Type: URL(fileURLWithPath: "/")
    case is NSNumber.Type: NSDecimalNumber.zero
    case is NSSet.Type: NSSet()
    case is NSOrderedSet.Type: NSOrderedSet()
    default: ManagedObject.emptyValue(of: type)
    }
  }

  /// An object that has nothing but its class.
  static func standIn(for type: ManagedObject.Type) -> ManagedObject {
    type.init(entity: EntityDescription(name: String(describing: type)), insertInto: nil)
  }
}

private protocol StandInOptional { static var wrapped: Any.Type { get } }

extension Optional: StandInOptional {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

// MARK: - What takes key paths

extension SortDescriptor {
  public convenience init<Root, Property>(keyPath: KeyPath<Root, Property>, ascending: Bool) {
    self.init(key: KeyPathNames.text(of: keyPath), ascending: ascending)
  }

  public convenience init<Root, Property>(
    keyPath: KeyPath<Root, Property>, ascending: Bool, comparator: @escaping Comparator
  ) {
    self.init(key: KeyPathNames.text(of: keyPath), ascending: ascending, comparator: comparator)
  }
}

extension Expression {
  public convenience init<Root, Property>(forKeyPath keyPath: KeyPath<Root, Property>) {
    self.init(forKeyPath: KeyPathNames.text(of: keyPath))
  }
}

/// What takes key paths of the object's own class.
extension ManagedObjectMaking where Self: ManagedObject {
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    willChangeValue(forKey: KeyPathNames.text(of: keyPath))
  }
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: KeyPathNames.text(of: keyPath))
  }
  public func willChange<Value>(
    _ change: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
  ) { willChangeValue(for: keyPath) }
  public func didChange<Value>(
    _ change: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
  ) { didChangeValue(for: keyPath) }
  public func willChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind,
    using set: Set<Value>
  ) { willChangeValue(for: keyPath) }
  public func didChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind,
    using set: Set<Value>
  ) { didChangeValue(for: keyPath) }
}

extension AnyKeyPath {
  /// The text for key-value coding, in place of Swift's own, which knows only what Objective-C made.
  public var _kvcKeyPathString: String? { KeyPathNames.known(self) }
}
