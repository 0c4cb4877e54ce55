import Migration
import TestSupport
import Testing

/// Three versions of a person: whole name, two names, two names and a greeting.
private struct People {
  let v1, v2, v3: ManagedObjectModel

  init() throws {
    v1 = try model("v1", entity("Person", attribute("name")))
    v2 = try model("v2", entity("Person", attribute("first"), attribute("last")))
    v3 = try model(
      "v3",
      entity("Person", attribute("first"), attribute("last"), attribute("greeting", required: true))
    )
  }

  func split() throws -> MappingCandidate {
    var draft = EntityMappingDraft(source: "Person", destination: "Person")
    draft.attributes = .sameNamed(except: [
      "first": .text(#"FUNCTION($entityPolicy, "first:", $source.name)"#),
      "last": .text(#"FUNCTION($entityPolicy, "last:", $source.name)"#),
    ])
    draft.policyClassName = "App.Split"
    let mapping = try MappingBuilder(source: v1, destination: v2).mappingModel([draft])
    return MappingCandidate(name: "Split", model: mapping)
  }

  func greet() throws -> MappingCandidate {
    var draft = EntityMappingDraft(source: "Person", destination: "Person")
    draft.attributes = .sameNamed(except: ["greeting": .text(#""Hi""#)])
    let mapping = try MappingBuilder(source: v2, destination: v3).mappingModel([draft])
    return MappingCandidate(name: "Greet", model: mapping)
  }

  let policies = PolicyRegistry([
    "App.Split": {
      let policy = EntityMigrationPolicy()
      policy.functionDispatcher = { policy, selector, arguments in
        let parts = (arguments[0] as? String ?? "").split(separator: " ").map(String.init)
        return selector == "first:" ? parts.first : parts.last
      }
      return policy
    }
  ])

  func steps() throws -> [MigrationStep] {
    [
      MigrationStep(from: v1, to: v2, mappings: [try split()]),
      MigrationStep(from: v2, to: v3, mappings: [try greet()]),
    ]
  }

  static let migrated = [
    "Person(first: Ann, greeting: Hi, last: Smith)", "Person(first: Bo, greeting: Hi, last: Berg)",
  ]

  func seedV1(_ context: ManagedObjectContext) {
    context.insert("Person", ["name": "Ann Smith"])
    context.insert("Person", ["name": "Bo Berg"])
  }

  func seedV2(_ context: ManagedObjectContext) {
    context.insert("Person", ["first": "Ann", "last": "Smith"])
    context.insert("Person", ["first": "Bo", "last": "Berg"])
  }
}

@Suite struct ChainTests {
  @Test(arguments: Backend.allCases)
  func chainEndsEquallyFromEachVersion(on backend: Backend) throws {
    let people = try People()
    let steps = try people.steps()
    let first = try Stage(backend, people.v1, seed: people.seedV1)
    let (store1, report1) = first.run(steps, policies: people.policies)
    #expect(try dump(try #require(store1)) == People.migrated)
    #expect(report1.stepNames == ["v1 -> v2", "v2 -> v3"])
    #expect(report1.steps.map(\.choice?.kind) == [.custom, .custom])
    #expect(report1.steps.map { $0.choice?.mappings.map(\.name) } == [["Split"], ["Greet"]])
    // Whichever executor carried them out.
    let plans = report1.steps.flatMap(\.runs).map { $0.plan?.entities.map(\.policyClassName) }
    #expect(plans == [["App.Split"], [nil]])

    let second = try Stage(backend, people.v2, seed: people.seedV2)
    let (store2, report2) = second.run(Array(steps[1...]), policies: people.policies)
    #expect(try dump(try #require(store2)) == People.migrated)
    #expect(report2.stepNames == ["v2 -> v3"])
  }

  @Test(arguments: Backend.allCases)
  func storeOnTheWayCanBeLookedAt(on backend: Backend) throws {
    let people = try People()
    let stage = try Stage(backend, people.v1, seed: people.seedV1)
    var seen: [[String]] = []
    let (store, _) = stage.run(try people.steps(), policies: people.policies) { _, store in
      seen.append(try dump(store))
    }
    #expect(store?.model === people.v3)
    #expect(store?.identifier == stage.source.identifier)
    #expect(
      seen == [
        ["Person(first: Ann, last: Smith)", "Person(first: Bo, last: Berg)"], People.migrated,
      ])
  }

  @Test(arguments: Backend.allCases)
  func failedStepLeavesSourceWholeAndNoDestination(on backend: Backend) throws {
    let people = try People()
    let stage = try Stage(backend, people.v1, seed: people.seedV1)
    let before = try dump(stage.source)
    var steps = try people.steps()
    steps[1].mappings = []
    let (store, report) = stage.run(steps, policies: people.policies)
    #expect(store == nil)
    let error = try #require(report.failure?.error as? CoreDataError)
    #expect(error.code == .migration)
    #expect(
      error.reason == "Cannot migrate store in-place: Validation error missing attribute values "
        + "on mandatory destination attribute")
    #expect(error.place.step == "v2 -> v3")
    #expect(error.place.entity == "Person")
    #expect(error.place.property == "greeting")
    let inner = try #require(error.underlying as? CoreDataError)
    #expect(
      inner.reason == "Validation error missing attribute values on mandatory destination attribute"
    )
    #expect(report.stepNames == ["v1 -> v2", "v2 -> v3"])
    #expect(try dump(stage.source) == before)
    #expect(stage.otherFiles.isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func requiredAttributeOfAnEmptyStoreIsNoProblem(on backend: Backend) throws {
    let people = try People()
    let stage = try Stage(backend, people.v2)
    let (store, report) = stage.run([MigrationStep(from: people.v2, to: people.v3)])
    #expect(store != nil)
    #expect(report.failure == nil)
  }

  /// Stores from the field have them by the dozen: a to-many relationship has no column to check.
  @Test(arguments: Backend.allCases)
  func requiredToManyMayBeEmptyInAnInferredStep(on backend: Backend) throws {
    func version(_ name: String, required: Bool, _ more: PropertyDescription...) throws
      -> ManagedObjectModel
    {
      try model(
        name,
        entity(
          "Client", attribute("name"), toMany("trusted", "Client", required: required),
          more.first ?? attribute("label")))
    }
    let old = try version("v1", required: false)
    let new = try version("v2", required: true, attribute("note"))
    let stage = try Stage(backend, old) { context in context.insert("Client", ["name": "a"]) }
    let (store, report) = stage.run([MigrationStep(from: old, to: new)])
    #expect(report.failure == nil)
    let lines = try dump(try #require(store))
    #expect(lines.count == 1)
    #expect(lines.first?.contains("name: a") == true)
  }

  @Test(arguments: Backend.allCases)
  func staleMappingFallsBackToInferenceAndSaysSo(on backend: Backend) throws {
    let people = try People()
    let edited = try model(
      "v2", entity("Person", attribute("first"), attribute("last"), attribute("name")))
    let stage = try Stage(backend, people.v1, seed: people.seedV1)
    let step = MigrationStep(from: people.v1, to: edited, mappings: [try people.split()])
    let (store, report) = stage.run([step], policies: people.policies)
    #expect(
      try dump(try #require(store)) == [
        "Person(first: nil, last: nil, name: Ann Smith)",
        "Person(first: nil, last: nil, name: Bo Berg)",
      ])
    let choice = try #require(report.steps[0].choice)
    #expect(choice.kind == .inferred)
    #expect(
      choice.stale.map(\.description)
        == ["Split: PersonToPerson: destination entity 'Person' was changed"])
  }

  @Test func withoutInferenceAMissingMappingIs134140() throws {
    let people = try People()
    var step = MigrationStep(from: people.v1, to: people.v2)
    step.infersMapping = false
    let error = try #require(throws: CoreDataError.self) { try step.chooseMapping() }
    #expect(error.code == .migrationMissingMappingModel)
    #expect(error.reason == "Can't find mapping model for migration")
  }

  @Test func whatCannotBeInferredIs134140WithItsCause() throws {
    let old = try model("v1", entity("Song", attribute("x")))
    let new = try model("v2", entity("Song", attribute("x", .date)))
    let error = try #require(throws: CoreDataError.self) {
      try MigrationStep(from: old, to: new).chooseMapping()
    }
    #expect(error.code == .migrationMissingMappingModel)
    #expect(error.reason == "Can't find or automatically infer mapping model for migration")
    #expect((error.underlying as? CoreDataError)?.code == .inferredMappingModel)
    #expect(error.place.entity == "Song")
    #expect(error.place.property == "x")
  }

