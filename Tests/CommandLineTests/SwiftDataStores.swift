import CSQLite
import Foundation
import TestSupport
import Testing

@testable import Persistence
@testable import Scenarios

/// Stores of a travel app in the layout of SwiftData's: an enum is a composite of one element of its name, marked in the
/// user info; a `Codable` struct is a composite, and what is nested in it, and a `PersistentIdentifier`, are bytes of
/// JSON; a list of texts is an archive. There is one configuration, `default`, persistent history beside the app's
/// tables, and a `-wal` with what isn't in the database yet.
// Core Data: observed in 20 stores of two public apps, of frameworks 1345 to 1414.
struct SwiftDataStores {
  /// What the releases, and the version in work, add to a trip.
  static let versions: KeyValuePairs = [
    "1.0": [:], "1.1": ["note": "string?"], "2.0-draft": ["note": "string?", "rating": "int64"],
    "2.0": ["note": "string?", "rating": "int64 = 0"],
  ]

  static let names = versions.map(\.key)

  /// `1.0.store` and so on; those in work have no rows.
  static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, properties) in versions {
      try write(
        try model(properties), isReleased: !name.hasPrefix("2"),
        to: folder.appending(path: "\(name).store"))
    }
  }

  static func model(_ properties: [String: String]) throws -> ManagedObjectModel {
    let trip = try ModelNotation.entity(
      "Trip",
      properties: [
        "name": "string", "start": "date", "kind": "composite(kind: string?)",
        "place": "composite(city: string, tags: data?)", "guests": "transformable?",
        "stops": "[Stop] <-> trip cascade",
      ])
    trip.ownProperties += try properties.sorted { $0.key < $1.key }.map {
      try ModelNotation.property(named: $0.key, $0.value)
    }
    trip.uniquenessConstraints = [["name"]]
    for case let attribute as AttributeDescription in trip.ownProperties {
      if attribute.name == "kind" { attribute.userInfo = ["EnumType": "true"] }
      if attribute.name == "guests" {
        attribute.valueTransformerName = "NSSecureUnarchiveFromData"
        attribute.attributeValueClassName = "Array<String>"
      }
    }
    let stop = try ModelNotation.entity(
      "Stop",
      properties: [
        "id": "uuid", "title": "string", "next": "data?", "trip": "Trip? <-> stops",
      ])
    return try ManagedObjectModel(
      entities: [trip, stop], versionIdentifiers: ["1.0.0"],
      configurations: ["default": ["Stop", "Trip"]])
  }

  private static let identifier = "5B5E0C5D-9B0E-4F6E-8E2B-3F1D7A0C2D11"

  static func write(
    _ model: ManagedObjectModel, isReleased: Bool, to file: URL
  ) throws {
    let store = try SQLiteStore.create(at: file, model: model, identifier: identifier)
    if isReleased { try fill(store) }
    try store.checkpointAndClose()
    try addHistory(to: file)
  }

  private static func fill(_ store: PersistentStore) throws {
    let context = try ManagedObjectContext(readingFrom: store)
    func insert(_ entity: String, _ values: [String: Any]) -> ManagedObject {
      let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
      for (key, value) in values { object.setValue(value, forKey: key) }
      return object
    }
    func trip(_ name: String, _ day: Double, _ kind: String, _ place: [String: Any])
      -> ManagedObject
    {
      insert(
        "Trip",
        [
          "name": name, "start": Date(timeIntervalSinceReferenceDate: day * 86400),
          "kind": ["kind": kind], "place": place,
        ])
    }
    let alps = trip(
      "Alps", 8000, "hiking", ["city": "Bern", "tags": Data(#"["snow","hut"]"#.utf8)])
    alps.setValue(["Ann", "Ben"], forKey: "guests")
    _ = trip("Oslo", 8100, "city", ["city": "Oslo", "tags": Data("[]".utf8)])
    let first = insert("Stop", ["id": uuid(1), "title": "Hut", "trip": alps])
    _ = insert("Stop", ["id": uuid(2), "title": "Summit", "trip": alps])
    try context.save()
    let uri = first.objectID.uriRepresentation().absoluteString
    let next = #"""
      {"implementation":{"entityName":"Stop","isTemporary":false,"primaryKey":"\#(uri.split(separator: "/").last ?? "")","storeIdentifier":"\#(identifier)","uriRepresentation":"\#(uri.replacing("/", with: #"\/"#))"}}
      """#
    for stop in try context.fetch(FetchRequest<ManagedObject>(entityName: "Stop"))
    where stop !== first {
      stop.setValue(Data(next.utf8), forKey: "next")
    }
    try context.save()
  }

  private static func uuid(_ number: Int) -> UUID {
    UUID(uuidString: "0A6B35E1-5B44-4C2C-9B1A-00000000000\(number)") ?? UUID()
  }

  /// The tables and numbers of persistent history, of which the last are only in the `-wal`.
  private static func addHistory(to file: URL) throws {
    var connection: OpaquePointer?
    let draft = URL(filePath: file.path + ".draft")
    try FileManager.default.moveItem(at: file, to: draft)
    try #require(sqlite3_open(draft.path, &connection) == SQLITE_OK)
    defer { sqlite3_close(connection) }
    let statements = [
      "PRAGMA journal_mode = WAL",
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
        + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )",
      "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
        + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
        + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
      "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 4), (16002, 'TRANSACTION', 0, 1), "
        + "(16003, 'TRANSACTIONSTRING', 0, 2)",
      "INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'com.example.Trips'), (2, 16003, NULL, 'Trips')",
      "INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, NULL, 1, NULL, 2, 742589800.267493, NULL, NULL, NULL, NULL, NULL)",
      "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_autocheckpoint = 0",
      "INSERT INTO ACHANGE SELECT row_number() OVER (), 16001, NULL, 0, Z_ENT, Z_PK, 1, NULL "
        + "FROM (SELECT Z_ENT, Z_PK FROM ZTRIP UNION ALL SELECT Z_ENT, Z_PK FROM ZSTOP)",
    ]
    for statement in statements {
      try #require(
        sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK, "\(statement)")
    }
    // As they are while the app runs: closing would put the log into the database.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: draft.path + suffix, toPath: file.path + suffix)
    }
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: draft.path + suffix)
    }
  }
}
