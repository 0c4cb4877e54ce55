import TestSupport
import Testing

@testable import Persistence

@Suite("Relationships in an SQLite store")
struct LinkTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  @Test func manyToManyIsReadFromBothSides() throws {
    let store = try create(.library)
    var writing = StoreWriting(store)
    let tags = try (1...3).map { try writing.insert("Tag", ["name": .string("\($0)")]) }
    let book = try writing.insert("Book", toMany: ["tags": [tags[2], tags[0]]])
    let item = try writing.insert("Item", toMany: ["tags": [tags[0]]])
    writing.link(tags[0], "items", to: [book, item])
    writing.link(tags[2], "items", to: [book])
    try writing.save()

    #expect(try store.keys("tags", of: book) == [1, 3])
    #expect(try store.keys("tags", of: item) == [1])
    #expect(try tags.map { try store.keys("items", of: $0) } == [[1, 2], [], [1]])
    let items = try #require(tags[0].entity.relationship(named: "items"))
    #expect(
      try store.destinations(of: items, from: tags[0]).map(\.entity.name) == ["Book", "Item"])
    #expect(try store.database.integer("SELECT count(*) FROM Z_3TAGS") == 3)
  }

  @Test func linksAreWrittenFromOneSideOnly() throws {
    let store = try create(.library)
    var writing = StoreWriting(store)
    let tag = try writing.insert("Tag", ["name": .string("a")])
    let item = try writing.insert("Item", toMany: ["tags": [tag]])
    writing.link(tag, "items", to: [item])
    try writing.save()
    #expect(try store.database.integer("SELECT count(*) FROM Z_3TAGS") == 1)

    writing.update(
      try #require(try store.row(for: item)),
      toMany: [try change(of: item, "tags", removing: [tag])])
    writing.update(
      try #require(try store.row(for: tag)),
      toMany: [try change(of: tag, "items", removing: [item])])
    try writing.save()
    #expect(try store.database.integer("SELECT count(*) FROM Z_3TAGS") == 0)
  }

  @Test func anOrderedToManyKeepsItsOrder() throws {
    let store = try create(.library)
    var writing = StoreWriting(store)
    let book = try writing.insert("Book")
    let chapters = try (1...4).map { number in
      try writing.insert("Chapter", ["title": .string("\(number)"), "book": .object(book)])
    }
    writing.link(book, "chapters", to: [chapters[2], chapters[0], chapters[1]])
    try writing.save()
    #expect(try store.keys("chapters", of: book) == [3, 1, 2, 4], "one that isn't named is last")
    #expect(try sortKeys(store) == ["3|2048", "1|3072", "2|4096", "4|5120"])

    // An order that is there already leaves the keys as they are; moving rewrites what follows.
    try reorder(book, [chapters[2], chapters[0], chapters[1], chapters[3]], in: store)
    #expect(try sortKeys(store) == ["3|2048", "1|3072", "2|4096", "4|5120"])
    try reorder(book, [chapters[2], chapters[1], chapters[0], chapters[3]], in: store)
    #expect(try store.keys("chapters", of: book) == [3, 2, 1, 4])
    #expect(try sortKeys(store) == ["3|2048", "2|4096", "1|5120", "4|6144"])
  }

  private func reorder(
    _ owner: ManagedObjectID, _ members: [ManagedObjectID], in store: SQLiteStore
  ) throws {
    var writing = StoreWriting(store)
    let relationship = try #require(owner.entity.relationship(named: "chapters"))
    writing.update(
      try #require(try store.row(for: owner)),
      toMany: [.init(relationship: relationship, added: [], removed: [], ordered: members)])
    try writing.save()
  }

  private func sortKeys(_ store: SQLiteStore) throws -> [String] {
    try store.database.texts(
      """
      SELECT Z_PK || '|' || coalesce(Z_FOK_BOOK, 'NULL') FROM ZCHAPTER
      ORDER BY Z_FOK_BOOK IS NULL, Z_FOK_BOOK, Z_PK
      """)
  }

  @Test func whoLeavesAnOrderedRelationshipLosesItsPlace() throws {
    let store = try create(.library)
    var writing = StoreWriting(store)
    let book = try writing.insert("Book")
    let chapter = try writing.insert("Chapter", ["book": .object(book)])
    writing.link(book, "chapters", to: [chapter])
    try writing.save()
    writing.update(try #require(try store.row(for: chapter)), ["book": .null])
    try writing.save()
    #expect(try store.keys("chapters", of: book) == [])
    #expect(try sortKeys(store) == ["1|NULL"])
  }

  @Test func bothSidesOfAManyToManyMayBeOrdered() throws {
    let store = try create(.orderedBothWays)
    var writing = StoreWriting(store)
    let songs = try (1...3).map { _ in try writing.insert("Song") }
    let lists = try (1...2).map { _ in try writing.insert("Playlist") }
    writing.link(lists[0], "songs", to: [songs[2], songs[0], songs[1]])
    writing.link(lists[1], "songs", to: [songs[1], songs[2]])
    writing.link(songs[0], "playlists", to: [lists[0]])
    writing.link(songs[1], "playlists", to: [lists[1], lists[0]])
    writing.link(songs[2], "playlists", to: [lists[0], lists[1]])
    try writing.save()

    #expect(try lists.map { try store.keys("songs", of: $0) } == [[3, 1, 2], [2, 3]])
    #expect(try songs.map { try store.keys("playlists", of: $0) } == [[1], [2, 1], [1, 2]])
  }

  @Test func manyToManyWithinOneEntityKeepsDirections() throws {
    let store = try create(.sameEntityManyToMany)
    var writing = StoreWriting(store)
    let people = try (1...3).map { _ in try writing.insert("Person") }
    writing.link(people[0], "likes", to: [people[1], people[2]])
    writing.link(people[1], "likedBy", to: [people[0]])
    writing.link(people[2], "likedBy", to: [people[0]])
    try writing.save()
    #expect(try people.map { try store.keys("likes", of: $0) } == [[2, 3], [], []])
    #expect(try people.map { try store.keys("likedBy", of: $0) } == [[], [1], [1]])
  }

  @Test func aRelationshipMayBeItsOwnInverse() throws {
    let model = try ManagedObjectModel(
      entities: [
        StoreShape.entity("Person", [StoreShape.toMany("friends", "Person", "friends")])
      ])
    let store = try SQLiteStore.create(at: url, model: model)
    var writing = StoreWriting(store)
    let people = try (1...3).map { _ in try writing.insert("Person") }
    writing.link(people[0], "friends", to: [people[1], people[2]])
    writing.link(people[1], "friends", to: [people[0]])
    writing.link(people[2], "friends", to: [people[0]])
    try writing.save()
    #expect(try people.map { try store.keys("friends", of: $0) } == [[2, 3], [1], [1]])
    writing.delete(people[2])
    try writing.save()
    #expect(try people.map { try store.keys("friends", of: $0) } == [[2], [1], []])
    #expect(try store.database.integer("SELECT count(*) FROM Z_1FRIENDS") == 2)

    try store.close()
    let again = try SQLiteStore.open(at: url, model: model)
    #expect(try again.keys("friends", of: people[0]) == [2])
  }

  @Test func aToManyWithoutInverseHasItsKeyInTheDestination() throws {
    let store = try create(.withoutInverse)
    var writing = StoreWriting(store)
    let pages = try (1...3).map { try writing.insert("Page", ["number": .integer($0)]) }
    let book = try writing.insert("Book", toMany: ["pages": [pages[2], pages[0]]])
    let box = try writing.insert("Folder", toMany: ["files": pages])
    try writing.save()
    #expect(try store.keys("pages", of: book) == [3, 1])
    #expect(try store.keys("files", of: box) == [1, 2, 3])

    // An update of the destination leaves the key alone; only the owner changes it.
    writing.update(try #require(try store.row(for: pages[0])), ["number": .integer(7)])
    writing.update(
      try #require(try store.row(for: book)),
      toMany: [try change(of: book, "pages", removing: [pages[2]], ordered: [pages[0]])])
    try writing.save()
    #expect(try store.keys("pages", of: book) == [1])
    writing.delete(book, version: 2)
    try writing.save()
    #expect(
      try store.database.integer("SELECT count(Z2PAGES) + count(Z_FOK_2PAGES) FROM ZPAGE") == 0)
    #expect(try store.keys("files", of: box) == [1, 2, 3])
  }

  @Test func aDeletedObjectLeavesNoLinks() throws {
    let store = try create(.library)
    var writing = StoreWriting(store)
    let tag = try writing.insert("Tag", ["name": .string("a")])
    let items = try (1...2).map { _ in try writing.insert("Item", toMany: ["tags": [tag]]) }
    writing.link(tag, "items", to: items)
    try writing.save()
    writing.delete(items[0])
    try writing.save()
    #expect(try store.keys("items", of: tag) == [2])
    writing.delete(tag)
    try writing.save()
    #expect(try store.keys("tags", of: items[1]) == [])
    #expect(try store.database.integer("SELECT count(*) FROM Z_3TAGS") == 0)
  }

  @Test(arguments: StoreShape.allCases)
  func areTheSameAfterReopening(_ shape: StoreShape) throws {
    let store = try create(shape)
    try shape.fill(store)
    let before = try dump(store)
    try store.close()
    let again = try SQLiteStore.open(at: url, model: store.model)
    #expect(try dump(again) == before)
    #expect(again.findings.isEmpty)
    #expect(try again.integrityCheck().isEmpty)
  }

  /// All rows with their values and links, one line each.
  private func dump(_ store: SQLiteStore) throws -> [String] {
    try store.model.entities.filter { $0.superentity == nil }.flatMap { root in
      try store.rows(root.name).map { row in
        let id = row.objectID
        let links = try id.entity.relationships.filter(\.isToMany).map {
          "\($0.name): \(try store.destinations(of: $0, from: id))"
        }
        let values = zip(id.entity.properties, row.values).map { "\($0.name): \(Self.shown($1))" }
        return "\(id) \(row.version) \(values) \(links)"
      }
    }
  }

  private static func shown(_ value: Value) -> String {
    guard case .transformable(let transformable) = value else { return "\(value)" }
    return (try? transformable.archived()).map { "\(Array($0))" } ?? "?"
  }

  private func change(
    of id: ManagedObjectID, _ name: String, removing removed: [ManagedObjectID],
    ordered: [ManagedObjectID]? = nil
  ) throws -> SaveRequest.ToManyChange {
    SaveRequest.ToManyChange(
      relationship: try #require(id.entity.relationship(named: name)), added: [],
      removed: removed, ordered: ordered)
  }
}
