/// A part of a staged migration.
open class MigrationStage: NSObject {
  /// What reports call the stage.
  public final var label: String?

  /// The checksums of the models that belong to the stage.
  var checksums: [String] { [] }

  open override var description: String { label ?? "a stage" }
}

/// Models that are reached from each other by inference alone.
public final class LightweightMigrationStage: MigrationStage {
  public let versionChecksums: [String]

  public init(_ versionChecksums: [String]) { self.versionChecksums = versionChecksums }

  override var checksums: [String] { versionChecksums }

  public override var description: String {
    label ?? "lightweight stage of \(versionChecksums.count) versions"
  }
}

/// One step with code of the app's before and after it. The step itself is inferred: handlers change
/// data, never structure.
public final class CustomMigrationStage: MigrationStage {
  /// What a stage calls: with a container on the store, in ``StagedMigrationManager/container``.
  public typealias Handler = (StagedMigrationManager, CustomMigrationStage) throws -> Void

  public let currentModel: ManagedObjectModelReference
  public let nextModel: ManagedObjectModelReference
  /// Called while the store has the current model. It saves for itself.
  public var willMigrateHandler: Handler?
  /// Called when the store has the next model. It saves for itself.
  public var didMigrateHandler: Handler?

  public init(
    migratingFrom currentModel: ManagedObjectModelReference,
    to nextModel: ManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
  }

  override var checksums: [String] { [currentModel.versionChecksum, nextModel.versionChecksum] }

  public override var description: String {
    label ?? "stage from \(currentModel) to \(nextModel)"
  }
}
