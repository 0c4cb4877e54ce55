/// What a fetch may give: managed objects, identifiers, dictionaries or numbers.
public protocol FetchRequestResult {}

extension ManagedObject: FetchRequestResult {}
extension ManagedObjectID: FetchRequestResult {}
extension NSDictionary: FetchRequestResult {}
extension NSNumber: FetchRequestResult {}

/// A description of the objects wanted: which entity, which of them, in which order, how many.
open class FetchRequest<Result>: NSObject {
  /// The entity's name, resolved in the context's model when the request is carried out.
  public private(set) var entityName: String?
  private var chosenEntity: EntityDescription?
  public var predicate: Predicate?
  public var sortDescriptors: [SortDescriptor]?
  /// Most objects to give; 0 for all.
  public var fetchLimit = 0
  /// How many matching objects to leave out at the start.
  public var fetchOffset = 0
  /// Whether objects of subentities are wanted too. True unless set.
  public var includesSubentities = true
  /// Whether unsaved changes of the context count. True unless set.
  public var includesPendingChanges = true
  /// A hint for Core Data's caches; objects come with their values here whatever it says.
  public var returnsObjectsAsFaults = true
  /// A hint for Core Data's caches; has no effect on the result.
  public var fetchBatchSize = 0
  /// A hint for Core Data's caches; has no effect on the result.
  public var includesPropertyValues = true
  /// Relationships to read along with the objects: a hint without effect here, where an object
  /// costs no round trip.
  public var relationshipKeyPathsForPrefetching: [String]?

  public override init() {}

  public init(entityName: String) { self.entityName = entityName }

  /// The entity, when it was given as a description.
  public var entity: EntityDescription? {
    get { chosenEntity }
    set {
      chosenEntity = newValue
      entityName = newValue?.name
    }
  }
}
