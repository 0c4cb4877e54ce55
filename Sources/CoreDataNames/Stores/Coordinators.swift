// What Apple's header adds to coordinators.

extension PersistentStoreCoordinator {
  /// Runs `block` on another thread while nobody else uses a store of this coordinator.
  public func perform(_ block: @escaping () -> Void) {
    // Run once, by the queue; as on a device, what it uses is the caller's affair.
    nonisolated(unsafe) let block = block
    DispatchQueue.global().async { self.performAndWait { block() } }
  }

  /// Runs `block` while nobody else uses a store of this coordinator, and gives what it gives.
  public func perform<Result>(_ block: @escaping () throws -> Result) async throws -> Result {
    try performAndWait(block)
  }

  /// Carries out a request on behalf of a context: a fetch gives what it fetched, as an array;
  /// anything else its result.
  public func execute(
    _ request: PersistentStoreRequest, with context: ManagedObjectContext
  ) throws -> Any {
    let result = try context.execute(request)
    guard let fetched = result as? any FetchedArray else { return result }
    return fetched.array
  }

  /// The kinds of store that can be opened, by name.
  public class var registeredStoreTypes: [String: NSValue] {
    ["SQLite": NSNumber(value: true), "InMemory": NSNumber(value: true)]
  }

  /// Says where a store is. A SQLite store is where it was opened, and stays there: another place is
  /// refused, as `migratePersistentStore` is what moves it.
  public func setURL(_ url: URL, for store: PersistentStore) -> Bool {
    store.url?.standardizedFileURL == url.standardizedFileURL
  }

  /// Finishes what a lightweight migration put off. Here it does all at once, and only the stores' metadata
  /// say until then that it is pending.
  public func finishDeferredLightweightMigration() throws { try finishDeferredMigrations() }
  /// Finishes one part of what a lightweight migration put off: here it has only one.
  public func finishDeferredLightweightMigrationTask() throws { try finishDeferredMigrations() }
}

/// What a fetch found, whatever it is of.
private protocol FetchedArray { var array: [Any] { get } }

extension AsynchronousFetchResult: FetchedArray {
  fileprivate var array: [Any] { finalResult ?? [] }
}
