import CSQLite
import Commands
import Foundation
import Migration
import TestSupport

/// Keyed archives: values of transformable attributes, compiled models, and what a store keeps of its
/// model.
struct ArchiveTarget: FuzzTarget {
  static let name = "archives"
  let seeds: [Data]

  init(folder: URL) throws {
    let models = try VersionedModel.load(
      contentsOf: Samples.package.appending(path: "Scenarios/Migrators/Cookbook.xcdatamodeld")
    ).versions
    let objects: [Any] = [
      ["a", "b"] as NSArray, ["k": 1, "l": ["m": Date(timeIntervalSince1970: 0)]] as NSDictionary,
      NSSet(array: [1, 2]), NSNumber(value: 1.5),
      URL(string: "https://a.b/c")! as NSURL, UUID() as NSUUID, "text" as NSString,
      Data([1, 2, 3]) as NSData, NSNull(),
    ]
    let archives = try objects.map {
      try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: false)
    }
    seeds =
      try archives + models.map { ModelArchive.encodeCompiledModel($0) }
      + models.map { try ModelArchive.encode($0) }
      + archives.compactMap { data in
        (try? PropertyListSerialization.propertyList(from: data, format: nil)).flatMap {
          try? PropertyListSerialization.data(fromPropertyList: $0, format: .xml, options: 0)
        }
      }
  }

  let words = [
    "bplist00", "$archiver", "$objects", "$top", "$version", "NSKeyedArchiver", "$class",
    "NS.objects", "NSManagedObjectModel",
  ]

  /// A property list of lists, each of which has the one before several times: few bytes for very many values.
  func input(_ random: inout RandomSource) -> Data? {
    guard Int.random(in: 0..<20, using: &random) == 0 else { return nil }
    let levels = Int.random(in: 2...200, using: &random)
    let width = Int.random(in: 1...14, using: &random)
    func text(_ text: String) -> [UInt8] {
      (text.utf8.count < 15
        ? [0x50 | UInt8(text.utf8.count)] : [0x5F, 0x10, UInt8(text.utf8.count)])
        + Array(text.utf8)
    }
    var objects = [text("x")]
    for level in 1...levels {
      objects.append(
        [0xA0 | UInt8(width)] + Array(repeating: UInt8(level - 1), count: width))
    }
    let first = UInt8(objects.count)
    objects += ["$archiver", "NSKeyedArchiver", "$objects", "$top", "root", "$version"].map(text)
    // 100,000; the archive's object 1; `$top`; and all of it.
    objects += [[0x12, 0, 1, 0x86, 0xA0], [0x80, 1], [0xD1, first + 4, first + 7]]
    objects.append([
      0xD4, first, first + 2, first + 3, first + 5, first + 1, UInt8(levels), first + 8, first + 6,
    ])
    let top = Bool.random(using: &random) ? objects.count - 1 : levels
    func number(_ value: Int, bytes: Int) -> [UInt8] {
      (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var data = Array("bplist00".utf8)
    let places = objects.map { object in
      defer { data += object }
      return data.count
    }
    let table = data.count
    data += places.flatMap { number($0, bytes: 2) } + [0, 0, 0, 0, 0, 0, 2, 1]
    data += [objects.count, top, table].flatMap { number($0, bytes: 8) }
    return Data(data)
  }

  func play(_ input: Data) throws {
    if let archive = try? KeyedArchive(input) {
      var left = 10_000
      walk(archive.root, &left, depth: 0)
    }
    _ = try? input.propertyList()
    _ = try? ModelArchive.decodeCompiledModel(input)
    _ = try? ModelArchive.decode(input)
    _ = TransformableValue(archived: input).object
  }

  private func walk(_ value: ArchivedValue, _ left: inout Int, depth: Int) {
    left -= 1
    if left < 0 || depth > 60 { return }
    switch value {
    case .array(let values): for value in values { walk(value, &left, depth: depth + 1) }
    case .dictionary(let entries):
      for entry in entries {
        walk(entry.key, &left, depth: depth + 1)
        walk(entry.value, &left, depth: depth + 1)
      }
    case .object(let object):
      for key in object.keys { walk(object[key], &left, depth: depth + 1) }
    default: break
    }
  }
}

/// SQLite stores: inspected, opened, read to the end and migrated. The file must stay as it is.
struct StoreTarget: FuzzTarget {
  static let name = "stores"
  private let folder: URL
  private let models: URL
  private let versions: [ManagedObjectModel]
  let seeds: [Data]

  init(folder: URL) throws {
    self.folder = folder
    models = Samples.package.appending(path: "Scenarios/Migrators/Cookbook.xcdatamodeld")
    versions = try VersionedModel.load(contentsOf: models).versions
    seeds = try versions.map { try Self.store(of: $0, in: folder) }
  }

  private static func store(of model: ManagedObjectModel, in folder: URL) throws -> Data {
    let url = folder.appending(path: "\(UUID().uuidString).sqlite")
    let store = try SQLiteStore.create(
      at: url, model: model, identifier: "5D6F8A1C-0B6E-4C58-9C39-2E7F0F4D0001")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<12 {
      let recipe = EntityDescription.insertNewObject(forEntityName: "Recipe", into: context)
      for attribute in recipe.entity.attributes {
        recipe.setValue(
          attribute.attributeType == .string ? "text \(number)" : NSNumber(value: number),
          forKey: attribute.name)
      }
      guard let link = recipe.entity.relationships.first else { continue }
      let author = EntityDescription.insertNewObject(
        forEntityName: link.destinationEntity.name, into: context)
      for attribute in author.entity.attributes where attribute.attributeType == .string {
        author.setValue("author \(number)", forKey: attribute.name)
      }
      recipe.setValue(author, forKey: link.name)
    }
    try context.save()
    try store.checkpointAndClose()
    return try Data(contentsOf: url)
  }

  let words = [
    "Z_METADATA", "Z_PRIMARYKEY", "ZRECIPE", "CREATE TRIGGER", "NSStoreModelVersionHashes",
    "SQLite format 3\0", "bplist00",
  ]

  /// Half of the inputs are whole databases with wrong content, made by SQLite itself.
  func input(_ random: inout RandomSource) -> Data? {
    guard Bool.random(using: &random), let seed = seeds.randomElement(using: &random) else {
      return nil
    }
    let url = folder.appending(path: "changed.sqlite")
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
    guard (try? seed.write(to: url)) != nil else { return nil }
    var database: OpaquePointer?
    guard sqlite3_open(url.path, &database) == SQLITE_OK else { return nil }
    defer { sqlite3_close(database) }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      sqlite3_exec(database, statement(&random), nil, nil, nil)
    }
    sqlite3_exec(
      database, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE", nil, nil, nil)
    return try? Data(contentsOf: url)
  }

  private func statement(_ random: inout RandomSource) -> String {
    let value = [
      "NULL", "x'00'", "zeroblob(100000)", "'text'", "-1", "9223372036854775807", "1e999",
      "x'62706c697374303000'", "randomblob(200)", "''", "0",
      "'../../../etc/passwd'", "x'02' || CAST('../../x' AS BLOB) || x'00'",
      "printf('%.*c', 50000, 'a')", "char(27) || '[2J'",
    ].randomElement(using: &random)!
    let column = [
      "ZRECIPE SET ZTITLE", "ZRECIPE SET Z_ENT", "ZRECIPE SET Z_PK", "ZRECIPE SET Z_OPT",
      "ZRECIPE SET ZAUTHOR", "ZRECIPE SET ZMINUTES", "ZRECIPE SET ZDURATION",
      "Z_PRIMARYKEY SET Z_ENT", "Z_PRIMARYKEY SET Z_NAME", "Z_PRIMARYKEY SET Z_SUPER",
      "Z_PRIMARYKEY SET Z_MAX", "Z_METADATA SET Z_PLIST",
      "Z_METADATA SET Z_UUID", "Z_METADATA SET Z_VERSION", "Z_MODELCACHE SET Z_CONTENT",
      "ZAUTHOR SET ZNAME", "ZAUTHOR SET Z_ENT",
    ].randomElement(using: &random)!
    return [
      "UPDATE \(column) = \(value)", "UPDATE \(column) = \(value) WHERE rowid % 2",
      "DELETE FROM ZRECIPE", "DROP TABLE Z_METADATA", "DROP TABLE ZAUTHOR",
      "INSERT INTO Z_METADATA SELECT * FROM Z_METADATA",
      "ALTER TABLE ZRECIPE ADD COLUMN ZMORE AS (hex(randomblob(1e9)))",
      "ALTER TABLE ZRECIPE RENAME TO ZOTHER",
      "CREATE TRIGGER t AFTER INSERT ON ZRECIPE BEGIN DELETE FROM ZRECIPE; END",
      "CREATE VIEW v AS SELECT * FROM v",
      "DROP TABLE ZRECIPE; CREATE VIEW ZRECIPE AS WITH RECURSIVE r(Z_PK, Z_ENT, Z_OPT, ZTITLE) AS (VALUES (1, 1, 1, 'a') UNION ALL SELECT Z_PK + 1, 1, 1, 'a' FROM r) SELECT * FROM r",
      "PRAGMA user_version = 7",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE ZRECIPE (Z_PK)' WHERE name = 'ZRECIPE'",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 2 WHERE name = 'ZRECIPE'",
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT",
      "CREATE UNIQUE INDEX u ON ZRECIPE (abs(Z_PK))", "PRAGMA encoding = 'UTF-16'; VACUUM",
    ].randomElement(using: &random)!
  }

  func play(_ input: Data) throws {
    let url = folder.appending(path: "Fuzzed.sqlite")
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
    try input.write(to: url)
    for isForMachines in [false, true] {
      // What is wrong with the store is no mistake of the report's.
      _ = try? InspectSession(
        store: url.path, models: models.path, rowLimit: 3, isForMachines: isForMachines
      ).run()
    }
    for version in versions { read(url, version) }
    try migrate(url)
    if try Data(contentsOf: url) != input { throw Finding("the source store was changed") }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix("Fuzzed.sqlite-")
    }
    if !left.isEmpty { throw Finding("files were left beside the source store: \(left)") }
  }

  private func read(_ url: URL, _ model: ManagedObjectModel) {
    guard let store = try? SQLiteStore.openReadOnly(at: url, model: model) else { return }
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator)
    for entity in model.entities {
      _ = try? ExceptionTrap.catching {
        for object in try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name)) {
          for property in object.entity.properties { _ = object.value(forKey: property.name) }
        }
      }
    }
    try? store.close()
  }

  private func migrate(_ url: URL) throws {
    let output = folder.appending(path: "Migrated.sqlite")
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: output.path + suffix)
    }
    let steps = zip(versions, versions.dropFirst())
    guard let metadata = try? SQLiteStore.metadata(at: url),
      let step = steps.first(where: {
        $0.0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      }),
      let mapping = try? MappingModel.inferredMappingModel(
        forSourceModel: step.0, destinationModel: step.1)
    else { return }
    let manager = MigrationManager(sourceModel: step.0, destinationModel: step.1)
    _ = try? ExceptionTrap.catching {
      try manager.migrateStore(
        from: url, sourceType: "SQLite", options: nil, with: mapping, toDestinationURL: output,
        destinationType: "SQLite", destinationOptions: nil)
    }
  }
}
