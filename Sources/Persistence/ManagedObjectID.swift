import Synchronization

/// The identity of a managed object: temporary until its first save, then permanent for the life
/// of the store.
///
/// Immutable: saving gives the object a new identifier; the temporary one remembers it.
public final class ManagedObjectID: NSObject, @unchecked Sendable {
  public let entity: EntityDescription
  /// The store that holds the object; for a temporary identifier the one it was assigned to.
  public internal(set) weak var persistentStore: PersistentStore?
  /// Stands for the store's identifier, for URIs and comparisons also after the store is gone.
  let storeNumber: StoreNumber
  /// Row number in the table of the entity's family; negative while temporary.
  public let primaryKey: Int64
  /// The identifier that replaced this temporary one at a save.
  var successor: ManagedObjectID?

  private static let lastTemporaryKey = Atomic<Int64>(0)

  /// A new temporary identifier, different from every other in this process.
  init(temporaryFor entity: EntityDescription) {
    self.entity = entity
    storeNumber = .none
    primaryKey = -Self.lastTemporaryKey.add(1, ordering: .relaxed).newValue
  }

  /// The identifier of the row `primaryKey` in `store`.
  public init(entity: EntityDescription, primaryKey: Int64, store: PersistentStore) {
    self.entity = entity
    self.primaryKey = primaryKey
    persistentStore = store
    storeNumber = store.number
  }

  public var isTemporaryID: Bool { primaryKey < 0 }

  /// What a context finds an object by.
  struct Key: Hashable {
    let primaryKey: Int64
    let family: ObjectIdentifier
    let store: StoreNumber

    // Nearly all contexts have one store.
    func hash(into hasher: inout Hasher) {
      hasher.combine(primaryKey)
      hasher.combine(family)
    }

    /// What dictionaries ask for. Keys are numbers that a store or this process counted, not somebody's
    /// input, so that a multiplication spreads them well enough, in a fifth of a `Hasher`'s time.
    func _rawHashValue(seed: Int) -> Int {
      let start = UInt64(bitPattern: primaryKey) ^ UInt64(truncatingIfNeeded: seed)
      let family = UInt64(UInt(bitPattern: family)) &* 0xC2B2_AE3D_27D4_EB4F
      let mixed = (start ^ family) &* 0x9E37_79B9_7F4A_7C15
      return Int(truncatingIfNeeded: mixed ^ (mixed >> 32))
    }
  }

  var key: Key {
    Key(primaryKey: primaryKey, family: ObjectIdentifier(entity.rootEntity), store: storeNumber)
  }

  /// This identifier, or the permanent one that replaced it.
  var current: ManagedObjectID { successor ?? self }

  /// `x-coredata://<store UUID>/<Entity>/p<number>`; temporary ones have `t` and no store.
  public func uriRepresentation() -> URL {
    let kind = isTemporaryID ? "t" : "p"
    let path = "\(Self.escaped(entity.name))/\(kind)\(primaryKey.magnitude)"
    // A damaged store's identifier may be any text.
    return URL(string: "x-coredata://\(Self.escaped(storeNumber.identifier))/\(path)")
      ?? URL(fileURLWithPath: path)
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_"])) ?? ""
  }

  public override var description: String { uriRepresentation().absoluteString }

  // MARK: Identity

  // Primary keys are unique within a family of entities, so the entity itself plays no part.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ManagedObjectID else { return false }
    return isSame(as: other)
  }

  public override var hash: Int { Int(truncatingIfNeeded: primaryKey) &* 31 }

  /// The comparison behind `isEqual(_:)`, without the cast.
  @inline(__always)
  func isSame(as other: ManagedObjectID) -> Bool {
    if self === other { return true }
    return primaryKey == other.primaryKey && storeNumber == other.storeNumber
      && entity.rootEntity.name == other.entity.rootEntity.name
  }
}
