// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// An object that is kept alive, or only known as long as it lives.
private struct Reference<Object: AnyObject> {
  private weak var seen: Object?
  private var kept: Object?
  var object: Object? { kept ?? seen }

  init(_ object: Object, isKept: Bool) {
    if isKept { kept = object } else { seen = object }
  }
}

/// Values by key, of which the table keeps the one, the other, both or none alive. Keys are the same where
/// `isEqual(_:)` says so. What goes with its key or value, goes when the table has doubled.
public final class NSMapTable<Key: AnyObject, Value: AnyObject>: NSObject {
  /// What leaves the table is given to the caller: objects that end may look here, when it is whole again.
  fileprivate struct Entry {
    private let keyReference: Reference<Key>
    private let valueReference: Reference<Value>
    var key: Key? { keyReference.object }
    var value: Value? { valueReference.object }
    var isDead: Bool { key == nil || value == nil }

    fileprivate init(_ key: Key, _ value: Value, of table: NSMapTable) {
      keyReference = Reference(key, isKept: table.keepsKeys)
      valueReference = Reference(value, isKept: table.keepsValues)
    }
  }

  private var entries: [Int: [Entry]] = [:]
  private var entryCount = 0
  private var countToSweep = 64
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
    key.flatMap { key in entries[hash(of: key)]?.first { isSame($0.key, key) }?.value }
  }

  public func setObject(_ value: Value?, forKey key: Key?) { _ = set(value, forKey: key) }
  public func removeObject(forKey key: Key?) { _ = set(nil, forKey: key) }
  public func removeAllObjects() { _ = drop { _ in true } }

  public func keyEnumerator() -> NSEnumerator {
    NSArray(array: living.map(\.key)).objectEnumerator()
  }
  public func objectEnumerator() -> NSEnumerator? {
    NSArray(array: living.map(\.value)).objectEnumerator()
  }

  fileprivate var living: [(key: Key, value: Value)] {
    entries.values.joined().compactMap { entry in
      guard let key = entry.key, let value = entry.value else { return nil }
      return (key, value)
    }
  }

  fileprivate func set(_ value: Value?, forKey key: Key?) -> [Entry] {
    guard let key else { return [] }
    let hash = hash(of: key)
    var dropped = drop(hash) { isSame($0.key, key) }
    guard let value else { return dropped }
    if entryCount >= countToSweep {
      dropped += drop(where: \.isDead)
      countToSweep = max(64, entryCount * 2)
    }
    entries[hash, default: []].append(Entry(key, value, of: self))
    entryCount += 1
    return dropped
  }

  private func drop(where isDropped: (Entry) -> Bool) -> [Entry] {
    Array(entries.keys).flatMap { drop($0, where: isDropped) }
  }

  private func drop(_ hash: Int, where isDropped: (Entry) -> Bool) -> [Entry] {
    guard let bucket = entries[hash] else { return [] }
    let kept = bucket.filter { !isDropped($0) }
    entries[hash] = kept.isEmpty ? nil : kept
    entryCount -= bucket.count - kept.count
    return bucket
  }

  private func hash(of key: Key) -> Int {
    (isByIdentity ? nil : (key as? NSObject)?.hash) ?? ObjectIdentifier(key).hashValue
  }

  private func isSame(_ one: Key?, _ other: Key) -> Bool {
    one === other || (!isByIdentity && (one as? NSObject)?.isEqual(other) == true)
  }
}

/// Objects that may go although they are in it.
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

/// Sendable unchecked: only ever touched under its lock.
private final class Associations: @unchecked Sendable {
  /// Values by the address of their key.
  final class Values { var byKey: [UnsafeRawPointer: Reference<AnyObject>] = [:] }
  private let lock = NSLock()
  private let all = NSMapTable<AnyObject, Values>(
    keepsKeys: false, keepsValues: true, byIdentity: true)

  func value(of object: AnyObject, _ key: UnsafeRawPointer) -> Any? {
    lock.withLock { all.object(forKey: object)?.byKey[key]?.object }
  }

  /// What goes, goes after the lock is given back: it may wait for others as it ends.
  func set(_ value: Reference<AnyObject>?, of object: AnyObject, _ key: UnsafeRawPointer) {
    _ = lock.withLock {
      let values = all.object(forKey: object) ?? Values()
      let old = values.byKey[key]
      values.byKey[key] = value
      return (old, all.set(values, forKey: object))
    }
  }

  func removeAll(of object: AnyObject) {
    _ = lock.withLock { all.set(nil, forKey: object) }
  }
}
private let associations = Associations()

/// Keeps `value` with the object; what is only assigned isn't kept alive. Once the object has gone, its values go with
/// one of the next that are set for others, not at once.
public func objc_setAssociatedObject(
  _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
  let isCopied = policy == .OBJC_ASSOCIATION_COPY || policy == .OBJC_ASSOCIATION_COPY_NONATOMIC
  let kept = isCopied ? (value as? NSCopying)?.copy(with: nil) ?? value : value
  // What isn't an object has no other owner.
  let isKept = policy != .OBJC_ASSOCIATION_ASSIGN || !(value.map { Swift.type(of: $0) } is AnyClass)
  associations.set(
    kept.map { Reference($0 as AnyObject, isKept: isKept) }, of: object as AnyObject, key)
}

public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
  associations.value(of: object as AnyObject, key)
}

public func objc_removeAssociatedObjects(_ object: Any) {
  associations.removeAll(of: object as AnyObject)
}
