/// The options of a store, by Apple's keys.
struct StoreOptions {
  private let options: [AnyHashable: Any]

  init(_ options: [AnyHashable: Any]?) { self.options = options ?? [:] }

  /// Off unless given.
  var migratesAutomatically: Bool { isSet(NSMigratePersistentStoresAutomaticallyOption) }
  var infersMapping: Bool { isSet(NSInferMappingModelAutomaticallyOption) }
  var isReadOnly: Bool { isSet(NSReadOnlyPersistentStoreOption) }

  var pragmas: [String: String] {
    let given = options[NSSQLitePragmasOption] as? [AnyHashable: Any] ?? [:]
    return Dictionary(given.map { ("\($0.key)", "\($0.value)") }) { first, _ in first }
  }

  private func isSet(_ key: String) -> Bool {
    (options[key] as? NSNumber)?.boolValue ?? (options[key] as? Bool) ?? false
  }
}
