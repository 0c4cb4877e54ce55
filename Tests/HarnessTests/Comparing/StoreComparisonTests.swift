import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What counts as equal and as different, in stores on every backend.
@Suite struct StoreComparisonTests {
  private static let library = """
    { Book: { isbn: string, title: string?, pages: int32 = 0, shelf: "Shelf? <-> books", \
    tags: "[Tag] <-> books", .unique: [isbn] }, \
    Shelf: { name: string, books: "[Book] ordered <-> shelf" }, \
    Tag: { name: string, books: "[Book] <-> tags" } }
    """

  private static let seed = """
    { Shelf: [{ id: s, name: Poems }, { id: t, name: Plays }], \
    Tag: [{ id: old, name: old }, { id: new, name: new }], \
    Book: [{ id: a, isbn: "1", title: One, shelf: s, tags: [old] }, \
    { id: b, isbn: "2", title: Two, shelf: s, tags: [old, new] }, { isbn: "3", pages: 3 }] }
    """

  private func stores(
    _ backend: Backend, _ change: (String) -> String
  ) throws -> (PersistentStore, PersistentStore) {
    let stores = try SeededStores(backend)
    let changed = change(Self.seed)
    return (try stores.store(Self.library, Self.seed), try stores.store(Self.library, changed))
  }

  @Test(arguments: Backend.allCases)
  func equalContentInOtherRowsIsEqual(on backend: Backend) throws {
    let other = """
      { Tag: [{ id: new, name: new }, { id: old, name: old }], \
      Book: [{ isbn: "3", pages: 3 }, { id: b, isbn: "2", title: Two, tags: [new, old] }, \
      { id: a, isbn: "1", title: One, tags: [old] }], \
      Shelf: [{ id: t, name: Plays }, { id: s, name: Poems, books: [a, b] }] }
      """
    let (a, b) = try stores(backend) { _ in other }
    let found = try differences(a, b)
    #expect(found.isEmpty)
    #expect(found.listing == [])
    #expect(found.exitStatus == .passed)
    #expect(found.entities.map(\.equal) == [3, 2, 2])
    #expect(found.entity("Book")?.identity == "isbn")
    #expect(found.entity("Tag")?.identity == "content")
  }

  @Test func storesOnDifferentBackendsAreCompared() throws {
    let memory = try SeededStores(.memory).store(Self.library, Self.seed)
    let files = try SeededStores(.sqlite)
    let sqlite = try files.store(Self.library, Self.seed)
    #expect(try differences(memory, sqlite).isEmpty)
  }

  /// Values whose own hashes are equal, or run into those of their neighbours.
  @Test(arguments: [
    ("n: ~", "n: 0"), ("b: ~", "b: false"), ("d: ~", "d: 0.0"), ("s: ~", "s: \"\""),
    ("t: ~", "t: 2001-01-01T00:00:00Z"), ("x: ~", "x: \"0x\""), ("n: 0", "n: ~, d: 0.0"),
    ("a: Ann, s: Alee", "a: AnnA, s: lee"), ("a: a, x: \"0x62\"", "a: ab, x: \"0x\""),
    ("x: \"0x\(Self.zeros)00\"", "x: \"0x\(Self.zeros)01\""), ("c: { n: 0, s: a }", "c: { s: a }"),
    ("l: [1, 2]", "l: [1, 3]"),
  ])
  func valuesThatDifferAreTold(_ one: String, _ other: String) throws {
    let model = """
      { Row: { key: string, .unique: [key], a: string?, s: string?, n: int32?, b: bool?, d: double?, t: date?, \
      x: data?, c: "composite(n: int16?, s: string?)?", l: transformable? } }
      """
    for backend in Backend.allCases {
      let stores = try SeededStores(backend)
      let made = try [one, other].map {
        try stores.store(model, "{ Row: [{ key: k, \($0) }] }")
      }
      #expect(try differences(made[0], made[0]).isEmpty)
      #expect(try differences(made[0], made[1]).entities.map(\.changed) == [1])
      let contents = try made.map { try ContentSnapshot(of: $0, provenance: Provenance()) }
      #expect(contents[0].isEqual(to: contents[0]))
      #expect(!contents[0].isEqual(to: contents[1]))
    }
  }

  /// More than a hash of `Data` looks at.
  private static let zeros = String(repeating: "00", count: 100)

