/// The policy classes of all code that was loaded into this process, as a device finds them when an
/// app migrates by itself.
/// Sendable unchecked: its list is guarded by its lock.
public final class LoadedPolicies: PolicyProvider, @unchecked Sendable {
  public static let shared = LoadedPolicies()
  private let lock = NSLock()
  private var providers: [any PolicyProvider] = []

  private init() {}

  /// Makes the classes of `provider` known; of several classes of one name the last one counts.
  public func add(_ provider: any PolicyProvider) {
    lock.withLock { providers.append(provider) }
  }

  public func makePolicy(named name: String) throws -> EntityMigrationPolicy? {
    for provider in lock.withLock({ providers }).reversed() {
      if let policy = try provider.makePolicy(named: name) { return policy }
    }
    return nil
  }
}
