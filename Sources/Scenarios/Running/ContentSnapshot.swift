/// What a store holds, apart from row numbers: objects, their values and their links.
///
/// Two stores with equal content give equal snapshots, whatever backend they are on and in
/// whatever order their objects were made.
package struct ContentSnapshot {
  /// One object.
  package struct Object {
    package let entity: EntityDescription
    /// By attribute, in the entity's order.
    package let values: [Value]
    /// By relationship, in the entity's order: places in the list of objects.
    package fileprivate(set) var links: [[Int]]
    /// The objects of the seed it came from.
    package let origins: [Int]
    /// What reports call the object.
    package let label: String
    /// The places of relationships whose order isn't looked at.
    var unordered: Set<Int> = []

    package init(
      entity: EntityDescription, values: [Value], links: [[Int]], origins: [Int], label: String
    ) {
      self.entity = entity
      self.values = values
      self.links = links
      self.origins = origins
      self.label = label
    }
  }

  package private(set) var objects: [Object] = []
  /// Entities don't keep their model, in which the destinations of their relationships are.
  private let model: ManagedObjectModel?
  /// By object: equal for objects that nothing tells apart.
  private(set) var signatures: [Int] = []

  package init(of store: PersistentStore, provenance: Provenance) throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    try self.init(
      context: ManagedObjectContext(coordinator: coordinator, announces: false),
      provenance: provenance)
  }

  /// Content that was read before, elsewhere.
  package init(objects: [Object]) {
    self.objects = objects
    model = objects.first?.entity.managedObjectModel
    refine()
  }

  /// Reads all objects of a context, unsaved changes included.
  package init(context: ManagedObjectContext, provenance: Provenance) throws {
    var places: [ManagedObjectID: Int] = [:]
    var linked: [[[ManagedObjectID]]] = []
    let model = context.persistentStoreCoordinator.managedObjectModel
    self.model = model
    try ExceptionTrap.catching {
      try context.enumerateAll { object in
        places[object.objectID] = objects.count
        objects.append(Object(object, provenance))
        linked.append(object.entity.relationships.map { object.linkedIDs($0) })
      }
    }
    for index in objects.indices {
      objects[index].links = linked[index].map { ids in ids.compactMap { places[$0] } }
    }
    refine()
  }

  /// Objects are told apart by their values first, then by what they are linked with.
  private mutating func refine() {
    let objects = objects
    signatures = Refinement.signatures(own: objects.map(\.ownSignature)) { index, current, hasher in
      let object = objects[index]
      for (place, links) in object.links.enumerated() {
        let linked = links.map { current[$0] }
        hasher.combine(object.isOrdered(place) ? linked : linked.sorted())
      }
    }
  }

  func isEqual(to other: ContentSnapshot) -> Bool {
    signatures.sorted() == other.signatures.sorted()
  }
}

extension ContentSnapshot.Object {
  /// Whether the order of what a relationship leads to is looked at.
  func isOrdered(_ place: Int) -> Bool {
    entity.relationships[place].isOrdered && !unordered.contains(place)
  }

  fileprivate init(_ object: ManagedObject, _ provenance: Provenance) {
    entity = object.entity
    // Two runs save at different times.
    values = entity.attributes.map {
      $0.isDerivedTime ? .null : object.attributeValue(at: $0.slot)
    }
    links = []
    origins = provenance.origins(of: object.objectID)
    let name = provenance.name(of: object)
    label = name.map { "\(object.entity.name) \($0)" } ?? object.entity.name
  }

  fileprivate var ownSignature: Int {
    var hasher = Hasher()
    hasher.combine(entity.name)
    hasher.combine(origins)
    for value in values { value.combineContent(into: &hasher) }
    return hasher.finalize()
  }
}

extension ManagedObjectContext {
  /// Visits all objects, entity by entity.
  func enumerateAll(_ body: (ManagedObject) throws -> Void) throws {
    for entity in persistentStoreCoordinator.managedObjectModel.entities where !entity.isAbstract {
      let request = FetchRequest<ManagedObject>()
      request.entity = entity
      request.includesSubentities = false
      try enumerate(request, body)
    }
  }
}

extension ManagedObject {
  /// The objects a relationship leads to, without touching them.
  func linkedIDs(_ relationship: RelationshipDescription) -> [ManagedObjectID] {
    if relationship.isToMany { return destinationIDs(of: relationship) }
    return destinationID(of: relationship).map { [$0] } ?? []
  }
}
