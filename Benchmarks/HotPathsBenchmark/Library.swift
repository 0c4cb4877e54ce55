import Commands

/// Books with tags, in a store.
final class Library: @unchecked Sendable {
  let store: PersistentStore
  let folder: URL?

  init(_ backend: Backend) throws {
    (store, folder) = try Self.makeStore(backend)
    let context = self.context()
    Self.fill(context, Limits.books)
    try context.save()
  }

  /// An empty one.
  init(empty backend: Backend) throws { (store, folder) = try Self.makeStore(backend) }

  deinit {
    try? store.close()
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  private static func makeStore(_ backend: Backend) throws -> (PersistentStore, URL?) {
    let model = try model()
    guard backend == .sqlite else { return (InMemoryStore(model: model), nil) }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return (
      try SQLiteStore.create(at: folder.appending(path: "library.sqlite"), model: model), folder
    )
  }

  /// A context on the store that knows nothing yet.
  func context() -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    return ManagedObjectContext(coordinator: coordinator)
  }

  /// Makes books, each with one of a hundred tags.
  static func fill(_ context: ManagedObjectContext, _ count: Int) {
    let tags = (0..<100).map { number in
      let tag = EntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("tag \(number)", forKey: "name")
      return tag
    }
    for number in 0..<count {
      let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("Book \(number)", forKey: "title")
      book.setValue(number % 500, forKey: "pages")
      book.setValue(tags[number % tags.count], forKey: "tag")
    }
  }

  // MARK: Its model

  static func model() throws -> ManagedObjectModel {
    let book = EntityDescription(name: "Book")
    let tag = EntityDescription(name: "Tag")
    book.ownProperties = [
      AttributeDescription(name: "title", type: .string),
      AttributeDescription(name: "pages", type: .integer32),
      relationship("tag", to: "Tag", inverse: "books", toMany: false),
    ]
    tag.ownProperties = [
      AttributeDescription(name: "name", type: .string),
      relationship("books", to: "Book", inverse: "tag", toMany: true),
    ]
    return try ManagedObjectModel(entities: [book, tag], name: "Library")
  }

  private static func relationship(
    _ name: String, to destination: String, inverse: String, toMany: Bool
  ) -> RelationshipDescription {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: toMany)
    relationship.inverseName = inverse
    relationship.isOptional = true
    return relationship
  }
}
