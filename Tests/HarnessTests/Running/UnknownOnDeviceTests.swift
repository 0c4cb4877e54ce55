import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Steps that do what nobody knows a device to do.
@Suite struct UnknownOnDeviceTests {
  private func failures(
    _ head: String = "", step: String = "v1 -> v2", then tail: String = ""
  ) throws -> [Failure] {
    try play(
      """
      scenario: A root entity moves under another
      \(head)
      models:
        v1:
          Media: { title: string }
          Film: { title: string, minutes: int32 = 90 }
        v2:
          Media: { title: string }
          Film: { .parent: Media, minutes: int32 = 90 }
      seed:
        Media: [{ id: a, title: A }]
        Film: [{ id: b, title: B }]
      chain:
        - \(step)
      expect:
        - count: { Media: 2, Film: 1 }
      \(tail)
      """
    ).flatMap(\.failures)
  }

  @Test func tablesThatAreJoinedFailTheRun() throws {
    let failures = try failures()
    #expect(failures.map(\.kind) == [.unknownOnDevice, .unknownOnDevice])
    #expect(failures.first?.step == "v1 -> v2")
    #expect(
      failures.first?.found.hasPrefix(
        "Media and Film, with tables of their own, become one entity hierarchy")
        == true)
  }

  @Test func aLaterStartHidesNothing() throws {
    #expect(
      try failures(then: "then: [start]").map(\.kind) == [.unknownOnDevice, .unknownOnDevice])
  }

  /// Core Data's answer to an ambiguous renaming isn't known, nor what a later release makes of links before its error.
  @Test(arguments: [
    "C: { .was: A }, D: { .was: A }",
    #"A: { bs: B? <-> as, n: int16 }, B: { as: "[A] <-> bs" }"#,
  ])
  func anErrorThatIsExpectedOfAnUnknownStepIsUnknownToo(_ last: String) throws {
    let scenario = """
      scenario: A step fails
      models:
        v1: { A: { bs: "[B] <-> as" }, B: { as: "[A] <-> bs" } }
        v2: { A: { bs: "[B] <-> as", x: int16? }, B: { as: "[A] <-> bs" } }
        v3: { \(last) }
      seed: { A: [{}] }

      """
    let inChain = "chain: [v2 -> v3]\nexpect: [{ fails: { step: v2 -> v3 } }]"
    let later = """
      chain: [v1 -> v2]
      expect: [{ count: { A: 1 } }]
      then: [{ start: [v2, v3], fails: { step: v2 -> v3 } }]
      """
    for rest in [inChain, later] {
      let results = try play(scenario + rest)
      #expect(results.map { $0.failures.map(\.kind) } == [[.unknownOnDevice], [.unknownOnDevice]])
    }
  }

  @Test func whoeverTriedItSaysSo() throws {
    #expect(
      try failures("accept: [{ finding: unknown-on-device, because: tried }]").map(\.kind) == [])
    // Of another entity nothing was tried.
    let other = "accept: [{ finding: unknown-on-device, entity: Other, because: tried }]"
    #expect(try failures(other).map(\.kind) == [.unknownOnDevice, .unknownOnDevice])
  }

  /// It makes the objects anew, whatever columns they had, by the same mapping that is inferred.
  @Test(arguments: [
    ("A: {}, B: {}", "A: {}, B: { .parent: A }", true),
    ("A: { y: int16? was x }", "A: { y: int16?, z: int16? }", true),
    (
      "A: { bs: \"[B] <-> as\" }, B: { as: \"[A] <-> bs\" }",
      "A: { bs: B? <-> as }, B: { as: \"[A] <-> bs\" }", true
    ),
    ("A: { x: int16? }, B: {}", "A: { x: B? }, B: {}", true),
    ("A: { x: int16? }, B: {}", "A: { X: int16? }, B: {}", false),
  ])
  func aManagerMakesAnewWhatIsInferred(old: String, new: String, isUnknown: Bool) throws {
    let results = try play(
      """
      scenario: A manager makes the objects
      models: { v1: { \(old) }, v2: { \(new) } }
      seed: { A: [{}] }
      chain: [{ v1 -> v2: { .manager: { usesStoreSpecificMigrationManager: false } } }]
      expect: [{ count: { A: 1 } }]
      """)
    let kinds: [Failure.Kind] = isUnknown ? [.unknownOnDevice] : []
    #expect(results.map { $0.failures.map(\.kind) } == [kinds, kinds])
  }
}

