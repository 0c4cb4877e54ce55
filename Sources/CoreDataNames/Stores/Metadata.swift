// The metadata of stores, by the spellings of several generations.

extension PersistentStoreCoordinator {
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(type: .init(rawValue: storeType), at: url, options: options)
  }

  @available(*, deprecated, message: "Use metadataForPersistentStore(ofType:at:options:)")
  public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
    try metadataForPersistentStore(type: .sqlite, at: url, options: nil)
  }

  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, type: .init(rawValue: storeType), at: url, options: options)
  }
}

extension PersistentStore {
  /// The metadata of a store that isn't in use.
  public class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try PersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
  }
}
