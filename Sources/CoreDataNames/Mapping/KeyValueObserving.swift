import Synchronization

// Key-value observing of a migration manager's progress. Foundation has key-value observing on Apple's
// systems only, and nothing else is observed here.

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let new = Self(rawValue: 1)
  public static let old = Self(rawValue: 2)
  public static let initial = Self(rawValue: 4)
  public static let prior = Self(rawValue: 8)
}

public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let kindKey = Self(rawValue: "kind")
  public static let newKey = Self(rawValue: "new")
  public static let oldKey = Self(rawValue: "old")
  public static let indexesKey = Self(rawValue: "indexes")
  public static let notificationIsPriorKey = Self(rawValue: "notificationIsPrior")
}

public enum NSKeyValueChange: UInt, Sendable {
  case setting = 1
  case insertion = 2
  case removal = 3
  case replacement = 4
}

/// A change that a closure is told of.
public struct NSKeyValueObservedChange<Value> {
  public let kind: NSKeyValueChange
  public let newValue: Value?
  public let oldValue: Value?
  public let indexes: IndexSet?
  public let isPrior: Bool
}

/// Ends the observing when it is let go of, or told to.
public final class NSKeyValueObservation: NSObject {
  private weak var manager: MigrationManager?
  private let observer: ProgressObserver

  fileprivate init(_ observer: ProgressObserver, of manager: MigrationManager) {
    self.observer = observer
    self.manager = manager
  }

  public func invalidate() { manager?.progressObservers.removeAll { $0 === observer } }

  deinit { invalidate() }
}

// MARK: - By closure

/// What can be observed by a key path of its own class.
public protocol KeyValueObserved: AnyObject {}

extension MigrationManager: KeyValueObserved {}

extension KeyValueObserved where Self: MigrationManager {
  /// Has a closure told of `migrationProgress`; any other key path raises.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    if keyPath != \Self.migrationProgress { ExceptionTrap.raise(CoreDataError.unobserved(keyPath)) }
    let tell = { [unowned self] (change: ProgressChange) in
      changeHandler(
        self,
        NSKeyValueObservedChange(
          kind: .setting, newValue: change.new as? Value, oldValue: change.old as? Value,
          indexes: nil, isPrior: change.isPrior))
    }
    let observer = ProgressObserver { old, new in
      ProgressChange.each(old: old, new: new, options).forEach(tell)
    }
    progressObservers.append(observer)
    if options.contains(.initial) { tell(.initial(migrationProgress, options)) }
    return NSKeyValueObservation(observer, of: self)
  }
}

// MARK: - By object

extension MigrationManager {
  private struct Registration {
    weak var manager: MigrationManager?
    weak var observer: NSObject?
    let context: UnsafeMutableRawPointer?
    let progress: ProgressObserver
  }
  // Sendable unchecked: only ever inside of its mutex.
  private struct Register: @unchecked Sendable {
    var registrations: [Registration] = []
  }
  private static let register = Mutex(Register())

  /// Has `observeValue(forKeyPath:of:change:context:)` of an object called with `migrationProgress`;
  /// any other key path raises.
  public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    if keyPath != "migrationProgress" { ExceptionTrap.raise(CoreDataError.unobserved(keyPath)) }
    // Handed back as it was given; nobody here looks behind it.
    nonisolated(unsafe) let context = context
    let tell = { [weak observer, unowned self] (change: ProgressChange) in
      guard let observer else { return }
      ObserverMethods.call(observer, keyPath, self, change.dictionary, context)
    }
    let progress = ProgressObserver { old, new in
      ProgressChange.each(old: old, new: new, options).forEach(tell)
    }
    progressObservers.append(progress)
    let entry = Register(registrations: [
      Registration(manager: self, observer: observer, context: context, progress: progress)
    ])
    Self.register.withLock {
      $0.registrations.removeAll { $0.manager == nil }
      $0.registrations += entry.registrations
    }
    if options.contains(.initial) { tell(.initial(migrationProgress, options)) }
  }

  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
    remove(observer, keyPath) { _ in true }
  }

  public func removeObserver(
    _ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    remove(observer, keyPath) { $0.context == context }
  }

  /// Ends the newest observing that fits. One that never began raises, as on a device.
  private func remove(
    _ observer: NSObject, _ keyPath: String, where fits: (Registration) -> Bool
  ) {
    let registrations = Self.register.withLock { $0 }.registrations
    let found = registrations.last {
      $0.manager === self && $0.observer === observer && fits($0)
    }
    guard let found, keyPath == "migrationProgress" else {
      return ExceptionTrap.raise(CoreDataError.unknownObserver(observer, keyPath, self))
    }
    let progress = Register(registrations: [found])
    Self.register.withLock { register in
      register.registrations.removeAll { $0.progress === progress.registrations[0].progress }
    }
    progressObservers.removeAll { $0 === found.progress }
  }
}