  @Test func directStaleMappingIsAMismatch() throws {
    let people = try People()
    let stage = try Stage(.memory, people.v1, seed: people.seedV1)
    var step = MigrationStep(from: people.v1, to: people.v3, mappings: [try people.split()])
    step.way = .direct
    let (_, report) = stage.run([step], policies: people.policies)
    let error = try #require(report.failure?.error as? CoreDataError)
    #expect(error.reason == "Mismatch between mapping and source/destination models")
    #expect(error.place.step == "v1 -> v3")
  }

  @Test func policysOwnErrorHasAPlaceInTheReport() throws {
    struct Refusal: Error {}
    let people = try People()
    let stage = try Stage(.memory, people.v1, seed: people.seedV1)
    let policies = PolicyRegistry([
      "App.Split": {
        let policy = EntityMigrationPolicy()
        policy.functionDispatcher = { _, _, _ in throw Refusal() }
        return policy
      }
    ])
    let (_, report) = stage.run(try people.steps(), policies: policies)
    let failure = try #require(report.failure)
    #expect(failure.error is Refusal)
    #expect(failure.place.step == "v1 -> v2")
    #expect(failure.place.pass == "instance creation")
    #expect(failure.place.entityMapping == "PersonToPerson")
    #expect(failure.place.property == "first")
    #expect(
      failure.description.hasPrefix(
        "Refusal()\n  step: v1 -> v2\n  pass: instance creation\n  entity mapping: PersonToPerson"))
  }

  @Test(
    arguments: [
      (nil, "Mine 7\n  step: v1 -> v2\n", "Mine 7"),
      ("No way", "Mine 7: No way\n  step: v1 -> v2\n", "No way"),
    ] as [(String?, String, String)])
  func policysOwnErrorIsToldByDomainAndCode(
    _ description: String?, _ report: String, _ reason: String
  ) {
    let info = description.map { [NSLocalizedDescriptionKey: $0] }
    var place = CoreDataError.Place()
    place.step = "v1 -> v2"
    place.pass = "save"
    let failure = ChainFailure(
      error: NSError(domain: "Mine", code: 7, userInfo: info), place: place)
    #expect(failure.description.hasPrefix(report), "\(failure)")
    #expect(failure.error.reasonText == reason)
  }

  @Test(arguments: Backend.allCases)
  func severalMappingModelsFillOneDestination(on backend: Backend) throws {
    let old = try model("v1", entity("A", attribute("name")), entity("B", attribute("name")))
    let new = try model(
      "v2", entity("A", attribute("name"), attribute("x")),
      entity("B", attribute("name"), attribute("x")))
    func mapping(_ entity: String) throws -> MappingCandidate {
      let drafts = [EntityMappingDraft(source: entity, destination: entity)]
      let model = try MappingBuilder(source: old, destination: new).mappingModel(drafts)
      return MappingCandidate(name: entity + "s", model: model)
    }
    let stage = try Stage(backend, old) { context in
      context.insert("A", ["name": "a"])
      context.insert("B", ["name": "b"])
    }
    let step = MigrationStep(from: old, to: new, mappings: [try mapping("B"), try mapping("A")])
    let (store, report) = stage.run([step])
    #expect(try dump(try #require(store)) == ["A(name: a, x: nil)", "B(name: b, x: nil)"])
    #expect(report.steps[0].runs.map(\.name) == ["Bs", "As"])
  }

  @Test(arguments: Backend.allCases)
  func originsLeadThroughTheWholeChain(on backend: Backend) throws {
    let people = try People()
    let stage = try Stage(backend, people.v1, seed: people.seedV1)
    let (store, report) = stage.run(try people.steps(), policies: people.policies)
    let context = ManagedObjectContext(on: try #require(store))
    let request = FetchRequest<ManagedObject>(entityName: "Person")
    request.predicate = Predicate(format: "#last == %@", "Berg")
    let bo = try #require(try context.fetch(request).first)
    let original = MigrationOrigins.ObjectKey(entity: "Person", primaryKey: 2)
    #expect(report.sources(of: .init(bo.objectID)) == [original])
    #expect(report.destinations(of: original) == [.init(bo.objectID)])
  }

  @Test(arguments: Backend.allCases)
  func duplicatesUnderANewConstraintAreLoggedAsOnADevice(on backend: Backend) throws {
    let old = try model("v1", entity("Tag", attribute("name")))
    let new = try model("v2", entity("Tag", unique: [["name"]], attribute("name")))
    let stage = try Stage(backend, old) { context in
      context.insert("Tag", ["name": "a"])
      context.insert("Tag", ["name": "a"])
    }
    let (store, report) = stage.run([MigrationStep(from: old, to: new)])
    #expect(store == nil)
    let error = try #require(report.failure?.error as? CoreDataError)
    #expect(error.code == .migration)
    #expect(
      error.reason
        == "Cannot migrate store in-place: constraint violation during attempted migration")
    let inner = try #require(error.underlying as? CoreDataError) as NSError
    #expect(inner.code == 134111)
    #expect(
      inner.userInfo["NSUnderlyingException"] as? String
        == "Constraint unique violation: UNIQUE constraint failed: ZTAG.ZNAME")
    #expect(error.place.step == "v1 -> v2")
  }

  @Test(arguments: Backend.allCases)
  func inferredStepDropsLinksToObjectsTheNewDestinationExcludes(on backend: Backend) throws {
    func version(_ name: String, to destination: String) throws -> ManagedObjectModel {
      try model(
        name, entity("Person", attribute("name")), entity("Poet", parent: "Person"),
        entity("Book", attribute("title"), toOne("author", destination)))
    }
    let v1 = try version("v1", to: "Person")
    let stage = try Stage(backend, v1) { context in
      let ann = context.insert("Person", ["name": "Ann"])
      let bo = context.insert("Poet", ["name": "Bo"])
      context.insert("Book", ["title": "x", "author": ann])
      context.insert("Book", ["title": "y", "author": bo])
    }
    let v2 = try version("v2", to: "Poet")
    let (store, _) = stage.run([MigrationStep(from: v1, to: v2)])
    #expect(
      try dump(try #require(store)) == [
        "Book(author: Bo, title: y)", "Book(author: nil, title: x)", "Person(name: Ann)",
        "Poet(name: Bo)",
      ])
  }

  @Test(arguments: Backend.allCases)
  func noStepsMeansTheSourceIsTheResult(on backend: Backend) throws {
    let people = try People()
    let stage = try Stage(backend, people.v1, seed: people.seedV1)
    let (store, report) = stage.run([])
    #expect(store == nil)
    #expect(report.failure == nil)
    #expect(report.steps.isEmpty)
  }
}
