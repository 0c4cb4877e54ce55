/// Where objects are kept between saves: the class behind which all backends look alike.
///
/// A store knows rows, not objects: one `Value` per slot of the entity. It isn't used by two
/// threads at a time; contexts see to that with their coordinator's lock.
open class PersistentStore: NSObject {
  /// What part of which model the store holds.
  public let configuration: StoreConfiguration
  /// The store's UUID.
  public let identifier: String
  public let url: URL?
  /// Stands for ``identifier`` in object identifiers.
  let number: StoreNumber
  /// Stands for the store in object identifiers that outlive it.
  let anchor: StoreAnchor
  /// What a copy in memory knows of the file that its original was found in; see ``foundFile()``.
  package final var foundFileOfOriginal: FoundFile?
  /// What the store was opened with.
  public package(set) final var options: [AnyHashable: Any]?
  /// The coordinator the store was added to.
  public internal(set) weak var persistentStoreCoordinator: PersistentStoreCoordinator?

  public convenience init(model: ManagedObjectModel, identifier: String, url: URL?) {
    self.init(
      configuration: StoreConfiguration(model: model), identifier: identifier, url: url)
  }

  public init(configuration: StoreConfiguration, identifier: String, url: URL?) {
    self.configuration = configuration
    self.identifier = identifier
    self.url = url
    number = StoreNumber(of: identifier)
    anchor = StoreAnchor(number: number)
    super.init()
    anchor.store = self
  }

  public var model: ManagedObjectModel { configuration.model }

  /// The configuration's name, `PF_DEFAULT_CONFIGURATION_NAME` for the one with all entities.
  public var configurationName: String {
    configuration.name ?? ManagedObjectModel.defaultConfigurationName
  }

  /// Whether the store refuses saves.
  open var isReadOnly: Bool { false }

  /// Takes what the store was opened with; see ``Option``.
  /// - Throws: `CoreDataError` `.persistentStoreOpen` for an option that the store can't have.
  open func apply(options: [AnyHashable: Any]) throws {}

  /// Says that very many rows are about to be written, which a store may prepare for.
  /// - Parameter undoesSaves: Whether a save that fails leaves those before it as they were; whoever gives
  ///   the store up at the first failure can spare it.
  open func beginBulk(undoesSaves: Bool) throws {}

  /// Ends what ``beginBulk(undoesSaves:)`` began.
  /// - Parameter durably: False for a store that is thrown away again.
  open func endBulk(durably: Bool) throws {}

  /// Whether a link may be written before the row that it leads to, which may also never come.
  open var takesLinksToMissingRows: Bool { false }

  /// Whether the store's rows can be read and made by SQL; see ``fill(from:by:listsKeys:)``.
  package var isFilledBySQL: Bool { false }

  /// Fills this store, which must be new and empty, with the rows of another by SQL alone.
  /// - Throws: ``PlanUnsupported`` where that can't be done; the store is to be given up then.
  package func fill(
    from source: PersistentStore, by plan: MigrationPlan, listsKeys: Bool
  ) throws -> TransferResult { throw PlanUnsupported("stores of type \(type) don't use SQL") }

  /// The rows about which SQL, as a device asks the store, and memory don't agree; nil where they agree about
  /// all, and where the predicate has no SQL.
  package func sqlDifference(of query: StoreQuery) throws -> SQLDifference? { nil }

  /// Whether ``metadata`` was set since the last save, and isn't kept yet.
  open var hasUnsavedMetadata: Bool { false }

  /// How many SQL statements were run; 0 for a store that has none.
  package var statementCount: Int { 0 }

  private static func mustOverride(_ member: String = #function) -> Never {
    fatalError("\(self) must override \(member)")
  }

  /// `SQLite` or `InMemory`.
  open var type: String { Self.mustOverride() }

  /// The store's metadata: version hashes, identifiers, and whatever an app put there. What is set
  /// is written with the next save.
  open var metadata: [String: Any] {
    get { Self.mustOverride() }
    set { _ = newValue }
  }

  /// Reserves `count` consecutive primary keys in the hierarchy of `entity`.
  /// - Returns: The first of them.
  open func reservePrimaryKeys(_ count: Int, for entity: EntityDescription) throws -> Int64 {
    Self.mustOverride()
  }

  /// Whether the store may have rows of an entity's hierarchy; false spares questions to a store that
  /// is being filled.
  open func mayHaveRows(of entity: EntityDescription) -> Bool { true }

  /// One row, or nil when the store doesn't have it (any more).
  open func row(for id: ManagedObjectID) throws -> StoreRow? { Self.mustOverride() }

