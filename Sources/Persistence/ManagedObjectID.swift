import Synchronization

/// The identity of a managed object: temporary until its first save, then permanent for the life
/// of the store.
///
/// Saving gives the object a new identifier; the temporary one remembers it.
/// Sendable unchecked: what changes (store, successor) changes while its context's queue saves.
public final class ManagedObjectID: NSObject, @unchecked Sendable {
  public let entity: EntityDescription
  /// The store that holds the object; for a temporary identifier the one it was assigned to.
  public internal(set) var persistentStore: PersistentStore? {
    get { anchor?.store }
    set { anchor = newValue?.anchor }
  }
  /// Knows the store as long as it is there. Shared by all identifiers of a store: a weak reference
  /// in each would cost more than all else in it.
  private var anchor: StoreAnchor?
  /// Stands for the store's identifier, for URIs and comparisons also after the store is gone.
  let storeNumber: StoreNumber
  /// Row number in the table of the entity's hierarchy; of a temporary identifier negative, unless the
  /// object's row is being written before its save.
  public let primaryKey: Int64
  /// Whether the object is new and its row, though its key is known, isn't saved.
  private let isUnsaved: Bool
  /// The identifier that replaced this temporary one at a save.
  var successor: ManagedObjectID?

  private static let lastTemporaryKey = Atomic<Int64>(0)

  /// A new temporary identifier, different from every other in this process.
  init(temporaryFor entity: EntityDescription) {
    self.entity = entity
    storeNumber = .none
    isUnsaved = false
    primaryKey = -Self.lastTemporaryKey.add(1, ordering: .relaxed).newValue
  }

  /// The identifier of the row `primaryKey` in `store`.
  public convenience init(entity: EntityDescription, primaryKey: Int64, store: PersistentStore) {
    self.init(entity: entity, primaryKey: primaryKey, anchor: store.anchor)
  }

  /// The identifier of the row `primaryKey` in the store with an anchor, which is faster than by the
  /// store itself: that has a side table, being referenced weakly.
  init(entity: EntityDescription, primaryKey: Int64, anchor: StoreAnchor) {
    self.entity = entity
    self.primaryKey = primaryKey
    self.anchor = anchor
    storeNumber = anchor.number
    isUnsaved = anchor.holdsUnsavedRows
  }

  /// The identifier that a new object with a key has once it is saved.
  init(permanent id: ManagedObjectID) {
    entity = id.entity
    primaryKey = id.primaryKey
    anchor = id.anchor
    storeNumber = id.storeNumber
    isUnsaved = false
  }

  /// This identifier where it is as one of an entity's row in a store is made, else such a one.
  func same(of entity: EntityDescription, in anchor: StoreAnchor) -> ManagedObjectID {
    let isSame =
      self.entity === entity && self.anchor === anchor && isUnsaved == anchor.holdsUnsavedRows
    return isSame
      ? self : ManagedObjectID(entity: entity, primaryKey: primaryKey, anchor: anchor)
  }

  public var isTemporaryID: Bool { primaryKey < 0 || isUnsaved }

  /// Whether the store may have a row of this key, saved or not.
  var hasRowKey: Bool { primaryKey > 0 }

  /// What a context finds an object by.
  struct Key: Hashable {
    let primaryKey: Int64
    let hierarchy: ObjectIdentifier?
    let store: StoreNumber

    // Nearly all contexts have one store. One word is hashed in half the time of two.
    func hash(into hasher: inout Hasher) {
      let root = hierarchy.map { UInt(bitPattern: $0) } ?? 0
      hasher.combine(UInt(truncatingIfNeeded: primaryKey) ^ (root &* 31))
    }
  }

  var key: Key {
    Key(primaryKey: primaryKey, hierarchy: entity.hierarchyID, store: storeNumber)
  }

  /// This identifier, or the permanent one that replaced it.
  var current: ManagedObjectID { successor ?? self }

  /// `x-coredata://<store UUID>/<Entity>/p<number>`; temporary ones have `t` and no store.
  public func uriRepresentation() -> URL {
    let kind = isTemporaryID ? "t" : "p"
    let path = "\(Self.escaped(entity.name))/\(kind)\(primaryKey.magnitude)"
    // A damaged store's identifier may be any text.
    let store = isTemporaryID ? "" : storeNumber.identifier
    return URL(string: "x-coredata://\(Self.escaped(store))/\(path)")
      ?? URL(fileURLWithPath: path)
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_"])) ?? ""
  }

  public override var description: String { uriRepresentation().absoluteString }

  // MARK: Identity

  // Primary keys are unique within a hierarchy of entities, so the entity itself plays no part.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let object, type(of: object) == ManagedObjectID.self else { return false }
    return isSame(as: unsafeDowncast(object as AnyObject, to: ManagedObjectID.self))
  }

  public override var hash: Int { Int(truncatingIfNeeded: primaryKey) &* 31 }

  /// The comparison behind `isEqual(_:)`, without the cast.
  @inline(__always)
  func isSame(as other: ManagedObjectID) -> Bool {
    if self === other { return true }
    return primaryKey == other.primaryKey && storeNumber == other.storeNumber
      && (entity === other.entity || entity.rootEntity.name == other.entity.rootEntity.name)
  }
}

/// Where a store is, for those who must not keep it alive.
/// Sendable unchecked: changed by whoever has the coordinator's lock.
final class StoreAnchor: @unchecked Sendable {
  weak var store: PersistentStore?
  /// The store's number.
  let number: StoreNumber
  /// Whether the store's rows are those of new objects, which no save has confirmed yet.
  var holdsUnsavedRows = false

  init(number: StoreNumber) { self.number = number }
}
