// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Glibc
import Synchronization

/// Runs `body`. Only what contexts keep for code waits here for a pool to end.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try ManagedObjectContext.inPool(body)
}

/// The name of a method, as `#selector` gives it.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
  public var name: String
  public init(_ name: String) { self.name = name }
  public init(stringLiteral name: String) { self.name = name }
}

public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

/// The seconds since the beginning of 2001, by the clock that a scenario may fix.
public func CFAbsoluteTimeGetCurrent() -> TimeInterval {
  Surroundings.now.timeIntervalSinceReferenceDate
}

/// The name of a class, as `@objc(Name)` has it, else with its module.
public func NSStringFromClass(_ type: AnyClass) -> String {
  ObjectiveCNames.name(of: type) ?? Foundation.NSStringFromClass(type)
}

/// The class of a name: one that `@objc(Name)` gives, or `Module.Class`.
public func NSClassFromString(_ name: String) -> AnyClass? {
  ObjectiveCNames.type(named: name) ?? Foundation.NSClassFromString(name)
}

public func object_getClass(_ object: Any?) -> AnyClass? {
  object.map { Swift.type(of: $0 as AnyObject) }
}

extension SortDescriptor {
  public var selector: Selector? { comparator == nil ? Selector(selectorName ?? "compare:") : nil }

  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    self.init(key: key, ascending: ascending, selectorName: selector?.name)
  }
}

/// A pointer to a value that is given back. Objects are counted everywhere alike here.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

// MARK: - Locks

/// The locks of objects that somebody holds.
/// Sendable unchecked: only ever inside of its mutex.
private struct ObjectLocks: @unchecked Sendable {
  var locks: [ObjectIdentifier: (lock: NSRecursiveLock, users: Int)] = [:]
}
private let objectLocks = Mutex(ObjectLocks())

/// Takes the lock of an object; a thread may take it several times.
@discardableResult public func objc_sync_enter(_ object: Any) -> Int32 {
  let id = ObjectIdentifier(object as AnyObject)
  let lock = objectLocks.withLock { register in
    let lock = register.locks[id]?.lock ?? NSRecursiveLock()
    register.locks[id] = (lock, (register.locks[id]?.users ?? 0) + 1)
    return lock
  }
  lock.lock()
  return 0
}

/// Gives the lock of an object back.
@discardableResult public func objc_sync_exit(_ object: Any) -> Int32 {
  let id = ObjectIdentifier(object as AnyObject)
  let lock = objectLocks.withLock { register -> NSRecursiveLock? in
    guard let entry = register.locks[id] else { return nil }
    register.locks[id] = entry.users > 1 ? (entry.lock, entry.users - 1) : nil
    return entry.lock
  }
  lock?.unlock()
  return lock == nil ? -1 : 0
}

// MARK: - Classes and methods

extension NSObject {
  /// The name of the class.
  public class func description() -> String {
    let name = String(reflecting: self).split(separator: ".").map(String.init)
    let engine: Set = ["ObjectModel", "Predicates", "Persistence", "Migration"]
    return name.count == 2 && engine.contains(name[0]) ? "NS" + name[1] : NSStringFromClass(self)
  }

  public var className: String { NSStringFromClass(Swift.type(of: self)) }

  /// The class itself; Foundation has it of objects alone.
  public static func classForCoder() -> AnyClass { self }

  /// Whether the object has a method: known of policies and of managed objects' properties; for any
  /// other object it raises, since nobody can tell here.
  public func responds(to selector: Selector?) -> Bool {
    guard let name = selector?.name else { return false }
    switch self {
    case let policy as EntityMigrationPolicy: return policy.functionSelectors.contains(name)
    case let object as ManagedObject: return object.hasAccessor(name)
    default:
      ExceptionTrap.raise(
        CoreDataError(
          .coreData, "responds(to: \(name)) of \(type(of: self)) can't be answered here",
          advice: "Methods are known by name of policies and managed objects only."))
      return false
    }
  }
}

extension ManagedObject {
  fileprivate func hasAccessor(_ name: String) -> Bool {
    if entity.propertiesByName[name] != nil { return true }
    guard name.hasPrefix("set"), name.hasSuffix(":") else { return false }
    let property = name.dropFirst(3).dropLast()
    return entity.propertiesByName[property.prefix(1).lowercased() + property.dropFirst()] != nil
  }
}

extension ManagedObject {
  /// What a property or `description` is, by the name of its method. Another name raises.
  @discardableResult public func perform(_ selector: Selector) -> Unmanaged<AnyObject>? {
    let value = selector.name == "description" ? description : value(forKey: selector.name)
    return value.map { Unmanaged.passRetained($0 as AnyObject) }
  }
}

extension EntityMigrationPolicy {
  /// Calls a method of the policy by its name. A name it doesn't have raises.
  @discardableResult public func perform(
    _ selector: Selector, with object: Any? = nil
  ) -> Unmanaged<AnyObject>? {
    do {
      let arguments: [Any?] = selector.name.hasSuffix(":") ? [object] : []
      guard let functionDispatcher else {
        throw CoreDataError.unrecognizedSelector(selector.name, policy: self)
      }
      return try functionDispatcher(self, selector.name, arguments)
        .map { Unmanaged.passRetained($0 as AnyObject) }
    } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }
}

// MARK: - Signals

/// `raise(_:)` and `kill(_:_:)` of an app: the process ends by a signal that its code sends itself. Swift's handler,
/// which prints a backtrace, would let it go on, and so would this tool's own.
public enum OwnSignal {
  public static func raise(_ number: Int32) -> Int32 {
    var own = sigset_t()
    sigemptyset(&own)
    sigaddset(&own, number)
    // Threads of Dispatch let no signal through.
    pthread_sigmask(SIG_UNBLOCK, &own, nil)
    if number != 0 { signal(number, SIG_DFL) }
    return Glibc.raise(number)
  }

  public static func kill(_ process: pid_t, _ number: Int32) -> Int32 {
    Glibc.kill(process, number)
  }
}
