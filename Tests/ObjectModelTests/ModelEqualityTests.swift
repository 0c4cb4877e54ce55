import Testing

@testable import ObjectModel

/// Models are equal by what is in them.
@Suite struct ModelEqualityTests {
  private func entities(
    _ change: (EntityDescription, AttributeDescription) -> Void = { _, _ in }
  ) -> [EntityDescription] {
    let name = AttributeDescription(name: "name", type: .string)
    name.explicitRenamingIdentifier = "title"
    let song = EntityDescription(name: "Song")
    song.ownProperties = [name]
    let other = EntityDescription(name: "Tune")
    other.explicitRenamingIdentifier = "Song"
    change(song, name)
    return [song, other]
  }

  private func model(
    _ name: String = "v", configurations: [String: [String]] = [:],
    changing change: (EntityDescription, AttributeDescription) -> Void = { _, _ in }
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities(change), name: name, configurations: configurations)
  }

  /// Its place in a row is that of one entity.
  @Test func aPropertyBelongsToOneEntity() throws {
    let entities = entities()
    entities[1].ownProperties = entities[0].ownProperties
    let error = ModelError(kind: .propertyOfTwoEntities("name"), entity: "Tune")
    #expect(throws: error) { try ManagedObjectModel(entities: entities, name: "v") }
    let inUse = try model()
    inUse.prepareForUse()
    entities[1].ownProperties = inUse.entities.flatMap(\.ownProperties)
    #expect(throws: error) { try ManagedObjectModel(entities: [entities[1]], name: "v") }
  }

  /// As a public library builds its model, whose relationships serve several entities.
  @Test(arguments: [false, true])
  func aCopiedRelationshipHasItsInverse(isCopied: Bool) throws {
    let song = RelationshipDescription(name: "song", destinationEntityName: "Song", toMany: false)
    let tags = RelationshipDescription(name: "tags", destinationEntityName: "Tag", toMany: true)
    (song.inverseInCode, tags.inverseInCode) = (tags, song)
    let entities = [("Song", tags), ("Tag", song)].map { name, relationship in
      let entity = EntityDescription(name: name)
      let copy = relationship.copy() as! RelationshipDescription
      entity.ownProperties = [isCopied ? copy : relationship]
      return entity
    }
    let model = ManagedObjectModel(copying: try model())
    model.replaceEntities(by: entities)
    model.prepareForUse()
    let found = try #require(model.entity(named: "Tag")?.relationship(named: "song"))
    #expect(found.inverseRelationship === model.entity(named: "Song")?.relationship(named: "tags"))
  }

  @Test func sameContentIsEqualWhateverTheName() throws {
    let (a, b) = (try model("a"), try model("b"))
    #expect(a == b && a.isEqual(b) && a.hash == b.hash)
    #expect(Set([a, b]).count == 1)
  }

  @Test func modelsInCodeAreEqualBeforeTheyAreUsed() throws {
    func built() -> ManagedObjectModel { ManagedObjectModel(copying: try! model()) }
    let (a, b) = (built(), built())
    #expect(a == b && a.hash == b.hash)
    a.replaceEntities(by: entities { song, _ in song.name = "Other" })
    #expect(a != b)
    #expect(try a != model() && b == model())
  }

  /// Also what no version hash tells.
  @Test func everyFeatureCounts() throws {
    let changes: [(EntityDescription, AttributeDescription) -> Void] = [
      { song, _ in song.name = "Piece" },
      { song, _ in song.managedObjectClassName = "App.Song" },
      { song, _ in song.userInfo = ["a": "b"] },
      { song, _ in song.ownProperties.append(AttributeDescription(name: "plays", type: .integer16))
      },
      { _, name in name.isOptional.toggle() },
      { _, name in name.typedDefaultValue = .string("x") },
      { _, name in name.explicitRenamingIdentifier = nil },
      { _, name in
        name.validationConditions = [ValidationCondition(predicateFormat: "SELF.length < 3")]
      },
    ]
    let plain = try model()
    for change in changes { #expect(try model(changing: change) != plain) }
    #expect(try model(configurations: ["Cloud": ["Song"]]) != plain)
    #expect(!plain.isEqual("v"))
  }
}
