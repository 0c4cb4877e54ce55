/// How a container opens one of its stores.
open class PersistentStoreDescription: NSObject {
  public final var url: URL?
  /// The store's type, by name.
  public final var type = PersistentStore.StoreType.sqlite.rawValue
  /// The part of the model the store holds; nil for all of it.
  public final var configuration: String?
  public final var timeout: TimeInterval = 240
  /// Accepted, and of no effect: stores are open when `loadPersistentStores` returns.
  public final var shouldAddStoreAsynchronously = false
  /// All options, by key.
  public private(set) final var options: [String: Any] = [
    PersistentStore.Option.migratesAutomatically: true,
    PersistentStore.Option.infersMapping: true,
  ]

  public override init() { super.init() }

  public init(url: URL) { self.url = url }

  /// Sets an option, or removes it by nil.
  public final func setOption(_ option: Any?, forKey key: String) { options[key] = option }

  public final var isReadOnly: Bool {
    get { self[PersistentStore.Option.readOnly] }
    set { self[PersistentStore.Option.readOnly] = newValue }
  }

  /// Whether a store of another version is migrated; true unless set, unlike in an options
  /// dictionary.
  public final var shouldMigrateStoreAutomatically: Bool {
    get { self[PersistentStore.Option.migratesAutomatically] }
    set { self[PersistentStore.Option.migratesAutomatically] = newValue }
  }

  /// Whether a mapping may be inferred; true unless set, unlike in an options dictionary.
  public final var shouldInferMappingModelAutomatically: Bool {
    get { self[PersistentStore.Option.infersMapping] }
    set { self[PersistentStore.Option.infersMapping] = newValue }
  }

  private subscript(option: String) -> Bool {
    get { (options as [AnyHashable: Any]).isSet(option) }
    set { options[option] = newValue }
  }
}
