import TestSupport
import Testing

@testable import Persistence

/// R-tree indexes and partial indexes are in the file as Core Data makes them, and go along with the rows.
@Suite("R-tree and partial indexes") struct RTreeTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace(named: "Stops.sqlite") }

  private func model(partial: String? = nil) throws -> ManagedObjectModel {
    let stop = try ModelNotation.entity(
      "Stop",
      properties: ["lat": "double?", "lon": "double?", "state": "int16?", "name": "string?"])
    stop.indexes = [
      FetchIndexDescription(name: "area", elements: ["lat", "lon"].map(Self.inSpace))
    ]
    if let partial {
      stop.indexes.append(
        FetchIndexDescription(
          name: "open", elements: [.init(propertyName: "state")], partialPredicateFormat: partial))
    }
    return try ManagedObjectModel(entities: [stop])
  }

  private static func inSpace(_ name: String) -> FetchIndexDescription.Element {
    var element = FetchIndexDescription.Element(propertyName: name)
    element.collation = .rTree
    return element
  }

  /// Rows that the R-tree doesn't have as the table has them.
  private func strays(in store: SQLiteStore) throws -> Int64? {
    try store.database.integer(
      """
      SELECT (SELECT count(*) FROM ZSTOP) <> (SELECT count(*) FROM Z_RT_Stop_area) OR EXISTS (
        SELECT 1 FROM ZSTOP LEFT JOIN Z_RT_Stop_area AS tree USING (Z_PK)
        WHERE tree.Z_PK IS NULL OR abs(ZLAT_MIN - ifnull(ZLAT, 0)) > 0.001
          OR abs(ZLON_MAX - ifnull(ZLON, 0)) > 0.001)
      """)
  }

  private func insert(_ count: Int, into store: SQLiteStore) throws {
    var writing = StoreWriting(store)
    for index in 0..<count {
      try writing.insert(
        "Stop",
        [
          "lat": .double(Double(index)), "lon": .double(Double(-index)),
          "name": .string("s\(index)"),
        ])
    }
    try writing.insert("Stop", ["name": .string("nowhere")])
    try writing.save()
  }

  @Test(arguments: [false, true])
  func everyWriteKeepsIt(isBulk: Bool) throws {
    let store = try SQLiteStore.create(at: url, model: try model())
    if isBulk { try store.beginBulk() }
    try insert(5, into: store)
    if isBulk { try store.endBulk() }
    #expect(try strays(in: store) == 0, "inserted")
    try store.close()

    let again = try SQLiteStore.open(at: url, model: try model())
    try insert(3, into: again)
    var writing = StoreWriting(again)
    let rows = try again.rows("Stop")
    writing.update(rows[0], ["lat": .double(77)])
    writing.update(rows[1], ["lat": .null, "lon": .double(3)])
    writing.delete(rows[2].objectID, version: rows[2].version)
    try writing.save()
    #expect(try strays(in: again) == 0, "changed and deleted")
    try again.beginBulk()
    try insert(2, into: again)
    try again.endBulk()
    #expect(try strays(in: again) == 0, "gathered")
    try again.close()
  }

  @Test func batchesKeepIt() throws {
    let store = try SQLiteStore.create(at: url, model: try model())
    try insert(6, into: store)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator)
    let update = BatchUpdateRequest(entityName: "Stop")
    update.predicate = Predicate(format: "lat > 3")
    update.propertiesToUpdate = ["lat": 50.0]
    try context.execute(update)
    #expect(try strays(in: store) == 0, "updated")
    let doomed = FetchRequest<any FetchRequestResult>(entityName: "Stop")
    doomed.predicate = Predicate(format: "lat < 2")
    try context.execute(BatchDeleteRequest(fetchRequest: doomed))
    #expect(try strays(in: store) == 0, "deleted")
    #expect(try store.rows("Stop").count == 5)
  }

  /// Only triggers that say word for word what keeps an R-tree are done; a file's own never run.
  @Test func otherTriggersDoNothing() throws {
    let store = try SQLiteStore.create(at: url, model: try model())
    try insert(2, into: store)
    try store.close()
    let database = try Database(at: url, access: .readWrite)
    try database.execute(
      """
      DROP TRIGGER Z_RT_Stop_area_UPDATE;
      CREATE TRIGGER Z_RT_Stop_area_UPDATE AFTER UPDATE ON ZSTOP FOR EACH ROW BEGIN DELETE FROM ZSTOP ; END
      """)
    database.close()
    let again = try SQLiteStore.open(at: url, model: try model())
    var writing = StoreWriting(again)
    writing.update(try again.rows("Stop")[0], ["lat": .double(9)])
    try writing.save()
    #expect(try again.rows("Stop").count == 3)
    #expect(try strays(in: again) == 1, "as on a device whose migration lost the trigger")
    try again.close()
    let findings = try StoreInspector(of: url).inspect(with: try model()).findings
    #expect(findings.contains { $0.kind == .ignoredSchema })
  }

  @Test func isNothingToBeSaid() throws {
    let store = try SQLiteStore.create(at: url, model: try model())
    try insert(1, into: store)
    #expect(try store.ignoredSchema() == [])
    #expect(try store.tablesBesideTheModel().isEmpty)
    try store.close()
    let inspection = try StoreInspector(of: url).inspect(with: try model())
    #expect(inspection.findings == [] && inspection.otherTables == [])
  }

  @Test func cachesDontListIt() throws {
    let model = try model(partial: "state != nil")
    let again = try ModelArchive.decode(
      try ModelArchive.encode(model, predicates: PredicateArchiver()))
    #expect(again.entity(named: "Stop")?.indexes.map(\.name) == ["open"])
  }

  @Test(arguments: [
    ("name != nil", " WHERE ZNAME IS NOT NULL"), ("state == nil", " WHERE ZSTATE IS NULL"),
    ("state != 4", " WHERE ZSTATE <> 4"), ("state >= 1", " WHERE ZSTATE >= 1"),
    ("state == 0 AND lat == 1", " WHERE (ZSTATE = 0 AND ZLAT = 1)"),
    ("NOT (state == 2)", " WHERE NOT (ZSTATE = 2)"), ("name == \"it's\"", " WHERE ZNAME = 'it''s'"),
    ("name BEGINSWITH \"a\"", ""), ("state < nil", ""),
  ])
  func aPartialIndexHasItsCondition(_ predicate: String, _ condition: String) throws {
    let schema = try StoreSchema(freshFor: try model(partial: predicate))
    let index = try #require(schema.indexes.first { $0.name == "Z_Stop_open" })
    #expect(
      index.statement == "CREATE INDEX Z_Stop_open ON ZSTOP (ZSTATE COLLATE BINARY ASC)" + condition
    )
    #expect(schema.hasIndex(on: "ZSTATE", of: "ZSTOP") == condition.isEmpty)
    let store = try SQLiteStore.create(at: url, model: schema.model)
    try insert(2, into: store)
    try store.close()
  }
}