  @Test(arguments: Backend.allCases)
  func everyKindOfDifferenceIsTold(on backend: Backend) throws {
    let (a, b) = try stores(backend) {
      $0.replacing("title: One", with: "title: Uno")
        .replacing(", shelf: s, tags: [old, new]", with: ", shelf: t, tags: [new]")
        .replacing("{ isbn: \"3\", pages: 3 }", with: "{ isbn: \"4\", pages: 3 }")
    }
    var found = try differences(a, b, identity: ["Shelf=name", "Tag=name"])
    found.seconds = 0.25
    #expect(
      found.plainText == """
        A  a.sqlite  version v
        B  b.sqlite  version v

           entity  matched by  in A  in B  equal  changed  only A  only B
           Book    isbn           3     3      0        2       1       1
           Shelf   name           2     2      2        0       0       0
           Tag     name           2     2      2        0       0       0

        Book: 2 changed (shelf 1, tags 1, title 1)
          ~ Book { isbn: "1" }
              title: "One" -> "Uno"
          ~ Book { isbn: "2" }
              shelf: Shelf { name: "Poems" } -> Shelf { name: "Plays" }
              tags: only in A Tag { name: "old" }

        Book: 1 only in A
          - Book { isbn: "3" }

        Book: 1 only in B
          + Book { isbn: "4" }

        different: 2 changed, 1 only in A, 1 only in B; 4 equal, in 250 ms

        """)
    #expect(found.exitStatus == .failed)
  }

  @Test(arguments: Backend.allCases)
  func theOrderOfOrderedRelationshipsCounts(on backend: Backend) throws {
    let (a, b) = try stores(backend) {
      $0.replacing("{ id: s, name: Poems }", with: "{ id: s, name: Poems, books: [b, a] }")
        .replacing(", shelf: s", with: "")
    }
    let found = try differences(a, b, identity: ["Shelf=name"])
    #expect(found.listing == ["~ Shelf { name: \"Poems\" } books"])
    #expect(
      found.plainText.contains(
        """
              books: Book { isbn: "1" } is at place 1 -> 2
              books: Book { isbn: "2" } is at place 2 -> 1
        """))
  }

  @Test(arguments: Backend.allCases)
  func aLinkToAnObjectThatOnlyOneStoreHasIsToldWithTheObject(on backend: Backend) throws {
    let (a, b) = try stores(backend) {
      $0.replacing("{ id: new, name: new }", with: "{ id: new, name: new }, { id: x, name: x }")
        .replacing("tags: [old] }", with: "tags: [old, x] }")
    }
    let found = try differences(a, b, identity: ["Tag=name"])
    #expect(found.listing == ["+ Tag { name: \"x\" }"])
  }

  @Test(arguments: Backend.allCases)
  func whatIsIgnoredDoesNotCount(on backend: Backend) throws {
    let (a, b) = try stores(backend) {
      $0.replacing("title: One", with: "title: Uno").replacing("name: Plays", with: "name: Odes")
    }
    #expect(try differences(a, b).differenceCount == 2)
    #expect(try differences(a, b, ignoring: ["Book.title", "Shelf"]).isEmpty)
  }

  @Test func listsAreShortenedAndAllIsCounted() throws {
    let seed =
      "{ Note: [\((1...30).map { "{ id: n\($0), number: \($0) }" }.joined(separator: ", "))] }"
    let stores = try SeededStores(.memory)
    let a = try stores.store("{ Note: { number: int32 } }", seed)
    let b = try stores.store("{ Note: { number: int32 } }", "{ Note: [] }")
    let found = try differences(a, b, listed: 4)
    #expect(found.listing.count == 4)
    #expect(found.differenceCount == 30)
    #expect(found.plainText.contains("  - Note { number: 4 }\n  … and 26 more\n"))
    #expect(try differences(a, b, listed: 0).plainText.contains("30 only in A\n  … 30\n"))
  }

  @Test(arguments: Backend.allCases)
  func longTextsAreShownWhereTheyDiffer(on backend: Backend) throws {
    let text = String(repeating: "abcdefghij", count: 20)
    let stores = try SeededStores(backend)
    let model = "{ Note: { id: string, text: string } }"
    let a = try stores.store(model, "{ Note: [{ id: \"1\", text: \(text)X }] }")
    let b = try stores.store(model, "{ Note: [{ id: \"1\", text: \(text)Y }] }")
    #expect(
      try differences(a, b).plainText.contains(
        "      text: …abcdefghijabcdefghijX\" -> …abcdefghijabcdefghijY\"\n"))
  }

  @Test func machinesGetEverything() throws {
    let (a, b) = try stores(.sqlite) { $0.replacing("title: One", with: "pages: 7") }
    let data = try differences(a, b).json.machineReport()
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["format"] as? Int == 1)
    #expect(json["exitStatus"] as? Int == 1)
    #expect(
      json["totals"] as? [String: Int] == ["equal": 6, "changed": 1, "onlyInA": 0, "onlyInB": 0])
    let object = try #require((json["objects"] as? [[String: Any]])?.first)
    #expect(object["kind"] as? String == "changed")
    #expect((object["uriInA"] as? String)?.hasSuffix("/Book/p1") == true)
    let attributes = try #require(object["attributes"] as? [[String: Any]])
    #expect(attributes.map { $0["name"] as? String } == ["pages", "title"])
    #expect(attributes[0]["a"] as? Int == 0 && attributes[0]["b"] as? Int == 7)
    #expect(attributes[1]["a"] as? String == "One" && attributes[1]["b"] is NSNull)
  }
}
