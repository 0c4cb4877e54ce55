/// How a container opens one of its stores.
open class PersistentStoreDescription: NSObject, NSCopying {
  /// Where the store is. The null device unless set: an SQLite store there keeps nothing.
  public final var url: URL? = URL(fileURLWithPath: "/dev/null")
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

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PersistentStoreDescription()
    (copy.url, copy.type, copy.configuration) = (url, type, configuration)
    copy.timeout = timeout
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    copy.options = options
    return copy
  }

  /// Descriptions are equal by their content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PersistentStoreDescription else { return false }
    return other === self
      || (other.url == url && other.type == type && other.configuration == configuration
        && other.timeout == timeout
        && other.shouldAddStoreAsynchronously == shouldAddStoreAsynchronously
        && other.objects == objects)
  }

  /// The options as objects: `true` and the number of it are equal.
  private var objects: [String: NSObject?] { options.mapValues { $0 as AnyObject as? NSObject } }

  open override var hash: Int { url.hashValue }

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
