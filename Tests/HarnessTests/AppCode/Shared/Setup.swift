import CoreData

/// What the app's store holds.
enum Setup {
  static let model: NSManagedObjectModel = {
    let event = NSEntityDescription()
    event.name = "Event"
    event.managedObjectClassName = NSStringFromClass(Event.self)
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let seats = NSAttributeDescription()
    seats.name = "seats"
    seats.attributeType = .integer32AttributeType
    seats.isOptional = true
    event.properties = [name, seats]
    let model = NSManagedObjectModel()
    model.entities = [event]
    return model
  }()
}
