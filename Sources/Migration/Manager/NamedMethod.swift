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
  private static let methods = ClassRegister<NamedMethod>()

  /// Makes a method known that a class of managers has itself.
  public static func add<Manager: MigrationManager, Result>(
    _ type: Manager.Type, _ selector: String, title: String, obstacle: String?,
    _ body: @escaping (Manager, FunctionArguments) throws -> Result
  ) {
    methods.add(NamedMethod(title: title, obstacle: obstacle, body), named: selector, to: type)
  }

  /// The methods of a manager's class and its superclasses, by selector.
  static func methods(of manager: MigrationManager) -> [String: NamedMethod] {
    methods.members(of: Swift.type(of: manager))
  }
}
