/// A full disk, or a file as large as this process may make one: nothing that a migration, or an app's code, is to
/// blame for. What came of a run says nothing then.
package struct LackOfRoom: Error, CustomStringConvertible {
  package let description: String

  /// Nil for a run that didn't fail for it.
  package init?(_ result: RunResult) {
    guard let failure = result.failures.first(where: \.isLackOfRoom) else { return nil }
    description = ([failure.found] + failure.notes).joined(separator: "\n")
  }

  /// Nil for a text that names no such thing.
  package init?(namedIn text: String) {
    guard Self.isNamed(in: text) else { return nil }
    description = text
  }

  /// What the system says of it, SQLite, and Foundation.
  private static let texts =
    [ENOSPC, EFBIG, EDQUOT].map { String(cString: strerror($0)) }
    + ["database or disk is full", "There isn’t enough space"]

  static func isNamed(in text: String) -> Bool { texts.contains(where: text.contains) }
}
