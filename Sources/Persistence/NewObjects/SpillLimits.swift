/// How many new objects a context keeps in memory that spills them to rows.
package struct SpillLimits: Sendable, Equatable {
  /// Most objects of a hierarchy that are all kept, once they are written: such as are looked up again
  /// and again.
  package var kept: Int
  /// Most new and changed objects that wait to be written.
  package var waiting: Int
  /// Whether anything is spilled.
  package var isAllowed = true

  package init(kept: Int, waiting: Int) {
    self.kept = kept
    self.waiting = waiting
  }

  /// What migrations use. `HEAVYWEIGHT_EARLY_ROWS=kept,waiting` sets other limits,
  /// to see that results don't hang on them; `never` keeps all.
  package static let standard = SpillLimits(
    ProcessInfo.processInfo.environment["HEAVYWEIGHT_EARLY_ROWS"] ?? "")

  package static let never = SpillLimits("never")

  private init(_ text: String) {
    let numbers = text.split(separator: ",").compactMap { Int($0) }
    self.init(
      kept: numbers.first ?? 8192, waiting: numbers.count > 1 ? max(1, numbers[1]) : 1024)
    isAllowed = text != "never"
  }

  /// What migrations of this task use: tests try others.
  @TaskLocal package static var current = standard
}
