import Synchronization

/// The sets that `value(forKey:)` gave for to-many relationships, and of what object.
///
/// On a device such a value is an `NSMutableSet` that writes through. Here it has to be one of
/// Foundation's plain sets, since only those can be cast to a Swift `Set`; a cast to `NSMutableSet` is
/// answered with the set that writes through.
public enum GivenSets {
  // Sendable unchecked: only ever inside of its mutex.
  private struct Entry: @unchecked Sendable {
    weak var set: NSSet?
    weak var object: ManagedObject?
    let key: String
  }
  // Sendable unchecked: only ever inside of its mutex.
  private struct Table: @unchecked Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    var limit = 64
  }
  private static let table = Mutex(Table())

  static func note(_ set: NSSet, of object: ManagedObject, key: String) {
    let entry = Entry(set: set, object: object, key: key)
    let id = ObjectIdentifier(set)
    table.withLock { table in
      table.entries[id] = entry
      guard table.entries.count > table.limit else { return }
      table.entries = table.entries.filter { $0.value.set != nil }
      table.limit = Swift.max(64, table.entries.count * 2)
    }
  }

  /// The set as it writes through to its object; nil for any other set.
  public static func writable(_ set: NSSet) -> NSMutableSet? {
    let id = ObjectIdentifier(set)
    guard let found = table.withLock({ $0.entries[id] }), found.set === set else { return nil }
    return found.object?.mutableSetValue(forKey: found.key)
  }
}
