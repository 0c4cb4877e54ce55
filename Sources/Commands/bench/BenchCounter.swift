/// What a migration does that can be counted: equal on every machine for the same data and code, however
/// busy the machine is.
package enum BenchCounter: String, Codable, CaseIterable, Sendable, CodingKeyRepresentable {
  /// Objects in the stores that the steps made.
  case objects
  /// Calls of policies' hooks.
  case hookCalls
  case statements, rowsRead, rowsWritten, pagesWritten
  /// Operations of SQLite's virtual machine.
  case operations

  /// In words.
  package var name: String {
    switch self {
    case .objects: "objects made"
    case .hookCalls: "hook calls"
    case .statements: "SQL statements run"
    case .rowsRead: "rows read"
    case .rowsWritten: "rows written"
    case .pagesWritten: "pages written"
    case .operations: "SQLite operations"
    }
  }

  /// Whether another number means that something else was done, not that more or less was done for it.
  var isOfResult: Bool { self == .objects }

  /// Whether versions of SQLite differ in it.
  var dependsOnSQLite: Bool { self == .operations }

  static func counts(of steps: [ExecutedStep], _ counters: StoreCounters) -> [BenchCounter: Int] {
    [
      .objects: steps.reduce(0) { $0 + ($1.destinationObjectCount ?? 0) },
      .hookCalls: steps.filter { $0.isSQL != true }.flatMap(\.events).reduce(0) { $0 + $1.count },
      .statements: counters.statements, .rowsRead: counters.rowsRead,
      .rowsWritten: counters.rowsWritten, .pagesWritten: counters.pagesWritten,
      .operations: counters.operations,
    ]
  }
}

/// A counter that isn't what it was.
package struct CounterChange {
  let counter: BenchCounter
  let old: Int
  let new: Int

  /// Whether it is a regression.
  package var isWorse: Bool { counter.isOfResult ? new != old : new > old }

  package var text: String {
    let change = old == 0 ? "" : String(format: " (%+.2f%%)", 100 * Double(new - old) / Double(old))
    return "\(counter.name): \(CountText.text(new)), \(CountText.text(old)) before\(change)"
  }

  /// What changed between two measurements, in the order of the counters.
  package static func all(
    from old: [BenchCounter: Int], to new: [BenchCounter: Int], sameSQLite: Bool
  ) -> [CounterChange] {
    BenchCounter.allCases.compactMap { counter in
      guard sameSQLite || !counter.dependsOnSQLite, let before = old[counter],
        let after = new[counter], before != after
      else { return nil }
      return CounterChange(counter: counter, old: before, new: after)
    }
  }
}

/// Numbers separated by commas thousands.
package enum CountText {
  package static func text(_ number: Int) -> String {
    var (digits, groups) = (String(number.magnitude), [String]())
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}
