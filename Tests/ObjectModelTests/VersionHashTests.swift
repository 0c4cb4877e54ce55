import ObjectModel
import Testing

/// Hashes that Core Data itself recorded in public test stores under free licences.
@Suite struct VersionHashTests {
  @Test("wibosco/CoreDataMigration-Example (MIT): three versions of a post and its sections")
  func postsAreHashedAsRecorded() throws {
    let first = try model(
      entity("Post", string("color"), string("content"), date("date"), string("postID")))
    let second = try model(
      entity("Post", string("content"), date("date"), string("hexColor"), string("postID")))
    let sections = toMany("sections", "Section", inverse: "post")
    sections.isOptional = false
    let third = try model(
      entity("Post", date("date"), string("hexColor"), string("postID"), sections),
      entity(
        "Section", string("body"), attribute("index", .integer16), string("title"),
        toOne("post", "Post", inverse: "sections")))

    #expect(
      hashes(first) == ["Post": "5a24f7b65f47c33c5bd54603e4d0dfef82e163b51896929bc0b67c72221f1345"])
    #expect(
      hashes(second) == ["Post": "5d95dd09ae0b3bd734aeb30521d2e0dcba25bf1dfc339419d795942945bae228"]
    )
    #expect(
      hashes(third) == [
        "Post": "304e1bb646c24daafd47abcf4b0e8c929dfe0e106a99fb8092da1efce1f1117c",
        "Section": "007e65c75946655c0442a2a86ed3497b67baa758042cd926ab325267484ec40e",
      ])
  }

  @Test("objcio/issue-4-core-data-migration (MIT): a to-one with minimum count, 32-bit integers")
  func booksAreHashedAsRecorded() throws {
    let user = toOne("user", "User", inverse: "books")
    user.minCount = 1
    let books = try model(
      entity(
        "Book", string("authorName"), attribute("fileURL", .transformable), string("title"), user),
      entity("User", toMany("books", "Book", inverse: "user"), attribute("userId", .integer32)))

    #expect(
      hashes(books) == [
        "Book": "4008f8b64ae3c0741519d88ad3011ea82e02de942bbc88510b03db099224edf5",
        "User": "fa27e5eecb39eedc8d201c781a9a8b93bfe60d98bbd02957d4227cdef0881e6a",
      ])
  }

  @Test("JohnEstropia/CoreStore (MIT): inheritance, order, a transient attribute")
  func animalsAreHashedAsRecorded() throws {
    let friends = toMany("friends", "Dog", inverse: "friendedBy")
    friends.isOrdered = true
    let dog = entity(
      "Dog", required("age", .integer64), toMany("friendedBy", "Dog", inverse: "friends"), friends,
      string("nickname"))
    dog.superentityName = "Animal"
    let displayName = string("displayName")
    displayName.isTransient = true
    let animals = try model(
      dog,
      entity(
        "Animal", attribute("color", .transformable), required("species", .string),
        toOne("master", "Person", inverse: "pets")),
      entity(
        "Person", required("name", .string), required("title", .string), displayName,
        toMany("pets", "Animal", inverse: "master")))

    #expect(
      hashes(animals) == [
        "Animal": "cf95960111d5591b79f1efc5867eb9deb36c644507d8cf019a5b5b171694f94f",
        "Dog": "3a289b10ebaff0e361eb3829298d9929a3c2cf338378ab6aa70e9195d2f12f49",
        "Person": "1f56218bfdbbd8660f57e3ca9ec6ceceef146225713db7c48b3e013efe9bb989",
      ])
  }

  @Test("duckduckgo/BrowserServicesKit (Apache-2.0): ordered self-references, property modifiers")
  func bookmarksAreHashedAsRecorded() throws {
    #expect(
      hashes(try model(bookmark(modifier: nil))) == [
        "BookmarkEntity": "c37ad9b31a1ce3faf258164444717a730317dee04efa4191d31086d2179f9c20"
      ])
    #expect(
      hashes(try model(bookmark(modifier: "2"))) == [
        "BookmarkEntity": "99d650930f7e484410207feedd129b42f5e7acff83ab6a9bf61b9a6d88bdd382"
      ])
  }

  private func bookmark(modifier: String?) -> EntityDescription {
    let children = toMany("children", "BookmarkEntity", inverse: "parent")
    children.isOrdered = true
    let favorites = toMany("favorites", "BookmarkEntity", inverse: "favoriteFolder")
    favorites.isOrdered = true
    let (url, uuid) = (string("url"), required("uuid", .string))
    url.versionHashModifier = modifier
    uuid.versionHashModifier = modifier
    return entity(
      "BookmarkEntity", children, favorites, url, uuid, string("title"),
      toOne("favoriteFolder", "BookmarkEntity", inverse: "favorites"),
      toOne("parent", "BookmarkEntity", inverse: "children"), required("isFavorite", .boolean),
      required("isFolder", .boolean))
  }

  @Test("DuckDuckGo (Apache-2.0), iLEAPP (MIT), plaso (Apache-2.0): uniqueness constraints")
  func constraintsAreHashedAsRecorded() throws {
    let feature = entity(
      "SyncFeatureEntity", string("lastModified"), required("name", .string), string("state"))
    feature.uniquenessConstraints = [["name"]]
    let block = entity(
      "DomainBlock", required("blockedDomain", .string), required("createAt", .date),
      required("domain", .string), required("userID", .string))
    block.uniquenessConstraints = [["userID", "domain", "blockedDomain"]]
    let pair = entity(
      "KeyValue", string("domain"), required("key", .string), attribute("value", .transformable))
    pair.uniquenessConstraints = [["domain", "key"]]

    #expect(
      hashes(try model(feature, block, pair)) == [
        "SyncFeatureEntity": "289b89703a3216afe973a07e1889534d8650777e44ef899930569c6721eac357",
        "DomainBlock": "35d4fc0b4f542ba8d708f7f34dd28fe25dadfaae06f288c07bd99d8e0ec6d524",
        "KeyValue": "f5e07a3bbedf7eed1054342d5e889599d465a8415a63df0c3f9020fc88067f45",
      ])
  }

  @Test("plaso (Apache-2.0), iLEAPP (MIT): entity modifier, preserved values, URI")
  func modifiersAndFlagsAreHashedAsRecorded() throws {
    let preserved =
      ["ckForeignKey", "ckRecordID"].map { string($0) }
      + [attribute("ckRecordSystemFields", .binaryData)]
    for attribute in preserved { attribute.preservesValueInHistoryOnDeletion = true }
    let changes = entity(
      "AdditionChangeSet", attribute("changeSet", .binaryData),
      required("deviceIdentifier", .string), required("endDate", .date),
      required("sequenceNumber", .integer64), required("startDate", .date),
      required("version", .integer16))
    changes.ownProperties += preserved
    changes.versionHashModifier = "rdar://41988633"
    let deleted = entity("ManagedDeletedChatSync", required("syncUrl", .uri))

    #expect(
      hashes(try model(changes, deleted)) == [
        "AdditionChangeSet": "010d21e0f4eb125653a79fa8aa465d6daa262af49f991a2516797b989b818063",
        "ManagedDeletedChatSync":
          "527ccd73608a4c2e1ea8f83277fd59949f6548910c76beeabceeddf483ff5ff2",
      ])
  }

  @Test func constraintsAreHashedInSortedOrder() throws {
    let one = entity("Event", string("a"), string("b"))
    one.uniquenessConstraints = [["b"], ["a"]]
    let other = entity("Event", string("a"), string("b"))
    other.uniquenessConstraints = [["a"], ["b"]]
    #expect(hashes(try model(one)) == hashes(try model(other)))
  }

  @Test func whatCoreDataLeavesOutDoesNotChangeTheHash() throws {
    let plain = try model(entity("Song", string("title")))
    let title = string("title")
    title.typedDefaultValue = .string("untitled")
    title.userInfo = ["sync": "never"]
    title.explicitRenamingIdentifier = "name"
    let scratch = attribute("scratch", .integer64)
    scratch.isTransient = true
    let decorated = entity("Song", title, scratch)
    decorated.managedObjectClassName = "App.Song"
    decorated.indexes = [
      FetchIndexDescription(name: "byTitle", elements: [.init(propertyName: "title")])
    ]
    #expect(hashes(plain) == hashes(try model(decorated)))
  }

  /// A derived attribute is its expression's text and nothing else.
  @Test func aDerivedAttributesFilterDoesNotChangeTheHash() throws {
    func shelf(_ expression: String, filter: String?) throws -> ManagedObjectModel {
      let count = attribute("count", .integer32)
      (count.derivationExpression, count.filterPredicate) = (expression, filter)
      return try model(entity("Shelf", string("name"), count))
    }
    let plain = hashes(try shelf("uppercase:(name)", filter: nil))
    #expect(hashes(try shelf("uppercase:(name)", filter: "name != nil")) == plain)
    #expect(hashes(try shelf("lowercase:(name)", filter: nil)) != plain)
  }

  // The hashes of the next three tests are those of another implementation of the rules, which reproduces all
  // recorded ones.

  @Test func aRelationshipThatIsItsOwnInverseAddsNoInverse() throws {
    let rival = try ModelNotation.entity("Rival", properties: ["since": "date?"])
    rival.superentityName = "Member"
    try expect(
      [
        "Chain": "39ab3e2e092180f3911c77d4586a04169df4daf7c0705883155e9d7fd2d06f3d",
        "Member": "e2774426c224cd87a98709745d75443581721e0535b6f8d8f4c807d029a2e6bf",
        "Pair": "82ec8926a49c00cee84847e98cce766e1d42ce1cc25ff083cc464cd25360f70e",
        "Rival": "71e39c9b8bbadd2736b990fbc5f1bce84130d602f5bc819f167d5bff5e2e8364",
      ],
      of: ManagedObjectModel(entities: [
        ModelNotation.entity(
          "Member", properties: ["name": "string", "rivals": "[Member] <-> rivals"]),
        ModelNotation.entity("Pair", properties: ["other": "Pair? <-> other"]),
        ModelNotation.entity(
          "Chain", properties: ["next": "Chain? <-> previous", "previous": "Chain? <-> next"]),
        rival,
      ]))
  }

  @Test func theModifierComesBeforeTheConstraints() throws {
    let label = try ModelNotation.entity("Label", properties: ["title": "string"])
    label.versionHashModifier = "7"
    label.uniquenessConstraints = [["title"]]
    let part = try ModelNotation.entity(
      "Part",
      properties: [
        "code": "string modifier x", "maker": "string", "alias": "string?",
        "label": "Label? modifier r1",
      ])
    part.versionHashModifier = "b2"
    part.uniquenessConstraints = [["maker", "code"], ["alias"]]
    try expect(
      [
        "Label": "6ac9506cd474548b150a11ccfa2fe9fa85426d247f50b88fa9d2635e409a6d27",
        "Part": "71c15ca98aa078c32144532c9bae74b934920b8480c0f5787e154a9fa1d258ab",
      ], of: ManagedObjectModel(entities: [label, part]))
  }

  @Test func aDerivationIsHashedAsItIsCompiled() throws {
    try expect(
      [
        "Box": "8fcce7156145ee06dd8558270b6e3769a5f51405673e9b32f8e124bac1387e45",
        "Shelf": "8d8b87c2537f94098ee12f6142d1349fbbb2c93f289dc405c96cb7d9fa5f040a",
      ],
      of: ManagedObjectModel(entities: [
        ModelNotation.entity(
          "Shelf",
          properties: [
            "amount": "int64? derived(boxes.@count)", "label": "string?",
            "boxes": "[Box] <-> shelf",
          ]),
        ModelNotation.entity(
          "Box",
          properties: [
            "changed": "date? derived(now())", "plain": "string? derived(canonical:( title ))",
            "place": "string? derived(shelf.label)", "title": "string?",
            "shelf": "Shelf? <-> boxes",
          ]),
      ]))
  }

  /// All hashes are known to be Core Data's, in whatever form the model comes: as it was written, compiled, and as a
  /// store keeps it.
  private func expect(_ expected: [String: String], of model: ManagedObjectModel) throws {
    #expect(hashes(model) == expected)
    #expect(model.versionHashesAreReliable)
    let compiled = try ModelArchive.decodeCompiledModel(ModelArchive.encodeCompiledModel(model))
    #expect(hashes(compiled) == expected)
    #expect(hashes(try ModelArchive.decode(ModelArchive.encode(model))) == expected)
  }

  @Test(
    "Hashes that no store confirms are marked",
    arguments: [
      ("x", "undefined?", false), ("x", "undefined? transient", true),
      ("x", "data(external)? preserved", false), ("x", "data(external)?", true),
      ("x", "data? preserved", true), ("größe", "int64", false), ("x", "int64 modifier ä", false),
      ("x", "int64? derived(many.size.@sum)", false), ("x", "int64? derived(count:(many))", true),
      ("x", "string? derived(uppercase:(name))", true), ("x", "int64? derived(size * 2)", false),
      ("x", "[Shelf](...3)", false), ("x", "[Shelf](2...)", true),
    ])
  func hashesThatNoStoreConfirmsAreMarked(name: String, notation: String, isReliable: Bool) throws {
    let below = entity("Below")
    below.superentityName = "Thing"
    let thing = entity("Thing", try ModelNotation.property(named: name, notation))
    let model = try model(
      thing, below, entity("Plain", string("key")), entity("Shelf", attribute("größe", .date)))
    let reliable = model.entities.filter(\.versionHashIsReliable).map(\.name).sorted()
    #expect(reliable == (isReliable ? ["Below", "Plain", "Thing"] : ["Plain"]))
    #expect(!model.versionHashesAreReliable)
    #expect(model.entities.allSatisfy { $0.versionHash.count == 32 })
  }
}

// MARK: - Small models

extension VersionHashTests {
  private func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities)
  }

  private func hashes(_ model: ManagedObjectModel) -> [String: String] {
    model.entityVersionHashesByName.mapValues(\.hexadecimal)
  }

  private func entity(_ name: String, _ properties: PropertyDescription...) -> EntityDescription {
    let entity = EntityDescription(name: name)
    entity.ownProperties = properties
    return entity
  }

  private func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type)
  }

  private func required(_ name: String, _ type: AttributeType) -> AttributeDescription {
    let attribute = attribute(name, type)
    attribute.isOptional = false
    return attribute
  }

  private func string(_ name: String) -> AttributeDescription { attribute(name, .string) }
  private func date(_ name: String) -> AttributeDescription { attribute(name, .date) }

  private func toOne(
    _ name: String, _ destination: String, inverse: String
  ) -> RelationshipDescription {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: false)
    relationship.inverseName = inverse
    return relationship
  }

  private func toMany(
    _ name: String, _ destination: String, inverse: String
  ) -> RelationshipDescription {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: true)
    relationship.inverseName = inverse
    return relationship
  }
}

extension Data {
  var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
