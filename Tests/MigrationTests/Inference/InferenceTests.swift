import Migration
import Testing

/// What an inferred mapping consists of, one line per entity mapping and property.
private func shape(_ mapping: MappingModel) -> [String] {
  mapping.entityMappings.flatMap { entity in
    ["\(entity.name!) \(entity.sourceEntityName ?? "-") \(entity.destinationEntityName ?? "-")"]
      + ((entity.attributeMappings ?? []) + (entity.relationshipMappings ?? [])).map { "  \($0)" }
  }
}

/// Infers, and sees that whoever asks only whether that is possible gets the same answer.
private func infer(
  _ source: ManagedObjectModel, _ destination: ManagedObjectModel
) throws -> MappingModel {
  let result = Result {
    try MappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
  }
  let isPossible = MappingModel.canBeInferred(from: source, to: destination)
  #expect(isPossible == ((try? result.get()) != nil))
  return try result.get()
}

/// The error that inferring fails with.
private func refusal(
  _ source: ManagedObjectModel, _ destination: ManagedObjectModel
) -> CoreDataError? {
  do {
    _ = try infer(source, destination)
    return nil
  } catch { return error as? CoreDataError }
}

@Suite struct InferenceTests {
  @Test func namesTypesAndOrderAreCoreDatas() throws {
    let old = try model(
      "v1", entity("Kept", attribute("a")), entity("Changed", attribute("a")),
      entity("Gone", attribute("a")))
    let new = try model(
      "v2", entity("New", attribute("a")), entity("Kept", attribute("a")),
      entity("Changed", attribute("a"), attribute("b")))
    let mapping = try infer(old, new)
    #expect(
      shape(mapping) == [
        "IEM_Transform_Changed Changed Changed", "  a: $source.a", "  b: nil",
        "IEM_Copy_Kept Kept Kept", "  a: $source.a",
        "IEM_Add_New - New",
        "IEM_Remove_Gone Gone -",
      ])
    #expect(
      mapping.entityMappings.map(\.mappingType) == [
        .transformEntityMappingType, .copyEntityMappingType, .addEntityMappingType,
        .removeEntityMappingType,
      ])
    #expect(mapping.fits(source: old, destination: new))
  }

  @Test func sourceAndRelationshipExpressionsAreThoseOfXcode() throws {
    let old = try model(
      "v1", entity("A", toMany("bs", "B", inverse: "a")),
      entity("B", toOne("a", "A", inverse: "bs")))
    let new = try model(
      "v2", entity("A", toMany("bs", "B", inverse: "a")),
      entity("B", attribute("x"), toOne("a", "A", inverse: "bs")))
    let mapping = try infer(old, new)
    let copy = try #require(mapping.entityMappingsByName["IEM_Copy_A"])
    #expect(
      copy.sourceExpression?.description
        == #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:" , "A" , "TRUEPREDICATE"), $manager.sourceContext, NO)"#
    )
    #expect(
      copy.relationshipMapping(named: "bs")?.valueExpression?.description
        == #"FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:" , "bs" , $source.bs)"#
    )
  }

  @Test func renamingIdentifiersKeepIdentityByTheFirstName() throws {
    let v1 = try model("v1", entity("Thing", attribute("colour")))
    let v2 = try model("v2", entity("Item", was: "Thing", attribute("tint", was: "colour")))
    let kept = try model("v3", entity("Object", was: "Thing", attribute("shade", was: "colour")))
    let chained = try model("v3", entity("Object", was: "Item", attribute("shade", was: "tint")))
    #expect(
      try shape(infer(v1, v2)) == ["IEM_Transform_Item Thing Item", "  tint: $source.colour"])
    #expect(
      try shape(infer(v2, kept)) == ["IEM_Transform_Object Item Object", "  shade: $source.tint"])
    #expect(
      try shape(infer(v1, kept)) == [
        "IEM_Transform_Object Thing Object", "  shade: $source.colour",
      ])
    // Without a common canonical name the entity is another one: its data is lost. The previous name is none.
    #expect(try shape(infer(v2, chained)) == ["IEM_Add_Object - Object", "IEM_Remove_Item Item -"])
    #expect(
      try shape(infer(v1, chained)) == ["IEM_Add_Object - Object", "IEM_Remove_Thing Thing -"])
  }

  @Test func renameWithoutIdentifierIsRemovalAndAddition() throws {
    let old = try model("v1", entity("Song", attribute("title")))
    let new = try model("v2", entity("Song", attribute("name")))
    #expect(try shape(infer(old, new)) == ["IEM_Transform_Song Song Song", "  name: nil"])
  }

  @Test func allThatAreKnownByOneNameGetTheValue() throws {
    let old = try model("v1", entity("Song", attribute("name")))
    let new = try model(
      "v2", entity("Song", attribute("title", was: "name"), attribute("label", was: "name")))
    #expect(
      try shape(infer(old, new)) == [
        "IEM_Transform_Song Song Song", "  label: $source.name", "  title: $source.name",
      ])
    // An identifier that was kept still claims a new attribute of the old name, and each type is checked.
    let kept = try model("v1", entity("Event", attribute("tagNames", was: "tags")))
    let next = try model(
      "v2", entity("Event", attribute("tagNames", was: "tags"), attribute("tags", .integer64)))
    let error = try #require(refusal(kept, next))
    #expect(error.reason == "Source and destination attribute types are incompatible")
    #expect(error.place.property == "tags")
  }

  @Test func theLastVersionsNameIsNobodysCanonicalName() throws {
    let old = try model("v2", entity("Song", attribute("second", was: "first")))
    let new = try model("v3", entity("Song", attribute("third", was: "second")))
    #expect(try shape(infer(old, new)) == ["IEM_Transform_Song Song Song", "  third: nil"])
  }

  @Test func twoEntitiesOrRelationshipsThatClaimOneAreRefusedAsUnknown() throws {
    let advice =
      "What a device does here is unknown: it may infer the step. Give each element an identifier of its own, or "
      + "write a mapping model for this step."
    let box = try model("v1", entity("Box", attribute("label")))
    let two = try model(
      "v2", entity("Crate", was: "Box", attribute("label")),
      entity("Tin", was: "Box", attribute("label")))
    let ofEntities = try #require(refusal(box, two))
    #expect(ofEntities.reason == "ambiguous renaming: 'Crate' was 'Box' in the source too")
    #expect(ofEntities.advice == advice)
    let old = try model("v1", entity("A", toOne("r", "B")), entity("B"))
    let new = try model(
      "v2", entity("A", toOne("s", "B", was: "r"), toOne("t", "B", was: "r")), entity("B"))
    let ofLinks = try #require(refusal(old, new))
    #expect(ofLinks.reason == "ambiguous renaming: 's' was 'r' in the source too")
    #expect(ofLinks.place.property == "t")
    #expect(ofLinks.advice == advice)
  }

  @Test func requiredWithDefaultTakesTheDefaultForNil() throws {
    let old = try model("v1", entity("Song", attribute("rating", .integer16)))
    let new = try model(
      "v2",
      entity(
        "Song", attribute("rating", .integer16, required: true, default: .integer(3)),
        attribute("plays", .integer64, required: true, default: .integer(0))))
    #expect(
      try shape(infer(old, new)) == [
        "IEM_Transform_Song Song Song", "  plays: 0",
        "  rating: TERNARY($source.rating == nil, 3, $source.rating)",
      ])
  }

  @Test(arguments: [AttributeType.integer16, .integer32, .integer64, .decimal, .double, .float])
  func numbersConvertToAllOtherNumbers(from type: AttributeType) throws {
    for other in AttributeType.allCases where other.isNumeric {
      let old = try model("v1", entity("Song", attribute("x", type)))
      let new = try model("v2", entity("Song", attribute("x", other)))
      #expect(refusal(old, new) == nil, "\(type.name) to \(other.name)")
    }
  }

  /// Wire's `isSilenced` became `mutedStatus` this way.
  @Test(arguments: [AttributeType.integer16, .integer32, .integer64])
  func booleanBecomesAnInteger(of type: AttributeType) throws {
    let old = try model("v1", entity("Song", attribute("x", .boolean)))
    let new = try model("v2", entity("Song", attribute("x", type)))
    #expect(refusal(old, new) == nil)
    #expect(refusal(new, old)?.code == .inferredMappingModel)
  }

  @Test func otherTypesDoNotConvert() throws {
    let types: [AttributeType] = [.string, .date, .binaryData, .uuid, .uri, .transformable]
    for type in types + [.boolean] {
      for other in types + [.integer64, .double] where other != type {
        if type == .boolean && other == .integer64 { continue }
        let old = try model("v1", entity("Song", attribute("x", type)))
        let new = try model("v2", entity("Song", attribute("x", other)))
        for (source, destination) in [(old, new), (new, old)] {
          let error = try #require(refusal(source, destination), "\(type.name), \(other.name)")
          #expect(error.code == .inferredMappingModel)
          #expect(error.reason == "Source and destination attribute types are incompatible")
          #expect(error.place.entity == "Song")
          #expect(error.place.property == "x")
        }
      }
    }
  }

  @Test func attributeThatBecomesARelationshipIsRemovedAndAdded() throws {
    let old = try model("v1", entity("Event", attribute("tags")), entity("Tag", attribute("name")))
    let new = try model(
      "v2", entity("Event", toMany("tags", "Tag")), entity("Tag", attribute("name")))
    #expect(
      try shape(infer(old, new)) == [
        "IEM_Transform_Event Event Event", "  tags: nil", "IEM_Copy_Tag Tag Tag",
        "  name: $source.name",
      ])
  }

  @Test func transientAttributesCarryNothing() throws {
    let old = try model(
      "v1", entity("Song", attribute("a", transient: true), attribute("b")))
    let new = try model(
      "v2", entity("Song", attribute("a"), attribute("b", transient: true)))
    #expect(try shape(infer(old, new)) == ["IEM_Transform_Song Song Song", "  a: nil"])
  }

  /// What is inferred where nobody knows what a device does, by the kind of change.
  static let doubtful: [(old: [String], new: [String], doubts: [String])] = [
    (["A | r = [B]", "B"], ["A | r = B?", "B"], ["A.r was to-many and is to-one"]),
    (["A | r = B?", "B", "C"], ["A | r = C?", "B", "C"], ["A.r led to B and leads to C"]),
    (
      ["A | r = C?", "B", "C : B"], ["A | r = B?", "B", "C : B"], ["A.r led to C and leads to B"]
    ),
    (
      ["A | r = B?", "B", "C : B"], ["A | r = C?", "B", "C : B"], ["A.r led to B and leads to C"]
    ),
    (
      ["A | r = C?", "B", "C : B", "D : B"], ["A | r = D?", "B", "C : B", "D : B"],
      ["A.r led to C and leads to D"]
    ),
    (
      ["A | r = B?", "B"], ["A | r = B?", "B", "C : B"],
      ["A.r led to B alone and leads to B and its new sub-entities"]
    ),
    (
      ["A | r = B?", "B"], ["A | r = B?", "P", "B : P"],
      ["A.r led to B in the table of B and leads to B in the table of P"]
    ),
    (
      ["A | r = [B]", "B"], ["A | r = [B]", "P", "B : P"],
      ["A.r led to B in the table of B and leads to B in the table of P"]
    ),
    (
      ["A | r = B?", "P", "B : P"], ["A | r = B?", "P", "B"],
      ["A.r led to B in the table of P and leads to B in the table of B"]
    ),
    (
      ["A | r = B?", "P", "B : P"], ["A | r = B?", "B"],
      [
        "B leaves the hierarchy of P, which goes",
        "A.r led to B in the table of P and leads to B in the table of B",
      ]
    ),
    (
      ["P", "B : P | y = string?", "C : B"], ["B | y = string?", "C : B"],
      [
        "B leaves the hierarchy of P, which goes"
      ]
    ),
    (
      ["A", "B"], ["A | r = [B](2...)!", "B"],
      ["A.r must lead to 2 or more now, and could lead to none"]
    ),
    (
      ["A | r = [B](1...)", "B"], ["A | r = [B](3...)!", "B"],
      [
        "A.r must lead to 3 or more now, and could lead to none"
      ]
    ),
    (
      ["A | x = string? was w"], ["A | x = string?; y = string?"],
      ["A.x was known as 'w' and is known as 'x' now"]
    ),
    (
      ["A | x = string?"], ["A | x = string? was w; y = string?"],
      ["A.x was known as 'x' and is known as 'w' now"]
    ),
    (
      ["A was Z | x = string?"], ["A | x = string?; y = string?"],
      ["A was known as 'Z' and is known as 'A' now"]
    ),
    (
      ["A | r = B? was q", "B"], ["A | r = B?; y = string?", "B"],
      [
        "A.r was known as 'q' and is known as 'r' now"
      ]
    ),
    // What stays in its table, under its name.
    (["A | r = B?", "B | x = string?"], ["A | r = B?", "B | y = string?"], []),
    (["A | r = B?", "B"], ["A | s = C? was r", "C was B"], []),
    (["A | r = B?", "B"], ["A | r = [B]", "B"], []),
    (
      ["A | r = [B] <-> a", "B | a = A? <-> r"],
      ["A | r = [B] <-> a", "B | a = A? <-> r", "C : B"], []
    ),
    (["A | r = B?", "P", "B : P"], ["A | r = B?", "P", "B : P", "C : P"], []),
    (["A | x = string? was w"], ["A | y = string? was w"], []),
  ]

  @Test(arguments: doubtful)
  func whatADeviceMayDoOtherwiseIsInferredAndSaid(
    old: [String], new: [String], doubts: [String]
  ) throws {
    let source = try ManagedObjectModel(entities: old.map(notated), name: "v1")
    let destination = try ManagedObjectModel(entities: new.map(notated), name: "v2")
    #expect(refusal(source, destination) == nil)
    #expect(
      InferenceDoubt.inferred(from: source, to: destination).map(\.description) == doubts)
  }

  @Test func relationshipMayMoveWithinItsHierarchy() throws {
    func version(_ name: String, to destination: String) throws -> ManagedObjectModel {
      try model(
        name, entity("A", toOne("x", destination)), entity("P"), entity("C", parent: "P"))
    }
    #expect(refusal(try version("v1", to: "P"), try version("v2", to: "C")) == nil)
    #expect(refusal(try version("v1", to: "C"), try version("v2", to: "P")) == nil)
  }

  @Test func mergedHierarchiesAreRefused() throws {
    let old = try model("v1", entity("A"), entity("B"))
    let merged = try model("v2", entity("P"), entity("A", parent: "P"), entity("B", parent: "P"))
    let error = try #require(refusal(old, merged))
    #expect(error.code == .inferredMappingModel)
    #expect(
      error.reason
        == "Cannot merge multiple root entity source tables into one destination entity root table")
    #expect(error.place.entity == "P")
  }

  @Test func entityMayGetANewParentAndMoveUnderARoot() throws {
    let old = try model("v1", entity("A"), entity("C", parent: "A"), entity("D"))
    let parent = try model(
      "v2", entity("P"), entity("A", parent: "P"), entity("C", parent: "A"), entity("D"))
    let moved = try model("v2", entity("D"), entity("A", parent: "D"), entity("C", parent: "A"))
    #expect(refusal(old, parent) == nil)
    #expect(refusal(old, moved) == nil)
  }

  @Test func abstractEntitiesGetNoMapping() throws {
    let old = try model(
      "v1", entity("P", abstract: true, attribute("a")), entity("C", parent: "P"))
    let new = try model(
      "v2", entity("P", abstract: true, attribute("a"), attribute("b")), entity("C", parent: "P"))
    #expect(
      try shape(infer(old, new)) == ["IEM_Transform_C C C", "  a: $source.a", "  b: nil"])
  }

  @Test func propertyMayMoveInTheHierarchy() throws {
    let old = try model(
      "v1", entity("P", abstract: true), entity("C", parent: "P", attribute("a")),
      entity("D", parent: "P"))
    let new = try model(
      "v2", entity("P", abstract: true, attribute("a")), entity("C", parent: "P"),
      entity("D", parent: "P"))
    #expect(
      try shape(infer(old, new)) == [
        "IEM_Transform_C C C", "  a: $source.a", "IEM_Transform_D D D", "  a: nil",
      ])
  }

  @Test func allProblemsAreReported() throws {
    let old = try model("v1", entity("A", attribute("x")), entity("B", attribute("y", .date)))
    let new = try model("v2", entity("A", attribute("x", .date)), entity("B", attribute("y")))
    let error = try #require(refusal(old, new))
    #expect(error.details.map(\.place.property) == ["x", "y"])
  }
}
