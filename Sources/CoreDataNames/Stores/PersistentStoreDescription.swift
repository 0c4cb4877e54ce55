/// What store a container opens, where, and how. Migrates and infers unless told otherwise.
open class NSPersistentStoreDescription: NSObject, NSCopying {
  open var type = NSSQLiteStoreType
  open var configuration: String?
  open var url: URL?
  open private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// Whether the store is opened on a thread of its own.
  open var shouldAddStoreAsynchronously = false

  public override init() { super.init() }

  /// A store of type SQLite at a URL; `/dev/null` is one that is never written.
  public init(url: URL) { self.url = url }

  /// Sets an option, or takes it away.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  open func copy(with zone: NSZone?) -> Any {
    let copy = NSPersistentStoreDescription()
    copy.type = type
    copy.configuration = configuration
    copy.url = url
    copy.options = options
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    return copy
  }

  open override var description: String { "\(type) at \(url?.path ?? "no place")" }
}

// MARK: - Options with names of their own

extension NSPersistentStoreDescription {
  public var shouldMigrateStoreAutomatically: Bool {
    get { isSet(NSMigratePersistentStoresAutomaticallyOption) }
    set { setFlag(newValue, NSMigratePersistentStoresAutomaticallyOption) }
  }

  public var shouldInferMappingModelAutomatically: Bool {
    get { isSet(NSInferMappingModelAutomaticallyOption) }
    set { setFlag(newValue, NSInferMappingModelAutomaticallyOption) }
  }

  public var isReadOnly: Bool {
    get { isSet(NSReadOnlyPersistentStoreOption) }
    set { setFlag(newValue, NSReadOnlyPersistentStoreOption) }
  }

  /// How long a busy store is waited for; kept, and without effect here.
  public var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  public var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject]) ?? [:]
  }

  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    setOption(NSDictionary(dictionary: pragmas), forKey: NSSQLitePragmasOption)
  }

  private func isSet(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  private func setFlag(_ flag: Bool, _ key: String) {
    setOption(NSNumber(value: flag), forKey: key)
  }
}
