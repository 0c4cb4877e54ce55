import Migration
import Testing

/// What Xcode's editor does when a source is chosen.
@Suite struct MappingBuilderTests {
  private let old, new: ManagedObjectModel

  init() throws {
    old = try model(
      "v1", entity("InternationalUser", attribute("name"), attribute("city"), attribute("country")),
      entity("Place", attribute("name"), toMany("visits", "Visit", inverse: "place")),
      entity("Visit", attribute("name"), toOne("place", "Place", inverse: "visits")))
    new = try model(
      "v2", entity("SwedenUser", attribute("name"), attribute("city"), attribute("street")),
      entity("Place", attribute("name"), toMany("visits", "Visit", inverse: "place")),
      entity(
        "Visit", attribute("name"), attribute("x"), toOne("place", "Place", inverse: "visits")))
  }

  private func build(_ drafts: EntityMappingDraft...) throws -> MappingModel {
    try MappingBuilder(source: old, destination: new).mappingModel(drafts)
  }

  private func failure(_ drafts: EntityMappingDraft...) -> String? {
    do {
      _ = try MappingBuilder(source: old, destination: new).mappingModel(drafts)
      return nil
    } catch { return "\(error)" }
  }

  @Test func equalNamesAreFilledAndTheMappingNamed() throws {
    let mapping = try build(.init(source: "InternationalUser", destination: "SwedenUser"))
    #expect(
      text(of: mapping) == [
        "InternationalUserToSwedenUser (transform)", "  city: $source.city", "  name: $source.name",
      ])
  }

  @Test func writtenExpressionsWinAndNoneMeansNone() throws {
    var written = EntityMappingDraft(source: "InternationalUser", destination: "SwedenUser")
    written.attributes = .sameNamed(except: ["street": .text(#""Main St""#), "city": .nothing])
    var empty = EntityMappingDraft(
      source: "InternationalUser", destination: "SwedenUser", name: "Empty", policy: "App.Policy")
    empty.attributes = .none
    #expect(
      text(of: try build(written, empty)) == [
        "InternationalUserToSwedenUser (transform)", "  city: nil", "  name: $source.name",
        #"  street: "Main St""#, "Empty (custom) by App.Policy",
      ])
  }

  @Test func relationshipsTakeTheOneMappingThatMakesTheirObjects() throws {
    let mapping = try build(
      .init(source: "Place", destination: "Place"), .init(source: "Visit", destination: "Visit"))
    #expect(
      text(of: mapping) == [
        "PlaceToPlace (copy)", "  name: $source.name",
        "  visits: \(instances("VisitToVisit", "visits"))",
        "VisitToVisit (transform)", "  name: $source.name",
        "  place: \(instances("PlaceToPlace", "place"))",
      ])
  }

  @Test func severalTakersMeanTheFormByRelationship() throws {
    let mapping = try build(
      .init(source: "Place", destination: "Place"), .init(source: "Visit", destination: "Visit"),
      .init(source: "Visit", destination: "Visit", name: "Second"))
    #expect(text(of: mapping)[2] == "  visits: \(related("visits"))")
  }

  @Test func typeFollowsFromNamesUnlessWritten() throws {
    var written = EntityMappingDraft(source: "Place", destination: "Place", name: "Written")
    written.explicitType = .transformEntityMappingType
    let mapping = try build(
      .init(source: nil, destination: "Place"), .init(source: "Visit", destination: nil), written)
    #expect(
      (mapping.entityMappings ?? []).map(\.description) == [
        "Place (add)", "Visit (remove)", "Written (transform)",
      ])
  }

  @Test func hashesOfUntouchedEntitiesDoNotMatter() throws {
    let mapping = try build(.init(source: "Place", destination: "Place"))
    let edited = try model(
      "v2", entity("Place", attribute("name"), toMany("visits", "Visit", inverse: "place")),
      entity("Visit", attribute("other"), toOne("place", "Place", inverse: "visits")))
    #expect(mapping.fits(source: old, destination: edited))
    #expect(mapping.misfits(source: old, destination: old).isEmpty)
  }

  @Test func mistakesNameTheMapping() throws {
    var attribute = EntityMappingDraft(source: "Place", destination: "Place")
    attribute.attributes = .sameNamed(except: ["nam": .text("1")])
    var relationship = EntityMappingDraft(source: "Place", destination: "Place")
    relationship.relationships = .only(["visit": .generated])
    var unknown = EntityMappingDraft(source: "Place", destination: "Place")
    unknown.relationships = .only(["visits": .instances(keyPath: nil, mappingName: "Other")])
    #expect(
      failure(.init(source: nil, destination: nil, name: "X"))
        == "entity mapping 'X': it has neither a source nor a destination entity")
    #expect(
      failure(.init(source: "Plac", destination: "Place"))
        == "entity mapping 'PlacToPlace': the source model has no entity 'Plac'")
    #expect(
      failure(
        .init(source: "Place", destination: "Place"), .init(source: "Place", destination: "Place"))
        == "entity mapping 'PlaceToPlace': another entity mapping has that name; "
        + "rename one of them")
    #expect(
      failure(attribute)
        == "entity mapping 'PlaceToPlace': destination entity 'Place' has no attribute 'nam'")
    #expect(
      failure(relationship)
        == "entity mapping 'PlaceToPlace': destination entity 'Place' has no relationship 'visit'")
    #expect(
      failure(unknown)
        == "entity mapping 'PlaceToPlace': 'visits' takes its objects from the entity mapping "
        + "'Other', which doesn't exist")
  }

  @Test func unparsableTextsAreNamed() throws {
    var expression = EntityMappingDraft(source: "Place", destination: "Place")
    expression.attributes = .sameNamed(except: ["name": .text("$source.")])
    var predicate = EntityMappingDraft(source: "Place", destination: "Place")
    predicate.sourcePredicate = "name =="
    #expect(
      failure(expression)?.hasPrefix("entity mapping 'PlaceToPlace': value expression of 'name': ")
        == true)
    #expect(
      failure(predicate)?.hasPrefix("entity mapping 'PlaceToPlace': source predicate 'name ==': ")
        == true)
  }
}
