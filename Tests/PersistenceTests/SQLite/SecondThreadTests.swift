import TestSupport
import Testing

@testable import Persistence

/// Rows that a second thread reads or writes are as if it had been the first.
@Suite struct SecondThreadTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  // MARK: Reading

  private func context(_ model: ManagedObjectModel) throws -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(try SQLiteStore.openReadOnly(at: url, model: model))
    return ManagedObjectContext(coordinator: coordinator, announces: false)
  }

  private static func line(_ object: ManagedObject) -> String {
    let values = object.entity.properties.filter { $0.name != "self" }.map { property -> String in
      if let relationship = property as? RelationshipDescription {
        let ids = object.destinationIDs(of: relationship).map(\.description)
        return "\(property.name) \(relationship.isOrdered ? ids : ids.sorted())"
      }
      if property is FetchedPropertyDescription { return "" }
      if case .transformable(let value) = object.attributeValue(at: property.slot) {
        return "\(property.name) \((try? value.archived())?.count ?? -1)"
      }
      return "\(property.name) \(object.attributeValue(at: property.slot))"
    }
    return "\(object.objectID): \(values.joined(separator: ", "))"
  }

  /// What a stream of an entity's rows gives, some of whose objects are kept, and its error.
  private func stream(
    _ entity: EntityDescription, _ thread: SecondThread, withSubentities: Bool = true,
    in model: ManagedObjectModel, stoppingAt last: Int = .max
  ) throws -> [String] {
    struct Stop: Error {}
    let context = try context(model)
    let request = FetchRequest<ManagedObject>(entityName: entity.name)
    request.includesSubentities = withSubentities
    var (lines, kept): ([String], [ManagedObject]) = ([], [])
    do {
      try SecondThread.$current.withValue(thread) {
        try context.enumerate(request) { object in
          lines.append(Self.line(object))
          if lines.count % 3 == 0 { kept.append(object) }
          if lines.count == last { throw Stop() }
        }
      }
    } catch {
      lines.append("\(error)")
    }
    return lines + kept.map(Self.line)
  }

  @Test(arguments: StoreShape.allCases, [true, false])
  func rowsAreReadAheadAsTheyAre(_ shape: StoreShape, withSubentities: Bool) throws {
    let model = try make(shape)
    for entity in model.entities {
      let lines = try [SecondThread.never, .always].map {
        try stream(entity, $0, withSubentities: withSubentities, in: model)
      }
      #expect(lines[1] == lines[0], "\(entity.name)")
      #expect(entity.isAbstract || !lines[0].isEmpty)
    }
  }

  @Test(arguments: [
    (StoreShape.library, "UPDATE ZCHAPTER SET Z_ENT = 77 WHERE Z_PK = 3", "Chapter"),
    (.everyAttributeType, "UPDATE ZSAMPLE SET ZAUUID = X'0102' WHERE Z_PK = 3", "Sample"),
    (.inheritance, "UPDATE ZREACTION SET ZMESSAGE = 99, Z2_MESSAGE = 3 WHERE Z_PK < 3", "Reaction"),
    (.inheritance, "UPDATE ZREACTION SET Z2_MESSAGE = NULL", "Reaction"),
  ])
  func damagedRowsAreToldAheadAsTheyAre(
    _ shape: StoreShape, _ sql: String, _ entity: String
  ) throws {
    let model = try make(shape, changedBy: sql)
    let wanted = try #require(model.entity(named: entity))
    let alone = try stream(wanted, .never, in: model)
    #expect(try stream(wanted, .always, in: model) == alone)
    #expect(alone.count >= 3)
  }

  @Test func whoStopsGetsNoMoreRows() throws {
    let model = try make(.library)
    let chapter = try #require(model.entity(named: "Chapter"))
    #expect(try stream(chapter, .always, in: model, stoppingAt: 2).count == 3)
  }

  /// More rows than there is room for ahead, and a stream within the stream.
  @Test func manyRowsComeInOrder() throws {
    let model = try LibraryModel.make()
    let store = try SQLiteStore.create(at: url, model: model)
    var writing = StoreWriting(store)
    let long = String(repeating: "long ", count: 1000)
    for number in 0..<3000 {
      _ = try writing.insert("Tag", ["name": .string("\(number) \(number % 50 == 0 ? long : "")")])
    }
    try writing.save()
    try store.close()
    let context = try context(model)
    let request = FetchRequest<ManagedObject>(entityName: "Tag")
    var (names, innerCount): ([Int], Int) = ([], 0)
    try SecondThread.$current.withValue(.always) {
      try context.enumerate(request) { tag in
        let name = tag.value(forKey: "name") as? String ?? ""
        names.append(Int(name.prefix { $0 != " " }) ?? -1)
        guard names.count == 700 else { return }
        try context.enumerate(request) { _ in innerCount += 1 }
        #expect(tag.value(forKey: "name") as? String == name)
      }
    }
    #expect(names == Array(0..<3000))
    #expect(innerCount == 3000)
  }

  // MARK: Writing

  private func write(
    _ count: Int, _ thread: SecondThread, pages: Int = 100_000
  ) throws -> (SQLiteStore, (any Error)?) {
    let store = try SQLiteStore.create(
      at: folder.url.appending(path: "\(thread == .always)-\(pages).sqlite"),
      model: try LibraryModel.make())
    try store.beginBulk()
    try store.database.execute("PRAGMA max_page_count = \(pages)")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator, announces: false)
    do {
      try SecondThread.$current.withValue(thread) {
        context.spillNewObjects(limits: SpillLimits(kept: 8, waiting: 16)) {}
        try fill(context, count)
        try context.save()
      }
      return (store, nil)
    } catch {
      context.abandonNewObjects()
      return (store, error)
    }
  }

  /// Makes books on shelves, with tags; some are changed after they were written.
  private func fill(_ context: ManagedObjectContext, _ count: Int) throws {
    var (shelf, tags): (ManagedObject?, [ManagedObject]) = (nil, [])
    for number in 0..<count {
      if number % 20 == 0 {
        shelf = EntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
        shelf?.setValue("shelf \(number)", forKey: "name")
      }
      if number % 40 == 0 {
        let tag = EntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("tag \(number)", forKey: "name")
        tags.append(tag)
      }
      let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("book \(number), a title that takes some room", forKey: "title")
      book.setValue(number, forKey: "pages")
      book.setValue(shelf, forKey: "shelf")
      tags[number % tags.count].mutableSetValue(forKey: "items").add(book)
      shelf?.setValue("shelf \(number) again", forKey: "name")
      try context.spillIfDue()
    }
  }

  @Test func rowsAreWrittenBehindAsTheyAre() throws {
    let contents = try [SecondThread.never, .always].map { thread -> [String] in
      let (store, error) = try write(500, thread)
      #expect(error == nil)
      try store.endBulk()
      let context = ManagedObjectContext(
        coordinator: {
          let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
          coordinator.add(store)
          return coordinator
        }())
      return try ["Item", "Shelf", "Tag"].flatMap { name in
        try context.fetch(FetchRequest<ManagedObject>(entityName: name)).map {
          Self.line($0).replacing(store.identifier, with: "")
        }.sorted()
      }
    }
    #expect(contents[0] == contents[1])
    #expect(contents[0].count == 500 + 25 + 13)
  }

  /// A disk that is full is told at the latest by the save, and nothing of it stays.
  @Test(arguments: [SecondThread.never, .always]) func aFullDiskIsTold(
    _ thread: SecondThread
  ) throws {
    let (store, error) = try write(500, thread, pages: 1)
    #expect((error as? CoreDataError)?.code == .sqlite)
    #expect("\(error.map { "\($0)" } ?? "")".contains("full"))
    try store.discard()
    #expect(!FileManager.default.fileExists(atPath: store.url?.path ?? ""))
  }
}

extension SecondThread: CustomTestStringConvertible {
  public var testDescription: String { self == .always ? "second thread" : "one thread" }
}