/// Orders that nothing gives.
@Suite struct ExpectedOrderTests {
  /// What is found where a set becomes ordered, unless `before` says something else, and `expected` is expected.
  private func found(_ expected: String, before: String = "") throws -> [String] {
    try play(
      """
      scenario: A set becomes ordered
      models:
        v1:
          Album: { name: string, songs: "[Song]\(before) <-> album" }
          Song: { title: string, album: Album? <-> songs }
        v2:
          Record: { .was: Album, name: string, tracks: "[Song] ordered <-> record was songs" }
          Song: { title: string, record: Record? <-> tracks was album }
      seed:
        Album: [{ id: a, name: A, songs: [x, y] }]
        Song: [{ id: x, title: X }, { id: y, title: Y }]
      chain:
        - v1 -> v2
      expect:
        - object: Record a
          has: { \(expected) }
      """
    ).flatMap(\.failures).map { "\($0.kind.rawValue): \($0.found)" }
  }

  private static let unknown =
    "unknown on a device: Record.tracks became ordered, and an order of it is expected: "
    + "what a device does here isn't known"

  @Test(arguments: ["tracks: [x, y]", "tracks.title: [X, Y]"])
  func anOrderOfWhatWasASetIsUnknown(expected: String) throws {
    #expect(try found(expected) == [Self.unknown, Self.unknown])
    #expect(try found(expected, before: " ordered") == [])
  }

  @Test func membersAreKnown() throws {
    #expect(try found("tracks.@count: 2") == [])
  }

  /// Objects are linked one by one, as a fetch without an order gives them.
  @Test(arguments: [("songs: ~", 2), ("", 0)])
  func anOrderThatOnlyTheInverseGivesIsUnknown(_ songs: String, count: Int) throws {
    let results = try play(
      """
      scenario: An ordered relationship is mapped
      models:
        v1:
          Album: { name: string, songs: "[Song] ordered <-> album" }
          Song: { title: string, album: Album? <-> songs }
        v2:
          Album: { name: string, year: int16?, songs: "[Song] ordered <-> album" }
          Song: { title: string, album: Album? <-> songs }
      seed:
        Album: [{ id: a, name: A, songs: [x, y] }]
        Song: [{ id: x, title: X }, { id: y, title: Y }]
      chain:
        - v1 -> v2:
            AlbumToAlbum: { source: Album, destination: Album, relationships: { \(songs) } }
            SongToSong: { source: Song, destination: Song }
      expect:
        - object: Album a
          has: { songs: [x, y] }
      """)
    let found = results.flatMap(\.failures).map(\.found)
    #expect(found.count == count)
    #expect(found.allSatisfy { $0.hasPrefix("Album.songs is filled by its inverse only, and an ") })
  }
}

