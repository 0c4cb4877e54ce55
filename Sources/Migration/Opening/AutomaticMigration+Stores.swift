extension AutomaticMigration {
  /// Brings the SQLite store at a URL to the model, if it has to be: in one step, and in its place,
  /// whole or not at all. A store that isn't there, or has the model already, is left alone.
  ///
  /// - Parameter policies: Where the mapping's policy classes are found.
  /// - Returns: Whether it was migrated.
  /// - Throws: As ``decision(metadata:)``; what the migration throws, the store then being as it was.
  @discardableResult
  public func migrateStore(
    at url: URL, policies: any PolicyProvider = LoadedPolicies.shared
  ) throws -> Bool {
    guard PersistentStoreFiles(url).exist else { return false }
    let metadata = try SQLiteStore.metadata(at: url)
    guard case .migrate(let step, _) = try decision(metadata: metadata) else { return false }
    let source = try SQLiteStore.openReadOnly(at: url, model: step.sourceModel)
    defer { try? source.close() }
    let chain = MigrationChain(steps: [step], policies: policies)
    let (store, report) = chain.run(from: source, into: SQLiteStoreFactory(destination: url))
    if let failure = report.failure { throw failure.error }
    try store?.close()
    return true
  }
}
