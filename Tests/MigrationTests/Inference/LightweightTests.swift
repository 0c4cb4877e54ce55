import Migration
import Testing

/// What inferred steps do with data.
@Suite struct LightweightTests {
  private func migrate(
    _ backend: Backend, _ old: ManagedObjectModel, _ new: ManagedObjectModel,
    seed: (ManagedObjectContext) throws -> Void
  ) throws -> [String] {
    let stage = try Stage(backend, old, seed: seed)
    let (store, report) = stage.run([MigrationStep(from: old, to: new)])
    if let failure = report.failure { throw failure.error }
    #expect(report.steps.first?.choice?.kind == .inferred)
    return try dump(try #require(store))
  }

  @Test(arguments: Backend.allCases)
  func renamedRemovedAndAddedElements(on backend: Backend) throws {
    let old = try model(
      "v1", entity("Song", attribute("name"), attribute("mood")), entity("Gone", attribute("name")))
    let new = try model(
      "v2",
      entity(
        "Track", was: "Song", attribute("title", was: "name"), attribute("rating", .integer16)),
      entity("New", attribute("name")))
    let dump = try migrate(backend, old, new) { context in
      context.insert("Song", ["name": "Waltz", "mood": "calm"])
      context.insert("Gone", ["name": "x"])
    }
    #expect(dump == ["Track(rating: nil, title: Waltz)"])
  }

  @Test(arguments: Backend.allCases)
  func defaultsFillNewAndNewlyRequiredAttributes(on backend: Backend) throws {
    let old = try model("v1", entity("Song", attribute("name"), attribute("stars", .integer16)))
    let new = try model(
      "v2",
      entity(
        "Song", attribute("name"),
        attribute("stars", .integer16, required: true, default: .integer(3)),
        attribute("kind", required: true, default: .string("txt")),
        attribute("plays", .integer64, default: .integer(0)), attribute("note")))
    let dump = try migrate(backend, old, new) { context in
      context.insert("Song", ["name": "a", "stars": 5])
      context.insert("Song", ["name": "b"])
    }
    #expect(
      dump == [
        "Song(kind: txt, name: a, note: nil, plays: 0, stars: 5)",
        "Song(kind: txt, name: b, note: nil, plays: 0, stars: 3)",
      ])
  }

  @Test(arguments: Backend.allCases)
  func changedDefaultLeavesExistingRows(on backend: Backend) throws {
    func version(_ name: String, _ value: String, extra: Bool) throws -> ManagedObjectModel {
      let kind = attribute("kind", default: .string(value))
      return try model(
        name, extra ? entity("Song", kind, attribute("x")) : entity("Song", kind))
    }
    let dump = try migrate(
      backend, try version("v1", "old", extra: false), try version("v2", "new", extra: true)
    ) { context in
      context.insert("Song")
      context.insert("Song", ["kind": nil])
    }
    #expect(dump == ["Song(kind: nil, x: nil)", "Song(kind: old, x: nil)"])
  }

  @Test(arguments: Backend.allCases)
  func numbersAreConvertedByValue(on backend: Backend) throws {
    let old = try model(
      "v1",
      entity("N", attribute("a", .integer16), attribute("b", .double), attribute("c", .decimal)))
    let new = try model(
      "v2",
      entity("N", attribute("a", .double), attribute("b", .integer64), attribute("c", .integer32)))
    let dump = try migrate(backend, old, new) { context in
      context.insert("N", ["a": 7, "b": 2.75, "c": NSDecimalNumber(string: "12")])
      context.insert("N", ["b": -2.75])
    }
    #expect(dump == ["N(a: 7.0, b: 2, c: 12)", "N(a: nil, b: -2, c: nil)"])
  }