/// Links of which nobody knows what a lightweight step makes of them on a device.
@Suite struct DoubtfulLinksTests {
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    let before: String
    let after: String
    let seed: String
    let found: [String]
  }

  private static let books = "Book: [{ id: red, shelf: top }, { id: blue }], Shelf: [{ id: top }]"

  static let changes: [Change] = [
    Change(
      testDescription: "a to-one relationship renamed without identifier",
      before: "{ Book: { shelf: Shelf? <-> books }, Shelf: { books: \"[Book] <-> shelf\" } }",
      after: "{ Book: { board: Shelf? <-> books }, Shelf: { books: \"[Book] <-> board\" } }",
      seed: books,
      found: ["Book.board is new and was filled from its inverse: 1 link before, 1 after"]),
    Change(
      testDescription: "with identifier it is certain",
      before: "{ Book: { shelf: Shelf? <-> books }, Shelf: { books: \"[Book] <-> shelf\" } }",
      after:
        "{ Book: { board: Shelf? <-> books was shelf }, Shelf: { books: \"[Book] <-> board\" } }",
      seed: books, found: []),
    Change(
      testDescription: "without links there is nothing to doubt",
      before: "{ Book: { shelf: Shelf? <-> books }, Shelf: { books: \"[Book] <-> shelf\" } }",
      after: "{ Book: { board: Shelf? <-> books }, Shelf: { books: \"[Book] <-> board\" } }",
      seed: "Book: [{ id: red }], Shelf: [{ id: top }]", found: []),
    Change(
      testDescription: "a to-one relationship gets an inverse",
      before: "{ Book: { shelf: Shelf? }, Shelf: { name: string? } }",
      after:
        "{ Book: { shelf: Shelf? <-> books }, Shelf: { books: \"[Book] <-> shelf\", name: string? } }",
      seed: books, found: []),
    Change(
      testDescription: "an inverse goes from one relationship to another",
      before:
        "{ Book: { shelf: Shelf? <-> books, old: Shelf? }, Shelf: { books: \"[Book] <-> shelf\" } }",
      after:
        "{ Book: { shelf: Shelf?, old: Shelf? <-> books }, Shelf: { books: \"[Book] <-> old\" } }",
      seed: "Book: [{ id: red, shelf: top, old: low }], Shelf: [{ id: top }, { id: low }]",
      found: [
        "Book.old and its inverse belonged to different relationships before: 1 link before, 1 after"
      ]),
    Change(
      testDescription: "a relationship leads to a subentity only",
      before:
        "{ Media: {}, Song: { .parent: Media }, Film: { .parent: Media }, Shelf: { items: \"[Media]\", top: Media? } }",
      after:
        "{ Media: {}, Song: { .parent: Media }, Film: { .parent: Media }, Shelf: { items: \"[Song]\", top: Song? } }",
      seed: "Song: [{ id: s }], Film: [{ id: f }], Shelf: [{ id: h, items: [s, f], top: f }]",
      found: [
        "Shelf.items lost links between objects that still exist: 2 links before, 1 after",
        "Shelf.top lost links between objects that still exist: 1 link before, 0 after",
      ]),
    Change(
      testDescription: "all that it leads to stays, here",
      before: "{ Media: {}, Song: { .parent: Media }, Shelf: { items: \"[Media]\" } }",
      after: "{ Media: {}, Song: { .parent: Media }, Shelf: { items: \"[Song]\" } }",
      seed: "Song: [{ id: s }], Shelf: [{ id: h, items: [s] }]",
      found: ["Shelf.items led to Media and leads to Song"]),
    Change(
      testDescription: "an unrelated entity, without any row",
      before: "{ A: { r: B? }, B: { x: string? }, C: { x: string? } }",
      after: "{ A: { r: C? }, B: { x: string? }, C: { x: string? } }", seed: "A: [{ id: a }]",
      found: ["A.r led to B and leads to C"]),
    Change(
      testDescription: "one of several links stays",
      before: "{ A: { r: \"[B] <-> s\" }, B: { s: \"[A] <-> r\" } }",
      after: "{ A: { r: B? <-> s }, B: { s: \"[A] <-> r\" } }",
      seed: "A: [{ id: a, r: [x, y] }], B: [{ id: x }, { id: y }]",
      found: [
        "A.r lost links between objects that still exist: 2 links before, 1 after; A/p1 had several"
      ]),
    Change(
      testDescription: "the only link stays", before: "{ A: { r: \"[B]\" }, B: {} }",
      after: "{ A: { r: B? }, B: {} }", seed: "A: [{ id: a, r: [x] }], B: [{ id: x }]",
      found: ["A.r was to-many and is to-one"]),
    Change(
      testDescription: "a to-many relationship loses its inverse",
      before: "{ Book: { shelf: Shelf? <-> books }, Shelf: { books: \"[Book] <-> shelf\" } }",
      after: "{ Book: { shelf: Shelf? }, Shelf: { books: \"[Book]\" } }", seed: books,
      found: ["Shelf.books had the inverse 'shelf' and has none now"]),
    Change(
      testDescription: "many-to-many relationships lose each other",
      before: "{ Book: { shelf: \"[Shelf] <-> books\" }, Shelf: { books: \"[Book] <-> shelf\" } }",
      after: "{ Book: { title: string? }, Shelf: { books: \"[Book]\" } }",
      seed: "Book: [{ id: red, shelf: [top] }], Shelf: [{ id: top }]",
      found: ["Shelf.books had the inverse 'shelf' and has none now"]),
    Change(
      testDescription: "an inverse goes without links",
      before: "{ Book: { shelf: Shelf? <-> books }, Shelf: { books: \"[Book] <-> shelf\" } }",
      after: "{ Book: { shelf: Shelf? }, Shelf: { books: \"[Book]\" } }",
      seed: "Book: [{ id: red }], Shelf: [{ id: top }]", found: []),
    Change(
      testDescription: "to-one relationships keep their columns without inverse",
      before: "{ Book: { shelf: Shelf? <-> book }, Shelf: { book: Book? <-> shelf } }",
      after: "{ Book: { shelf: Shelf? }, Shelf: { book: Book? } }",
      seed: "Book: [{ id: red, shelf: top }], Shelf: [{ id: top }]", found: []),
    Change(
      testDescription: "an attribute becomes a to-one relationship",
      before: "{ Book: { shelf: string?, tags: string? }, Shelf: { name: string? } }",
      after: "{ Book: { shelf: Shelf?, tags: \"[Shelf]\" }, Shelf: { name: string? } }",
      seed: "Book: [{ id: red, shelf: top }]",
      found: ["Book.shelf was an attribute and is a to-one relationship now"]),
    Change(
      testDescription: "a to-one relationship becomes an attribute",
      before: "{ Book: { shelf: Shelf? }, Shelf: { name: string? } }",
      after: "{ Book: { shelf: string? }, Shelf: { name: string? } }", seed: books,
      found: ["Book.shelf was a to-one relationship and is an attribute now"]),
    Change(
      testDescription: "an attribute becomes a relationship by its identifier, and the reverse",
      before: "{ Book: { at: string?, next: Shelf? }, Shelf: { name: string? } }",
      after: "{ Book: { shelf: Shelf? was at, page: int16? was next }, Shelf: { name: string? } }",
      seed: "Book: [{ id: red }], Shelf: [{ id: top }]",
      found: [
        "Book.shelf was an attribute and is a to-one relationship now",
        "Book.page was a to-one relationship and is an attribute now",
      ]),
    Change(
      testDescription: "names are the same text in other code points",
      before: "{ Caf\u{E9}: { th\u{E9}: string?, \u{E5}: string?, d\u{E9}: string? } }",
      after: "{ Cafe\u{301}: { the\u{301}: string?, x: string? was a\u{30A}, d\u{E9}: string? } }",
      seed: "Caf\u{E9}: [{ id: a }]",
      found: [
        "Cafe\u{301} was known as 'Caf\\u{00E9}' and is known as 'Cafe\\u{0301}' now",
        "Cafe\u{301}.the\u{301} was known as 'th\\u{00E9}' and is known as 'the\\u{0301}' now",
        "Cafe\u{301}.x was known as '\\u{00E5}' and is known as 'a\\u{030A}' now",
      ]),
    Change(
      testDescription: "names differ in case only, two without an identifier",
      before: "{ A: { fileUrl: string?, b: A?, Kept: string?, kept: string?, x: string? } }",
      after: "{ A: { fileURL: string?, B: A?, Kept: string?, kept: string?, X: string? was x } }",
      seed: "A: [{ id: a }]",
      found: [
        "A.fileURL has the column of the attribute 'fileUrl', which goes",
        "A.B has the column of the to-one relationship 'b', which goes",
      ]),
    Change(
      testDescription: "an attribute becomes an element of a composite",
      before: "{ A: { city: string?, zip: string? } }",
      after:
        "{ A: { home: 'composite(city: string?)?', at: 'composite(zip: string?)?', zip: string? } }",
      seed: "A: [{ id: a }]",
      found: ["A.home has the column of the attribute 'city', which goes"]),
    Change(
      testDescription: "an attribute becomes a relationship, without rows",
      before: "{ Book: { shelf: string? }, Shelf: { name: string? } }",
      after: "{ Book: { shelf: Shelf? }, Shelf: { name: string? } }", seed: "Shelf: [{ id: top }]",
      found: []),
    Change(
      testDescription: "objects of a subentity that goes",
      before:
        "{ P: { rs: \"[R] <-> qs\", ss: \"[R] <-> s\" }, C: { .parent: P }, R: { p: P?, qs: \"[P] <-> rs\", s: P? <-> ss } }",
      after:
        "{ P: { rs: \"[R] <-> qs\", ss: \"[R] <-> s\" }, R: { p: P?, qs: \"[P] <-> rs\", s: P? <-> ss } }",
      seed:
        "P: [{ id: p }], C: [{ id: c }], R: [{ id: r, p: c, qs: [c, p] }, { id: q, p: p, s: p }]",
      found: [
        "R.p led to objects of an entity that is gone: 1 link before, 0 after",
        "R.qs led to objects of an entity that is gone: 1 link before, 0 after",
      ]),
    Change(
      testDescription: "a root and its child change places",
      before: "{ Media: { title: string? }, Song: { .parent: Media } }",
      after: "{ Song: { title: string? }, Media: { .parent: Song } }",
      seed: "Song: [{ id: s }]", found: ["Song is above Media now, and was below it"]),
    Change(
      testDescription: "an identifier goes, with rows",
      before: "{ A: { x: string? was w } }", after: "{ A: { x: string?, y: string? } }",
      seed: "A: [{ id: a, x: x }]", found: ["A.x was known as 'w' and is known as 'x' now"]),
    Change(
      testDescription: "an identifier goes, without rows",
      before: "{ A: { x: string? was w } }", after: "{ A: { x: string?, y: string? } }",
      seed: "A: []", found: []),
    Change(
      testDescription: "the objects at the other end don't go on",
      before: "{ Book: { shelf: Shelf? }, Shelf: { name: string? } }",
      after: "{ Book: { name: string? } }", seed: books, found: []),
  ]

  @Test(arguments: changes)
  func linksThatADeviceMayNotHaveFailTheRun(change: Change) throws {
    let results = try play(
      """
      scenario: Links
      models:
        v1: \(change.before)
        v2: \(change.after)
      seed: { \(change.seed) }
      chain: [v1 -> v2]
      expect: [{ steps: [v1 -> v2: inferred] }]
      """)
    #expect(results.count == 2)
    for result in results {
      // Without rows there is nothing that could be wrong.
      let failures = result.failures.filter { $0.kind != .nothingLookedAt }
      #expect(failures.map(\.kind) == change.found.map { _ in .unknownOnDevice })
      #expect(
        failures.map(\.found)
          == change.found.map { "\($0): what a device does here isn't known" })
    }
  }
}

