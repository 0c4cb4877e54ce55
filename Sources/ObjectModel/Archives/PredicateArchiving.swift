/// Puts predicates and expressions into archives, as trees. On this layer they are text; a layer that
/// can parse them gives this to whoever writes an archive.
public protocol PredicateArchiving: Sendable {
  /// Adds the predicate that a text stands for; nil for one that can't be parsed, or has no archived
  /// form.
  func add(
    predicate format: String, to writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference?

  /// Adds the expression that a text stands for; nil as for predicates.
  func add(
    expression format: String, to writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference?
}
