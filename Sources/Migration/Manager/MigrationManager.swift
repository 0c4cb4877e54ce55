/// Carries the objects of one store over into another, entity mapping by entity mapping, in three
/// passes: make instances, link them, validate and save.
///
/// The source is only read. New objects belong to the destination context, and are unsaved until the one save at
/// the end, so that a destination that existed is unchanged when a migration fails; in a new file their rows may be
/// written before (``Persistence/ManagedObjectContext/spillNewObjects(limits:didReadBack:)``). Data is appended to
/// what the destination holds, so that several mapping models can fill it in turn.
///
/// Policies see plain managed objects, as on a device: no subclass code runs. Used by one thread.
open class MigrationManager: NSObject {
  public final let sourceModel: ManagedObjectModel
  public final let destinationModel: ManagedObjectModel
  /// The mapping model of the running or last migration.
  open internal(set) var mappingModel = MappingModel()
  /// Where source instances are read.
  open internal(set) var sourceContext: ManagedObjectContext
  /// Where destination instances are made.
  open internal(set) var destinationContext: ManagedObjectContext
  /// Free for policies to share things in.
  open var userInfo: [AnyHashable: Any]?
  /// Whether an inferred mapping model between files of the SQLite type runs inside SQLite, as
  /// automatic migration does it: without contexts, without progress in between, and checking
  /// mandatory values only. Not when the destination exists already, nor in a subclass.
  open var usesStoreSpecificMigrationManager = true

  /// Where policy classes are found: in all code that was loaded, unless set.
  public final var policyProvider: any PolicyProvider = LoadedPolicies.shared
  /// What happened, in order.
  public final let trace = MigrationTrace()
  /// Whether asking for the instances of a mapping name that doesn't exist is an exception. Core
  /// Data answers with nothing, which hides a typing error; either way the trace has a warning.
  public final var raisesForUnknownMappingNames = false
  /// Told ``migrationProgress`` each time it has grown.
  public final var didProgress: (Float) -> Void = { _ in }
  /// An app's observers of ``migrationProgress``, in the order in which they registered.
  public final var progressObservers: [ProgressObserver] = []
  private final var progress: Float = 0
  /// Told of each call of a hook when it has returned.
  public final var didCallHook: ((HookCall) -> Void)?
  /// How the second pass visits the objects; another way than a device's shows policies that depend on it.
  public final var secondPass = SecondPass.once
  /// Where the last migration failed; for errors that can't say so themselves.
  public final internal(set) var failurePlace: CoreDataError.Place?

  /// Whether nobody looks at the destination's objects after the migration.
  final var forgetsObjects = false

  /// Seconds that the last migration spent in each pass.
  public final internal(set) var passSeconds: [MigrationPass: Double] = [:]
  /// Seconds of the first pass that went into reading source objects rather than into mapping them,
  /// where a meter is set.
  public final internal(set) var readSeconds = 0.0
  /// How many objects the last migration's source has of an entity, by name, where a mapping has read
  /// all of them; those of subentities not included.
  final var sourceCounts: [String: Int] = [:]
  /// What the source's store answered otherwise than memory would have, each predicate once at a place.
  final var sqlDifferences: [SQLDifference] = []
  /// What policies did of which it isn't known what a device makes of it.
  final var stepDoubts: [StepDoubt] = []
  /// Told when passes begin and end.
  final weak var meter: (any StepMeter)?
  /// Whether fetches in no order give the newest objects first where the destination is in memory.
  final var givesNewestFirst = false
  /// Told which hook runs, for whoever outlives the process.
  final var recorder: FlightRecorder?

  /// Whether an app's class may have methods of its own in place of these.
  final lazy var isOfOwnClass = type(of: self) != MigrationManager.self
  final var run: MigrationRun?
  final var isMigrating = false
  /// Whether it has been used for a store already.
  final var hasMigrated = false
  /// Why the next migration is to stop before it begins.
  private final var earlyCancellation: (any Error)?

  /// - Throws: What the migration was cancelled with before it began.
  final func checkEarlyCancellation() throws {
    defer { earlyCancellation = nil }
    if let earlyCancellation { throw earlyCancellation }
  }

  final var sourceStore: PersistentStore?

  /// - Parameters:
  ///   - sourceModel: The model of the source store.
  ///   - destinationModel: The model of the destination store.
  public init(sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    sourceContext = .init(coordinator: .init(managedObjectModel: sourceModel))
    destinationContext = .init(coordinator: .init(managedObjectModel: destinationModel))
  }

  // MARK: Entities and progress

  /// The entity mapping whose hooks are running.
  open var currentEntityMapping: EntityMapping { run?.current?.mapping ?? EntityMapping() }

  /// How much is done, from 0 to 1: visits of entity mappings done, of three each. 0 again once the migration
  /// is over and observers were told 1.
  // Core Data: observed in public progressive migrators.
  open var migrationProgress: Float { progress }