/// Takes an object, and can't give it back.
private final class OneWayTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { false }
}

/// Values that a mapping copies as bytes, and a device would read.
@Suite struct UnreadableValuesTests {
  private func failures(
    step: String, _ head: String = "", paper: String = "0x010203"
  ) throws -> [Failure] {
    let name = "UnreadableValues"
    ValueTransformer.setValueTransformer(OneWayTransformer(), forName: ValueTransformerName(name))
    let results = try play(
      """
      scenario: Papers
      \(head)
      models:
        v1: { Note: { title: string, paper: transformable(\(name))? } }
        v2: { Note: { title: string, paper: transformable(\(name))?, size: int16 = 1 } }
      seed:
        Note: [{ id: a, title: A, paper: \(paper) }, { id: b, title: B }]
      chain:
        - v1 -> v2\(step)
      expect:
        - count: { Note: 2 }
      """)
    #expect(results.count == 2)
    return results.flatMap(\.failures)
  }

  @Test(arguments: [
    ("{ NoteToNote: { source: Note, destination: Note } }", "NoteToNote"),
    ("{ .manager: { usesStoreSpecificMigrationManager: false } }", "IEM_Transform_Note"),
  ])
  func failTheRunOncePerMapping(_ step: String, _ mapping: String) throws {
    let failures = try failures(step: ": \(step)")
    #expect(failures.map(\.kind) == [.unknownOnDevice, .unknownOnDevice])
    let failure = try #require(failures.first)
    #expect(failure.step == "v1 -> v2")
    #expect(failure.subject == "the entity mapping '\(mapping)'")
    #expect(failure.expected == "values that a device can read")
    #expect(
      failure.found
        == "Note.paper was copied by '\(mapping)', and the value transformer UnreadableValues has no "
        + "reverse transformation: what a device does here isn't known")
    #expect(
      failure.notes == [
        "A migration manager on a device reads each value with the transformer, which may raise an exception, or "
          + "give nil or another object.",
        "Give the object in the transformer's reverseTransformedValue(_:), and let allowsReverseTransformation() "
          + "return true, or try it on a device and accept it: accept: [{ finding: unknown-on-device, because: … }].",
      ])
  }

  @Test func aLightweightStepCarriesBytesOnADevice() throws {
    #expect(try failures(step: "").map(\.kind) == [])
  }

  @Test func withoutValuesThereIsNothingToRead() throws {
    let step = ": { NoteToNote: { source: Note, destination: Note } }"
    #expect(try failures(step: step, paper: "~").map(\.kind) == [])
    let none = ": { NoteToNote: { source: Note, destination: Note, attributes: { paper: ~ } } }"
    #expect(try failures(step: none).map(\.kind) == [])
  }

  @Test func whoeverTriedItSaysSo() throws {
    let failures = try failures(
      step: ": { NoteToNote: { source: Note, destination: Note } }",
      "accept: [{ finding: unknown-on-device, because: tried }]")
    #expect(failures.map(\.kind) == [])
  }
}

