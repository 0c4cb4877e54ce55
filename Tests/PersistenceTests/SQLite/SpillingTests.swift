import TestSupport
import Testing

@testable import Persistence

/// Rows that come one by one while other work goes on, and new objects that become rows before their save.
@Suite struct SpillingTests: StoreSuite {
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

  /// A stream within the stream.
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
    try context.enumerate(request) { tag in
      let name = tag.value(forKey: "name") as? String ?? ""
      names.append(Int(name.prefix { $0 != " " }) ?? -1)
      guard names.count == 700 else { return }
      try context.enumerate(request) { _ in innerCount += 1 }
      #expect(tag.value(forKey: "name") as? String == name)
    }
    #expect(names == Array(0..<3000))
    #expect(innerCount == 3000)
  }

  // MARK: Writing

  private func write(
    _ count: Int, spilling: Bool, pages: Int = 100_000
  ) throws -> (SQLiteStore, (any Error)?) {
    let store = try SQLiteStore.create(
      at: folder.url.appending(path: "\(spilling)-\(pages).sqlite"),
      model: try LibraryModel.make())
    try store.beginBulk()
    try store.database.execute("PRAGMA max_page_count = \(pages)")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator, announces: false)
    do {
      if spilling { context.spillNewObjects(limits: SpillLimits(kept: 8, waiting: 16)) {} }
      try fill(context, count)
      try context.save()
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

  @Test func spilledObjectsAreAsThoseThatAreSaved() throws {
    let contents = try [false, true].map { spilling -> [String] in
      let (store, error) = try write(500, spilling: spilling)
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
  @Test(arguments: [false, true]) func aFullDiskIsTold(spilling: Bool) throws {
    let (store, error) = try write(500, spilling: spilling, pages: 1)
    #expect((error as? CoreDataError)?.code == .sqlite)
    #expect("\(error.map { "\($0)" } ?? "")".contains("full"))
    try store.discard()
    #expect(!FileManager.default.fileExists(atPath: store.url?.path ?? ""))
  }
}
