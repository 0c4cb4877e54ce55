/// A store in a file, boiled down for comparison with what another process finds there: its files
/// byte by byte, and its rows as the engine reads them.
package struct StoreDigest: Codable, Equatable, Sendable {
  /// SHA-256 of each file that holds data, by its name.
  var files: [String: String]
  /// SHA-256 of all rows with their keys, values and links.
  var content: String
  var objectCount: Int

  /// - Parameter store: Open, and at `url`.
  init(of store: PersistentStore, at url: URL) throws {
    let rows = try RowDigest(of: store)
    (content, objectCount) = (rows.text, rows.count)
    files = try Self.files(of: PersistentStoreFiles(url))
  }

  /// Empty files say nothing: an empty journal is none.
  package static func files(of store: PersistentStoreFiles) throws -> [String: String] {
    var result: [String: String] = [:]
    for url in [store.url, store.walURL, store.journalURL] + (try store.externalFiles()) {
      if let digest = try digest(of: url) { result[url.lastPathComponent] = digest }
    }
    return result
  }

  /// Nil for a file that is empty or absent. Read piece by piece, for it may be large.
  private static func digest(of url: URL) throws -> String? {
    let descriptor = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw error(url)
    }
    defer { close(descriptor) }
    var hash = SHA2()
    var isEmpty = true
    try withUnsafeTemporaryAllocation(byteCount: pieceSize, alignment: 8) { piece in
      while true {
        let count = read(descriptor, piece.baseAddress, piece.count)
        if count == 0 { return }
        guard count > 0 else {
          if errno == EINTR { continue }
          throw error(url)
        }
        isEmpty = false
        hash.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      }
    }
    return isEmpty ? nil : hash.value.hexadecimal
  }

  private static let pieceSize = 1 << 18

  private static func error(_ url: URL) -> any Error {
    let reason = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    return CocoaError(
      .fileReadUnknown, userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: reason])
  }
}

/// All rows of a store, one after the other.
struct RowDigest {
  private var hash = SHA2()
  private(set) var count = 0
  private static let batch = 512

  var text: String { hash.value.hexadecimal }

  /// - Complexity: O(*n*) in rows; to-many links are read for many rows at a time.
  init(of store: PersistentStore) throws {
    for entity in store.model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
      try add(entity, of: store)
    }
  }

  private mutating func add(_ entity: EntityDescription, of store: PersistentStore) throws {
    add(entity.name)
    let toMany = entity.relationships.filter { $0.isToMany && !$0.isTransient }
    var waiting: [ManagedObjectID] = []
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    try store.enumerateRows(matching: query) { row in
      try add(row)
      if toMany.isEmpty { return true }
      waiting.append(row.objectID)
      if waiting.count == Self.batch { try addLinks(along: toMany, of: &waiting, in: store) }
      return true
    }
    try addLinks(along: toMany, of: &waiting, in: store)
  }

  private mutating func add(_ row: StoreRow) throws {
    count += 1
    var content = ContentWriter()
    content.append(row.objectID.primaryKey)
    for value in row.values {
      if case .object(let id as ManagedObjectID) = value {
        content.append(id.primaryKey)
      } else {
        try content.append(value)
      }
    }
    hash.update(content.bytes)
  }

  private mutating func addLinks(
    along relationships: [RelationshipDescription], of rows: inout [ManagedObjectID],
    in store: PersistentStore
  ) throws {
    for relationship in relationships where !rows.isEmpty {
      let links = try store.destinations(of: relationship, fromEach: rows)
      for id in rows {
        add(Int64(links[id]?.count ?? 0))
        let keys = (links[id] ?? []).map(\.primaryKey)
        for key in relationship.isOrdered ? keys : keys.sorted() { add(key) }
      }
    }
    rows = []
  }

  private mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number) { hash.update($0) }
  }

  /// The length keeps neighbours apart.
  private mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    hash.update(Data(text.utf8))
  }
}
