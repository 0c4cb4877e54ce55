import CoreData

/// Sets itself up in the initializer that Core Data's classes have, too.
class Sheet: NSManagedObject {
  @NSManaged var title: String?

  convenience init(context: NSManagedObjectContext) {
    self.init(
      entity: NSEntityDescription.entity(forEntityName: "Sheet", in: context)!, insertInto: context)
    title = "set up"
  }
}

class Card: NSManagedObject {
  @NSManaged var title: String?
}

/// What apps have in one place for all their classes.
func make<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) -> T {
  return T(context: context)
}

final class InitializerPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    let model = NSManagedObjectModel()
    model.entities = ["Sheet", "Card"].map { name in
      let entity = NSEntityDescription()
      entity.name = name
      entity.managedObjectClassName = "Initializers.\(name)"
      let title = NSAttributeDescription()
      title.name = "title"
      title.attributeType = .stringAttributeType
      title.isOptional = true
      entity.properties = [title]
      return entity
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    } catch { return error.localizedDescription }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context.performAndWait {
      switch question {
      case "generic": return make(Sheet.self, in: context).title ?? "not set up"
      case "by name": return Sheet(context: context).title ?? "not set up"
      case "class":
        let card = NSEntityDescription.insertNewObject(forEntityName: "Card", into: context)
        return "\(card is Card)"
      default: return make(Card.self, in: context).title ?? "not set up"
      }
    }
  }
}
