/// A condition that an attribute's values must keep; predicates stay text on this layer.
public struct ValidationCondition: Hashable, Sendable {
  /// What must hold for a value, which the predicate calls `SELF`.
  public var predicateFormat: String
  /// What to tell people when it doesn't; empty for a text of the engine's.
  public var warning: String

  public init(predicateFormat: String, warning: String = "") {
    self.predicateFormat = predicateFormat
    self.warning = warning
  }
}
