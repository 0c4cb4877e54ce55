import TestSupport
import Testing

@testable import Persistence

/// What a store makes of links that only one of their sides reports, as batches and merged changes do.
@Suite("Links reported from one side")
struct OneSidedLinksTests {
  private func write(
    _ backend: Backend, _ entities: [EntityDescription],
    _ body: (inout StoreWriting) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let store = try backend.makeStore(ManagedObjectModel(entities: entities, name: "M"), in: folder)
    var writing = StoreWriting(store)
    try body(&writing)
  }

  @Test(
    "Members that join without their owner come last, in the order they come",
    arguments: Backend.allCases, [false, true])
  func membersJoinInTheOrderTheyCome(_ backend: Backend, _ isManyToMany: Bool) throws {
    let lists =
      isManyToMany
      ? LibraryModel.toMany("lists", "List", "songs") : LibraryModel.toOne("lists", "List", "songs")
    let entities = [
      LibraryModel.entity("List", [LibraryModel.toMany("songs", "Song", "lists", ordered: true)]),
      LibraryModel.entity("Song", [lists]),
    ]
    try write(backend, entities) { writing in
      let store = writing.store
      let list = try writing.insert("List")
      let songs = try (1...5).map { _ in try writing.insert("Song") }
      try writing.save()
      func join(_ numbers: Int...) throws {
        for number in numbers {
          let row = try #require(try store.row(for: songs[number - 1]))
          let change = try SaveRequest.ToManyChange(
            relationship: #require(row.objectID.entity.relationship(named: "lists")),
            added: [list], removed: [], ordered: nil)
          writing.update(
            row, isManyToMany ? [:] : ["lists": .object(list)],
            toMany: isManyToMany ? [change] : [])
        }
        try writing.save(fromOneSide: true)
      }
      try join(4)
      try join(2)
      try join(5, 1)
      #expect(try store.keys("songs", of: list) == [4, 2, 1, 5])
      // The list knows two of them.
      let change = try SaveRequest.ToManyChange(
        relationship: #require(list.entity.relationship(named: "songs")), added: [], removed: [],
        ordered: [songs[0], songs[1]])
      writing.update(try #require(try store.row(for: list)), toMany: [change])
      try writing.save(fromOneSide: true)
      try join(3)
      #expect(try store.keys("songs", of: list) == [1, 2, 4, 5, 3])
    }
  }
}