/// An error that a device perhaps doesn't have.
@Suite struct ErrorUnknownOnDeviceTests {
  private func failures(seed: String, expect: String) throws -> [Failure] {
    try play(
      """
      scenario: Media becomes abstract
      models:
        v1: { Media: { title: string }, Book: { .parent: Media } }
        v2: { Media: { .abstract: true, title: string }, Book: { .parent: Media } }
      seed: { \(seed) }
      chain: [v1 -> v2]
      expect: [\(expect)]
      """
    ).flatMap(\.failures)
  }

  @Test func itIsInDoubtThoughItIsExpected() throws {
    let failures = try failures(
      seed: "Media: [{ title: A }], Book: [{ title: B }]", expect: "{ fails: { code: 134110 } }")
    #expect(failures.map(\.kind) == [.unknownOnDevice, .unknownOnDevice])
    #expect(failures.first?.found.hasPrefix("Media is abstract now") == true)
  }

  @Test func objectsOfOthersAreNone() throws {
    let failures = try failures(seed: "Book: [{ title: B }]", expect: "{ count: { Book: 1 } }")
    #expect(failures.map(\.kind) == [])
  }
}

/// What a lightweight step, or a mapping, makes of values, and a device perhaps doesn't.
@Suite struct ValuesUnknownOnDeviceTests {
  private func failures(
    _ old: String, _ new: String, values: String, step: String = ""
  ) throws -> [String] {
    try play(
      """
      scenario: Values
      backends: [sqlite]
      models:
        v1:
          Shop: { .abstract: true, name: string, orders: "[Order] <-> shop" }
          Bakery: { .parent: Shop, \(old) }
          Order: { shop: Shop? <-> orders }
        v2:
          Shop: { .abstract: true, name: string, orders: "[Order] <-> shop" }
          Bakery: { .parent: Shop, size: int16 = 1, \(new) }
          Order: { shop: Shop? <-> orders }
      seed:
        Bakery: [{ id: a, name: A\(values) }]
        Order: [{ id: one, shop: a }]
      chain:
        - v1 -> v2\(step)
      expect:
        - count: { Bakery: 1 }
      """
    ).flatMap(\.failures).map(\.found)
  }

