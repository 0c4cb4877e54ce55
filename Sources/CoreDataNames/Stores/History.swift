// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Apple's names for a store's history, of which there is none here, and for what is told of stores.

public typealias NSPersistentHistoryChangeRequest = PersistentHistoryChangeRequest
public typealias NSPersistentHistoryResultType = PersistentHistoryResultType
public typealias NSPersistentHistoryResult = PersistentHistoryResult
public typealias NSPersistentHistoryToken = PersistentHistoryToken
public typealias NSPersistentHistoryTransaction = PersistentHistoryTransaction
public typealias NSPersistentHistoryChange = PersistentHistoryChange
public typealias NSPersistentHistoryChangeType = PersistentHistoryChangeType

extension PersistentStoreCoordinator {
  /// The last place in the stores' history: nil, since none is kept.
  public func currentPersistentHistoryToken(
    fromStores stores: [PersistentStore]?
  ) -> PersistentHistoryToken? { nil }
}

extension Notification.Name {
  /// Posted on a device when another process or coordinator changed a store; never here.
  public static let NSPersistentStoreRemoteChange = Self(
    "NSPersistentStoreRemoteChangeNotification")
  public static let NSPersistentStoreCoordinatorStoresDidChange = PersistentStoreCoordinator
    .storesDidChange
  /// Posted on a device when iCloud exchanges a store; never here.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Self(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  public static let NSPersistentStoreDidImportUbiquitousContentChanges = Self(
    "NSPersistentStoreDidImportUbiquitousContentChangesNotification")
  public static let NSPersistentStoreCoordinatorWillRemoveStore = PersistentStoreCoordinator
    .willRemoveStore
}
