import TestSupport
import Testing

@testable import Migration
@testable import Persistence

/// What a migration in place would meet in a store's own file.
@Suite("A file in the way of a migration in place") struct InPlaceFileTests {
  private static let versions = try? [
    ManagedObjectModel.notated(["Event": ["title": "string?"]], name: "v1"),
    ManagedObjectModel.notated(
      ["Event": ["title": "string?", "extra": "string?"], "Info": ["note": "string?"]], name: "v2"),
    ManagedObjectModel.notated(
      ["Event": ["name": "string? was title", "extra": "string?"], "Info": ["note": "string?"]],
      name: "v3"),
  ]

  private func versions() throws -> [ManagedObjectModel] {
    let versions = try #require(Self.versions)
    return versions
  }

  /// A store of the first version, with something else in its file.
  private func store(_ sql: String, in folder: TemporaryFolder) throws -> SQLiteStore {
    let url = folder.url.appending(path: "old.sqlite")
    let model = try versions()[0]
    let store = try SQLiteStore.create(at: url, model: model)
    try store.database.execute(sql)
    try store.close()
    return try SQLiteStore.openReadOnly(at: url, model: model)
  }

  private func steps() throws -> [MigrationStep] {
    let versions = try versions()
    return zip(versions, versions.dropFirst()).map { MigrationStep(from: $0, to: $1) }
  }

  @Test(
    arguments: [
      ("CREATE TABLE ZINFO (Z_PK INTEGER PRIMARY KEY)", 0, "table ZINFO already exists"),
      ("CREATE VIEW ZINFO AS SELECT 1", 0, "view ZINFO already exists"),
      ("CREATE INDEX ZINFO ON ZEVENT (ZTITLE)", 0, "there is already an index named ZINFO"),
      ("ALTER TABLE ZEVENT ADD COLUMN ZEXTRA VARCHAR", 0, "duplicate column name: ZEXTRA"),
      ("ALTER TABLE ZEVENT ADD COLUMN ZNAME VARCHAR", 1, "duplicate column name: ZNAME"),
      ("CREATE TABLE zInfo (Z_PK INTEGER PRIMARY KEY)", 0, "table ZINFO already exists"),
      ("ALTER TABLE ZEVENT ADD COLUMN zExtra VARCHAR", 0, "duplicate column name: ZEXTRA"),
      ("CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY)", nil, nil),
      ("CREATE INDEX mine ON ZEVENT (ZTITLE)", nil, nil), ("SELECT 1", nil, nil),
    ] as [(String, Int?, String?)])
  func failsAsOnADevice(_ sql: String, _ step: Int?, _ message: String?) throws {
    for together in [false, true] {
      for inMemory in [false, true] {
        let folder = try TemporaryFolder()
        let file = try store(sql, in: folder)
        let source: PersistentStore = inMemory ? try InMemoryStore.copying(file) : file
        var chain = MigrationChain(steps: try steps())
        chain.observesEveryStep = !together
        let stores: any StoreFactory =
          inMemory
          ? InMemoryStoreFactory()
          : SQLiteStoreFactory(destination: folder.url.appending(path: "new.sqlite"))
        let (result, report) = chain.run(from: source, into: stores)
        let error = report.failure?.error as? CoreDataError
        #expect((result == nil) == (message != nil), "\(sql)")
        #expect(report.steps.count == step.map { $0 + 1 } ?? 2)
        #expect(error?.code == message.map { _ in .migration })
        let path = file.url?.path ?? ""
        #expect(
          error?.reason
            == message.map {
              "Cannot migrate store in-place: I/O error for database at \(path).  SQLite error code:1, '\($0)'"
            })
        #expect(error?.place.step == step.map { "v\($0 + 1) -> v\($0 + 2)" })
      }
    }
  }

  /// A migration manager writes a new file, whatever is in the old one.
  @Test func aManagersStepMeetsNothing() throws {
    let folder = try TemporaryFolder()
    let source = try store("CREATE TABLE ZINFO (Z_PK INTEGER PRIMARY KEY)", in: folder)
    var steps = try steps()
    steps[0].way = .manager(usesStoreSpecificMigrationManager: true)
    let (result, report) = MigrationChain(steps: steps).run(
      from: source, into: InMemoryStoreFactory())
    #expect(result != nil && report.failure == nil)
  }

  @Test func theStatementsAreTold() throws {
    let folder = try TemporaryFolder()
    let source = try store("SELECT 1", in: folder)
    let rehearsal = try InPlaceRehearsal(try steps(), in: try source.fileForSteps())
    let told = rehearsal.steps.map { step in
      (step.statements ?? []).map { "\($0.basis.rawValue) \($0.sql)" }
    }
    #expect(
      told == [
        [
          "observed ALTER TABLE ZEVENT ADD COLUMN ZEXTRA VARCHAR",
          "observed CREATE TABLE ZINFO ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNOTE VARCHAR )",
          "assumed INSERT INTO Z_PRIMARYKEY VALUES (2, 'Info', 0, 0)",
          "assumed UPDATE Z_METADATA SET Z_PLIST = …",
          "assumed UPDATE Z_MODELCACHE SET Z_CONTENT = …",
        ],
        [
          "assumed ALTER TABLE ZEVENT RENAME COLUMN ZTITLE TO ZNAME",
          "assumed UPDATE Z_METADATA SET Z_PLIST = …",
          "assumed UPDATE Z_MODELCACHE SET Z_CONTENT = …",
        ],
      ])
    #expect(rehearsal.steps.allSatisfy { $0.obstacle == nil })
  }

  /// The statements that make something are those by which a new store is made: run on an old file they give
  /// what a new one has.
  @Test func whatIsMadeIsWhatANewStoreHas() throws {
    let folder = try TemporaryFolder()
    let source = try store("SELECT 1", in: folder)
    let rehearsal = try InPlaceRehearsal(try steps(), in: try source.fileForSteps())
    try source.close()
    let database = try Database(at: folder.url.appending(path: "old.sqlite"), access: .readWrite)
    for statement in rehearsal.steps.flatMap({ $0.statements ?? [] })
    where !statement.sql.contains("…") { try database.execute(statement.sql) }
    let catalog = try StoreCatalog(of: database)
    let schema = try StoreSchema(freshFor: try versions()[2])
    for table in schema.tables {
      let columns = StoreSchema.fixedColumns + table.columns.map(\.name)
      #expect(Set(catalog.types(ofColumnsIn: table.name).keys) == Set(columns))
    }
    #expect(try EntityNumbers.rows(in: database).map(\.name) == ["Event", "Info"])
    database.close()
  }
}
