/// What a fetch may give: managed objects, identifiers, dictionaries or numbers.
public protocol FetchRequestResult {}

extension ManagedObject: FetchRequestResult {}
extension ManagedObjectID: FetchRequestResult {}
extension NSDictionary: FetchRequestResult {}
extension NSNumber: FetchRequestResult {}

/// What a fetch gives. Raw values are Core Data's own.
public struct FetchRequestResultType: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Managed objects.
  public static let managedObjectResultType: FetchRequestResultType = []
  /// Object identifiers; no values are read.
  public static let managedObjectIDResultType = FetchRequestResultType(rawValue: 1)
  /// Dictionaries with values of some properties, as they are in the store.
  public static let dictionaryResultType = FetchRequestResultType(rawValue: 2)
  /// One number: how many objects there are.
  public static let countResultType = FetchRequestResultType(rawValue: 4)
}

/// A description of the objects wanted: which entity, which of them, in which order, how many, and
/// what of them.
open class FetchRequest<Result>: UntypedFetchRequest {
  open override func copy(with zone: NSZone? = nil) -> Any { copy(of: Result.self) }

  package override final var isOfObjects: Bool { Result.self is AnyObject.Type }
}

/// All of a fetch request but the type of what it gives.
open class UntypedFetchRequest: PersistentStoreRequest, NSCopying {
  /// The entity's name, resolved in the context's model when the request is carried out.
  public private(set) final var entityName: String?
  private final var chosenEntity: EntityDescription?
  public final var predicate: Predicate?
  public final var sortDescriptors: [SortDescriptor]?
  /// Most results to give; 0 for all.
  public final var fetchLimit = 0
  /// How many results to leave out at the start.
  public final var fetchOffset = 0
  /// Whether objects of subentities are wanted too. True unless set.
  public final var includesSubentities = true
  /// Whether unsaved changes of the context count. True unless set. Dictionaries never show them.
  public final var includesPendingChanges = true
  public final var resultType = FetchRequestResultType.managedObjectResultType

  // MARK: Dictionaries

  /// What dictionaries hold: names and key paths through to-one relationships, attribute or
  /// relationship descriptions, ``ExpressionDescription``s. nil for all attributes and to-one
  /// relationships.
  public final var propertiesToFetch: [Any]?
  /// The properties whose equal values make a group, of which there is one dictionary.
  public final var propertiesToGroupBy: [Any]?
  /// Which groups are wanted. May use properties, aggregates, and the names of expression descriptions as
  /// `$name`.
  public final var havingPredicate: Predicate?
  /// Whether equal dictionaries are given once.
  public final var returnsDistinctResults = false

  // MARK: Reading

  /// A hint for Core Data's caches; objects come with their values here whatever it says.
  public final var returnsObjectsAsFaults = true
  /// If more than 0, objects come as faults, and the values of this many are read together when
  /// one of them is first looked at.
  public final var fetchBatchSize = 0
  /// Whether values are read along with the objects; if not, they come as faults.
  public final var includesPropertyValues = true
  /// Relationships whose destinations are read along, together for all objects of the result.
  public final var relationshipKeyPathsForPrefetching: [String]?
  /// Without effect.
  /// Core Data: observed by a library's tests until 2024: objects that a context has keep their values.
  public final var shouldRefreshRefetchedObjects = false

  public override init() {}

  public init(entityName: String) { self.entityName = entityName }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = UntypedFetchRequest()
    describe(copy)
    copy.resultType = resultType
    return copy
  }

  /// To be called where the request is carried out.
  final func lookUp(_ entity: EntityDescription) { chosenEntity = chosenEntity ?? entity }

  /// Whether its results are said to be of a class.
  package var isOfObjects: Bool { false }

  /// Another request for the same, of other results.
  package final func copy<Result>(of type: Result.Type) -> FetchRequest<Result> {
    let copy = FetchRequest<Result>()
    describe(copy)
    copy.resultType = resultType
    return copy
  }

  /// Makes another request ask for the same, whatever the form of its results.
  final func describe(_ other: UntypedFetchRequest) {
    other.entityName = entityName
    other.chosenEntity = chosenEntity
    other.affectedStores = affectedStores
    other.predicate = predicate
    other.sortDescriptors = sortDescriptors
    (other.fetchLimit, other.fetchOffset) = (fetchLimit, fetchOffset)
    other.includesSubentities = includesSubentities
    other.includesPendingChanges = includesPendingChanges
    other.propertiesToFetch = propertiesToFetch
    other.propertiesToGroupBy = propertiesToGroupBy
    other.havingPredicate = havingPredicate
    other.returnsDistinctResults = returnsDistinctResults
    other.returnsObjectsAsFaults = returnsObjectsAsFaults
    other.fetchBatchSize = fetchBatchSize
    other.includesPropertyValues = includesPropertyValues
    other.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    other.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
  }

  /// Whether the request is for the objects that meet its predicate, or for the first of them, and for
  /// nothing else.
  final var isPlain: Bool {
    fetchOffset == 0 && fetchBatchSize == 0 && includesPendingChanges
      && includesPropertyValues && sortDescriptors?.isEmpty != false && affectedStores == nil
      && propertiesToFetch == nil && propertiesToGroupBy == nil && havingPredicate == nil
      && relationshipKeyPathsForPrefetching == nil && !shouldRefreshRefetchedObjects
  }

  /// The entity that was given as a description, or in which the request was carried out. Of a request with a
  /// name that wasn't yet, asking raises.
  // Core Data: observed in public tests; the words are those that apps quote.
  public final var entity: EntityDescription? {
    get {
      if chosenEntity == nil, let entityName {
        ExceptionTrap.raise(CoreDataError.entityNotLookedUp(entityName))
      }
      return chosenEntity
    }
    set {
      chosenEntity = newValue
      entityName = newValue?.name
    }
  }
}
