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
