import CoreData
import SwiftUI

@Observable final class Shown { var count = 1 }

final class Shelves: ObservableObject {
  @Published var titles: [String] = []
}

@objc protocol ShelfWatcher { @objc optional func filled(_ shelf: String); var name: String { get } }

@objc(Book) final class Book: NSManagedObject {
  @NSManaged var title: String?
  @NSManaged var rank: Int16
  override class func entity() -> NSEntityDescription { ShownPolicy.model.entitiesByName["Book"]! }
}

@objc final class ShownPolicy: NSEntityMigrationPolicy {
  static let model: NSManagedObjectModel = {
    let shelf = NSEntityDescription()
    shelf.name = "Shelf"
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let rank = NSAttributeDescription()
    rank.name = "rank"
    rank.attributeType = .integer16AttributeType
    rank.defaultValue = 0
    let onShelf = NSRelationshipDescription()
    onShelf.name = "shelf"
    onShelf.destinationEntity = shelf
    onShelf.maxCount = 1
    let book = NSEntityDescription()
    book.name = "Book"
    book.managedObjectClassName = "Book"
    book.properties = [title, rank, onShelf]
    let model = NSManagedObjectModel()
    model.entities = [shelf, book]
    return model
  }()

  private let order: [SortDescriptor<Book>] = [
    SortDescriptor(\.title, order: .reverse), SortDescriptor(\.rank),
  ]

  private func holds(_ predicate: Predicate<Int>) -> Bool { (try? predicate.evaluate(3)) ?? false }

  @objc func told(_ source: NSManagedObject) -> String { (try? told()) ?? "failed" }

  private func told() throws -> String {
    let container = NSPersistentContainer(name: "Books", managedObjectModel: Self.model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in precondition(error == nil) }
    let context = container.newBackgroundContext()
    for title in ["b9", "c", "b10"] { Book(context: context).title = title }
    let byTitle = NSSortDescriptor(order[0])
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Book.title!, comparator: .lexical))]
    let titles = try context.fetch(request).compactMap(\.title)
    let selectors = [byTitle, NSSortDescriptor(order[1])].map { descriptor in
      "\(descriptor.key!) \(descriptor.selector.map(NSStringFromSelector)!)"
    }
    let shelf = Self.model.entitiesByName["Book"]!.relationshipsByName["shelf"]!
    let copy = shelf.copy() as! NSRelationshipDescription
    let archive = NSKeyedArchiver.archivedData(withRootObject: ["first", "last"] as NSArray)
    let texts = try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NSString.self, from: archive)
    request.sortDescriptors = [byTitle]
    request.predicate = NSPredicate(format: "title BEGINSWITH 'b'")
    let last = try context.fetch(request).last?.title
    return [
      "\(Shown().count)", titles.joined(separator: " "), selectors.joined(separator: ", "),
      "\(holds(#Predicate<Int> { $0 > 2 }))",
      "\(shelf.destinationEntity!.name!) \(copy.destinationEntity!.name!)",
      "\(Book.entity().name!) \(Book(context: context).entity.name!)",
      "\(texts!.count) \(texts!.last!)", last ?? "none",
    ].joined(separator: ", ")
  }
}