/// What an observer is told of.
private struct ProgressChange {
  var old: Float?
  var new: Float?
  var isPrior = false

  static func each(
    old: Float, new: Float, _ options: NSKeyValueObservingOptions
  ) -> [ProgressChange] {
    let old = options.contains(.old) ? old : nil
    let change = ProgressChange(old: old, new: options.contains(.new) ? new : nil)
    return options.contains(.prior) ? [ProgressChange(old: old, isPrior: true), change] : [change]
  }

  static func initial(_ progress: Float, _ options: NSKeyValueObservingOptions) -> ProgressChange {
    ProgressChange(new: options.contains(.new) ? progress : nil)
  }

  var dictionary: [NSKeyValueChangeKey: Any] {
    var change: [NSKeyValueChangeKey: Any] = [
      .kindKey: NSNumber(value: NSKeyValueChange.setting.rawValue)
    ]
    change[.newKey] = new.map { NSNumber(value: $0) }
    change[.oldKey] = old.map { NSNumber(value: $0) }
    if isPrior { change[.notificationIsPriorKey] = NSNumber(value: true) }
    return change
  }
}

/// The methods `observeValue(forKeyPath:of:change:context:)` of an app's classes. On Apple's systems
/// they override one of NSObject's, which has none elsewhere.
public enum ObserverMethods {
  typealias Method = (
    NSObject, String?, Any?, [NSKeyValueChangeKey: Any]?, UnsafeMutableRawPointer?
  ) -> Void
  private static let methods = ClassRegister<Method>()

  public static func add<Observer: NSObject>(
    _ type: Observer.Type,
    _ body:
      @escaping (
        Observer, String?, Any?, [NSKeyValueChangeKey: Any]?, UnsafeMutableRawPointer?
      ) -> Void
  ) {
    methods.add(
      { body(unsafeDowncast($0, to: Observer.self), $1, $2, $3, $4) }, named: "", to: type)
  }

  static func call(
    _ observer: NSObject, _ keyPath: String, _ object: NSObject,
    _ change: [NSKeyValueChangeKey: Any], _ context: UnsafeMutableRawPointer?
  ) {
    if let method = methods.member("", of: Swift.type(of: observer)) {
      return method(observer, keyPath, object, change, context)
    }
    observer.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
  }
}

/// NSObject's own method, in a place where an app's class can have one of the same name.
public protocol KeyValueObserving: AnyObject {}

extension NSObject: KeyValueObserving {}

extension KeyValueObserving where Self: NSObject {
  /// Raises: nobody handles the change.
  public func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    ExceptionTrap.raise(
      CoreDataError(
        .coreData,
        "<\(type(of: self))>: An -observeValueForKeyPath:ofObject:change:context: message was "
          + "received but not handled. Key path: \(keyPath ?? "nil")"))
  }
}

extension CoreDataError {
  fileprivate static func unobserved(_ keyPath: Any) -> CoreDataError {
    CoreDataError(
      .coreData, "\(keyPath) of a migration manager can't be observed here",
      advice: "Observe migrationProgress, the one key that Core Data documents as observable.")
  }

  fileprivate static func unknownObserver(
    _ observer: NSObject, _ keyPath: String, _ manager: MigrationManager
  ) -> CoreDataError {
    CoreDataError(
      .coreData,
      "Cannot remove an observer <\(type(of: observer))> for the key path \"\(keyPath)\" from "
        + "<\(type(of: manager))> because it is not registered as an observer.")
  }
}
