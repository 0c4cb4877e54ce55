import TestSupport
import Testing

@testable import Migration

/// What policies' hooks are counted to do, where somebody measures.
@Suite struct HookWorkTests {
  private final class Meter: StepMeter {
    func begin(_ part: StepPart) {}
    func end(_ part: StepPart) {}
  }

  /// Looks at all tags for each event, makes one more, and reads the event again in the second pass.
  private final class ChattyPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let tags = try manager.destinationContext.fetch(
        FetchRequest<ManagedObject>(entityName: "Tag"))
      manager.destinationContext.insert("Tag", ["name": "tag \(tags.count)"])
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let source = manager.sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [destination]
      ).first
      #expect(source?.value(forKey: "name") as? String != nil)
    }
  }

  private func work(
    ofEvents count: Int, on backend: Backend, metered: Bool = true
  ) throws -> [HookWork] {
    let old = try model("v1", entity("Event", attribute("name")))
    let new = try model(
      "v2", entity("Event", attribute("name")), entity("Tag", attribute("name")))
    let stage = try Stage(backend, old) { context in
      for index in 0..<count { context.insert("Event", ["name": "event \(index)"]) }
    }
    let mapping = try MappingBuilder(source: old, destination: new).mappingModel([
      EntityMappingDraft(source: "Event", destination: "Event", policy: "Chatty")
    ])
    let meter = Meter()
    let (_, manager) = try stage.migrate(
      to: new, mapping, policies: PolicyRegistry(["Chatty": { ChattyPolicy() }])
    ) { if metered { $0.meter = meter } }
    #expect(manager.entityMappingReports.map(\.fetchedCount) == [count * (count - 1) / 2])
    return manager.hookWork
  }

  @Test(arguments: Backend.allCases)
  func whatEachHookDoesIsCounted(_ backend: Backend) throws {
    let hooks = try work(ofEvents: 4, on: backend)
    #expect(
      hooks.map(\.hook) == [
        .begin, .createDestinationInstances, .endInstanceCreation, .createRelationships,
        .endRelationshipCreation, .performCustomValidation, .end,
      ])
    #expect(hooks.map(\.calls) == [1, 4, 1, 4, 1, 1, 1])
    #expect(Set(hooks.map(\.entityMapping)) == ["EventToEvent"])
    let made = hooks[1].work
    #expect((made.fetches, made.fetched, made.faults, made.inserts) == (4, 6, 0, 8))
    let linked = hooks[3].work
    #expect((linked.fetches, linked.faults, linked.inserts) == (0, 4, 0))
    #expect(linked.statements == (backend == .sqlite ? 4 : 0))
    #expect(hooks[6].work == ContextWork())
  }

  /// Twice the objects and four times what is fetched: seen without a clock.
  @Test(arguments: Backend.allCases)
  func aQuadraticPolicyShowsInItsCounts(_ backend: Backend) throws {
    let few = try work(ofEvents: 10, on: backend)[1].work
    let many = try work(ofEvents: 20, on: backend)[1].work
    #expect((few.fetches, many.fetches) == (10, 20))
    #expect((few.fetched, many.fetched) == (45, 190))
  }

  @Test func nothingIsCountedForNobody() throws {
    #expect(try work(ofEvents: 2, on: .memory, metered: false).isEmpty)
  }
}