  /// Tells everybody that some more is done.
  final func tellProgress(_ new: Float) {
    let old = progress
    if new != old { willChangeValue(forKey: "migrationProgress") }
    progress = new
    didProgress(new)
    if new == old { return }
    for observer in progressObservers { observer.tell(old, new) }
    didChangeValue(forKey: "migrationProgress")
  }

  /// Called before ``migrationProgress`` changes, and after it: apps' own managers override them to show it.
  // Core Data: the keys are those of key-value observing; seen overridden in a public library.
  open func willChangeValue(forKey key: String) {}
  open func didChangeValue(forKey key: String) {}

  /// The migration is over.
  final func endProgress() { progress = 0 }

  open func sourceEntity(for mEntity: EntityMapping) -> EntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceContextModel.entity(named: $0) }
  }

  open func destinationEntity(for mEntity: EntityMapping) -> EntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationContextModel.entity(named: $0) }
  }

  /// The models the stores brought along: equal to those of this manager, but objects belong to
  /// these.
  final var sourceContextModel: ManagedObjectModel {
    sourceContext.persistentStoreCoordinator.managedObjectModel
  }
  final var destinationContextModel: ManagedObjectModel {
    destinationContext.persistentStoreCoordinator.managedObjectModel
  }

  // MARK: Stopping

  /// Stops the migration before the next object; it then throws `error` itself. Before a migration it stops the
  /// next one before anything is done.
  open func cancelMigrationWithError(_ error: any Error) {
    guard isMigrating, let run else {
      earlyCancellation = error
      return
    }
    run.cancellation = error
    ExceptionTrap.tellObserver()
  }

  /// Forgets all associations. The contexts keep their objects.
  open func reset() { run?.forgetAssociations() }

  // MARK: What was made of what

  /// Notes that `destinationInstance` was made from `sourceInstance` under an entity mapping.
  /// A pair that is noted already counts once.
  open func associate(
    sourceInstance: ManagedObject, withDestinationInstance destinationInstance: ManagedObject,
    for entityMapping: EntityMapping
  ) {
    guard let program = run?.program(for: entityMapping) else {
      return unknown(entityMapping.name)
    }
    program.associations.associate(sourceInstance, destinationInstance)
  }

  /// The destination instances that were made from `sourceInstances` under the entity mapping with
  /// a name; all of the mapping's when `sourceInstances` is nil.
  ///
  /// In order of the source instances, and of association within each; each instance once. Before
  /// the mapping's turn in the first pass there are none.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    guard let program = run?.program(named: mappingName) else {
      unknown(mappingName)
      return []
    }
    guard let sourceInstances else {
      return program.associations.uniqueDestinations.filter(\.isAlive)
    }
    return destinationInstances(of: sourceInstances, under: [program])
  }

  /// The source instances from which `destinationInstances` were made under the entity mapping
  /// with a name; all of the mapping's when `destinationInstances` is nil.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    guard let program = run?.program(named: mappingName) else {
      unknown(mappingName)
      return []
    }
    let table = program.associations
    let rows = destinationInstances.map { $0.flatMap(table.rows(of:)) } ?? Array(0..<table.count)
    var seen = Set<AssociationTable.SourceKey>()
    return rows.compactMap { row in
      let key = table.sourceKey(at: row)
      return seen.insert(key).inserted ? sourceInstance(key) : nil
    }
  }

  // MARK: Stores by URL

  /// Migrates the store at one URL into one at another, which is appended to when it exists.
  ///
  /// - Parameters:
  ///   - sourceURL: The store to read; it is left as it is.
  ///   - mappings: What to do; nil is an error.
  ///   - dURL: Where the result goes. A new store is removed again when the migration fails.
  /// - Throws: As ``migrate(from:to:with:)``; `CoreDataError`: `.persistentStoreInvalidType` for
  ///   another type than `SQLite`, `.migrationManagerSourceStore` when there is no source store,
  ///   `.migrationManagerDestinationStore` when both URLs are one file, unless the mapping is inferred,
  ///   `.migrationMissingMappingModel` without a mapping.
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: MappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    do {
      try Self.checkType(sStoreType)
      try Self.checkType(dStoreType)
      try migrateStore(from: sourceURL, with: mappings, to: dURL)
    } catch let error as CoreDataError {
      throw error.during(
        from: sourceModel, to: destinationModel, sourceURL: sourceURL, destinationURL: dURL)
    }
  }
}

/// Somebody who is told how much of a migration is done, as it was and as it is.
public final class ProgressObserver {
  public let tell: (_ old: Float, _ new: Float) -> Void
  public init(_ tell: @escaping (_ old: Float, _ new: Float) -> Void) { self.tell = tell }
}

/// How the second pass of a migration visits the objects that an entity mapping made, and their relationships.
public enum SecondPass: String, Sendable, Hashable, CaseIterable, Codable {
  /// In the order in which they were made: as a device does it.
  case once
  /// The last object first. Core Data doesn't promise any order.
  case reversed
  /// Of each object the last relationship mapping first. Xcode numbers the entity mappings of a mapping model, and
  /// not their relationship mappings. Any two of them have changed places then.
  case relationshipsReversed
  /// All of them, and then all of them once more.
  case twice
}
