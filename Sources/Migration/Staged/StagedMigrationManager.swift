/// A migration in stages, given as an option of opening a store.
///
/// From the stage that the store's version belongs to, the stages run in order until the
/// coordinator's model is reached. Consecutive lightweight models are joined: the mapping is inferred
/// from the earliest to the latest, not from each to the next.
/// Core Data: observed in reports of developers.
open class StagedMigrationManager: NSObject {
  public final let stages: [MigrationStage]
  /// The store that is being migrated, while a handler runs; else nil.
  public internal(set) final var container: PersistentContainer?
  /// Whether each lightweight model of a stage is passed on the way. An extension: Core Data doesn't.
  /// The models are taken from the library that the migration looks things up in.
  public final var visitsEachVersion = false
  /// Where ``visitsEachVersion`` finds the models.
  package final var modelsOnTheWay: [ManagedObjectModel] = []
  /// What the last migration did.
  public internal(set) final var report: ChainReport?

  public init(_ stages: [MigrationStage]) { self.stages = stages }
}
