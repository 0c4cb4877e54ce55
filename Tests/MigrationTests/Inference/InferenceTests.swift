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
        == #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "A", "TRUEPREDICATE"), $manager.sourceContext, NO)"#
    )
    #expect(
      copy.relationshipMapping(named: "bs")?.valueExpression?.description
        == #"FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "bs", $source.bs)"#
    )
  }

  @Test func renamingIdentifiersKeepIdentityByBothRules() throws {
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
    #expect(
      try shape(infer(v2, chained)) == [
        "IEM_Transform_Object Item Object", "  shade: $source.tint",
      ])
    // Without a common name the entity is another one: its data is lost.
    #expect(
      try shape(infer(v1, chained)) == ["IEM_Add_Object - Object", "IEM_Remove_Thing Thing -"])
  }

  @Test func renameWithoutIdentifierIsRemovalAndAddition() throws {
    let old = try model("v1", entity("Song", attribute("title")))
    let new = try model("v2", entity("Song", attribute("name")))
    #expect(try shape(infer(old, new)) == ["IEM_Transform_Song Song Song", "  name: nil"])
  }

  @Test func keptIdentifierDoesNotClaimWhatGoesOnUnderItsOwnName() throws {
    let old = try model("v1", entity("Event", attribute("tagNames", was: "tags")))
    let new = try model(
      "v2", entity("Event", attribute("tagNames", was: "tags"), attribute("tags", .integer64)))
    #expect(
      try shape(infer(old, new)) == [
        "IEM_Transform_Event Event Event", "  tagNames: $source.tagNames", "  tags: nil",
      ])
  }

  @Test func twoClaimsOnOneSourceAreRefused() throws {
    let old = try model("v1", entity("Song", attribute("name")))
    let new = try model(
      "v2", entity("Song", attribute("title", was: "name"), attribute("label", was: "name")))
    let error = try #require(refusal(old, new))
    #expect(error.code == .inferredMappingModel)
    #expect(error.reason == "ambiguous renaming: 'label' was 'name' in the source too")
    #expect(error.place.entity == "Song")
    #expect(error.place.property == "title")
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

  @Test func toManyBecomingToOneIsRefused() throws {
    let old = try model("v1", entity("A", toMany("b", "B")), entity("B"))
    let new = try model("v2", entity("A", toOne("b", "B")), entity("B"))
    let error = try #require(refusal(old, new))
    #expect(error.reason == "Source and destination relationships are incompatible")
    #expect(error.place.entity == "A")
    #expect(error.place.property == "b")
    #expect(refusal(new, old) == nil)
  }

  @Test func relationshipToAnUnrelatedEntityIsRefused() throws {
    let old = try model("v1", entity("A", toOne("x", "B")), entity("B"), entity("C"))
    let new = try model("v2", entity("A", toOne("x", "C")), entity("B"), entity("C"))
    #expect(refusal(old, new)?.reason == "Source and destination relationships are incompatible")
  }

  /// The hash of `A` is the same in both: it has the name of the entity that its relationship leads to.
  @Test func relationshipOfAnUnchangedEntityMayLeadToAnother() throws {
    let old = try model(
      "v1", entity("A", toOne("x", "B")), entity("B", attribute("n")), entity("C", attribute("m")))
    let new = try model(
      "v2", entity("A", toOne("x", "B")), entity("B", was: "C", attribute("m")),
      entity("D", was: "B", attribute("n")))
    #expect(old.entity(named: "A")?.versionHash == new.entity(named: "A")?.versionHash)
    #expect(refusal(old, new)?.reason == "Source and destination relationships are incompatible")
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