  /// The objects a to-many relationship leads to, in order where it is ordered, else by key.
  open func destinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) throws -> [ManagedObjectID] { Self.mustOverride() }

  /// Several rows at once, in no promised order; those that the store doesn't have are left out.
  open func rows(for ids: [ManagedObjectID]) throws -> [StoreRow] {
    try ids.compactMap { try row(for: $0) }
  }

  /// The objects a to-many relationship leads to from each of several objects.
  open func destinations(
    of relationship: RelationshipDescription, fromEach ids: [ManagedObjectID]
  ) throws -> [ManagedObjectID: [ManagedObjectID]] {
    var found: [ManagedObjectID: [ManagedObjectID]] = [:]
    for id in ids { found[id] = try destinations(of: relationship, from: id) }
    return found
  }

  /// Gives what a table wants, row by row.
  /// - Returns: False, without having given anything, when the store can't; the caller does it in
  ///   memory then.
  open func enumerate(
    _ table: TableQuery, _ body: ([Value]) throws -> Bool
  ) throws -> Bool { false }

  /// What the store can do of `query` by itself; the caller does the rest in memory.
  open func capability(for query: StoreQuery) -> QueryCapability { Self.mustOverride() }

  /// Whether Core Data's store of this type would answer `query` at all. One in memory evaluates
  /// everything.
  /// - Throws: `CoreDataError` in place of the exception that it raises before it fetches.
  open func checkSupport(for query: StoreQuery) throws {}

  /// The rows that answer a query, read on another thread; nil where that isn't possible or doesn't pay.
  func rowsAhead(of query: StoreQuery) throws -> RowPrefetcher? { nil }

  /// Streams the rows that answer `query`, in primary-key order unless the store sorts; parts
  /// outside ``capability(for:)`` are left to the caller, limit and offset included.
  /// - Parameter body: Returns false to stop.
  open func enumerateRows(
    matching query: StoreQuery, _ body: (StoreRow) throws -> Bool
  ) throws { Self.mustOverride() }

  /// The number of rows that answer `query`, which the store must be able to answer whole.
  open func count(of query: StoreQuery) throws -> Int { Self.mustOverride() }

  /// What the store derives from what it holds.
  final lazy var derivations = DerivationPlan(for: configuration.entities)
  /// The objects whose derived values were written, until somebody takes them.
  final var rewritten: [ManagedObjectID] = []
  /// Whether what depends on other rows is derived at some later time, for all rows at once.
  var derivesLater: Bool { false }

  /// Sets an attribute derived as the time of the last save.
  func setTime(_ time: Date, of derivation: Derivation, _ ids: [ManagedObjectID]) throws {}

  /// Writes the derived values of objects anew, which makes no new versions of them.
  func rewrite(_ derivation: Derivation, of ids: [ManagedObjectID]) throws {
    let time = Surroundings.now
    for id in ids {
      guard let row = try row(for: id) else { continue }
      let value = derivation.value(for: StoredObject(row, in: self), at: time)
      try setDerived(value, of: derivation.attribute, in: id)
    }
  }

  /// Gives a row the value of a derived attribute, but no new version.
  open func setDerived(
    _ value: Value, of attribute: AttributeDescription, in id: ManagedObjectID
  ) throws { Self.mustOverride() }

  /// Counts the saves and batches, so that what was read ahead is known to be out of date.
  final var generation = 0

  /// How many rows were made again after others had deleted them.
  final var remakeCount: Int64 = 0

  /// A version for a row that is made again: another one than any that its key had, so that nobody
  /// who read an earlier row takes this one for it.
  final func versionForRowMadeAgain(after version: Int64) -> Int64 {
    remakeCount += 1
    return version + remakeCount << 20
  }

  /// Whether the store keeps the model's uniqueness constraints; of no importance where there are none.
  open var keepsUniquenessConstraints: Bool { true }

  /// The object that has values under a uniqueness constraint of the model; nil when it is free.
  open func owner(
    of key: [Value], under constraint: UniquenessConstraint
  ) throws -> ManagedObjectID? { nil }

  /// Writes all changes, or none; what a store does goes into ``deriving(_:_:)``.
  /// - Throws: `CoreDataError`: `.managedObjectMerge` when a row was changed since it was read,
  ///   `.managedObjectConstraintMerge` when a uniqueness constraint is violated, `.sqlite`.
  open func save(_ changes: SaveRequest) throws { Self.mustOverride() }

  /// Sets properties of all rows that answer a query, by the store's own means.
  /// - Parameter listsIDs: Whether the outcome names the rows, which takes memory for each.
  /// - Returns: nil when the store can't, and nothing was changed: the caller does it row by row.
  func update(
    _ query: StoreQuery, setting assignments: [BatchAssignment], listsIDs: Bool
  ) throws -> BatchOutcome? { nil }

  /// Deletes rows by the store's own means, and applies the delete rules of their relationships.
  /// - Returns: As ``update(_:setting:listsIDs:)``; nil also when a rule forbids it, so that the
  ///   caller finds out which.
  func delete(_ rows: BatchSelection, listsIDs: Bool) throws -> BatchOutcome? { nil }

  /// Releases files. The store can't be used afterwards.
  open func close() throws {}
}