  private func unknown(_ text: String) -> [String] {
    [text + ": what a device does here isn't known"]
  }

  @Test(arguments: ["double", "float", "decimal", "double?"])
  func aFractionThatWholeNumbersLose(_ old: String) throws {
    func failures(_ value: String, step: String = "") throws -> [String] {
      try self.failures(
        "price: \(old)", "price: int32 = 1", values: ", price: \(value)", step: step)
    }
    #expect(
      try failures("2.75")
        == unknown(
          "Bakery.price has a type that can't hold what rows have, or a mapping gives: \(unfit)"))
    #expect(try failures("-2") == [])
    let manager = ": { .manager: { usesStoreSpecificMigrationManager: false } }"
    #expect(try failures("2.75", step: manager) == failures("2.75"))
  }

  @Test(arguments: [
    ("int64", "double", "9007199254740993", true), ("int64", "double", "9007199254740992", false),
    ("int32", "float", "16777217", true), ("int32", "double", "16777217", false),
    ("double", "float", "1e300", true), ("double", "float", "1.1", false),
    ("double", "float", "16777217", true), ("double", "float", "16777216", false),
    ("decimal", "double", "9007199254740993", true), ("decimal", "double", "0.1", false),
    ("decimal", "double", "9007199254740992", false),
  ])
  func digitsThatAnotherTypeLoses(
    _ old: String, _ new: String, _ number: String, isUnknown: Bool
  ) throws {
    #expect(
      try failures("price: \(old)", "price: \(new) = 1", values: ", price: \(number)")
        == (isUnknown
          ? unknown(
            "Bakery.price has a type that can't hold what rows have, or a mapping gives: \(unfit)")
          : []))
  }

  private var unfit: String { "fractions, NaN, or numbers too large, small or long" }

  /// Core Data takes any number for an Integer attribute; what it stores isn't known.
  @Test(arguments: [
    ("$source.price", true), ("$source.price * 2", true), ("1.5", true), ("1e30", true),
    ("trunc($source.price)", false), ("2.0", false), ("7", false),
  ])
  func aFractionThatAMappingGives(_ expression: String, isUnknown: Bool) throws {
    let found = try failures(
      "price: double", "price: int32?", values: ", price: 2.75",
      step:
        ": { B: { source: Bakery, destination: Bakery, attributes: { price: '\(expression)' } } }")
    let doubt = unknown(
      "Bakery.price has a type that can't hold what rows have, or a mapping gives: \(unfit)")
    // An error that isn't expected is told by itself.
    #expect(found.filter(doubt.contains) == (isUnknown && expression != "1e30" ? doubt : []))
  }

  @Test func aFractionThatAnElementLoses() throws {
    func failures(_ value: String) throws -> [String] {
      try self.failures(
        "home: 'composite(street: string?, x: double?)?'",
        "home: 'composite(street: string?, x: int32?)?'",
        values: ", home: { street: A, x: \(value) }")
    }
    #expect(try failures("2") == [])
    #expect(
      try failures("2.5")
        == unknown(
          "Bakery.home has a type that can't hold what rows have, or a mapping gives: \(unfit)"))
  }

  @Test(arguments: [
    ("street: string?, x: int16", "required"), ("street: string, x: int16?", "required"),
    ("street: string?, x: int16? = 1", "new with a default value"),
    ("street: string?, x: int16?", nil),
  ])
  func elementsThatRowsGet(_ elements: String, _ what: String?) throws {
    let found = try failures(
      "home: 'composite(street: string?)?'", "home: 'composite(\(elements))?'", values: "")
    let name = elements.contains("street: string,") ? "street" : "x"
    #expect(
      found
        == (what.map { unknown("Bakery.home.\(name) is \($0) now, in a composite that was there") }
          ?? []))
  }

  @Test func elementsAreJudgedAsAttributesAre() throws {
    #expect(
      try failures(
        "price: int32?", "price: int32?, home: 'composite(street: string?, x: string)?'", values: ""
      )
        == unknown("Bakery.home.x is required now, in a composite that is new"))
    let filled = "price: int32?, home: 'composite(street: string?, x: string = a)?'"
    #expect(try failures("price: int32?", filled, values: "") == [])
    #expect(
      try failures(
        "home: 'composite(x: data(external)?)?'", "home: 'composite(x: data?)?'", values: "")
        == unknown("Bakery.home.x allows no external storage now"))
  }

  /// As of an attribute: an object refuses it, and SQL converts it.
  @Test func aDecimalElementThatAMappingGivesAnotherNumber() throws {
    func failures(_ step: String) throws -> [String] {
      try self.failures(
        "home: 'composite(x: double?)?'", "home: 'composite(x: decimal?)?'",
        values: ", home: { x: 2.5 }", step: step)
    }
    #expect(try failures("") == [])
    let refused = try failures(": { B: { source: Bakery, destination: Bakery } }")
    #expect(refused.count == 1)
    #expect(refused.allSatisfy { $0.contains("desired type = NSDecimalNumber") })
  }

  @Test func anElementThatItsNewTransformerCannotRead() throws {
    func failures(_ transformer: String) throws -> [String] {
      try self.failures(
        "home: 'composite(street: string?, x: transformable?)?'",
        "home: 'composite(street: string?, x: transformable(\(transformer))?)?'",
        values: ", home: { street: A, x: '0x010203' }")
    }
    #expect(try failures("NSKeyedUnarchiveFromData") == [])
    #expect(
      try failures("NSSecureUnarchiveFromData")
        == unknown(
          "Bakery.home.x has values of the value transformer NSKeyedUnarchiveFromData, which "
            + "NSSecureUnarchiveFromData can't read"))
  }

  @Test(arguments: [
    ("note: string?", "total: int64? derived(orders.@count)", true),
    ("total: int64? = 1", "total: int64? derived(orders.@count)", true),
    ("total: string? derived(name)", "total: string? derived(uppercase:(name))", true),
    (
      "total: int64? derived(orders.@count)",
      "total: int64? derived(orders.@count where shop == nil)", true
    ),
    ("total: int64? derived(orders.@count)", "total: int64? derived(orders.@count)", false),
    ("total: int64? derived(orders.@count)", "sum: int64? derived(orders.@count) was total", false),
  ])
  func whatIsDerivedNow(_ old: String, _ new: String, _ isUnknown: Bool) throws {
    let (old, new) = (quoted(old), quoted(new))
    let found = try failures(old, new, values: "")
    #expect(
      found.map { $0.hasPrefix("Bakery.total is derived from ") } == (isUnknown ? [true] : []))
    let manager = ": { .manager: { usesStoreSpecificMigrationManager: false } }"
    #expect(try failures(old, new, values: "", step: manager) == [])
  }

  /// Documented is that a derived value is computed when objects are saved, and nothing saves them here.
  @Test(arguments: [("Small", 2), ("Large", 1)])
  func aCountOfObjectsThatTheStepDrops(_ entity: String, count: Int) throws {
    let failures = try play(
      """
      scenario: A count of what goes
      backends: [sqlite]
      models:
        v1:
          Box: { name: string, total: 'int64? derived(items.@count)', items: "[Item] <-> box" }
          Item: { name: string, box: Box? <-> items }
          Large: { .parent: Item }
          Small: { .parent: Item }
        v2:
          Box: { name: string, total: 'int64? derived(items.@count)', items: "[Item] <-> box" }
          Item: { name: string, box: Box? <-> items }
          Small: { .parent: Item }
      seed:
        Box: [{ id: a, name: A }]
        Item: [{ id: x, name: X, box: a }]
        \(entity): [{ id: y, name: Y, box: a }]
      chain:
        - v1 -> v2
      expect:
        - object: Box a
          has: { total: \(count) }
      """
    ).flatMap(\.failures)
    #expect(
      failures.map(\.found)
        == (count == 2
          ? [] : unknown("Box.total was derived anew, and has other values than before")))
  }

  private func quoted(_ property: String) -> String {
    property.replacing(": ", with: ": '", maxReplacements: 1) + "'"
  }

  @Test func objectsOfAnEntityMappingThatThereIsntOne() throws {
    let step = """
      :
            BakeryToBakery:
              source: Bakery
              destination: Bakery
              relationships: { orders: 'FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "OrderToOder", $source.orders)' }
            OrderToOrder: { source: Order, destination: Order }
      """
    #expect(
      try failures("note: string?", "note: string?", values: "", step: step)
        == unknown(
          "objects of the entity mapping 'OrderToOder' were asked for, of which there is none"))
  }
}

