import TestSupport
import Testing

@testable import Persistence

extension StoreSuite {
  /// A new store for the model of a shape, in the suite's place.
  func create(_ shape: StoreShape) throws -> SQLiteStore {
    try SQLiteStore.create(at: url, model: try shape.model())
  }

  /// A closed store with sample rows, changed by SQL, in the suite's place.
  /// - Returns: Its model.
  func make(_ shape: StoreShape, changedBy sql: String...) throws -> ManagedObjectModel {
    let store = try create(shape)
    try shape.fill(store)
    for statement in sql { try store.database.execute(statement) }
    try store.close()
    return store.model
  }
}

/// Models of every shape that decides how a store looks.
enum StoreShape: String, CaseIterable, CustomTestStringConvertible {
  case everyAttributeType, library, inheritance, orderedBothWays, sameEntityManyToMany
  case withoutInverse, equalNames, indexesAndConstraints, external, transientAndUntyped
  case namesWithoutRegardToCase

  var testDescription: String { rawValue }

  func model() throws -> ManagedObjectModel {
    if self == .library { return try LibraryModel.make() }
    return try ManagedObjectModel(
      entities: entities, name: rawValue, versionIdentifiers: ["1.0"])
  }

  private var entities: [EntityDescription] {
    switch self {
    case .everyAttributeType: [Self.entity("Sample", Self.everyAttribute)]
    case .library: []
    case .inheritance: Self.inheritanceEntities
    case .orderedBothWays: Self.orderedBothWaysEntities
    case .sameEntityManyToMany: Self.sameEntityManyToManyEntities
    case .withoutInverse: Self.withoutInverseEntities
    case .equalNames: Self.equalNamesEntities
    case .indexesAndConstraints: Self.indexesAndConstraintsEntities
    case .external: Self.externalEntities
    case .transientAndUntyped: Self.transientAndUntypedEntities
    case .namesWithoutRegardToCase: Self.namesWithoutRegardToCaseEntities
    }
  }
}

// MARK: - Building blocks

extension StoreShape {
  static func entity(
    _ name: String, _ properties: [PropertyDescription], parent: String? = nil,
    abstract: Bool = false
  ) -> EntityDescription {
    let entity = LibraryModel.entity(name, properties)
    entity.superentityName = parent
    entity.isAbstract = abstract
    return entity
  }

  static func attribute(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
    LibraryModel.attribute(name, type, optional: true)
  }

  static func toOne(
    _ name: String, _ destination: String, _ inverse: String?
  ) -> RelationshipDescription { LibraryModel.toOne(name, destination, inverse) }

  static func toMany(
    _ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false
  ) -> RelationshipDescription {
    LibraryModel.toMany(name, destination, inverse, ordered: ordered)
  }
}

// MARK: - Shapes

