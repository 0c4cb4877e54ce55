import ObjectModel
import TestSupport
import Testing

@Suite struct ModelArchiveTests {
  @Test func aModelWithEverythingSurvives() throws {
    let model = try Self.modelWithEverything()
    let read = try ModelArchive.decode(ModelArchive.encode(model))
    #expect(lines(of: read) == lines(of: model))
    #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test func whatCoreDataStripsIsLeftOut() throws {
    let song = EntityDescription(name: "Song")
    song.managedObjectClassName = "App.Song"
    song.userInfo = ["sync": "never"]
    let read = try ModelArchive.decode(ModelArchive.encode(ManagedObjectModel(entities: [song])))
    #expect(read.entities[0].managedObjectClassName == nil)
    #expect(read.entities[0].userInfo == [:])
  }

  /// As SwiftData's stores have it: a Boolean, which is all the user info in them.
  @Test func theMarkOfAnEnumIsKept() throws {
    let trip = try ModelNotation.entity("Trip", properties: ["kind": "composite(kind: string?)"])
    trip.ownProperties[0].userInfo = ["EnumType": "true", "other": "gone"]
    let read = try ModelArchive.decode(ModelArchive.encode(ManagedObjectModel(entities: [trip])))
    #expect(read.entities[0].ownProperties[0].userInfo == ["EnumType": "true"])
  }

  @Test func otherDataIsRefusedByName() throws {
    let compression = #expect(throws: KeyedArchiveError.self) {
      try ModelArchive.decode(Data("no cache".utf8))
    }
    #expect(compression?.description.hasPrefix("can't expand compressed data: ") == true)
    let list = try NSKeyedArchiver.archivedData(
      withRootObject: ["a"] as NSArray, requiringSecureCoding: false)
    let root = #expect(throws: ModelArchiveError.self) {
      try ModelArchive.decodeCompiledModel(list)
    }
    #expect(root?.description == "the archive holds no object, not a model")
  }

  private static func modelWithEverything() throws -> ManagedObjectModel {
    let media = EntityDescription(name: "Media")
    media.isAbstract = true
    media.versionHashModifier = "2"
    media.ownProperties = attributesOfEveryType()
    media.indexes = [
      FetchIndexDescription(
        name: "byDate",
        elements: [.init(propertyName: "date", isAscending: false), .init(propertyName: "string")])
    ]
    let tags = RelationshipDescription(name: "tags", destinationEntityName: "Tag", toMany: true)
    tags.inverseName = "media"
    tags.isOrdered = true
    tags.maxCount = 5
    tags.minCount = 1
    media.ownProperties.append(tags)
    let song = EntityDescription(name: "Song")
    song.superentityName = "Media"
    song.explicitRenamingIdentifier = "Track"
    let tag = EntityDescription(name: "Tag")
    tag.uniquenessConstraints = [["name", "kind"], ["name"]]
    let owner = RelationshipDescription(
      name: "media", destinationEntityName: "Media", toMany: false)
    owner.inverseName = "tags"
    owner.deleteRule = .cascade
    let count = AttributeDescription(name: "uses", type: .integer64)
    count.derivationExpression = "media.@count"
    let folded = AttributeDescription(name: "folded", type: .string)
    folded.derivationExpression = "canonical:(name)"
    let updated = AttributeDescription(name: "updated", type: .date)
    updated.derivationExpression = "now()"
    let fetched = FetchedPropertyDescription(
      name: "alike", fetchRequest: FetchRequestTemplate(name: "f", entityName: "Song"))
    tag.ownProperties = [
      owner, count, folded, updated, fetched, AttributeDescription(name: "name", type: .string),
      AttributeDescription(name: "kind", type: .string),
    ]
    return try ManagedObjectModel(
      entities: [media, song, tag], versionIdentifiers: ["7", "seven"],
      configurations: ["Local": ["Tag"]])
  }

  private static func attributesOfEveryType() -> [AttributeDescription] {
    let defaults: [AttributeType: Value] = [
      .integer16: .integer(-3), .boolean: .integer(1), .double: .double(0.1),
      .decimal: .decimal(Decimal(string: "-12345678901234567890.5")!), .string: .string("Ünt"),
      .date: .date(Date(timeIntervalSinceReferenceDate: 1.5)), .binaryData: .data(Data([7])),
      .uuid: .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!),
      .uri: .uri(URL(string: "https://example.org/a?b=c")!),
    ]
    let attributes = AttributeType.allCases.map { type in
      let attribute = AttributeDescription(name: "\(type)", type: type)
      attribute.typedDefaultValue = defaults[type] ?? .null
      attribute.isOptional = type != .string
      attribute.isTransient = type == .undefined
      return attribute
    }
    let byName = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0) })
    byName["binaryData"]?.allowsExternalBinaryDataStorage = true
    byName["uuid"]?.preservesValueInHistoryOnDeletion = true
    byName["transformable"]?.valueTransformerName = "NSSecureUnarchiveFromData"
    byName["transformable"]?.attributeValueClassName = "[String]"
    byName["string"]?.isIndexed = true
    byName["string"]?.minimum = .integer(1)
    byName["string"]?.maximum = .integer(80)
    byName["string"]?.regularExpression = "[a-z]+"
    byName["integer16"]?.minimum = .integer(-5)
    byName["date"]?.explicitRenamingIdentifier = "added"
    byName["double"]?.versionHashModifier = "exact"
    return attributes
  }
}

@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
struct RealModelCacheTests {
  static let stores: [URL] = {
    let folders = ["wire/stores", "posts/stores"].compactMap { try? Corpus.url($0) }
    return folders.flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
        ?? []
    }.filter { $0.pathExtension == "sqlite" }
  }()

  @Test func allStoresAreThere() { #expect(Self.stores.count == 26) }

  @Test(arguments: stores)
  func aStoresOwnCacheHasItsHashesAndSurvivesRewriting(_ store: URL) throws {
    let file = try StoreFile(store)
    let model = try ModelArchive.decode(#require(try file.modelCache))
    #expect(try model.entityVersionHashesByName == file.versionHashes)
    #expect(
      try model.isConfiguration(withName: nil, compatibleWithStoreMetadata: file.metadata))
    #expect(
      try model.versionIdentifiers
        == file.metadata["NSStoreModelVersionIdentifiers"] as? [String])
    if let digest = try file.metadata["NSStoreModelVersionHashesDigest"] as? String {
      #expect(model.versionHashesDigest == digest)
    }
    let rewritten = try ModelArchive.decode(ModelArchive.encode(model))
    #expect(lines(of: rewritten) == lines(of: model))
  }

  @Test(
    .tags(.process), .tiered,
    arguments: stores)
  func anIndependentCheckAcceptsTheRewrittenCache(_ store: URL) throws {
    let folder = try TemporaryFolder()
    let copy = folder.url.appending(path: store.lastPathComponent)
    try FileManager.default.copyItem(at: store, to: copy)
    let file = try StoreFile(copy, writable: true)
    try file.setModelCache(ModelArchive.encode(ModelArchive.decode(#require(try file.modelCache))))
    let output = try FormatChecker.output(["--cache", "--rows", copy.path])
    #expect(output.hasSuffix("stores pass\n"), "\(output)")
    let complaints = output.split(separator: "\n").filter {
      $0.contains("ERROR") || $0.contains("UNREADABLE")
    }
    #expect(complaints == [])
  }
}
