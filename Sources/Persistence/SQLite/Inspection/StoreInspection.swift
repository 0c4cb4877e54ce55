/// What a store file holds, and what is wrong with it.
public struct StoreInspection: Sendable {
  public internal(set) var file: StoreFileFacts
  public internal(set) var metadata: StoreMetadataFacts
  /// What the store says its entities are, in the order of their numbers.
  public internal(set) var entities: [EntityRows] = []
  /// The tables of many-to-many relationships.
  public internal(set) var joinTables: [TableRows] = []
  /// The tables of persistent history, and of mirroring to CloudKit.
  public internal(set) var historyTables: [TableRows] = []
  /// Tables that are none of a model's and none of Core Data's own.
  public internal(set) var otherTables: [TableRows] = []
  /// Values kept in files of their own; nil when no attribute of the model allows it, or without
  /// a model.
  public internal(set) var externalData: ExternalDataFacts?
  /// Whether entities and relationships were checked against a model.
  public internal(set) var wasCheckedAgainstModel = false
  /// The worst first.
  public internal(set) var findings: [IntegrityFinding] = []

  /// An entity as the store counts it.
  public struct EntityRows: Hashable, Sendable {
    public let name: String
    /// `Z_ENT`.
    public let number: Int64
    public let superentity: String?
    /// Whether the model says it is abstract; nil without a model.
    public let isAbstract: Bool?
    public let table: String
    /// The rows of the entity itself, without its subentities'; nil when they can't be counted.
    public let rows: Int?
    /// The highest primary key ever given out in the hierarchy (`Z_MAX`); nil for a subentity.
    public let highestKey: Int64?
  }

  public struct TableRows: Hashable, Sendable {
    public let table: String
    /// Where they are those with a value in a column that belongs to no property.
    public var column: String?
    /// Nil when they can't be counted.
    public let rows: Int?
    /// For a join table, the relationship that names it.
    public let relationship: String?

    /// Whether Core Data keeps persistent history in it, or what it mirrors to CloudKit.
    package var isHistory: Bool { StoreAudit.isHistory(table) }
  }

  /// The values of attributes with external storage.
  public struct ExternalDataFacts: Hashable, Sendable {
    /// Values in files.
    public var references = 0
    /// Those whose file isn't there.
    public var missingFiles = 0
    /// Files that no row uses.
    public var orphanFiles = 0
  }

  /// Whether nothing worse than a note was found.
  public var isSound: Bool { findings.allSatisfy { $0.severity == .note } }
}

/// The database file and what lies beside it.
public struct StoreFileFacts: Hashable, Sendable {
  /// Bytes of the database, without its journals.
  public internal(set) var byteCount: Int64 = 0
  public internal(set) var pageSize = 0
  public internal(set) var pageCount = 0
  /// Pages that nothing uses.
  public internal(set) var freePages = 0
  public internal(set) var journal: JournalState
  /// Whether a temporary copy was read, since a journal waits beside the store.
  public internal(set) var wasReadFromCopy: Bool
}

/// What `Z_METADATA` says.
public struct StoreMetadataFacts: Hashable, Sendable {
  /// The store's UUID.
  public internal(set) var identifier: String?
  public internal(set) var frameworkVersion: Int?
  public internal(set) var versionIdentifiers: [String] = []
  /// The version hashes by entity; nil when there are none.
  public internal(set) var entityHashes: [String: Data]?
  /// The app's own keys, with the type of their values. What they hold may be secret.
  public internal(set) var ownKeys: [String: String] = [:]
  public internal(set) var hasModelCache = false
  /// Whether a deferred lightweight migration is yet to be finished.
  public internal(set) var isMigrationPending = false

  /// The systems with a framework version.
  // Core Data: observed in stores named after the system that wrote them, from 973 on; before that likely.
  public var approximateRelease: String? {
    guard let version = frameworkVersion else { return nil }
    return Self.releases.first { $0.versions.contains(version) }?.name
  }

  private static let releases: [(versions: ClosedRange<Int>, name: String)] = [
    (241...251, "iPhone OS 3, Mac OS X 10.6"), (320...320, "iOS 4"), (358...358, "Mac OS X 10.7"),
    (386...386, "iOS 5"), (407...419, "iOS 6"), (479...519, "iOS 7, OS X 10.9"),
    (637...641, "iOS 9"), (752...754, "iOS 10"), (836...836, "a beta of iOS 11"),
    (847...851, "iOS 11"), (865...866, "iOS 12"), (973...977, "iOS 13, macOS 10.15"),
    (1030...1048, "iOS 14, macOS 11"), (1124...1152, "iOS 15, macOS 12"),
    (1216...1251, "iOS 16, macOS 13"), (1321...1347, "iOS 17, macOS 14"),
    (1403...1448, "iOS 18, macOS 15"), (1509...1522, "iOS 26, macOS 26"),
  ]
}
