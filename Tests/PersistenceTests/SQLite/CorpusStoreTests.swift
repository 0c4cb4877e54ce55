import TestSupport
import Testing

@testable import Persistence

/// Stores that Apple's Core Data wrote, read here and by plain `sqlite3`.
@Suite(
  "Real stores are read as sqlite3 reads them",
  .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
  .enabled(if: PlainSQLite.isPresent, PlainSQLite.absenceMessage))
struct CorpusStoreTests {
  static let stores: [String] = {
    ["wire/stores", "posts/stores", "bookmigration"].flatMap { folder in
      let names = (try? Corpus.url(folder)).flatMap { try? contents(of: $0) } ?? []
      return names.filter { $0.hasSuffix(".sqlite") }.map { "\(folder)/\($0)" }
    }
  }()

  /// The model a store keeps, or that of its version.
  private func model(of url: URL) throws -> ManagedObjectModel {
    if let cached = try SQLiteStore.cachedModel(at: url) { return cached }
    let family = try XcodeModel.load(contentsOf: Corpus.url("bookmigration/Model.xcdatamodeld"))
    let metadata = try SQLiteStore.metadata(at: url)
    return try #require(
      family.versions.first {
        $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      })
  }

  @Test(arguments: stores)
  func rowsAndValues(_ path: String) throws {
    let url = try Corpus.url(path)
    let store = try SQLiteStore.openReadOnly(at: url, model: try model(of: url))
    var (queries, lines): ([String], [String]) = ([], [])
    for entity in store.model.entities {
      let columns = entity.attributes.compactMap { attribute -> (name: String, sql: String)? in
        guard case .attribute(let column, let codec) = store.schema.storage(of: attribute) else {
          return nil
        }
        return Self.sql(for: codec, column).map { (attribute.name, $0) }
      }
      let list = ["'\(entity.name)'", "Z_PK", "Z_OPT"] + columns.map(\.sql)
      queries.append(
        "SELECT \(list.joined(separator: ", ")) FROM Z\(entity.rootEntity.name.uppercased()) "
          + "WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)') "
          + "ORDER BY Z_PK;")
      for row in try store.rows(entity.name, subentities: false) {
        let values = columns.map { Self.text(row.value($0.name)) }
        let start = [entity.name, "\(row.objectID.primaryKey)", "\(row.version)"]
        lines.append((start + values).joined(separator: "|"))
      }
    }
    #expect(!lines.isEmpty)
    #expect(try PlainSQLite.rows(queries.joined(), in: url) == lines)
  }

  /// SQL for a column in the form of ``text(_:)``; nil for values that aren't compared as text.
  private static func sql(for codec: ColumnCodec, _ column: String) -> String? {
    let form: String
    switch codec {
    case .integer, .boolean: form = column
    case .string, .uri: form = "'x' || hex(CAST(\(column) AS BLOB))"
    case .date, .double, .float: form = "printf('%.6f', \(column))"
    case .uuid, .binary, .transformable:
      form = "length(\(column)) || 'x' || hex(substr(\(column), 1, 40))"
    case .decimal, .externalBinary: return nil
    }
    return "CASE WHEN \(column) IS NULL THEN 'nil' ELSE \(form) END"
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .double(let value): String(format: "%.6f", value)
    case .date(let value): String(format: "%.6f", value.timeIntervalSinceReferenceDate)
    case .string(let value): hex(Data(value.utf8))
    case .uri(let value): hex(Data(value.absoluteString.utf8))
    case .uuid(let value): "16x" + value.uuidString.replacing("-", with: "")
    case .data(let value): "\(value.count)\(hex(value.prefix(40)))"
    case .transformable(let value):
      (try? value.archived()).map { "\($0.count)\(hex($0.prefix(40)))" } ?? "?"
    case .decimal, .object, .collection: "\(value)"
    }
  }

  private static func hex(_ data: Data) -> String {
    "x" + data.map { String(format: "%02X", $0) }.joined()
  }

  @Test(arguments: stores)
  func relationshipsFromBothSides(_ path: String) throws {
    let url = try Corpus.url(path)
    let store = try SQLiteStore.openReadOnly(at: url, model: try model(of: url))
    for entity in store.model.entities {
      for row in try store.rows(entity.name, subentities: false) {
        for relationship in entity.relationships where relationship.isToMany {
          guard let inverse = relationship.inverseRelationship else { continue }
          for other in try store.destinations(of: relationship, from: row.objectID) {
            #expect(try leadsBack(inverse, from: other, to: row.objectID, in: store))
          }
        }
      }
    }
  }

  private func leadsBack(
    _ inverse: RelationshipDescription, from other: ManagedObjectID, to id: ManagedObjectID,
    in store: SQLiteStore
  ) throws -> Bool {
    if inverse.isToMany {
      return try store.destinations(of: inverse, from: other).contains { $0.isEqual(id) }
    }
    guard case .object(let object)? = try store.row(for: other)?.values[inverse.slot] else {
      return false
    }
    return id.isEqual(object)
  }

  @Test func countsWhatIsKnownToDangle() throws {
    let url = try Corpus.url("wire/stores/1-25.sqlite")
    let store = try SQLiteStore.openReadOnly(at: url, model: try model(of: url))
    for entity in store.model.entities { _ = try store.rows(entity.name) }
    let dangling = store.findings.filter {
      if case .danglingKeys = $0.kind { true } else { false }
    }
    let queries = store.model.entities.flatMap { entity in
      entity.ownProperties.compactMap { property -> String? in
        guard let relationship = property as? RelationshipDescription,
          case .toOne(let columns) = store.schema.storage(of: relationship)
        else { return nil }
        let (table, other) = (
          store.schema.table(of: entity), store.schema.table(of: relationship.destinationEntity)
        )
        return "SELECT DISTINCT '\(relationship.name)' FROM \(table) "
          + "WHERE \(columns.key) NOT IN (SELECT Z_PK FROM \(other));"
      }
    }
    let plain = try PlainSQLite.rows(queries.joined(), in: url)
    #expect(dangling.map(\.property).sorted() == plain.sorted())
  }

  @Test(
    arguments: [
      "wire/stores/2-101-0", "wire/stores/1-28", "posts/stores/CoreDataMigration_Example_3",
    ])
  func aRealStoreCanBeWrittenTo(_ path: String) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "store.sqlite")
    let original = try Corpus.url("\(path).sqlite")
    try FileManager.default.copyItem(at: original, to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
    let store = try SQLiteStore.open(at: url, model: try model(of: original))
    let before = try PlainSQLite.rows("SELECT Z_UUID FROM Z_METADATA", in: url)
    for entity in store.model.entities where !entity.isAbstract {
      let count = try store.rows(entity.name, subentities: false).count
      var writing = StoreWriting(store)
      if let row = try store.rows(entity.name, subentities: false).last { writing.update(row) }
      let values = entity.attributes.map { ($0.name, StoreShape.value($0, 1)) }
      let first = try writing.insert(entity.name, Dictionary(uniqueKeysWithValues: values))
      try writing.insert(entity.name)
      try writing.save()
      writing.delete(first)
      try writing.save()
      #expect(try store.rows(entity.name, subentities: false).count == count + 1, "\(entity)")
    }
    try store.close()
    #expect(try PlainSQLite.rows("SELECT Z_UUID FROM Z_METADATA", in: url) == before)
    let findings = try StoreChecker.findings(in: url, model: store.model, strictly: false)
    #expect(findings.filter { !$0.hasPrefix("NOTE") } == [])
  }

  @Test(
    arguments: [
      "wire/stores/2-101-0", "wire/stores/1-25", "posts/stores/CoreDataMigration_Example_3",
    ])
  func aFreshStoreOfARealModelPassesTheCheck(_ path: String) throws {
    let folder = try TemporaryFolder()
    let model = try model(of: Corpus.url("\(path).sqlite"))
    let url = folder.url.appending(path: "store.sqlite")
    try SQLiteStore.create(at: url, model: model).close()
    #expect(try StoreChecker.findings(in: url, model: model) == [])
  }
}
