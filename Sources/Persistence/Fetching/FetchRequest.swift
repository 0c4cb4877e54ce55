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
}

/// All of a fetch request but the type of what it gives.
open class UntypedFetchRequest: PersistentStoreRequest {
  /// All that is asked for.
  private struct What {
    var entityName: String?
    var chosenEntity: EntityDescription?
    var predicate: Predicate?
    var sortDescriptors: [SortDescriptor]?
    var fetchLimit = 0
    var fetchOffset = 0
    var includesSubentities = true
    var includesPendingChanges = true
    var resultType = FetchRequestResultType.managedObjectResultType
    var propertiesToFetch: [Any]?
    var propertiesToGroupBy: [Any]?
    var havingPredicate: Predicate?
    var returnsDistinctResults = false
    var returnsObjectsAsFaults = true
    var fetchBatchSize = 0
    var includesPropertyValues = true
    var relationshipKeyPathsForPrefetching: [String]?
    var shouldRefreshRefetchedObjects = false
    var affectedStores: [PersistentStore]?
  }
  /// Requests that are one on a device, and of different results here, have it in common.
  private final class Asked {
    var what: What
    init(_ what: What) { self.what = what }
  }
  private final var asked = Asked(What())

  /// The entity's name, resolved in the context's model when the request is carried out.
  public private(set) final var entityName: String? {
    get { asked.what.entityName }
    set { asked.what.entityName = newValue }
  }
  private final var chosenEntity: EntityDescription? {
    get { asked.what.chosenEntity }
    set { asked.what.chosenEntity = newValue }
  }
  public final var predicate: Predicate? {
    get { asked.what.predicate }
    set { asked.what.predicate = newValue }
  }
  public final var sortDescriptors: [SortDescriptor]? {
    get { asked.what.sortDescriptors }
    set { asked.what.sortDescriptors = newValue }
  }
  /// Most results to give; 0 for all.
  public final var fetchLimit: Int {
    get { asked.what.fetchLimit }
    set { asked.what.fetchLimit = newValue }
  }
  /// How many results to leave out at the start.
  public final var fetchOffset: Int {
    get { asked.what.fetchOffset }
    set { asked.what.fetchOffset = newValue }
  }
  /// Whether objects of subentities are wanted too. True unless set.
  public final var includesSubentities: Bool {
    get { asked.what.includesSubentities }
    set { asked.what.includesSubentities = newValue }
  }
  /// Whether unsaved changes of the context count. True unless set. Dictionaries never show them.
  public final var includesPendingChanges: Bool {
    get { asked.what.includesPendingChanges }
    set { asked.what.includesPendingChanges = newValue }
  }
  public final var resultType: FetchRequestResultType {
    get { asked.what.resultType }
    set { asked.what.resultType = newValue }
  }

  // MARK: Dictionaries

  /// What dictionaries hold: names and key paths through to-one relationships, attribute or
  /// relationship descriptions, ``ExpressionDescription``s. nil for all attributes and to-one
  /// relationships.
  public final var propertiesToFetch: [Any]? {
    get { asked.what.propertiesToFetch }
    set { asked.what.propertiesToFetch = newValue }
  }
  /// The properties whose equal values make a group, of which there is one dictionary.
  // Core Data: observed in a public test: what was given by name is read as the entity's property.
  public final var propertiesToGroupBy: [Any]? {
    get {
      asked.what.propertiesToGroupBy?.map { property in
        (property as? String).flatMap { chosenEntity?.propertiesByName[$0] } ?? property
      }
    }
    set { asked.what.propertiesToGroupBy = newValue }
  }
  /// Which groups are wanted. May use properties, aggregates, and the names of expression descriptions as
  /// `$name`.
  public final var havingPredicate: Predicate? {
    get { asked.what.havingPredicate }
    set { asked.what.havingPredicate = newValue }
  }
  /// Whether equal dictionaries are given once.
  public final var returnsDistinctResults: Bool {
    get { asked.what.returnsDistinctResults }
    set { asked.what.returnsDistinctResults = newValue }
  }

  // MARK: Reading

  /// A hint for Core Data's caches; objects come with their values here whatever it says.
  public final var returnsObjectsAsFaults: Bool {
    get { asked.what.returnsObjectsAsFaults }
    set { asked.what.returnsObjectsAsFaults = newValue }
  }
  /// If more than 0, objects come as faults, and the values of this many are read together when
  /// one of them is first looked at.
  public final var fetchBatchSize: Int {
    get { asked.what.fetchBatchSize }
    set { asked.what.fetchBatchSize = newValue }
  }
  /// Whether values are read along with the objects; if not, they come as faults.
  public final var includesPropertyValues: Bool {
    get { asked.what.includesPropertyValues }
    set { asked.what.includesPropertyValues = newValue }
  }
  /// Relationships whose destinations are read along, together for all objects of the result.
  public final var relationshipKeyPathsForPrefetching: [String]? {
    get { asked.what.relationshipKeyPathsForPrefetching }
    set { asked.what.relationshipKeyPathsForPrefetching = newValue }
  }
  open override var affectedStores: [PersistentStore]? {
    get { asked.what.affectedStores }
    set { asked.what.affectedStores = newValue }
  }
  /// Without effect.
  /// Core Data: observed by a library's tests until 2024: objects that a context has keep their values.
  public final var shouldRefreshRefetchedObjects: Bool {
    get { asked.what.shouldRefreshRefetchedObjects }
    set { asked.what.shouldRefreshRefetchedObjects = newValue }
  }

  public override init() {}

  public init(entityName: String) {
    super.init()
    self.entityName = entityName
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = UntypedFetchRequest()
    copy.asked = Asked(asked.what)
    return copy
  }

  /// Whether it is this request, of whatever results.
  public final func isSame(as other: UntypedFetchRequest?) -> Bool { asked === other?.asked }

  open override func isEqual(_ other: Any?) -> Bool { isSame(as: other as? UntypedFetchRequest) }
  open override var hash: Int { ObjectIdentifier(asked).hashValue }

  /// To be called where the request is carried out.
  final func lookUp(_ entity: EntityDescription) { chosenEntity = chosenEntity ?? entity }

  /// Another request for the same, of other results.
  final func copy<Result>(of type: Result.Type) -> FetchRequest<Result> {
    let copy = sharing(type)
    copy.asked = Asked(asked.what)
    return copy
  }

  /// This request, of other results.
  package final func sharing<Result>(_ type: Result.Type) -> FetchRequest<Result> {
    let request = FetchRequest<Result>()
    request.asked = asked
    return request
  }

  /// Makes another request ask for the same, whatever the form of its results.
  final func describe(_ other: UntypedFetchRequest) {
    let type = other.resultType
    other.asked.what = asked.what
    other.resultType = type
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
