/// A predicate that has no SQL with the same answers; it is evaluated in memory then.
public struct UntranslatablePredicate: Error, Hashable, Sendable {
  /// The part that can't be translated, as it is printed.
  public let part: String
  /// Why not.
  public let reason: String
  /// Whether it compares values of different types, which SQL might do after all.
  public let isAboutTypes: Bool

  init(_ part: some CustomStringConvertible, _ reason: String, isAboutTypes: Bool = false) {
    self.part = part.description
    self.reason = reason
    self.isAboutTypes = isAboutTypes
  }
}

extension UntranslatablePredicate: CustomStringConvertible, LocalizedError {
  public var description: String { "No SQL for \(part): \(reason)" }
  public var errorDescription: String? { description }
}
