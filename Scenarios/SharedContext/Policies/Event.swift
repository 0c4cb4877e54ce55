import CoreData

class Event: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var seats: Int32

  class func all(in context: NSManagedObjectContext) -> [Event] {
    let request = NSFetchRequest<Event>(entityName: "Event")
    request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Event.name), ascending: true)]
    do { return try context.fetch(request) } catch {
      print("no events: \(error)")
      return []
    }
  }

  class func named(_ name: String, in context: NSManagedObjectContext) -> Event {
    return all(in: context).first { $0.name == name }!
  }

  @discardableResult
  class func add(_ name: String, in context: NSManagedObjectContext) -> Event {
    let event = Event(context: context)
    event.name = name
    event.seats = 10
    return event
  }

  class func shown(in context: NSManagedObjectContext) -> String {
    return all(in: context).map { "\($0.name ?? "-") \($0.seats)" }.joined(separator: ", ")
  }
}
