/// How the instances of one entity mapping are made, linked and checked.
///
/// This class is Core Data's own policy, which does what the mapping says. A subclass, named by
/// the mapping's ``EntityMapping/entityMigrationPolicyClassName``, overrides what it wants to do
/// itself. One instance serves one entity mapping through all three passes, so it may keep state.
///
/// Every hook may throw; the migration then stops with that error.
open class EntityMigrationPolicy: NSObject {
  /// Calls a method of this policy for `FUNCTION($entityPolicy, "selector:", …)`: the policy, the
  /// selector, and the arguments as Foundation objects. Whoever makes the policy sets it; see
  /// ``PolicyProvider``. For a selector the policy doesn't have it throws
  /// ``ObjectModel/CoreDataError/unrecognizedSelector(_:policy:)``.
  public typealias FunctionDispatcher = (
    _ policy: EntityMigrationPolicy, _ selector: String, _ arguments: [Any?]
  ) throws -> Any?

  /// What answers `FUNCTION` calls to this policy; nil when it has no methods to call.
  public var functionDispatcher: FunctionDispatcher?

  /// Whether the class is known to leave ``createRelationships(forDestination:in:manager:)`` as it is here,
  /// so that objects need no visit in the second pass where the mapping has nothing to link. Whoever makes
  /// the policy says so; else every object is visited.
  package final var leavesLinkingToCoreData = false

  /// The selectors that ``functionDispatcher`` knows, as `responds(to:)` answers.
  public var functionSelectors: Set<String> = []

  public override init() { super.init() }

  /// First pass, before the mapping's first source instance.
  open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// First pass, once for each source instance: makes the destination instances, sets their
  /// attributes and associates them with the source.
  ///
  /// This class inserts one instance, applies every attribute mapping that has an expression
  /// (a nil result is set over the model's default), and associates it.
  open func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDestinationInstance(forSource: sInstance, in: mapping, policy: self)
  }

  /// First pass, after the mapping's last source instance.
  open func endInstanceCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Second pass, once for each destination instance that was associated under the mapping: links
  /// it to other destination instances.
  ///
  /// This class applies every relationship mapping that has an expression.
  open func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createRelationships(forDestination: dInstance, in: mapping, policy: self)
  }

  /// Second pass, after the mapping's last destination instance.
  open func endRelationshipCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Third pass: checks, and last repairs. The model's validation follows when all mappings have
  /// been here.
  open func performCustomValidation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// The end of the mapping, after custom validation and before anything is saved.
  open func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}
}

// MARK: - FUNCTION($entityPolicy, …)

extension EntityMigrationPolicy: FunctionTarget {
  public func callFunction(selector: String, arguments: [Value]) throws -> Value {
    guard let functionDispatcher else {
      throw CoreDataError.unrecognizedSelector(selector, policy: self)
    }
    return Value(try functionDispatcher(self, selector, arguments.map(\.boxedArgument)))
  }
}

// MARK: - Calls of its hooks

/// A call of a policy's hook that has just returned.
public struct HookCall {
  public let kind: MigrationTrace.Event.Kind
  public let mapping: EntityMapping
  /// The pass it belongs to.
  public let pass: String
  /// The object it was called for: of the source in the first pass, of the destination in the
  /// second; nil for hooks that are called once.
  public let object: ManagedObject?
  public let manager: MigrationManager
}
