/// What a batch request gives. Raw values are Core Data's own.
public enum BatchRequestResultType: UInt, Sendable, Hashable {
  /// Whether it succeeded.
  case statusOnly = 0
  /// The identifiers of the objects it was about.
  case objectIDs = 1
  /// How many objects it was about.
  case count = 2
}

/// What came of a batch: true, identifiers or a number, as the request's result type says.
public class BatchResult: PersistentStoreResult {
  public final let resultType: BatchRequestResultType
  public final let result: Any?

  init(_ outcome: BatchOutcome, as type: BatchRequestResultType) {
    resultType = type
    switch type {
    case .statusOnly: result = NSNumber(value: true)
    case .objectIDs: result = outcome.ids
    case .count: result = NSNumber(value: outcome.count)
    }
  }
}

public final class BatchInsertResult: BatchResult {}
public final class BatchUpdateResult: BatchResult {}
public final class BatchDeleteResult: BatchResult {}

/// Makes objects in the store at once, without making them in a context: nothing is validated, no
/// inverse is set, and contexts learn of it only when its identifiers are merged into them.
///
/// Where a uniqueness constraint finds the object in the store already, the context's merge policy
/// decides: the error policy refuses the batch, *object trump* sets the properties that are given,
/// *overwrite* all of them, *store trump* and *rollback* leave the object as it is.
public final class BatchInsertRequest: PersistentStoreRequest {
  public let entityName: String
  public var resultType = BatchRequestResultType.statusOnly
  let source: Source

  /// Where the values come from.
  enum Source {
    case dictionaries([[String: Any]])
    /// Fills a dictionary; true ends the batch.
    case dictionaryHandler((NSMutableDictionary) -> Bool)
    /// Fills an object; true ends the batch.
    case objectHandler((ManagedObject) -> Bool)
  }

  public init(entityName: String, objects: [[String: Any]]) {
    self.entityName = entityName
    source = .dictionaries(objects)
  }

  private init(copying other: BatchInsertRequest) {
    (entityName, source, resultType) = (other.entityName, other.source, other.resultType)
  }

  public override func copy(with zone: NSZone? = nil) -> Any {
    BatchInsertRequest(copying: self).concerning(storesOf: self)
  }

  /// - Parameter dictionaryHandler: Fills the dictionary of one object; returns true when there are
  ///   no more objects.
  public init(entityName: String, dictionaryHandler: @escaping (NSMutableDictionary) -> Bool) {
    self.entityName = entityName
    source = .dictionaryHandler(dictionaryHandler)
  }

  /// - Parameter managedObjectHandler: Fills one object; returns true when there are no more.
  public init(entityName: String, managedObjectHandler: @escaping (ManagedObject) -> Bool) {
    self.entityName = entityName
    source = .objectHandler(managedObjectHandler)
  }
}

/// Changes attributes and to-one relationships of many objects in the store at once. Nothing is
/// validated, and inverses are left alone.
public final class BatchUpdateRequest: PersistentStoreRequest {
  public let entityName: String
  /// The entity, when it was given as a description.
  public var entity: EntityDescription?
  public var predicate: Predicate?
  public var includesSubentities = true
  public var resultType = BatchRequestResultType.statusOnly
  /// New values by property: names or descriptions; constants, or expressions over the object. An
  /// element of a composite attribute goes by its path, as in `address.city`; the others stay.
  public var propertiesToUpdate: [AnyHashable: Any]?

  public init(entityName: String) { self.entityName = entityName }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = BatchUpdateRequest(entityName: entityName)
    (copy.entity, copy.predicate, copy.propertiesToUpdate) = (entity, predicate, propertiesToUpdate)
    (copy.includesSubentities, copy.resultType) = (includesSubentities, resultType)
    return copy.concerning(storesOf: self)
  }
}

/// Deletes many objects in the store at once.
///
/// Delete rules apply as in a save: *cascade* deletes, *nullify* takes references away. The batch is
/// refused as a whole where *deny* forbids it, or where *nullify* would leave a required
/// relationship empty ("Constraint trigger violation", as devices say).
public final class BatchDeleteRequest: PersistentStoreRequest {
  public let fetchRequest: UntypedFetchRequest?
  public let objectIDs: [ManagedObjectID]?
  public var resultType = BatchRequestResultType.statusOnly

  public init(fetchRequest: UntypedFetchRequest) {
    self.fetchRequest = fetchRequest
    objectIDs = nil
  }

  public init(objectIDs: [ManagedObjectID]) {
    fetchRequest = nil
    self.objectIDs = objectIDs
  }

  private init(copying other: BatchDeleteRequest) {
    fetchRequest = other.fetchRequest?.copy() as? UntypedFetchRequest
    (objectIDs, resultType) = (other.objectIDs, other.resultType)
  }

  public override func copy(with zone: NSZone? = nil) -> Any {
    BatchDeleteRequest(copying: self).concerning(storesOf: self)
  }
}

// MARK: - Executing

// What all batches have in common: the stores of the context at the root, and their lock.

/// A request that changes stores without making objects.
protocol BatchRequest: ExecutableRequest {
  /// Carries the request out while nobody else uses the stores.
  func change(storesOf context: ManagedObjectContext) throws -> PersistentStoreResult
}

extension BatchRequest {
  /// A batch reaches the stores, whatever contexts are in between: a child hands it to its parent.
  func execute(in context: ManagedObjectContext) throws -> PersistentStoreResult {
    if let parent = context.parent {
      return try parent.performAndWait { try execute(in: parent) }
    }
    guard let coordinator = context.persistentStoreCoordinator else {
      throw CoreDataError.noCoordinator
    }
    AppCodeWitness.noteWriting()
    return try coordinator.performAndWait { try change(storesOf: context) }
  }
}
