import Foundation
import TestSupport
import Testing

/// `heavyweight reduce`: a few rows that fail as many did.
@Suite(.serialized, .tags(.process), .tiered) struct ReduceCommandTests {
  /// A fault that one row of many has: a required note, where one book has none.
  private func scenario(rows: Int, at fault: Int) -> String {
    let books = (1...rows).map {
      $0 == fault
        ? "    - { id: b\($0), title: Book \($0), shelf: s1 }  # lent out"
        : "    - { id: b\($0), title: Book \($0), note: read, shelf: s\($0 % 2 + 1) }"
    }
    return """
      # Kept by the library.
      scenario: Notes become required
      about: Every book has one by now.
      models:
        v1:
          Book: { title: string, note: string?, shelf: Shelf? <-> books }
          Shelf: { place: string, books: "[Book] <-> shelf" }
        v2:
          Book: { title: string, note: string, shelf: Shelf? <-> books }
          Shelf: { place: string, books: "[Book] <-> shelf" }
        v3:
          .rest: copy
          Reader: { name: string }
      seed:
        Shelf:
          - { id: s1, place: Attic }
          - { id: s2, place: Cellar }
        Book:
      \(books.joined(separator: "\n"))
      chain:
        - v1 -> v2
        - v2 -> v3
      expect:
        - count: { Book: \(rows) }
        - everySourceMigrated: true

      """
  }

  /// The seed and the expectations of what `reduce` makes of a scenario.
  private func reduced(_ text: String) throws -> (body: String, output: String) {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "Big.scenario.yaml")
    let result = try Tool.run(["reduce", "Big.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    let written = try String(
      contentsOf: folder.url.appending(path: "Big.reduced.scenario.yaml"), encoding: .utf8)
    return (written, result.output)
  }

  /// Nothing that was right becomes wrong on the way.
  @Test func onlyWhatFailedFails() throws {
    let (body, output) = try reduced(
      """
      scenario: one value is wrong, the other is right
      models:
        v1: { P: { n: int32 = 0, name: string? } }
        v2: { P: { n: int32 = 0, name: string?, k: int16 = 0 } }
      seed:
        P: [{ id: a, n: 1, name: A }, { id: b, n: 2, name: B }, { id: c, n: 3, name: C }]
      chain: [v1 -> v2]
      expect:
        - object: P b
          has: { name: nobody, n: 2 }

      """)
    #expect(output.contains("1 of 3 rows"), "\(output)")
    #expect(body.contains("n: 2"), "\(body)")
    #expect(body.contains("- { id: b, n: 2"), "\(body)")
  }

  @Test(arguments: [
    ("unique: P.name", "B", 2), ("object: P where name == 'B'", "B", 2),
    ("all: P where name != 'C'", "C", 1),
  ])
  func equalNamesDoNotBecomeAbsentOnes(expectation: String, name: String, count: Int) throws {
    let (body, output) = try reduced(
      """
      scenario: two have one name; none has no name
      models:
        v1: { P: { name: string? } }
        v2: { P: { name: string?, k: int16 = 0 } }
      seed:
        P: [{ name: A }, { name: B }, { name: C }, { name: B }]
      chain: [v1 -> v2]
      expect:
        - \(expectation)

      """)
    #expect(output.contains("\(count) of 4 rows"), "\(output)")
    #expect(body.components(separatedBy: "{ name: \(name) }").count == count + 1, "\(body)")
  }

  /// One too many stays one too many.
  @Test(arguments: [(51, 2), (49, 0), (48, 0)])
  func aWrongCountKeepsItsDifference(expected: Int, left: Int) throws {
    let (body, output) = try reduced(
      """
      scenario: another number is expected
      models:
        v1: { P: { n: int32 = 0, name: string? } }
        v2: { P: { n: int32 = 0, name: string?, k: int16 = 0 } }
      seed:
        P: { .count: 50, n: { sequence: 1 }, name: { sequence: "n{n}" } }
      chain: [v1 -> v2]
      expect:
        - count: { P: \(expected) }

      """)
    let rows = left == 2 ? 1 : 50 - expected
    #expect(output.contains("\(rows) of 50 rows"), "\(output)")
    #expect(body.contains("- count: { P: \(left) }"), "\(body)")
  }

  @Test func findsTheRowThatFailsAndKeepsTheStory() throws {
    let folder = try TemporaryFolder()
    try folder.write(scenario(rows: 60, at: 41), to: "Notes.scenario.yaml")
    let result = try Tool.run(["reduce", "Notes.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    #expect(
      result.output.hasPrefix(
        """
        wrote Notes.reduced.scenario.yaml
          1 of 62 rows, 2 of 2 expectations, 1 of 2 steps, 1 of 3 entities, 1 of 6 properties
          it still fails: v1 -> v2, validation, Book.note, the chain: expected no error, found NSCocoaErrorDomain 134110: \
        Cannot migrate store in-place\

        """), "\(result.output)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Notes.reduced.scenario.yaml"), encoding: .utf8)
    let body = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    #expect(
      text.hasPrefix(
        "# Reduced by `heavyweight reduce` from Notes.scenario.yaml: 1 of 62 rows is left.\n"))
    #expect(
      body == """
        # Kept by the library.
        scenario: Notes become required
        about: Every book has one by now.
        models:
          v1:
            Book: { note: string? }
          v2:
            Book: { note: string }
        seed:
          Book:
            - ~
        chain:
          - v1 -> v2
        expect:
          - count: { Book: 1 }
          - everySourceMigrated: true

        """, "\(text)")
    let run = try Tool.run(["run", "Notes.reduced.scenario.yaml"], in: folder)
    #expect(run.status == 1)
    #expect(run.output.contains("134110"), "\(run.output)")
  }

  /// Once the predicate is mended, the result passes: the store that is replaced isn't expected to stay.
  @Test func whatIsLeftExpectsNothingThatCannotHold() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: SQL leaves out what has no value
      models:
        v1: { A: { n: string?, r: int32 } }
        v2: { A: { n: string?, r: int32 }, C: { k: string? } }
      seed:
        A: [{ n: a, r: 1 }, { n: b, r: 2 }, { r: 3 }]
      chain:
        - v1 -> v2: { AtoA: { source: A, destination: A, predicate: 'n != "a"' } }
      expect:
        - some: A where n == "b"

      """, to: "SQL.scenario.yaml")
    let result = try Tool.run(["reduce", "SQL.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    let small = folder.url.appending(path: "SQL.reduced.scenario.yaml")
    let text = try String(contentsOf: small, encoding: .utf8)
    #expect(text.hasSuffix("expect:\n  - model: { A: exists }\n"), "\(text)")
    try Data(text.replacing("n != \"a\"", with: "n != \"a\" OR n == nil").utf8).write(to: small)
    let mended = try Tool.run(["run", "SQL.reduced.scenario.yaml"], in: folder)
    #expect(mended.status == 0, "\(mended)")
  }

  /// What the scenario expects to fail is the failure to keep: the result passes as the scenario does.
  @Test func anExpectedErrorIsKept() throws {
    let folder = try TemporaryFolder()
    let text = scenario(rows: 60, at: 41)
    let start = try #require(text.range(of: "expect:\n"))
    try folder.write(
      text[..<start.upperBound]
        + "  - fails: { code: 134110, entity: Book, property: note }\n  - source: untouched\n",
      to: "Notes.scenario.yaml")
    try #require(try Tool.run(["run", "Notes.scenario.yaml"], in: folder).status == 0)
    let result = try Tool.run(["reduce", "Notes.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    #expect(result.output.contains("  1 of 62 rows, 1 of 2 expectations, 1 of 2 steps"))
    let small = try String(
      contentsOf: folder.url.appending(path: "Notes.reduced.scenario.yaml"), encoding: .utf8)
    #expect(
      small.hasSuffix(
        "expect:\n  - fails: { code: 134110, entity: Book, property: note }\n"), "\(small)")
    #expect(try Tool.run(["run", "Notes.reduced.scenario.yaml"], in: folder).status == 0)
  }

  /// A store says by itself that it is of a version in the middle of the chain; its rows have to be told.
  @Test func aStoreInTheMiddleOfTheChainBecomesRowsOfItsVersion() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: A store of version 2
      models: { v2: { Book: { title: string?, pages: int16 = 0 } } }
      seed: { Book: [{ title: A }, {}, { title: B }] }
      expect: [count: { Book: 3 }]

      """, to: "Make.scenario.yaml")
    let made = try Tool.run(
      ["run", "Make.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    try #require(made.status == 0, "\(made)")
    try folder.write(
      """
      scenario: Titles become required
      models:
        v1: { Book: { title: string? } }
        v2: { Book: { title: string?, pages: int16 = 0 } }
        v3: { Book: { title: string, pages: int16 = 0 } }
      store: kept/Make.v2.run/store.sqlite
      chain: [v1 -> v2, v2 -> v3]
      expect:
        - fails: { code: 134110 }

      """, to: "Titles.scenario.yaml")
    let result = try Tool.run(["reduce", "Titles.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    let small = try String(
      contentsOf: folder.url.appending(path: "Titles.reduced.scenario.yaml"), encoding: .utf8)
    #expect(small.contains("start: v2\nseed:\n  Book:\n    - ~\n"), "\(small)")
    #expect(try Tool.run(["run", "Titles.reduced.scenario.yaml"], in: folder).status == 0)
  }

  /// Objects made by rule, of which one fails.
  static let tags = """
    scenario: Names come once
    models:
      v1: { Tag: { name: string } }
      v2: { Tag: { name: string, kind: string? } }
    seed:
      Tag: { .count: 40, name: { sequence: "tag {n:3}" } }
    chain: [v1 -> v2]
    expect:
      - none: Tag where name == "tag 017"

    """

  @Test func objectsMadeByRuleBecomeRows() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.tags, to: "Tags.scenario.yaml")
    let result = try Tool.run(
      ["reduce", "Tags.scenario.yaml", "-o", "Small.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Small.scenario.yaml"), encoding: .utf8)
    #expect(text.contains("seed:\n  Tag:\n    - { name: tag 017 }\nchain:"), "\(text)")
  }

  @Test func whenTheTimeIsOverTheSmallestSoFarIsThereAndTheSameCallGoesOn() throws {
    let folder = try TemporaryFolder()
    try folder.write(scenario(rows: 20, at: 5), to: "Notes.scenario.yaml")
    let short = try Tool.run(["reduce", "Notes.scenario.yaml", "--time", "0.01s"], in: folder)
    try #require(short.status == 0, "\(short)")
    #expect(short.output.contains("; time is up; the same command continues from here\n"))
    let file = folder.url.appending(path: "Notes.reduced.scenario.yaml")
    #expect(try String(contentsOf: file, encoding: .utf8).contains("Book 20"))
    let whole = try Tool.run(["reduce", "Notes.scenario.yaml"], in: folder)
    #expect(whole.output.contains("\n  1 of 22 rows, "), "\(whole)")
    #expect(try String(contentsOf: file, encoding: .utf8).contains("seed:\n  Book:\n    - ~\n"))
  }

  @Test func timeThatIsOverBeforeThereAreRowsIsTold() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.tags, to: "Tags.scenario.yaml")
    let result = try Tool.run(["reduce", "Tags.scenario.yaml", "--time", "1ms"], in: folder)
    #expect(
      result == (
        2, "",
        "Tags.reduced.scenario.yaml: error: time is up before the seed's objects were tried as rows: nothing was "
          + "written; allow more with --time\n"
      ), "\(result)")
  }

  /// With fewer than three songs the policy waits until somebody interrupts: that far the call never comes by itself.
  private static let held = """
    scenario: Songs get notes
    models:
      v1: { Song: { title: string } }
      v2: { Song: { title: string, note: string? } }
    policies: { module: App, sources: SongPolicy.swift }
    seed:
      Song: [{ title: One }, { title: Two }, { title: Three }]
    chain:
      - v1 -> v2:
          SongToSong: { source: Song, destination: Song, policy: App.SongPolicy }
    expect:
      - count: { Song: 3 }
      - none: Song where note == nil

    """

  @Test(.tags(.compiles)) func controlCTellsOfTheSmallestSoFar() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.held, to: "Songs.scenario.yaml")
    try folder.write(
      """
      import CoreData

      final class SongPolicy: NSEntityMigrationPolicy {
        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
          let songs = NSFetchRequest<NSManagedObject>(entityName: "Song")
          while try manager.sourceContext.count(for: songs) < 3 {
            FileManager.default.createFile(
              atPath: ProcessInfo.processInfo.environment["HELD"]!, contents: nil)
            Thread.sleep(forTimeInterval: 1)
          }
          try super.begin(mapping, with: manager)
        }
      }
      """, to: "SongPolicy.swift")
    let script = """
      set -m; export HELD="$PWD/held"
      "$0" reduce Songs.scenario.yaml --jobs 1 --timeout 1h >printed 2>complained &
      until [ -e held ]; do kill -0 $! || break; sleep 0.02; done 2>/dev/null
      kill -INT $!; wait $!; echo "status $?"; cat printed complained
      """
    let result = try Tool.run(script: script, [Tool.executable().path], in: folder)
    #expect(
      result.output.replacing(/in [\d.]+ m?s/, with: "in T") == """
        status 130
        wrote Songs.reduced.scenario.yaml
          3 of 3 rows, 1 of 2 expectations, 1 of 1 step, 1 of 1 entity, 2 of 2 properties
          it still fails: v1 -> v2, Song, Song where note == nil: expected none, found 3
          1 smaller scenario run in T; interrupted; the same command continues from here
        next: heavyweight run Songs.reduced.scenario.yaml

        """)
    let text = try String(
      contentsOf: folder.url.appending(path: "Songs.reduced.scenario.yaml"), encoding: .utf8)
    #expect(text.contains("expect:\n  - none: Song where note == nil\n"), "\(text)")
  }

  /// Two scenarios that share their models: a source predicate drops rows without a kind.
  private static let dropped = """
    models:
      v1:
        # What is lent.
        Book: { title: string, kind: string?, pages: int32 = 0 }
        Shelf: { place: string? }
      v2:
        Book: { title: string, kind: string?, pages: int32 = 0, extra: string? }
        Shelf: { place: string? }
    ---
    scenario: A book stays
    seed: { Book: [{ title: a }] }
    chain: [v1 -> v2]
    expect:
      - count: { Book: 1 }
    ---
    # Books without a kind are kept.
    scenario: No book is lost
    seed:
      Book:
        - { id: a, title: x, kind: good }
        - { id: b, title: y }
        - { id: c, title: z, kind: bad }
        - { id: d, title: q, kind: odd }
      Shelf:
        - { place: Attic }
    chain:
      - v1 -> v2:
          Book:
            source: Book
            predicate: kind != "spoilt"
          .rest: copy
    expect:
      - count: { Shelf: 1 }
      - count: { Book: 4, Shelf: 1 }

    """

  @Test func numbersOfRowsAreLoweredWithTheRowsInOneScenarioOfAFile() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.dropped, to: "Books.scenario.yaml")
    let result = try Tool.run(["reduce", "Books.scenario.yaml#2"], in: folder)
    try #require(result.status == 0, "\(result)")
    #expect(
      result.output.replacing(/\d+ smaller.*/, with: "…") == """
        wrote Books-2.reduced.scenario.yaml
          1 of 5 rows, 1 of 2 expectations, 1 of 1 step, 1 of 2 entities, 2 of 5 properties
          it still fails: v1 -> v2, Book, count of Book: expected 4, found 0
          …
        next: heavyweight run Books-2.reduced.scenario.yaml

        """)
    let text = try String(
      contentsOf: folder.url.appending(path: "Books-2.reduced.scenario.yaml"), encoding: .utf8)
    #expect(
      text == """
        # Reduced by `heavyweight reduce` from Books.scenario.yaml#2: 1 of 5 rows is left.
        # It fails in the same way: v1 -> v2, Book, count of Book: expected 4, found 0
        models:
          v1:
            # What is lent.
            Book: { kind: string? }
          v2:
            Book: { kind: string?, extra: string? }
        # Books without a kind are kept.
        scenario: No book is lost
        seed:
          Book:
            - ~
        chain:
          - v1 -> v2:
              Book:
                source: Book
                predicate: kind != "spoilt"
              .rest: copy
        expect:
          - count: { Book: 1 }

        """)
    #expect(try Tool.run(["run", "Books-2.reduced.scenario.yaml"], in: folder).status == 1)
  }

  @Test func machinesAreToldBySchema() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.dropped, to: "Books.scenario.yaml")
    let result = try Tool.run(["reduce", "Books.scenario.yaml#2", "--json"], in: folder)
    try #require(result.status == 0, "\(result)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let schema = try #require(
      try JSONSerialization.jsonObject(
        with: Data(try Tool.run(["schema", "reduce"], in: folder).output.utf8)) as? [String: Any])
    #expect(SchemaCheck(schema).problems(report) == [])
    let left = try #require(report["left"] as? [String: [String: Int]])
    #expect(left["rows"] == ["left": 1, "of": 5])
    #expect(left["properties"] == ["left": 2, "of": 5])
  }

  @Test func modelsInFilesStayAsTheyAre() throws {
    let field = try FieldStore(note: "")
    try field.folder.write(
      """
      scenario: Notes become required
      models: { xcode: App.xcdatamodeld, versions: [App, App 2] }
      seed:
      \(FieldStore.seed)
      chain: [App -> App 2]
      expect:
        - everySourceMigrated: true

      """, to: "Notes.scenario.yaml")
    let result = try field.run("reduce", "Notes.scenario.yaml")
    try #require(result.status == 0, "\(result)")
    #expect(
      result.output.contains(
        "  1 of 5 rows, 1 of 1 expectation, 1 of 1 step; the models stay as they are, since they aren't "
          + "part of the scenario file\n"), "\(result.output)")
  }

  @Test func anAddressThatIsntThereIsToldOf() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.dropped, to: "Books.scenario.yaml")
    let missing = try Tool.run(["reduce", "Books.scenario.yaml#3"], in: folder)
    #expect(missing.status == 2)
    #expect(
      missing.errors
        == "Books.scenario.yaml: error: there is no scenario 3: the file has 2\n", "\(missing)")
    let several = try Tool.run(["reduce", "Books.scenario.yaml"], in: folder)
    #expect(several.status == 2)
    #expect(several.errors.contains("name one by its address:\n"), "\(several.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [
        "Books.scenario.yaml"
      ])
  }

  @Test func whatPassesIsntReduced() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      scenario(rows: 3, at: 0), to: "Notes.scenario.yaml")
    let result = try Tool.run(["reduce", "Notes.scenario.yaml"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "Notes.scenario.yaml: error: it passes, so there is no failure to preserve\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [
        "Notes.scenario.yaml"
      ])
  }

  @Test func theResultStaysBesideTheScenario() throws {
    let folder = try TemporaryFolder()
    try folder.write(scenario(rows: 3, at: 2), to: "Notes.scenario.yaml")
    try folder.write("mine", to: "Taken.scenario.yaml")
    let elsewhere = try Tool.run(
      ["reduce", "Notes.scenario.yaml", "-o", "Small/Notes.scenario.yaml"], in: folder)
    #expect(elsewhere.status == 2)
    #expect(elsewhere.errors.contains("the result belongs in the scenario's folder"))
    let taken = try Tool.run(
      ["reduce", "Notes.scenario.yaml", "-o", "Taken.scenario.yaml"], in: folder)
    #expect(taken.status == 2)
    #expect(taken.errors.contains("nothing is overwritten"))
    let unnamed = try Tool.run(["reduce", "Notes.scenario.yaml", "-o", "Small.txt"], in: folder)
    #expect(unnamed.status == 2)
    #expect(
      unnamed.errors == "Small.txt: error: the names of scenarios end with .scenario.yaml\n")
  }

  // MARK: Nothing comes of nothing

  /// Every song is dropped; with an empty seed the count would be none, too.
  private static let lost = """
    scenario: Half of the songs are kept
    models:
      v1:
        Song: { title: string, kind: string }
        Shelf: { place: string? }
      v2:
        Tune: { title: string, kind: string, extra: string? }
        Shelf: { place: string? }
    seed:
      Shelf:
        - { place: Attic }
        - { place: Cellar }
      Song:
        - { title: a, kind: good }
        - { title: b, kind: good }
        - { title: c, kind: bad }
        - { title: d, kind: bad }
    chain:
      - v1 -> v2:
          SongToTune:
            source: Song
            destination: Tune
            predicate: kind == "odd"
          .rest: copy
    expect:
      - count: { Tune: 2 }

    """

  @Test func aCountOfNothingKeepsARowThatItCouldHaveComeOf() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.lost, to: "Songs.scenario.yaml")
    let result = try Tool.run(["reduce", "Songs.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    #expect(result.output.contains("\n  1 of 6 rows, "), "\(result)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Songs.reduced.scenario.yaml"), encoding: .utf8)
    #expect(text.contains("seed:\n  Song:\n    - {"), "\(text)")
    #expect(try Tool.run(["run", "Songs.reduced.scenario.yaml"], in: folder).status == 1)
  }

  /// Two expectations of one kind fail in a list on one line, of which none can be left out.
  @Test func anotherExpectationOfTheSameKindIsAnotherFailure() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Neither may be there
      models:
        v1: { Tag: { name: string } }
        v2: { Tag: { name: string, kind: string? } }
      seed:
        Tag:
          - { name: red }
          - { name: blue }
      chain: [v1 -> v2]
      expect: [none: Tag where name == "blue", none: Tag where name == "red"]

      """, to: "Tags.scenario.yaml")
    let result = try Tool.run(["reduce", "Tags.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Tags.reduced.scenario.yaml"), encoding: .utf8)
    #expect(text.contains("seed:\n  Tag:\n    - { name: blue }\nchain:"), "\(text)")
  }

  // MARK: Rows that no app could save

  @Test func rowsThatTheModelRefusesGetPastItsValidation() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Old songs get a note
      models:
        v1: { Song: { title: string, stars: "int16(0...5)" } }
        v2: { Song: { title: string, stars: "int16(0...5)", note: string? } }
      seed:
        Song: { .count: 20, .violations: [missing], title: { words: 2 }, stars: { uniform: [0, 5] } }
      chain: [{ v1 -> v2: { .rest: copy } }]
      expect:
        - everySourceMigrated: true

      """, to: "Songs.scenario.yaml")
    let result = try Tool.run(["reduce", "Songs.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Songs.reduced.scenario.yaml"), encoding: .utf8)
    #expect(text.contains("seed:\n  .validation: false\n  Song:\n"), "\(text)")
    #expect(result.output.contains("\n  1 of 22 rows, "), "\(result)")
    let run = try Tool.run(["run", "Songs.reduced.scenario.yaml"], in: folder)
    #expect(run.status == 1 && run.output.contains("1570"), "\(run)")
  }

  // MARK: The sample

  @Test func theSampleIsReducedToOneRow() throws {
    let folder = try TemporaryFolder()
    let sample = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scenarios/Reducing/Library.yaml").standardizedFileURL
    try FileManager.default.copyItem(at: sample, to: folder.url.appending(path: "Library.yaml"))
    let result = try Tool.run(["reduce", "Library.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    #expect(result.output.contains("\n  1 of 700 rows, 1 of 3 expectations, "), "\(result)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Library.reduced.scenario.yaml"), encoding: .utf8)
    #expect(text.contains("predicate: kind != \"staff\""), "\(text)")
    #expect(!text.contains("kind: child"), "\(text)")
    #expect(try Tool.run(["run", "Library.reduced.scenario.yaml"], in: folder).status == 1)
  }
}
