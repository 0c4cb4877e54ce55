/// How much a finding matters, the worst first.
public enum FindingSeverity: String, Hashable, Sendable, CaseIterable, Comparable, Codable {
  /// Data is lost or contradicts itself, a save or a migration fails, or silently does something else than it seems to.
  case error
  /// Core Data copes with it for the time being; for some stores data may be lost, or a migration fail.
  case warning
  /// Worth knowing; found where all is as it should be, too.
  case note

  public static func < (a: FindingSeverity, b: FindingSeverity) -> Bool {
    allCases.firstIndex(of: a) ?? 0 < allCases.firstIndex(of: b) ?? 0
  }
}

/// Something about a store that isn't as Core Data would have left it.
///
/// Values of rows are never part of a finding, since stores hold private data; objects are named by
/// entity and primary key.
public struct IntegrityFinding: Hashable, Sendable {
  /// A row that a finding is about.
  public struct Row: Hashable, Sendable {
    /// The object's entity; nil when its number is none of the store's.
    public let entity: String?
    /// The primary key in the finding's table.
    public let key: Int64
    /// The object the row leads to, as `Entity/p3`.
    public let target: String?
    /// What else there is to say about the row.
    public let detail: String?

    package init(entity: String?, key: Int64, target: String? = nil, detail: String? = nil) {
      self.entity = entity
      self.key = key
      self.target = target
      self.detail = detail
    }
  }

  /// What a row is called in reports: `Entity/p3`, or its table where the entity isn't known.
  public func name(of row: Row) -> String { "\(row.entity ?? table ?? "row")/p\(row.key)" }

  /// What is wrong. Match on this, never on the text.
  public let kind: Kind
  public var entity: String?
  public var property: String?
  /// The table or column, for what is no property.
  public var table: String?
  /// What makes this case special, in words.
  public var detail: String?
  /// How many rows, links or elements are concerned.
  public var count: Int
  /// The first of them.
  public var rows: [Row] = []

  /// What its kind has, but where Core Data itself leaves such things behind.
  public internal(set) var severity: FindingSeverity

  /// Whether a migration must not make it of a sound store.
  package var isDamage: Bool { severity == .error || kind == .missingValue }

  package init(
    _ kind: Kind, entity: String? = nil, property: String? = nil, table: String? = nil,
    detail: String? = nil, count: Int = 1
  ) {
    self.kind = kind
    severity = kind.severity
    self.entity = entity
    self.property = property
    self.table = table
    self.detail = detail
    self.count = count
  }

  /// A finding about a property.
  init(
    _ kind: Kind, of property: PropertyDescription, table: String? = nil, detail: String? = nil,
    count: Int = 1
  ) {
    self.init(
      kind, entity: property.entity.name, property: property.dottedName, table: table,
      detail: detail,
      count: count)
  }

  /// Takes one more row into account, and keeps it if it is among the first.
  mutating func count(_ row: @autoclosure () -> Row, showing most: Int) {
    count += 1
    if rows.count < most { rows.append(row()) }
  }
}

extension [IntegrityFinding] {
  /// The findings in their order, but the worst first.
  package var worstFirst: [IntegrityFinding] {
    enumerated().sorted { ($0.element.severity, $0.offset) < ($1.element.severity, $1.offset) }
      .map(\.element)
  }
}

// MARK: - Kinds

extension IntegrityFinding {
  /// The raw value is the identifier that reports show; it stays the same for good.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    // The file.
    case sqliteIntegrity = "sqlite-integrity"
    case unreadableTable = "unreadable-table"
    case unreadableLog = "unreadable-log"
    // What the store says about itself.
    case metadata = "metadata"
    case storeIdentifier = "store-identifier"
    case modelCache = "model-cache"
    case staleModelCache = "stale-model-cache"
    case hashesDigest = "hashes-digest"
    case versionUnknown = "version-unknown"
    case deferredMigration = "deferred-migration"
    case inPlaceObstacle = "in-place-obstacle"
    // Tables and entities.
    case missingTable = "missing-table"
    case missingColumn = "missing-column"
    case columnType = "column-type"
    case extraColumn = "extra-column"
    case schemaUnknown = "schema-unknown"
    case missingEntityNumber = "missing-entity-number"
    case unknownEntityNumber = "unknown-entity-number"
    case oldEntityName = "old-entity-name"
    case wrongSuperentity = "wrong-superentity"
    case staleMaximum = "stale-maximum"
    case missingUniqueIndex = "missing-unique-index"
    case ignoredSchema = "ignored-schema"
    // Rows.
    case wrongEntity = "wrong-entity"
    case abstractEntity = "abstract-entity"
    case missingValue = "missing-value"
    case wrongType = "wrong-type"
    case invalidValue = "invalid-value"
    case primaryKey = "primary-key"
    case lockCounter = "lock-counter"
    case duplicateValues = "duplicate-values"
    // Relationships.
    case danglingReference = "dangling-reference"
    case wrongDestination = "wrong-destination"
    case wrongEntityColumn = "wrong-entity-column"
    case oneSidedInverse = "one-sided-inverse"
    case orphanLink = "orphan-link"
    case wrongCount = "wrong-count"
    case missingOrder = "missing-order"
    case equalOrder = "equal-order"
    // What lies beside the rows.
    case missingExternalFile = "missing-external-file"
    case unknownExternalTag = "unknown-external-tag"
    case orphanExternalFile = "orphan-external-file"
    case historyReference = "history-reference"

    /// What keeps rows, values or links from being read as the file has them: what reads alike may differ.
    package static let misread: Set<Self> = [
      .missingExternalFile, .unknownExternalTag, .danglingReference, .wrongType, .wrongEntity,
      .unreadableLog, .sqliteIntegrity, .orphanLink, .wrongDestination, .abstractEntity,
    ]

    public var severity: FindingSeverity {
      switch self {
      case .staleModelCache, .hashesDigest, .versionUnknown, .columnType,
        .unknownEntityNumber, .missingUniqueIndex, .invalidValue, .lockCounter, .storeIdentifier,
        .staleMaximum:
        .warning
      case .extraColumn, .schemaUnknown, .ignoredSchema, .oldEntityName, .missingOrder, .equalOrder,
        .orphanExternalFile, .historyReference, .deferredMigration:
        .note
      default: .error
      }
    }
  }
}
