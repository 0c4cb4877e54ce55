import Migration
import Testing

/// Fills a store with an object of every entity that has all its attributes set and all its
/// relationships linked, and one that has only what it must have.
struct FilledStore {
  private let context: ManagedObjectContext
  private var full: [String: ManagedObject] = [:]
  private var bare: [String: ManagedObject] = [:]

  static func fill(_ store: PersistentStore) throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    var filling = FilledStore(context: ManagedObjectContext(coordinator: coordinator))
    try ExceptionTrap.catching {
      filling.insertAll()
      filling.linkAll()
      try filling.context.save()
    }
  }

  private init(context: ManagedObjectContext) { self.context = context }

  private var entities: [EntityDescription] {
    context.persistentStoreCoordinator.managedObjectModel.entities.filter { !$0.isAbstract }
  }

  private mutating func insertAll() {
    for entity in entities {
      let (all, some) = (context.insertNewObject(for: entity), context.insertNewObject(for: entity))
      for attribute in entity.attributes where attribute.isStored {
        all.setAttributeValue(Self.value(for: attribute, 1), at: attribute.slot)
        let needed = attribute.isOptional ? Value.null : Self.value(for: attribute, 2)
        some.setAttributeValue(needed, at: attribute.slot)
      }
      full[entity.name] = all
      bare[entity.name] = some
    }
  }

  private func linkAll() {
    for entity in entities {
      for relationship in entity.relationships where !relationship.isTransient {
        link(relationship, of: full[entity.name], to: full)
        if !relationship.isOptional { link(relationship, of: bare[entity.name], to: bare) }
      }
    }
  }

  private func link(
    _ relationship: RelationshipDescription, of object: ManagedObject?,
    to others: [String: ManagedObject]
  ) {
    let kinds = relationship.destinationEntity.selfAndDescendants
    guard let object, let other = kinds.compactMap({ others[$0.name] }).first else { return }
    let value: Any =
      relationship.isToMany
      ? relationship.isOrdered ? NSOrderedSet(object: other) : NSSet(object: other) : other
    object.setValue(value, forKey: relationship.name)
  }

  /// Different values for different numbers.
  private static func value(for attribute: AttributeDescription, _ number: Int) -> Value {
    let text = "\(attribute.entity.name).\(attribute.name) \(number) å"
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: return .integer(Int64(number + 40))
    case .boolean: return .integer(Int64(number % 2))
    case .decimal: return .decimal(Decimal(number) / 4)
    case .double, .float: return .double(Double(number) + 0.5)
    case .string: return .string(text)
    case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1000.25))
    case .binaryData: return .data(Data(text.utf8))
    case .uuid:
      return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number))))
    case .uri: return URL(string: "https://example.com/\(number)").map { .uri($0) } ?? .null
    case .transformable: return .transformable(TransformableValue(object: [text]))
    case .undefined, .objectID, .composite: return .null
    }
  }
}