/// Scenarios of models that a device refuses to have in memory.
@Suite struct DerivedBackendsTests {
  private func text(_ head: String, derivation: String = "items.price.@sum") -> String {
    """
    scenario: A total
    \(head)
    models:
      v1: { Order: { name: string, items: "[Item] <-> order" }, Item: { price: double, order: Order? <-> items } }
      v2: { Order: { name: string, items: "[Item] <-> order", total: "double? derived(\(derivation))" }, Item: { price: double, order: Order? <-> items } }
    seed:
      Order: [{ id: one, name: one, items: [a, b] }]
      Item: [{ id: a, price: 2 }, { id: b, price: 3 }]
    chain:
      - v1 -> v2
    expect:
      - object: Order one
        has: { total: 5 }
    """
  }

  @Test func theyArePlayedOnSQLiteAloneAndSaySo() throws {
    let results = try play(text("accept: [{ finding: unknown-on-device, because: tried }]"))
    #expect(results.map(\.id.backend) == [.sqlite])
    #expect(!results.map(\.isPassed).contains(false))
    let note =
      "run on sqlite only: a device rejects an in-memory store of 'v2', whose Order.total is derived"
    #expect(results.notes == [note])
    var report = SuiteReport()
    report.results = results
    #expect(TextReport(style: TextStyle(isColoured: false)).text(report).contains("note: \(note)"))
    let json = try JSONSerialization.jsonObject(with: JSONReport(report).data()) as? [String: Any]
    let runs = try #require(json?["runs"] as? [[String: Any]])
    #expect(runs[0]["notes"] as? [String] == [note])
    #expect(try play(text("backends: [sqlite]")).notes.isEmpty)
    #expect(try play(text(""), on: [.memory]).isEmpty)
  }

