// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// Values by key, of which the table keeps the one, the other, both or none alive. Keys are the same where
/// `isEqual(_:)` says so.
public final class NSMapTable<Key: AnyObject, Value: AnyObject>: NSObject {
  private struct Reference<Object: AnyObject> {
    private weak var seen: Object?
    private var kept: Object?
    var object: Object? { kept ?? seen }

    init(_ object: Object, isKept: Bool) {
      if isKept { kept = object } else { seen = object }
    }
  }

  private struct Entry {
    let key: Reference<Key>
    let value: Reference<Value>
  }

  private var entries: [Int: [Entry]] = [:]
  private var sizeToSweep = 64
  private let keepsKeys: Bool
  private let keepsValues: Bool
  private let isByIdentity: Bool

  fileprivate init(keepsKeys: Bool, keepsValues: Bool, byIdentity: Bool = false) {
    self.keepsKeys = keepsKeys
    self.keepsValues = keepsValues
    isByIdentity = byIdentity
  }

  public class func weakToWeakObjects() -> NSMapTable<Key, Value> {
    NSMapTable(keepsKeys: false, keepsValues: false)
  }
  public class func weakToStrongObjects() -> NSMapTable<Key, Value> {
    NSMapTable(keepsKeys: false, keepsValues: true)
  }
  public class func strongToWeakObjects() -> NSMapTable<Key, Value> {
    NSMapTable(keepsKeys: true, keepsValues: false)
  }
  public class func strongToStrongObjects() -> NSMapTable<Key, Value> {
    NSMapTable(keepsKeys: true, keepsValues: true)
  }

  public var count: Int { living.count }

  public func object(forKey key: Key?) -> Value? {
    key.flatMap { key in
      entries[hash(of: key)]?.first { isSame($0.key.object, key) }?.value.object
    }
  }

  public func setObject(_ value: Value?, forKey key: Key?) {
    removeObject(forKey: key)
    guard let key, let value else { return }
    sweep()
    entries[hash(of: key), default: []].append(
      Entry(
        key: Reference(key, isKept: keepsKeys), value: Reference(value, isKept: keepsValues)))
  }

  public func removeObject(forKey key: Key?) {
    guard let key else { return }
    replaceEntries(of: hash(of: key)) { !isSame($0.key.object, key) }
  }

  public func removeAllObjects() { entries = [:] }

  public func keyEnumerator() -> NSEnumerator {
    NSArray(array: living.map(\.key)).objectEnumerator()
  }
  public func objectEnumerator() -> NSEnumerator? {
    NSArray(array: living.map(\.value)).objectEnumerator()
  }

  fileprivate var living: [(key: Key, value: Value)] {
    entries.values.joined().compactMap { entry in
      guard let key = entry.key.object, let value = entry.value.object else { return nil }
      return (key, value)
    }
  }

  /// Drops what has gone, each time the table has doubled.
  private func sweep() {
    guard entries.count >= sizeToSweep else { return }
    for hash in entries.keys {
      replaceEntries(of: hash) { $0.key.object != nil && $0.value.object != nil }
    }
    sizeToSweep = max(64, entries.count * 2)
  }

  /// What goes by this goes once the table is whole again: it may look here as it ends.
  private func replaceEntries(of hash: Int, where isKept: (Entry) -> Bool) {
    guard let bucket = entries[hash] else { return }
    let kept = bucket.filter(isKept)
    entries[hash] = kept.isEmpty ? nil : kept
    withExtendedLifetime(bucket) {}
  }

  private func hash(of key: Key) -> Int {
    (isByIdentity ? nil : (key as? NSObject)?.hash) ?? ObjectIdentifier(key).hashValue
  }

  private func isSame(_ one: Key?, _ other: Key) -> Bool {
    one === other || (!isByIdentity && (one as? NSObject)?.isEqual(other) == true)
  }
}

/// Objects that nobody keeps alive by having them in it.
public final class NSHashTable<Object: AnyObject>: NSObject {
  private let objects = NSMapTable<Object, Object>.weakToWeakObjects()

  public class func weakObjects() -> NSHashTable<Object> { NSHashTable() }

  public var allObjects: [Object] { objects.living.map(\.key) }
  public var count: Int { objects.count }
  public var anyObject: Object? { allObjects.first }
  public func add(_ object: Object?) { objects.setObject(object, forKey: object) }
  public func remove(_ object: Object?) { objects.removeObject(forKey: object) }
  public func removeAllObjects() { objects.removeAllObjects() }
  public func contains(_ object: Object?) -> Bool { objects.object(forKey: object) != nil }
}

// MARK: - Associated objects

public enum objc_AssociationPolicy: UInt, Sendable {
  case OBJC_ASSOCIATION_ASSIGN = 0
  case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
  case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
  case OBJC_ASSOCIATION_RETAIN = 769
  case OBJC_ASSOCIATION_COPY = 771
}

/// Sendable unchecked: only ever touched under its lock, which values take again as they end.
private final class Associations: @unchecked Sendable {
  final class Values { var byKey: [UnsafeRawPointer: Any] = [:] }
  private let lock = NSRecursiveLock()
  private let all = NSMapTable<AnyObject, Values>(
    keepsKeys: false, keepsValues: true, byIdentity: true)

  subscript(object: AnyObject, key: UnsafeRawPointer) -> Any? {
    get { lock.withLock { all.object(forKey: object)?.byKey[key] } }
    set {
      lock.withLock {
        let values = all.object(forKey: object) ?? Values()
        all.setObject(values, forKey: object)
        let old = values.byKey[key]
        values.byKey[key] = newValue
        withExtendedLifetime(old) {}
      }
    }
  }

  func removeAll(of object: AnyObject) { lock.withLock { all.removeObject(forKey: object) } }
}
private let associations = Associations()

/// Keeps `value` with the object until that goes, whatever the policy: what is only assigned, too.
public func objc_setAssociatedObject(
  _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
  let isCopied = policy == .OBJC_ASSOCIATION_COPY || policy == .OBJC_ASSOCIATION_COPY_NONATOMIC
  associations[object as AnyObject, key] =
    isCopied ? (value as? NSCopying)?.copy(with: nil) ?? value : value
}

public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
  associations[object as AnyObject, key]
}

public func objc_removeAssociatedObjects(_ object: Any) {
  associations.removeAll(of: object as AnyObject)
}
