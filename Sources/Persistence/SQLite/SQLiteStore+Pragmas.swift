extension SQLiteStore {
  static func pragmas(in options: [AnyHashable: Any]) -> [String: String] {
    let given = options[PersistentStore.Option.sqlitePragmas] as? [AnyHashable: Any] ?? [:]
    return Dictionary(given.map { ("\($0.key)", "\($0.value)") }) { first, _ in first }
  }

  /// Sets SQLite's own options, as an app gives them under `NSSQLitePragmasOption`. Those that
  /// SQLite doesn't know have no effect, as on a device.
  /// - Throws: `CoreDataError` `.persistentStoreOpen` for a name or value that is more than one word.
  func apply(pragmas: [String: String]) throws {
    if isReadOnly { return }
    for (name, value) in pragmas.sorted(by: { $0.key < $1.key }) {
      guard [name, value].allSatisfy({ $0.wholeMatch(of: #/-?[A-Za-z0-9_]+/#) != nil }) else {
        throw CoreDataError(
          .persistentStoreOpen, "The SQLite pragma '\(name)' can't be '\(value)'",
          advice: "A pragma has one word or number as its value, such as journal_mode = DELETE."
        ).at(file: url?.path)
      }
      _ = try database.texts("PRAGMA \(name) = \(value)")
    }
  }
}
