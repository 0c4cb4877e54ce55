import CoreData

/// A small model of the app's own, and a context with three books in it.
enum Books {
  static let model: NSManagedObjectModel = {
    let book = NSEntityDescription()
    book.name = "Book"
    book.managedObjectClassName = NSStringFromClass(Book.self)
    let author = NSEntityDescription()
    author.name = "Author"
    author.managedObjectClassName = NSStringFromClass(Author.self)
    let books = NSRelationshipDescription()
    books.name = "books"
    books.destinationEntity = book
    books.isOptional = true
    let writer = NSRelationshipDescription()
    writer.name = "author"
    writer.destinationEntity = author
    writer.maxCount = 1
    writer.isOptional = true
    writer.inverseRelationship = books
    books.inverseRelationship = writer
    book.properties = [
      attribute("title", .stringAttributeType), attribute("pages", .integer64AttributeType),
      attribute("bought", .dateAttributeType), attribute("code", .UUIDAttributeType), writer,
    ]
    author.properties = [attribute("name", .stringAttributeType), books]
    let model = NSManagedObjectModel()
    model.entities = [book, author]
    return model
  }()

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  static func context() throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent(UUID().uuidString + ".sqlite")
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let austen = Author(context: context)
      austen.name = "Austen"
      let joyce = Author(context: context)
      joyce.name = "Joyce"
      for (title, pages, author) in [
        ("Emma", 300, austen), ("Persuasion", 200, austen), ("Ulysses", 700, joyce),
      ] {
        let book = Book(context: context)
        book.title = title
        book.pages = Int64(pages)
        book.author = author
        book.bought = Date(timeIntervalSinceReferenceDate: Double(pages))
        book.code = UUID(uuidString: "00000000-0000-0000-0000-000000000\(pages)")
      }
      try context.save()
    }
    return context
  }
}

@objc(Book)
class Book: NSManagedObject {
  @NSManaged var title: String?
  @NSManaged var pages: Int64
  @NSManaged var bought: Date?
  @NSManaged var code: UUID?
  @NSManaged var author: Author?
}

@objc(Author)
class Author: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var books: Set<Book>
}

extension Book {
  /// As Xcode generates it, beside the one that it inherits.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
    return NSFetchRequest<Book>(entityName: "Book")
  }
}

extension Book: Identifiable {}
