/// Plays a chain once more, up to one step, and lets watches look on there: which hook made what is
/// wrong in the end?
///
/// Always in memory, whatever the run was on, since nothing is to be left behind.
final class HookReplay {
  private let twin: ScenarioRun
  private let steps: [ChainStep]
  private let last: ChainStep

  /// - Parameter step: The step to watch, as `v1 -> v2`.
  /// - Returns: Nil for a step that the run doesn't come to.
  init?(of run: ScenarioRun, step: String) {
    let all = run.scenario.steps(from: run.start)
    guard let index = all.firstIndex(where: { $0.ends.value.description == step }) else {
      return nil
    }
    steps = Array(all[...index])
    last = all[index]
    let id = RunID(run.scenario, start: run.start, backend: .memory)
    twin = ScenarioRun(
      run.scenario, id: id, stores: MemoryStores(destination: nil), policies: run.policies)
  }

  /// Plays, and gives for each watch what it found; nil where it can't tell.
  func play(_ watches: [any HookWatch]) throws -> [Failure.Origin?] {
    try twin.prepareSource()
    let source = try twin.stores.openCurrent(model: twin.scenario.model(twin.start))
    var chain = MigrationChain(
      steps: try steps.map { try MigrationStep($0, in: twin.scenario, twin.policies) },
      policies: twin.policies)
    chain.recordsOrigins = true
    chain.givesNewestFirst = true
    var done = 0
    chain.didCallHook = { [self] call in
      guard done == steps.count - 1 else { return }
      let seen = SeenHook(call: call, provenance: twin.provenance, step: last)
      for watch in watches { watch.look(seen) }
    }
    Surroundings.own?.restartChance()
    _ = chain.run(from: source, into: InMemoryStoreFactory()) { [self] step, _ in
      twin.provenance.advance(step.origins)
      Surroundings.own?.restartChance()
      done += 1
    }
    return watches.map(\.finding)
  }
}

/// A hook of the watched step that has come back.
struct SeenHook {
  let call: HookCall
  /// What the step's source objects came from.
  let provenance: Provenance
  let step: ChainStep

  /// The hook as reports name it.
  var origin: Failure.Origin {
    Failure.Origin(
      step: step.ends.value.description, version: step.ends.value.destination, pass: call.pass,
      hook: call.kind.rawValue, entityMapping: call.mapping.name,
      policy: call.mapping.entityMigrationPolicyClassName,
      object: call.object.flatMap { provenance.label(of: Provenance.Key($0.objectID)) })
  }

  /// The objects of the seed that the hook's source object came from; empty for other hooks than
  /// those of the first pass.
  var origins: [Int] {
    guard call.kind == .createDestinationInstances, let source = call.object else { return [] }
    return provenance.origins(of: source.objectID)
  }

  /// What the hook made of its source object, as far as the policy said so.
  var made: [ManagedObject] {
    guard call.kind == .createDestinationInstances, let source = call.object else { return [] }
    return call.manager.destinationInstances(
      forEntityMappingName: call.mapping.name ?? "", sourceInstances: [source])
  }
}

/// Looks on while a step is played once more.
protocol HookWatch: AnyObject {
  func look(_ hook: SeenHook)
  /// The hook that is to be named, when all has been seen.
  var finding: Failure.Origin? { get }
}