  @Test(arguments: Backend.allCases)
  func requiredRelationshipWithoutTargetFails(on backend: Backend) throws {
    let old = try model("v1", entity("A", attribute("name")), entity("B", attribute("name")))
    let new = try model(
      "v2", entity("A", attribute("name"), toOne("b", "B", required: true)),
      entity("B", attribute("name")))
    let error = try #require(throws: CoreDataError.self) {
      try self.migrate(backend, old, new) { $0.insert("A", ["name": "a"]) }
    }
    #expect(error.code == .migration)
    #expect(
      error.reason == "Cannot migrate store in-place: Validation error missing attribute values "
        + "on mandatory destination relationship")
    #expect(error.place.property == "b")
    #expect(try migrate(backend, old, new) { $0.insert("B", ["name": "b"]) } == ["B(name: b)"])
  }

  // MARK: Relationships

  /// Boxes of things, in every form a relationship can have.
  private func boxes(
    _ name: String, _ things: RelationshipDescription, _ box: RelationshipDescription?,
    extra: Bool = false
  ) throws -> ManagedObjectModel {
    let thing = entity("Thing", attribute("name"))
    if let box { thing.ownProperties.append(box) }
    if extra { thing.ownProperties.append(attribute("x")) }
    return try model(name, entity("Box", attribute("name"), things), thing)
  }

  private func seedBoxes(_ context: ManagedObjectContext) {
    let box = context.insert("Box", ["name": "box"])
    let things = ["c", "a", "b"].map { context.insert("Thing", ["name": $0]) }
    box.setMembers(NSOrderedSet(array: things), forKey: "things")
    context.insert("Box", ["name": "empty"])
  }

  @Test(arguments: Backend.allCases)
  func orderIsKeptAndGivenUp(on backend: Backend) throws {
    let ordered = try boxes(
      "v1", toMany("things", "Thing", inverse: "box", ordered: true),
      toOne("box", "Box", inverse: "things"))
    let orderedToo = try boxes(
      "v2", toMany("things", "Thing", inverse: "box", ordered: true),
      toOne("box", "Box", inverse: "things"), extra: true)
    let unordered = try boxes(
      "v2", toMany("things", "Thing", inverse: "box"), toOne("box", "Box", inverse: "things"))
    #expect(
      try migrate(backend, ordered, orderedToo, seed: seedBoxes) == [
        "Box(name: box, things: [c, a, b])", "Box(name: empty, things: [])",
        "Thing(box: box, name: a, x: nil)", "Thing(box: box, name: b, x: nil)",
        "Thing(box: box, name: c, x: nil)",
      ])
    #expect(
      try migrate(backend, ordered, unordered, seed: seedBoxes) == [
        "Box(name: box, things: [a, b, c])", "Box(name: empty, things: [])",
        "Thing(box: box, name: a)", "Thing(box: box, name: b)", "Thing(box: box, name: c)",
      ])
  }

  @Test(arguments: Backend.allCases)
  func becomingOrderedTakesTheStoresOrder(on backend: Backend) throws {
    let unordered = try boxes(
      "v1", toMany("things", "Thing", inverse: "box"), toOne("box", "Box", inverse: "things"))
    let ordered = try boxes(
      "v2", toMany("things", "Thing", inverse: "box", ordered: true),
      toOne("box", "Box", inverse: "things"))
    let dump = try migrate(backend, unordered, ordered) { context in
      let box = context.insert("Box", ["name": "box"])
      for name in ["c", "a", "b"] { context.insert("Thing", ["name": name, "box": box]) }
    }
    #expect(dump.first == "Box(name: box, things: [c, a, b])")
  }

  @Test(arguments: Backend.allCases)
  func toOneBecomesToMany(on backend: Backend) throws {
    let old = try boxes(
      "v1", toMany("things", "Thing", inverse: "box"), toOne("box", "Box", inverse: "things"))
    let new = try boxes(
      "v2", toMany("things", "Thing", inverse: "boxes"),
      toMany("boxes", "Box", inverse: "things", was: "box"))
    #expect(
      try migrate(backend, old, new, seed: seedBoxes) == [
        "Box(name: box, things: [a, b, c])", "Box(name: empty, things: [])",
        "Thing(boxes: [box], name: a)", "Thing(boxes: [box], name: b)",
        "Thing(boxes: [box], name: c)",
      ])
  }

  @Test(arguments: Backend.allCases)
  func newInverseIsFilledFromTheOldSide(on backend: Backend) throws {
    let old = try boxes("v1", toMany("things", "Thing"), nil)
    let new = try boxes(
      "v2", toMany("things", "Thing", inverse: "boxes"), toMany("boxes", "Box", inverse: "things"))
    #expect(
      try migrate(backend, old, new, seed: seedBoxes).last == "Thing(boxes: [box], name: c)")
  }

  @Test(arguments: Backend.allCases)
  func manyToManyIsKept(on backend: Backend) throws {
    func version(_ name: String, extra: Bool) throws -> ManagedObjectModel {
      try boxes(
        name, toMany("things", "Thing", inverse: "boxes"),
        toMany("boxes", "Box", inverse: "things"), extra: extra)
    }
    let dump = try migrate(backend, try version("v1", extra: false), try version("v2", extra: true))
    { context in
      let boxes = ["p", "q"].map { context.insert("Box", ["name": $0]) }
      let things = ["a", "b"].map { context.insert("Thing", ["name": $0]) }
      boxes[0].setValue(Set(things), forKey: "things")
      boxes[1].setValue(Set([things[0]]), forKey: "things")
    }
    #expect(
      dump == [
        "Box(name: p, things: [a, b])", "Box(name: q, things: [a])",
        "Thing(boxes: [p, q], name: a, x: nil)", "Thing(boxes: [p], name: b, x: nil)",
      ])
  }

  @Test(arguments: Backend.allCases)
  func relationshipMovedDownTheHierarchyDropsOtherObjects(on backend: Backend) throws {
    func version(_ name: String, to destination: String) throws -> ManagedObjectModel {
      try model(
        name, entity("Owner", attribute("name"), toMany("cars", destination)),
        entity("Car", attribute("name")), entity("Sport", parent: "Car"))
    }
    let dump = try migrate(
      backend, try version("v1", to: "Car"), try version("v2", to: "Sport")
    ) { context in
      let cars = [context.insert("Car", ["name": "mini"]), context.insert("Sport", ["name": "gt"])]
      context.insert("Owner", ["name": "ann"]).setValue(Set(cars), forKey: "cars")
    }
    #expect(dump == ["Car(name: mini)", "Owner(cars: [gt], name: ann)", "Sport(name: gt)"])
  }

  // MARK: Hierarchies

  @Test(arguments: Backend.allCases)
  func instancesKeepTheirEntityUnderANewParent(on backend: Backend) throws {
    let old = try model("v1", entity("A", attribute("name")), entity("B", parent: "A"))
    let new = try model(
      "v2", entity("P", abstract: true, attribute("name")), entity("A", parent: "P"),
      entity("B", parent: "A", attribute("x")))
    let dump = try migrate(backend, old, new) { context in
      context.insert("A", ["name": "a"])
      context.insert("B", ["name": "b"])
    }
    #expect(dump == ["A(name: a)", "B(name: b, x: nil)"])
  }

  @Test(arguments: Backend.allCases)
  func becomingAbstractFailsWhereThereAreInstances(on backend: Backend) throws {
    let old = try model("v1", entity("A", attribute("name")), entity("B", parent: "A"))
    let new = try model(
      "v2", entity("A", abstract: true, attribute("name")), entity("B", parent: "A"))
    #expect(
      try migrate(backend, old, new) { $0.insert("B", ["name": "b"]) } == ["B(name: b)"])
    let error = try #require(throws: CoreDataError.self) {
      try self.migrate(backend, old, new) { $0.insert("A", ["name": "a"]) }
    }
    #expect(error.code == .migration)
    #expect(error.reason == "Cannot insert an instance of the abstract entity 'A'")
  }

  @Test(arguments: Backend.allCases)
  func inferredMappingMadeEditableGivesTheSame(on backend: Backend) throws {
    let old = try boxes(
      "v1", toMany("things", "Thing", inverse: "box"), toOne("box", "Box", inverse: "things"))
    let new = try boxes(
      "v2", toMany("things", "Thing", inverse: "box"), toOne("box", "Box", inverse: "things"),
      extra: true)
    let inferred = try MappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    let editable = try MappingBuilder(source: old, destination: new)
      .mappingModel(inferred.entityMappings.map { EntityMappingDraft(editing: $0) })
    #expect(editable.entityMappings.map(\.name) == ["BoxToBox", "ThingToThing"])
    let stage = try Stage(backend, old, seed: seedBoxes)
    #expect(
      try dump(try stage.migrate(to: new, editable).store)
        == dump(try stage.migrate(to: new, inferred).store))
  }

  /// Wire 2.47 gave its `Conversation` an attribute's renaming identifier, and took it away again.
  @Test(arguments: Backend.allCases)
  func aStrayRenamingIdentifierLosesNothing(on backend: Backend) throws {
    func version(_ name: String, stray: Bool, extra: Bool) throws -> ManagedObjectModel {
      let title = attribute("title", was: stray ? "caption" : nil)
      return try model(
        name, entity("Song", was: stray ? "title" : nil, title),
        extra ? entity("Album", attribute("x")) : entity("Album"))
    }
    for stray in [(false, true), (true, false)] {
      let old = try version("v1", stray: stray.0, extra: false)
      let new = try version("v2", stray: stray.1, extra: true)
      let mapping = try MappingModel.inferredMappingModel(
        forSourceModel: old, destinationModel: new)
      #expect(mapping.entityMappings.map(\.name) == ["IEM_Transform_Album", "IEM_Copy_Song"])
      let dump = try migrate(backend, old, new) { $0.insert("Song", ["title": "Waltz"]) }
      #expect(dump == ["Song(title: Waltz)"])
    }
  }

  @Test(arguments: Backend.allCases)
  func anEntityWithObjectsCannotBecomeAbstract(on backend: Backend) throws {
    let old = try model("v1", entity("Media", attribute("title")), entity("Book", parent: "Media"))
    let new = try model(
      "v2", entity("Media", abstract: true, attribute("title")), entity("Book", parent: "Media"))
    #expect(
      try migrate(backend, old, new) { $0.insert("Book", ["title": "Emil"]) }
        == ["Book(title: Emil)"])
    let error = try #require(throws: CoreDataError.self) {
      try migrate(backend, old, new) { $0.insert("Media", ["title": "Postcard"]) }
    }
    #expect(error.code == .migration)
    #expect(error.place.entity == "Media")
  }
}
