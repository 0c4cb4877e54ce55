import Testing

@testable import Migration

/// The second pass asks policies about each object only where one may have an answer.
@Suite struct SecondPassVisitsTests {
  private class CreatingPolicy: EntityMigrationPolicy {
    var create: ((ManagedObject, ManagedObject, EntityMapping, MigrationManager) -> Void)?

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let made = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [source])
      create?(source, made[0], mapping, manager)
    }

    override func endRelationshipCreation(
      forMapping mapping: EntityMapping, manager: MigrationManager
    ) throws {}
  }

  private class LinkingPolicy: CreatingPolicy {
    var linked: [String] = []

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping,
      manager: MigrationManager
    ) throws { linked.append(destination.value(forKey: "name") as? String ?? "") }
  }

  private final class SubclassPolicy: LinkingPolicy {
    override func performCustomValidation(
      forMapping mapping: EntityMapping, manager: MigrationManager
    ) throws {}
  }

  private static func seed(_ context: ManagedObjectContext) {
    for number in 1...9 { context.insert("Event", ["name": "e\(number)"]) }
  }

  private func trace(
    _ backend: Backend, policy: CreatingPolicy, isTold: Bool = false
  ) throws -> (events: [MigrationTrace.Event], calls: Int) {
    let (old, new) = try (
      model("v1", entity("Event", attribute("name"))),
      model("v2", entity("Event", attribute("name"), attribute("title")))
    )
    let stage = try Stage(backend, old, seed: Self.seed)
    let mappings = try MappingBuilder(source: old, destination: new).mappingModel([
      EntityMappingDraft(source: "Event", destination: "Event", policy: "App.Policy")
    ])
    var calls = 0
    let (_, manager) = try stage.migrate(
      to: new, mappings, policies: PolicyRegistry(["App.Policy": { policy }])
    ) { manager in
      guard isTold else { return }
      manager.didCallHook = { if $0.kind == .createRelationships { calls += 1 } }
    }
    return (manager.trace.events, calls)
  }

  @Test(arguments: Backend.allCases)
  func policyThatLinksIsAskedForEachObject(on backend: Backend) throws {
    let policy = SubclassPolicy()
    let count = try trace(backend, policy: policy).events
      .first { $0.kind == .createRelationships }?.count
    #expect(policy.linked == (1...9).map { "e\($0)" })
    #expect(count == 9)
  }

  /// Some objects are made from several, some are deleted again.
  @Test(arguments: Backend.allCases, [false, true])
  func objectsThatNeedNoVisitAreCounted(on backend: Backend, deletes: Bool) throws {
    func run(isTold: Bool) throws -> (events: [MigrationTrace.Event], calls: Int) {
      let policy = CreatingPolicy()
      policy.leavesLinkingToCoreData = true
      var first: ManagedObject?
      policy.create = { source, made, mapping, manager in
        switch source.value(forKey: "name") as? String {
        case "e1": first = made
        case "e4":
          manager.associate(sourceInstance: source, withDestinationInstance: first!, for: mapping)
        case "e6": if deletes { manager.destinationContext.delete(made) }
        default: break
        }
      }
      return try trace(backend, policy: policy, isTold: isTold)
    }
    let (counted, visited) = (try run(isTold: false), try run(isTold: true))
    #expect(counted.events == visited.events)
    #expect(visited.calls == (deletes ? 8 : 9))
  }
}
