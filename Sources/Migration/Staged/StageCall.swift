/// One call of a custom stage's handler.
struct StageCall {
  let manager: StagedMigrationManager
  let stage: CustomMigrationStage
  let handler: CustomMigrationStage.Handler
  /// `willMigrate` or `didMigrate`.
  let moment: MigrationTrace.Event.Kind
  /// The step that the stage makes.
  let step: MigrationStep

  /// Nil for a stage without such a handler.
  init?(
    _ moment: MigrationTrace.Event.Kind, of stage: CustomMigrationStage,
    in manager: StagedMigrationManager, step: MigrationStep
  ) {
    let handler =
      moment == .willMigrate ? stage.willMigrateHandler : stage.didMigrateHandler
    guard let handler else { return nil }
    self.manager = manager
    self.stage = stage
    self.handler = handler
    self.moment = moment
    self.step = step
  }

  /// Lets the handler work on a store that nobody else uses.
  func perform(on store: PersistentStore) throws {
    let container = PersistentContainer(name: step.name, managedObjectModel: store.model)
    container.persistentStoreDescriptions = [PersistentStoreDescription(of: store)]
    container.persistentStoreCoordinator.add(store)
    manager.container = container
    defer { manager.container = nil }
    let recorder = FlightRecorder.current
    recorder?.enter(moment, ofStage: stage.label ?? step.name)
    defer { recorder?.stop() }
    defer { AppCodeWitness.awaitWork() }
    try ExceptionTrap.catching { try handler(manager, stage) }
    recorder?.leave()
  }
}

extension MigrationChain {
  /// Calls a handler with a container on a copy of the store.
  func perform(
    _ call: StageCall, on store: PersistentStore, into stores: any StoreFactory,
    _ report: inout ChainReport
  ) throws -> PersistentStore {
    let start = ContinuousClock.now
    let last = report.steps.count - 1
    defer { report.steps[last].seconds += (ContinuousClock.now - start).seconds }
    let name = call.stage.label ?? call.step.name
    let trace = MigrationTrace()
    trace.record(call.moment, entityMapping: name)
    report.steps[last].runs.append(StepReport.Run(name: name, entityMappings: [], trace: trace))
    let copy = try stores.makeCopy(of: store)
    do {
      try call.perform(on: copy)
      return try stores.seal(copy, isLast: true)
    } catch {
      stores.discard(copy)
      var place = CoreDataError.Place()
      place.pass = call.moment.rawValue
      place.entityMapping = call.stage.label
      throw report.fail(with: error, in: call.step.name, at: place)
    }
  }
}

extension PersistentStoreDescription {
  /// What another container opens the same store with, where it is a file.
  fileprivate convenience init(of store: PersistentStore) {
    self.init()
    (url, type, configuration) = (store.url, store.type, store.configuration.name)
  }
}