/// A row as a store gives it.
public struct StoreRow {
  public let objectID: ManagedObjectID
  /// How often the row was saved; grows with each save (`Z_OPT`).
  public let version: Int64
  /// By slot: attribute values; `.object(ManagedObjectID)` or `.null` for to-one relationships;
  /// `.null` for everything else.
  public var values: ContiguousArray<Value>

  public init(objectID: ManagedObjectID, version: Int64, values: ContiguousArray<Value>) {
    self.objectID = objectID
    self.version = version
    self.values = values
  }
}

/// What to look for in a store.
public struct StoreQuery {
  public var entity: EntityDescription
  public var includesSubentities = true
  public var predicate: Predicate?
  public var sortDescriptors: [SortDescriptor] = []
  /// Most rows to give; 0 for all.
  public var limit = 0
  public var offset = 0
  /// Whether rows come with their values; if not, these are empty.
  public var includesValues = true
  /// The stores whose unsaved objects count; nil for all.
  var affectedStores: [PersistentStore]?
  /// What NULL means in the SQL of the predicate.
  var logic = SQLLogic.nullSafe
  /// What else is computed of the objects, so that a store can say beforehand what it can't do.
  var computed: [Expression] = []
  /// Which groups are wanted, with variables for what is known of a group.
  var having: Predicate?

  public init(entity: EntityDescription) { self.entity = entity }
}

/// Which parts of a query a store answers by itself.
public struct QueryCapability: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let predicate = QueryCapability(rawValue: 1)
  public static let sort = QueryCapability(rawValue: 2)
  /// The whole query, limit and offset included.
  public static let all: QueryCapability = [.predicate, .sort]
}

/// All that one save writes. Every identifier in it is permanent.
public struct SaveRequest {
  public var inserted: [ObjectChange] = []
  public var updated: [ObjectChange] = []
  public var deleted: [Deletion] = []
  /// Whether changes of others were merged in, so that a link may be reported from one of its sides
  /// only. The key of a to-one relationship then says more than the other side's members.
  public package(set) var linksMayBeOneSided = false
  /// Whether rows may violate a uniqueness constraint, as those of a file that has lost its unique index.
  public package(set) var mayHaveDuplicates = false
  /// Whether members that were added may have been deleted by others: they are left out then.
  public internal(set) var mayLeadToDeleted = false
  /// Whether new objects bring their times of last change along, as in a lightweight migration.
  var keepsDerivedTimes = false

  public init() {}

  /// An object to write.
  public struct ObjectChange {
    public let objectID: ManagedObjectID
    /// The version that was read; of a new object 0, or the one it gets where that isn't 1.
    public let version: Int64
    /// All slots as in ``StoreRow/values``.
    public var values: ContiguousArray<Value>
    /// The to-many relationships that changed.
    public let toMany: [ToManyChange]

    public init(
      objectID: ManagedObjectID, version: Int64, values: ContiguousArray<Value>,
      toMany: [ToManyChange]
    ) {
      self.objectID = objectID
      self.version = version
      self.values = values
      self.toMany = toMany
    }
  }

  /// A change of one to-many relationship. With an inverse, the other side's change is reported
  /// too, so a store writes each link from one side only.
  public struct ToManyChange {
    public let relationship: RelationshipDescription
    public let added: [ManagedObjectID]
    public let removed: [ManagedObjectID]
    /// All destinations in order, for an ordered relationship; nil for an unordered one.
    public let ordered: [ManagedObjectID]?

    public init(
      relationship: RelationshipDescription, added: [ManagedObjectID],
      removed: [ManagedObjectID], ordered: [ManagedObjectID]?
    ) {
      self.relationship = relationship
      self.added = added
      self.removed = removed
      self.ordered = ordered
    }
  }

  public struct Deletion {
    public let objectID: ManagedObjectID
    public let version: Int64
    public init(objectID: ManagedObjectID, version: Int64) {
      self.objectID = objectID
      self.version = version
    }
  }
}
