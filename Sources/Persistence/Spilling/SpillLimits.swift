/// How many new objects a context keeps in memory that writes them early.
package struct SpillLimits: Sendable, Equatable {
  /// Most objects of a family that are all kept, once they are written: such as are looked up again
  /// and again.
  package var kept: Int
  /// Most new and changed objects that wait to be written.
  package var waiting: Int
  /// How many rows the source of a migration into memory has at least, for its new objects to be written
  /// early. Fewer are kept, so that the two backends have as little in common as they can.
  package var leastInMemory: Int
  /// Whether anything is written early.
  package var isAllowed = true

  package init(kept: Int, waiting: Int, leastInMemory: Int = 10_000) {
    self.kept = kept
    self.waiting = waiting
    self.leastInMemory = leastInMemory
  }

  /// What migrations use. `HEAVYWEIGHT_EARLY_ROWS=kept,waiting` sets other limits, of any number of rows,
  /// to see that results don't hang on them; `never` keeps all.
  package static let standard = SpillLimits(
    ProcessInfo.processInfo.environment["HEAVYWEIGHT_EARLY_ROWS"] ?? "")

  package static let never = SpillLimits("never")

  private init(_ text: String) {
    let numbers = text.split(separator: ",").compactMap { Int($0) }
    self.init(
      kept: numbers.first ?? 8192, waiting: numbers.count > 1 ? max(1, numbers[1]) : 1024)
    isAllowed = text != "never"
    if !numbers.isEmpty { leastInMemory = 0 }
  }

  /// What migrations of this task use: tests try others.
  @TaskLocal package static var current = standard
}
