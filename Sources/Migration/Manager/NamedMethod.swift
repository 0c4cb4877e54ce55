import Synchronization

/// A method of an app's class that `FUNCTION` calls by its selector, as the Objective-C runtime would
/// find it.
public struct NamedMethod {
  /// The Swift name, as `price(for:manager:)`.
  public let title: String
  /// Why a device can't call it; nil for one that can be called.
  public let obstacle: String?
  private let body: (AnyObject, FunctionArguments) throws -> Any?

  /// - Parameter body: Called with objects of the class or of its subclasses only.
  init<Target: AnyObject, Result>(
    title: String, obstacle: String?, _ body: @escaping (Target, FunctionArguments) throws -> Result
  ) {
    self.title = title
    self.obstacle = obstacle
    self.body = {
      let result = try body(unsafeDowncast($0, to: Target.self), $1)
      return result is Void ? nil : Value.unwrapped(result)
    }
  }

  /// Calls the method of an object of its class.
  /// - Throws: `CoreDataError` `.migration` where the number of arguments is another than the
  ///   selector's, or a device couldn't call it; whatever the method throws.
  public func call(on target: AnyObject, selector: String, arguments: [Any?]) throws -> Any? {
    let name = String(reflecting: type(of: target))
    let wanted = selector.count { $0 == ":" }
    guard arguments.count == wanted else {
      let role = target is MigrationManager ? "migration manager" : "policy"
      throw CoreDataError.argumentCount(
        arguments.count, of: "\(role) \(name): \(selector)", wanted: wanted)
    }
    if let obstacle {
      throw CoreDataError.uncallable("\(name).\(title)", obstacle)
    }
    return try body(target, FunctionArguments(arguments, selector: selector))
  }
}

/// The methods that an app's migration managers have beyond Core Data's own: made known by code that is
/// generated when the app's sources are compiled.
public enum ManagerMethods {
  // Sendable unchecked: only ever inside of its mutex.
  private struct Register: @unchecked Sendable {
    var methods: [ObjectIdentifier: [String: NamedMethod]] = [:]
  }
  private static let register = Mutex(Register())

  /// Makes a method known that a class of managers has itself.
  public static func add<Manager: MigrationManager, Result>(
    _ type: Manager.Type, _ selector: String, title: String, obstacle: String?,
    _ body: @escaping (Manager, FunctionArguments) throws -> Result
  ) {
    let entry = Register(methods: [
      ObjectIdentifier(type): [selector: NamedMethod(title: title, obstacle: obstacle, body)]
    ])
    register.withLock { known in
      known.methods.merge(entry.methods) { $0.merging($1) { _, new in new } }
    }
  }

  /// The methods of a manager's class and its superclasses, by selector.
  static func methods(of manager: MigrationManager) -> [String: NamedMethod] {
    let known = register.withLock { $0 }.methods
    var methods: [String: NamedMethod] = [:]
    var type: AnyClass? = Swift.type(of: manager)
    while let current = type, !known.isEmpty {
      methods.merge(known[ObjectIdentifier(current)] ?? [:]) { own, _ in own }
      type = _getSuperclass(current)
    }
    return methods
  }
}
