/// A store at one version, and how it came to be, for expectations to look at.
package struct Situation {
  let version: String
  let context: ManagedObjectContext
  var provenance: Provenance
  let run: RunFacts

  var model: ManagedObjectModel { context.persistentStoreCoordinator.managedObjectModel }
}

/// What a run did since the last start.
package struct RunFacts {
  package var executedSteps: [ExecutedStep] = []
  /// Why the chain ended before its end.
  package var failure: ChainFailure?
  /// The line of an app's code that met the error first.
  var failedLine: ErrorWatch.Place?
  /// Whether the store that the chain started from is as it was.
  var isSourceUntouched: () throws -> Bool = { true }
  var isDestinationAbsent: () -> Bool = { true }
  /// The versions that the store fits which is there now; versions can be equal to Core Data.
  var storeVersions: () throws -> [String] = { [] }
  /// nil where the run has no process of its own, whose outputs would be its own.
  var printed: PrintedSinceStart?
}

// MARK: - Finding objects

extension Situation {
  /// The objects a query finds.
  func fetch(_ query: ResolvedQuery) throws -> [ManagedObject] {
    try ExceptionTrap.catching { try context.fetch(request(query)) }
  }

  func count(_ query: ResolvedQuery) throws -> Int {
    try ExceptionTrap.catching { try context.count(for: request(query)) }
  }

  private func request(_ query: ResolvedQuery) -> FetchRequest<ManagedObject> {
    let request = FetchRequest<ManagedObject>()
    request.entity = query.entity
    request.predicate = query.predicate
    return request
  }

  /// The one object a reference means.
  /// - Throws: ``ReferenceError`` when there is none or there are several.
  func object(_ reference: ResolvedReference) throws -> ManagedObject {
    let found: [ManagedObject]
    switch reference {
    case .query(let query): found = try fetch(query)
    case .named(let name, let entity, _): found = try objects(named: name.value, of: entity)
    }
    if let object = found.first, found.count == 1 { return object }
    throw try problem(reference, found)
  }

  /// The living objects of an entity that have a name.
  private func objects(named name: String, of entity: EntityDescription) throws -> [ManagedObject] {
    try livingObjects(named: name).filter { $0.entity.isKindOf(entity: entity) }
  }

  private func livingObjects(named name: String) throws -> [ManagedObject] {
    if let object = provenance.madeObject(named: name) {
      return object.isMarkedDeleted ? [] : [object]
    }
    return try provenance.keys(named: name).compactMap(object).filter { !$0.isMarkedDeleted }
  }

  /// The object with a key, unless it was deleted.
  /// - Throws: When its row can't be read: it isn't gone then.
  private func object(_ key: MigrationOrigins.ObjectKey) throws -> ManagedObject? {
    guard let entity = model.entity(named: key.entity),
      let store = context.persistentStoreCoordinator.persistentStores.first
    else { return nil }
    let id = ManagedObjectID(entity: entity, primaryKey: key.primaryKey, store: store)
    do { return try context.existingObject(with: id) } catch let error as CoreDataError
      where error.code == .managedObjectReferentialIntegrity
    { return nil }
  }

  private func problem(
    _ reference: ResolvedReference, _ found: [ManagedObject]
  ) throws -> ReferenceError {
    guard case .named(let name, let entity, _) = reference else {
      return ReferenceError(
        description: found.isEmpty
          ? "no such object" : "\(found.count) objects: \(list(found))",
        symptom: found.isEmpty ? nil : .tooManyObjects)
    }
    if !found.isEmpty {
      return ReferenceError(
        description:
          "'\(name.value)' became \(found.count) objects of \(entity.name): \(list(found))",
        symptom: .tooManyObjects)
    }
    let others = try livingObjects(named: name.value)
    if others.isEmpty {
      return ReferenceError(
        description: "there is no object '\(name.value)'; it was dropped", symptom: .lostObject)
    }
    return ReferenceError(
      description: "'\(name.value)' became \(list(others)), no \(entity.name)")
  }

  // MARK: Naming objects

  /// `Event dinner`, or the entity and what the object holds.
  func label(_ object: ManagedObject) -> String {
    if let name = provenance.name(of: object) { return "\(object.entity.name) \(name)" }
    return "\(object.entity.name) \(summary(object))"
  }

  /// The first few attribute values that are set.
  private func summary(_ object: ManagedObject) -> String {
    let set = object.entity.attributes.compactMap { attribute -> String? in
      let value = object.attributeValue(at: attribute.slot)
      return value.isNull ? nil : "\(attribute.name): \(value.shown(as: attribute))"
    }
    if set.isEmpty { return "{}" }
    return "{ \(set.prefix(3).joined(separator: ", "))\(set.count > 3 ? ", …" : "") }"
  }

  /// A few objects, by their labels.
  func list(_ objects: [ManagedObject]) -> String {
    let shown = objects.prefix(5).map(label).joined(separator: ", ")
    return objects.count > 5 ? "\(shown) and \(objects.count - 5) more" : shown
  }
}

/// A reference that means no object, or several.
struct ReferenceError: Error, CustomStringConvertible {
  let description: String
  /// That the object was there once, and became nothing, or that there are several.
  var symptom: Failure.Symptom?
}
