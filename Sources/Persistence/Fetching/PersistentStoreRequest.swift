/// Something that a context carries out in its stores: a fetch or a batch.
open class PersistentStoreRequest: NSObject, NSCopying {
  /// The stores it is about; nil for all that the context has.
  open var affectedStores: [PersistentStore]?

  /// A request of the same class for the same; each class makes its own.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The request with another's stores.
  final func concerning(storesOf other: PersistentStoreRequest) -> Self {
    affectedStores = other.affectedStores
    return self
  }

  /// Whether a store is among those the request is about.
  final func concerns(_ store: PersistentStore) -> Bool {
    affectedStores?.contains { $0 === store } ?? true
  }
}

/// What came of a request that a context carried out.
open class PersistentStoreResult: NSObject {}
