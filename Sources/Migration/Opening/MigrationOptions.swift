// The options of opening a store that have to do with migration.

extension PersistentStore.Option {
  /// Whether a store of another version is migrated when it is opened.
  public static let migratesAutomatically = "NSMigratePersistentStoresAutomaticallyOption"
  /// Whether a mapping may be inferred when no mapping model fits.
  public static let infersMapping = "NSInferMappingModelAutomaticallyOption"
  /// A ``StagedMigrationManager``.
  public static let stagedMigrationManager = "NSPersistentStoreStagedMigrationManagerOptionKey"

  /// A ``MigrationResources``: where models, mapping models and policies are found. Without it, the
  /// main bundle's models and mapping models, and the policies of all code that was loaded.
  public static let migrationResources = "HWMigrationResourcesOption"
}

/// What automatic migration works with, and what it tells: given as an option of opening a store.
public final class MigrationResources: NSObject {
  public let library: MigrationLibrary
  public let policies: any PolicyProvider
  /// What the last automatic migration with these resources did; nil when there was none.
  public internal(set) var report: ChainReport?
  /// The mapping models that fitted the last migration; Core Data takes the first of several
  /// without a word.
  public internal(set) var fittingMappings: [String] = []

  public init(_ library: MigrationLibrary, policies: any PolicyProvider = PolicyRegistry()) {
    self.library = library
    self.policies = policies
  }

  /// The resources that options name; else the main bundle's.
  static func named(in options: [AnyHashable: Any]) -> MigrationResources {
    if let named = options[PersistentStore.Option.migrationResources] as? MigrationResources {
      return named
    }
    return MigrationResources(MigrationLibrary.main(), policies: LoadedPolicies.shared)
  }
}