extension StoreShape {
  static let storableTypes: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binaryData, .uuid, .uri, .transformable,
  ]

  /// One attribute of each type, and a second one of some to see them grouped.
  fileprivate static var everyAttribute: [PropertyDescription] {
    storableTypes.map { attribute("a\($0)", $0) }
      + [.string, .date, .integer32, .binaryData].map { attribute("z\($0)", $0) }
      + [toOne("self", "Sample", nil)]
  }

  fileprivate static var inheritanceEntities: [EntityDescription] {
    [
      entity(
        "Message",
        [
          attribute("sentAt", .date), toOne("conversation", "Conversation", "messages"),
          toMany("reactions", "Reaction", "message"),
        ], abstract: true),
      entity("TextMessage", [attribute("text")], parent: "Message"),
      entity(
        "SystemMessage",
        [attribute("text"), attribute("code", .integer16), toMany("users", "User", "system")],
        parent: "Message"),
      entity("RichTextMessage", [attribute("style")], parent: "TextMessage"),
      entity(
        "Conversation",
        [
          toMany("messages", "Message", "conversation", ordered: true),
          toOne("pinned", "TextMessage", nil), toOne("last", "RichTextMessage", nil),
        ]),
      entity("Reaction", [toOne("message", "Message", "reactions"), attribute("emoji")]),
      entity("User", [attribute("name"), toMany("system", "SystemMessage", "users")]),
    ]
  }

  fileprivate static var orderedBothWaysEntities: [EntityDescription] {
    [
      entity(
        "Playlist",
        [
          attribute("name"), toMany("songs", "Song", "playlists", ordered: true),
          toMany("covers", "Cover", "playlist", ordered: true),
        ]),
      entity(
        "Song", [attribute("title"), toMany("playlists", "Playlist", "songs", ordered: true)]),
      entity("Cover", [attribute("file"), toOne("playlist", "Playlist", "covers")]),
      entity("Fan", [toMany("idols", "Song2", "fans", ordered: true)]),
      entity("Song2", [toMany("fans", "Fan", "idols")]),
    ]
  }

  fileprivate static var sameEntityManyToManyEntities: [EntityDescription] {
    [
      entity(
        "Person",
        [
          attribute("name"), toMany("likes", "Person", "likedBy"),
          toMany("likedBy", "Person", "likes"), toOne("boss", "Person", "staff"),
          toMany("staff", "Person", "boss"),
        ])
    ]
  }

  fileprivate static var withoutInverseEntities: [EntityDescription] {
    [
      entity("Book", [toMany("pages", "Page", nil, ordered: true), attribute("title")]),
      entity("Folder", [toMany("files", "Page", nil)]),
      entity("Page", [attribute("number", .integer32), toOne("author", "Author", nil)]),
      entity("Author", [attribute("name")]),
    ]
  }

  /// Two relationships `users` lead to `User`, two attributes `text` and two keys `owner` are in one
  /// table.
  fileprivate static var equalNamesEntities: [EntityDescription] {
    [
      entity("Base", [], abstract: true),
      entity("Alpha", [attribute("text"), toOne("owner", "User", "alphas")], parent: "Base"),
      entity(
        "Beta",
        [
          attribute("text", .integer32), toOne("owner", "User", "betas"),
          toMany("users", "User", "sharedBetas"),
        ], parent: "Base"),
      entity("Reaction", [toMany("users", "User", "reactions")]),
      entity(
        "User",
        [
          toMany("alphas", "Alpha", "owner"), toMany("betas", "Beta", "owner", ordered: true),
          toMany("reactions", "Reaction", "users"), toMany("sharedBetas", "Beta", "users"),
        ]),
    ]
  }

  fileprivate static var indexesAndConstraintsEntities: [EntityDescription] {
    let isbn = attribute("isbn")
    isbn.isIndexed = true
    let book = entity(
      "Book",
      [isbn, attribute("title"), attribute("year", .integer16), toOne("author", "Author", "books")])
    book.uniquenessConstraints = [["isbn"], ["title", "author"]]
    book.indexes = [
      FetchIndexDescription(
        name: "byYear",
        elements: [
          .init(propertyName: "year", isAscending: false), .init(propertyName: "title"),
        ])
    ]
    let author = entity(
      "Author", [attribute("alias"), toMany("books", "Book", "author")], parent: "Writer")
    author.uniquenessConstraints = [["alias"]]
    return [book, author, entity("Writer", [attribute("name")])]
  }

  fileprivate static var externalEntities: [EntityDescription] {
    let photo = attribute("photo", .binaryData)
    photo.allowsExternalBinaryDataStorage = true
    return [entity("Picture", [photo, attribute("thumbnail", .binaryData), attribute("name")])]
  }

  fileprivate static var transientAndUntypedEntities: [EntityDescription] {
    let computed = attribute("computed", .integer32)
    computed.isTransient = true
    let untyped = attribute("untyped", .undefined)
    untyped.isTransient = true
    return [entity("Thing", [computed, untyped, attribute("kept", .integer32)])]
  }

  /// Without regard to case, `SyncableSettings` comes before `SyncFeature`.
  fileprivate static var namesWithoutRegardToCaseEntities: [EntityDescription] {
    [
      entity("SyncFeature", [attribute("b"), attribute("a"), attribute("A2")]),
      entity("SyncableSettings", [attribute("value")]),
      entity("alpha", [attribute("under_score"), attribute("digit9")]),
    ]
  }
}
