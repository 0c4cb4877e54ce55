/// A function that makes a staged migration manager.
public struct StagedManagerMaker {
  /// How many models it refers to; 0 where it finds them itself.
  public let modelCount: Int
  public let make: ([ManagedObjectModel]) throws -> StagedMigrationManager
}

/// A migration manager's class of the app's.
public struct MigrationManagerClass {
  /// The method that it overrides to migrate by itself; nil where it leaves that to Core Data.
  public let ownMigration: String?
  public let make:
    (_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> MigrationManager
}

/// The policy classes of a compiled library.
///
/// Code that is generated when a user's policies are compiled fills the table in; it stands for the
/// Objective-C runtime, which elsewhere makes objects by class name and calls methods by selector.
public final class PolicyTable {
  public struct PolicyClass {
    /// The names under which mappings find the class: `Module.Class`, and what `@objc(Name)` says.
    public let names: [String]
    /// The superclass, by its key in ``classes``; nil when that is `EntityMigrationPolicy`.
    public let superclass: String?
    /// Whether neither the class nor a superclass overrides what links objects in the second pass.
    public let leavesLinking: Bool
    /// Makes a policy; nil for a class without `init()`.
    public let make: (() -> EntityMigrationPolicy)?
  }

  /// By Swift name without the module.
  public private(set) var classes: [String: PolicyClass] = [:]
  /// The methods that each class itself adds, by selector.
  private var functions: [String: [String: NamedMethod]] = [:]

  /// Functions that stages can call, by Swift name without the module.
  public private(set) var stageHandlers: [String: CustomMigrationStage.Handler] = [:]

  /// Functions that make a staged migration manager of some models, by Swift name without the module.
  public private(set) var stagedManagers: [String: StagedManagerMaker] = [:]

  /// The app's migration managers, by the names that the runtime knows them by.
  public private(set) var managers: [String: MigrationManagerClass] = [:]

  public init() {}

  /// - Parameter ownMigration: The method that the class migrates by itself with, as `migrateStore(from:…)`.
  public func addManager(
    names: [String], ownMigration: String?,
    _ make: @escaping (ManagedObjectModel, ManagedObjectModel) -> MigrationManager
  ) {
    for name in names {
      managers[name] = MigrationManagerClass(ownMigration: ownMigration, make: make)
    }
  }

  public func addStagedManager(
    _ name: String, models: Int,
    _ make: @escaping ([ManagedObjectModel]) throws -> StagedMigrationManager
  ) { stagedManagers[name] = StagedManagerMaker(modelCount: models, make: make) }

  public func addStageHandler(_ name: String, _ handler: @escaping CustomMigrationStage.Handler) {
    stageHandlers[name] = handler
  }

  public func addClass(
    _ key: String, names: [String], superclass: String?, leavesLinking: Bool,
    make: (() -> EntityMigrationPolicy)?
  ) {
    classes[key] = PolicyClass(
      names: names, superclass: superclass, leavesLinking: leavesLinking, make: make)
  }

  /// Adds a method. `body` is called with objects of the class `key` or of its subclasses only.
  public func addFunction<Policy: EntityMigrationPolicy, Result>(
    _ selector: String, title: String, obstacle: String?, to key: String,
    _ body: @escaping (Policy, FunctionArguments) throws -> Result
  ) {
    functions[key, default: [:]][selector] = NamedMethod(title: title, obstacle: obstacle, body)
  }

  /// The methods of a class by selector: its own, those of its superclasses in the library, and
  /// those that the library adds to `EntityMigrationPolicy`.
  public func functions(of key: String) -> [String: NamedMethod] {
    let inherited = classes[key]?.superclass ?? Self.rootKey
    let own = functions[key] ?? [:]
    return key == Self.rootKey ? own : functions(of: inherited).merging(own) { _, own in own }
  }

  private static let rootKey = "EntityMigrationPolicy"
}

/// The arguments of a `FUNCTION` call, as Foundation objects.
public struct FunctionArguments {
  private let values: [Any?]
  private let selector: String

  public init(_ values: [Any?], selector: String) {
    self.values = values
    self.selector = selector
  }

  /// One argument, as the type that the method declares.
  /// - Throws: What a device stops with when the argument is of another type.
  public func value<Argument>(_ index: Int) throws -> Argument {
    guard let value = values[index] else { return try missing(index) }
    if let argument = value as? Argument { return argument }
    if let argument = bridged(value, as: Argument.self) { return argument }
    throw mismatch(value, type: Argument.self, index: index)
  }

  /// What Swift makes of nil: nil itself, also in an `Any`, or an empty value where there is one.
  private func missing<Argument>(_ index: Int) throws -> Argument {
    if let type = Argument.self as? any ExpressibleByNilLiteral.Type,
      let argument = type.init(nilLiteral: ()) as? Argument
    {
      return argument
    }
    if let argument = (Optional<AnyObject>.none as Any) as? Argument { return argument }
    if let empty = (Argument.self as? any EmptyWhenNil.Type)?.init() as? Argument { return empty }
    throw mismatch(nil, type: Argument.self, index: index)
  }

  /// What Swift makes of an Objective-C object that isn't of the declared type: of an ordered set its
  /// objects, where an array is wanted: it answers an array's messages.
  private func bridged<Argument>(_ value: Any, as type: Argument.Type) -> Argument? {
    switch value {
    case let set as NSOrderedSet:
      (type == NSArray.self ? NSArray(array: set.array) : set.array as Any) as? Argument
    case let set as NSSet: NSSet(array: set.allObjects) as? Argument
    default: nil
    }
  }

  private func mismatch(_ value: Any?, type: Any.Type, index: Int) -> CoreDataError {
    let wanted = String(reflecting: type)
    guard let value else {
      let error = CoreDataError.nilArgument(index + 1, of: selector, wanted: wanted)
      return type is AnyClass ? error.caused(by: .nilArgument) : error
    }
    return .castFailure(of: value, to: type).with(value: "argument \(index + 1) of \(selector)")
  }
}

/// The types whose bridges make an empty value of nil.
private protocol EmptyWhenNil {
  init()
}

extension String: EmptyWhenNil {}
extension Data: EmptyWhenNil {}
extension Array: EmptyWhenNil {}
extension Dictionary: EmptyWhenNil {}
extension Set: EmptyWhenNil {}
