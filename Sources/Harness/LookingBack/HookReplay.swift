/// Plays a chain once more, up to one step, and watches one property of one object there: which hook
/// gave it the value that it has in the end?
///
/// Always in memory, whatever the run was on, since nothing is to be left behind.
final class HookReplay {
  private let twin: ScenarioRun
  private let steps: [ChainStep]
  private let target: Target
  private var object: ManagedObject?
  private var value: WatchedValue?
  private var place: Failure.Origin?

  /// What is watched: a property of what becomes of an object of the seed.
  struct Target {
    let origins: [Int]
    let entity: String
    let property: String
  }

  /// - Parameter step: The step to watch, as `v1 -> v2`.
  /// - Returns: Nil for a step that the run doesn't come to.
  init?(of run: ScenarioRun, step: String, target: Target) {
    let all = run.scenario.steps(from: run.start)
    guard let index = all.firstIndex(where: { $0.hop.value.description == step }) else {
      return nil
    }
    steps = Array(all[...index])
    self.target = target
    let id = RunID(run.scenario, run.start, .memory)
    twin = ScenarioRun(
      run.scenario, id: id, stores: MemoryStores(destination: nil), policies: run.policies)
  }

  /// The hook after which the property didn't change any more; nil when it can't be watched.
  func find() throws -> Failure.Origin? {
    try twin.prepareSource()
    guard let last = steps.last else { return nil }
    let source = try twin.stores.openCurrent(model: twin.scenario.model(twin.start))
    var chain = MigrationChain(
      steps: try steps.map { try MigrationStep($0, in: twin.scenario, twin.policies) },
      policies: twin.policies)
    chain.recordsOrigins = true
    var done = 0
    chain.didCallHook = { [self] call in if done == steps.count - 1 { watch(call) } }
    _ = chain.run(from: source, into: InMemoryStoreFactory()) { [self] step, _ in
      twin.provenance.advance(step.origins)
      done += 1
    }
    place?.step = last.hop.value.description
    place?.version = last.hop.value.destination
    return place
  }

  // MARK: Watching

  private func watch(_ call: HookCall) {
    if object == nil { object = created(by: call) }
    guard let object, let now = WatchedValue(target.property, of: object), now != value else {
      return
    }
    value = now
    place = Failure.Origin(
      step: nil, version: "", pass: call.pass, hook: call.kind.rawValue,
      entityMapping: call.mapping.name, policy: call.mapping.entityMigrationPolicyClassName,
      object: call.object.flatMap(label))
  }

  /// What the hook made of the source object that the run is about.
  private func created(by call: HookCall) -> ManagedObject? {
    guard call.kind == .createDestinationInstances, let source = call.object,
      twin.provenance.origins(of: source.objectID).contains(where: target.origins.contains)
    else { return nil }
    return call.manager.destinationInstances(
      forEntityMappingName: call.mapping.name ?? "", sourceInstances: [source]
    ).first { $0.entity.name == target.entity && $0.entity.property(named: target.property) != nil }
  }

  private func label(_ object: ManagedObject) -> String? {
    twin.provenance.label(of: Provenance.Key(object.objectID))
  }
}

/// A property's content, to be compared with itself later.
private enum WatchedValue: Equatable {
  case attribute(Value)
  case links([ManagedObjectID])

  init?(_ name: String, of object: ManagedObject) {
    if let attribute = object.entity.attribute(named: name) {
      self = .attribute(object.attributeValue(at: attribute.slot))
    } else if let relationship = object.entity.relationship(named: name) {
      self = .links(object.members(of: relationship).map(\.objectID))
    } else {
      return nil
    }
  }
}
