import TestSupport
import Testing

@testable import Persistence

/// Rows that one statement inserts by the hundred are those that a statement each would have inserted.
@Suite struct RowVirtualTableTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  /// Every type that a column takes as it is, references with and without the entity's number, and a
  /// family of several entities in one table.
  private static func model() throws -> ManagedObjectModel {
    let types = StoreShape.storableTypes.filter { $0 != .transformable }
    return try ManagedObjectModel(
      entities: [
        StoreShape.entity(
          "Sample",
          types.map { StoreShape.attribute("a\($0)", $0) } + [
            StoreShape.toOne("owner", "Owner", "samples"), StoreShape.toOne("note", "Note", nil),
          ]),
        StoreShape.entity(
          "Owner", [StoreShape.attribute("name"), StoreShape.toMany("samples", "Sample", "owner")]),
        StoreShape.entity("Firm", [StoreShape.attribute("city")], parent: "Owner"),
        StoreShape.entity("Note", [StoreShape.attribute("text")]),
      ], name: "given")
  }

  /// Values at the edges of their types, in turn.
  private static func value(_ attribute: AttributeDescription, _ number: Int) -> Value {
    if number % 7 == 0 { return .null }
    let edges: [Value]
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: edges = [.integer(0), .integer(-1), .integer(.max)]
    case .boolean: edges = [.integer(1), .integer(0), .integer(9)]
    case .double, .float: edges = [-0.0, .infinity, .nan, 1e-300].map { .double($0) }
    case .date:
      edges = [0, -978_307_200, .nan].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .string:
      let long = String(repeating: "über långt ", count: 20)
      edges = ["", "a\0b", "å", long, long + "🙂"].map { .string($0) }
    case .binaryData: edges = [Data(), Data([0]), Data(count: 9000)].map { .data($0) }
    default: edges = [StoreShape.value(attribute, number % 4 + 1)]
    }
    return edges[number % edges.count]
  }

  /// Fills a new store by a context, and gives all cells of its tables.
  private func cells(
    _ name: String, _ limits: SpillLimits, _ thread: BackgroundIO,
    spoiling: (ManagedObject) -> Void = { _ in }
  ) throws -> [String] {
    let store = try SQLiteStore.create(
      at: folder.url.appending(path: "\(name).sqlite"), model: try Self.model())
    try store.beginBulk()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator, announces: false)
    try BackgroundIO.$current.withValue(thread) {
      context.spillNewObjects(limits: limits) {}
      try Self.fill(context, spoiling)
      try context.saveWithoutValidation()
    }
    try store.endBulk()
    return try ["ZSAMPLE", "ZOWNER", "ZNOTE", "Z_PRIMARYKEY"].flatMap { table in
      let columns = try store.database.texts("SELECT name FROM pragma_table_info('\(table)')")
      let cell = columns.map { "typeof(\($0)) || ' ' || hex(\($0))" }.joined(separator: "||', '||")
      return try store.database.texts("SELECT '\(table) ' || \(cell) FROM \(table) ORDER BY 1")
    }
  }

  private static func fill(
    _ context: ManagedObjectContext, _ spoil: (ManagedObject) -> Void
  ) throws {
    var (owners, note): ([ManagedObject], ManagedObject?) = ([], nil)
    for number in 0..<60 {
      if number % 5 == 0 {
        let entity = number % 2 == 0 ? "Owner" : "Firm"
        let owner = EntityDescription.insertNewObject(forEntityName: entity, into: context)
        owner.setValue("\(entity) \(number)", forKey: "name")
        owners.append(owner)
      }
      if number % 9 == 0 {
        note = EntityDescription.insertNewObject(forEntityName: "Note", into: context)
      }
      let sample = EntityDescription.insertNewObject(forEntityName: "Sample", into: context)
      for attribute in sample.entity.attributes {
        sample.values[attribute.slot] = value(attribute, number)
      }
      if number % 4 > 0 { sample.setValue(owners[number % owners.count], forKey: "owner") }
      sample.setValue(note, forKey: "note")
      spoil(sample)
      try context.spillIfDue()
    }
  }

  @Test(arguments: [BackgroundIO.never, .always]) func cellsAreThoseOfAStatementEach(
    _ thread: BackgroundIO
  ) throws {
    let plain = try cells("plain", .never, .never)
    for waiting in [1, 16, 33] {
      let early = try cells("\(waiting)", SpillLimits(kept: 4, waiting: waiting), thread)
      #expect(early == plain, "\(waiting)")
    }
    #expect(plain.count == 60 + 12 + 7 + 4)
  }

  @Test(arguments: [BackgroundIO.never, .always]) func anUnfitValueIsToldAsByAStatementEach(
    _ thread: BackgroundIO
  ) throws {
    let errors = [SpillLimits.never, SpillLimits(kept: 4, waiting: 16)].map { limits -> String in
      do {
        _ = try cells("\(limits.isAllowed)", limits, thread) { sample in
          guard sample.objectID.primaryKey == 40 || sample.value(forKey: "auuid") == nil else {
            return
          }
          sample.values[sample.entity.attributesByName["ainteger32"]!.slot] = .string("many")
        }
        return "no error"
      } catch let error as CoreDataError {
        return "\(error.code) \(error.place.property ?? "-") \(error.value ?? "-")"
      } catch {
        return "\(error)"
      }
    }
    #expect(errors[1] == errors[0])
    #expect(errors[0].contains("ainteger32"))
  }

  /// A key that is the next one is left to SQLite, which must come to the same.
  @Test(arguments: [
    [[1, 2, 3, 4]], [[1, 2, 3], [4, 5], [7, 8, 10, 11, 12], [13]],
    [[5, 6, 7], [1, 2, 3, 4], [8, 9]], [[3, 1, 2, 4, 9, 8, 10, 11]], [[.max - 1, .max], [1, 2]],
  ]) func rowsHaveTheKeysTheyAreGiven(_ batches: [[Int64]]) throws {
    let store = try SQLiteStore.create(
      at: folder.url.appending(path: "keys.sqlite"), model: try Self.model())
    let note = try #require(store.model.entity(named: "Note"))
    let slot = try #require(note.attributesByName["text"]).slot
    let writer = try store.writer(for: note)
    let given = try #require(try RowVirtualTable(writer, of: store))
    for keys in batches {
      let rows = keys.map { key in
        var values = ContiguousArray<Value>(repeating: .null, count: note.slotCount)
        values[slot] = .string("\(key)")
        return SpillBatch.Insertion(writer: writer, key: key, values: values)
      }
      try rows.withUnsafeBufferPointer { try given.insert(from: $0) }
    }
    let found = try store.database.texts("SELECT Z_PK || ' ' || ZTEXT FROM ZNOTE ORDER BY Z_PK")
    #expect(found == batches.joined().sorted().map { "\($0) \($0)" })
  }

  @Test func aKeyThatIsThereAlreadyIsAnErrorAndChangesNothing() throws {
    let store = try SQLiteStore.create(
      at: folder.url.appending(path: "twice.sqlite"), model: try Self.model())
    let note = try #require(store.model.entity(named: "Note"))
    let writer = try store.writer(for: note)
    let given = try #require(try RowVirtualTable(writer, of: store))
    let rows = [1, 2, 2, 3].map { key in
      SpillBatch.Insertion(
        writer: writer, key: key,
        values: ContiguousArray(repeating: .null, count: note.slotCount))
    }
    let error = try #require(throws: CoreDataError.self) {
      try rows.withUnsafeBufferPointer { try given.insert(from: $0) }
    }
    #expect(error.code == .sqlite)
    #expect(try store.database.integer("SELECT count(*) FROM ZNOTE") == 0)
  }
}