  /// A release that comes later has its models, too.
  @Test func theModelOfALaterReleaseCounts() throws {
    let text = """
      scenario: A total comes later
      accept: [{ finding: unknown-on-device, because: tried }]
      models:
        v1: { Order: { name: string } }
        v2: { Order: { name: string, size: int16 = 1 } }
        v3: { Order: { name: string, size: int16 = 1, upper: "string? derived(uppercase:(name))" } }
      seed: { Order: [{ id: one, name: one }] }
      chain: [v1 -> v2]
      expect: [{ count: { Order: 1 } }]
      then:
        - start: [v2, v3]
          expect: [{ count: { Order: 1 } }]
      """
    let results = try play(text)
    #expect(results.map(\.id.backend) == [.sqlite])
    #expect(results.flatMap(\.failures).map(\.kind) == [])
  }

  @Test func memoryAloneIsAMistake() throws {
    let error = #expect(throws: Diagnostics.self) { try checked(self.text("backends: [memory]")) }
    #expect("\(try #require(error))".contains("leaves nothing to run"))
  }

  @Test func aDerivationThatNoStoreComputesIsAMistake() throws {
    let error = #expect(throws: Diagnostics.self) {
      try checked(self.text("", derivation: "items.@sum.price"))
    }
    let text = "\(try #require(error))"
    #expect(text.contains(": write items.price.@sum"))
    #expect(text.contains(":5:"))
  }
}
