// The migration manager and its mappings by Apple's later spellings.

extension MigrationManager {
  /// Migrates the store at one URL into one at another, which is appended to when it exists.
  public final func migrateStore(
    from sourceURL: URL, type sStoreType: PersistentStore.StoreType,
    options sOptions: [AnyHashable: Any]? = nil, mapping: MappingModel,
    to dURL: URL, type dStoreType: PersistentStore.StoreType,
    options dOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sStoreType.rawValue, options: sOptions, with: mapping,
      toDestinationURL: dURL, destinationType: dStoreType.rawValue, destinationOptions: dOptions)
  }
}

extension MappingModel {
  /// The mapping model in a file, for the versions of models that it names, which must be beside it
  /// or in the main bundle; nil, after a line to standard error, when it can't be read or those
  /// aren't found.
  public convenience init?(contentsOf url: URL?) {
    guard let url else { return nil }
    do {
      MigrationLibrary.search(url.deletingLastPathComponent())
      self.init(entityMappings: try MigrationLibrary.mapping(at: url).entityMappings)
    } catch {
      NSLog("CoreData: Failed to load mapping model at %@: %@", url.path, "\(error)")
      return nil
    }
  }
}
