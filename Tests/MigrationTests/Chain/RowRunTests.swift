import Migration
import TestSupport
import Testing

/// Steps without policies from row to row, where both stores are in memory.
@Suite struct RowRunTests {
  private static func old() throws -> ManagedObjectModel {
    try model("v1", entity("User", attribute("name"), attribute("age", .integer32)))
  }

  private func run(
    from old: ManagedObjectModel, to new: ManagedObjectModel, _ drafts: [EntityMappingDraft]? = nil,
    _ change: (inout MigrationChain) -> Void = { _ in }
  ) throws -> (store: PersistentStore?, report: ChainReport, stage: Stage) {
    let stage = try Stage(.memory, old) { context in
      for number in 0..<20 { context.insert("User", ["name": "user \(number)", "age": number]) }
    }
    let mappings = try drafts.map {
      [
        MappingCandidate(
          name: "m",
          model: try MappingBuilder(source: old, destination: new).mappingModel($0))
      ]
    }
    var chain = MigrationChain(steps: [
      MigrationStep(from: old, to: new, mappings: mappings ?? [])
    ])
    change(&chain)
    let (store, report) = chain.run(
      from: stage.source, into: Backend.memory.stores(in: stage.folder))
    return (store, report, stage)
  }

  @Test func inferredStepsKeepKeys() throws {
    let new = try model(
      "v2",
      entity(
        "User", attribute("name"), attribute("age", .integer64),
        attribute("level", .integer16, default: .integer(3))))
    let (store, report, stage) = try run(from: Self.old(), to: new)
    #expect(report.steps.flatMap(\.runs).map(\.method) == [.rows])
    #expect(report.steps.flatMap(\.runs).flatMap(\.trace.events).isEmpty)
    let made = try #require(store)
    let content = try dump(made)
    #expect(content.count == 20)
    #expect(content.contains("User(age: 7, level: 3, name: user 7)"))
    func keys(_ store: PersistentStore) throws -> [Int64] {
      var keys: [Int64] = []
      try store.enumerateRows(matching: StoreQuery(entity: store.model.entities[0])) { row in
        keys.append(row.objectID.primaryKey)
        return true
      }
      return keys
    }
    #expect(try keys(made) == keys(stage.source))
    let next = try made.reservePrimaryKeys(1, for: made.model.entities[0])
    #expect(try next > #require(keys(made).last))
  }

  @Test func mappingModelsWithPredicatesAndExpressions() throws {
    let new = try model("v2", entity("Adult", attribute("name"), attribute("age", .double)))
    var draft = EntityMappingDraft(source: "User", destination: "Adult")
    draft.sourcePredicate = "age >= 18 AND NOT name == 'user 19'"
    draft.attributes = .sameNamed(except: [
      "name": .text(#"TERNARY($source.age == 18, "just", uppercase(name))"#)
    ])
    let (store, report, _) = try run(from: Self.old(), to: new, [draft])
    #expect(report.steps.flatMap(\.runs).map(\.method) == [.rows])
    #expect(try dump(#require(store)) == ["Adult(age: 18.0, name: just)"])
    #expect(report.steps.flatMap(\.runs).flatMap(\.entityMappings).map(\.sourceCount) == [1])
  }

  @Test func whoeverIsToldOfHooksHasAManager() throws {
    let new = try model("v2", entity("User", attribute("name")))
    let told = try run(from: Self.old(), to: new) { $0.didCallHook = { _ in } }
    #expect(told.report.steps.flatMap(\.runs).map(\.method) == [.manager])
    let managed = try run(from: Self.old(), to: new) { $0.lightweightMethod = .manager }
    #expect(managed.report.steps.flatMap(\.runs).map(\.method) == [.manager])
  }

  @Test func aRequiredValueThatIsMissingIsTheManagersError() throws {
    let new = try model("v2", entity("User", attribute("name"), attribute("city", required: true)))
    let (store, report, _) = try run(from: Self.old(), to: new)
    #expect(store == nil)
    #expect("\(try #require(report.failure))".contains("missing attribute values on mandatory"))
  }
}
