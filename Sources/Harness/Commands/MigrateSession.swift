/// One call of `heavyweight migrate`: loads what it is given, migrates and reports.
public struct MigrateSession {
  /// Where models, mapping models and policies come from.
  public enum Origin {
    case files(
      MigrationFiles, target: String?, path: ModelMigrationPlan.Path,
      allowsUnusedMappings: Bool = false)
    /// A scenario file.
    case scenario(String)
  }

  private let store: String
  private let output: String
  private let origin: Origin
  private let isForMachines: Bool
  private let tellsUsage: Bool
  private let isInMemory: Bool

  /// - Parameters:
  ///   - isForMachines: Whether the report is JSON.
  ///   - tellsUsage: Whether it says what the migration used of the machine.
  ///   - isInMemory: Whether all stores are in memory and nothing is written to `output`.
  public init(
    store: String, output: String, origin: Origin, isForMachines: Bool, tellsUsage: Bool = false,
    isInMemory: Bool = false
  ) {
    self.tellsUsage = tellsUsage
    self.isInMemory = isInMemory
    self.store = store
    self.output = output
    self.origin = origin
    self.isForMachines = isForMachines
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  public func run() async -> ExitStatus {
    Interruption.removesTemporaryFiles()
    do {
      let (place, source) = (URL(fileURLWithPath: output), URL(fileURLWithPath: store))
      // Before policies are compiled, which takes seconds.
      if !isInMemory { try StoreMigration.preparePlace(of: place) }
      let (plan, notes) = try await plan()
      notes.forEach(Console.complain)
      let progress = ProgressLine()
      var migration =
        isInMemory
        ? StoreMigration(inMemoryOf: source, by: plan)
        : StoreMigration(of: source, to: place, by: plan)
      let meter = ResourceMeter(result: isInMemory ? nil : place)
      if tellsUsage { migration.meter = meter }
      var report = try migration.run { progress.show($0, $1, $2) }
      progress.clear()
      if tellsUsage {
        report.usage = withExtendedLifetime(migration) { MigrationUsage(report, meter) }
      }
      return try publish(report)
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  /// The plan, and what was passed over in making it.
  private func plan() async throws -> (plan: any MigrationPlan, notes: [String]) {
    // Stores may be large, and times are to be those of an app's release.
    let compiler = PolicyCompiler(optimizes: true)
    switch origin {
    case .files(let files, let target, let path, let allowsUnused):
      let plan = try await ModelMigrationPlan(
        files, to: target, path: path, allowsUnusedMappings: allowsUnused, compiler: compiler)
      return (plan, plan.notes + (path == .stepwise ? plan.mappings.orderNotes : []))
    case .scenario(let file):
      let url = URL(fileURLWithPath: file)
      let scenario = try CheckedScenario.load(contentsOf: url, shownAs: file)
      return (try await ScenarioMigration(scenario, compiler: compiler), [])
    }
  }

  private func publish(_ report: StoreMigrationReport) throws -> ExitStatus {
    let style = TextStyle(for: STDOUT_FILENO)
    let data = isForMachines ? try report.json() : Data(report.text(style: style).utf8)
    return Console.publish(data, report.exitStatus)
  }
}
