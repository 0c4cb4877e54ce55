import Foundation
import TestSupport
import Testing

/// `heavyweight capture`: a scenario that passes at once, with the customer in it or without.
@Suite(.serialized, .tags(.process), .tiered) struct CaptureCommandTests {
  private static let capture = ["capture", "--models", "App.xcdatamodeld", "-o", "Report"]

  private func capture(_ field: FieldStore, _ options: String...) throws -> Tool.Result {
    try Tool.run(Self.capture + [field.store] + options, in: field.folder)
  }

  /// `Date.distantPast`, which stays what it is, and a UUID of zeros beside others.
  @Test(arguments: [[], ["--anonymize"]]) func sentinelsAreCaptured(_ options: [String]) throws {
    let field = try FieldStore(
      seed: FieldStore.seed.replacing("2019-03-07T11:12:13Z", with: "0000-12-30T00:00:00Z")
        .replacing(
          "7C1D2E3F-1111-4222-8333-944455556666", with: "00000000-0000-0000-0000-000000000000"))
    let result = try Tool.run(Self.capture + [field.store] + options, in: field.folder)
    #expect(result.status == 0, "\(result)")
    let text = try field.text("Report/Captured.scenario.yaml")
    #expect(text.contains("bought: 0000-12-30T00:00:00Z"), "\(text)")
    #expect(try field.run("run", "Report").status == 0)
  }

  /// One command from a customer's store to the few rows that its migration fails with, without the customer.
  @Test func aFailingMigrationIsReducedToWhatItFailsWith() throws {
    let field = try FieldStore(note: "")
    let result = try capture(field, "--reduce", "--anonymize")
    try #require(result.status == 0, "\(result)")
    #expect(result.output.contains("  reduced to 1 of 5 rows, "), "\(result.output)")
    let text = try field.text("Report/Captured.scenario.yaml")
    #expect(text.contains("- fails:") && !text.contains("Gulliver") && !text.contains("Jonathan"))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("    - ") } == 1, "\(text)")
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: field.folder.url.appending(path: "Report").path) == ["Captured.scenario.yaml"])
    #expect(try field.run("run", "Report").status == 0)
  }

  @Test func aMigrationThatPassesIsNotReduced() throws {
    let result = try capture(try FieldStore(), "--reduce")
    #expect(result.status == 0)
    #expect(result.output.contains("5 rows, 8 expectations"))
    #expect(
      result.errors.contains("--reduce: the migration ends without an error, so all rows are kept"))
  }

  @Test func writesWhatTheStoreHoldsAndComesTo() throws {
    let field = try FieldStore()
    let before = try Data(contentsOf: field.folder.url.appending(path: field.store))
    let result = try capture(field)
    try #require(result.status == 0, "\(result)")
    #expect(
      result.output == """
        wrote Report/Captured.scenario.yaml
          App -> App 2: 5 rows, 8 expectations; 3 Book, 2 Shelf
        next: heavyweight run Report

        """)
    #expect(
      try field.text("Report/Captured.scenario.yaml") == """
        scenario: A captured store of App is migrated to App 2
        about: |
          Written by `heavyweight capture`: the rows are those of a store, the expectations the result of migrating it.
        models:
          xcode: ../App.xcdatamodeld
          versions: [App, App 2]
        seed:
          Book:
            - { id: book1, bought: 2019-03-07T11:12:13Z, isbn: 9783161484100, note: lent to Jonathan, pages: 412, title: Gulliver, shelf: shelf1 }
            - { id: book2, note: lent to Jonathan, pages: 0, title: gulliver, shelf: shelf1 }
            - { id: book3, cover: 0x4a6f6e617468616e, pages: 12, title: Überfahrt, shelf: shelf2 }
          Shelf:
            - { id: shelf1, code: 0A6B35E1-5B44-4C2C-9B1A-9D3C8F4E7A11, place: Attic; Cellar }
            - { id: shelf2, code: 7C1D2E3F-1111-4222-8333-944455556666, place: Attic }
        chain:
          - App -> App 2
        expect:
          - steps: [App -> App 2: inferred]
          - count: { Book: 3, Shelf: 2 }
          - everySourceMigrated: true
          - object: Book book1
            has:
              bought: 2019-03-07T11:12:13Z
              cover: null
              isbn: 9783161484100
              note: lent to Jonathan
              pages: 412
              rating: null
              title: Gulliver
              shelf: shelf1
          - object: Book book2
            has:
              bought: null
              cover: null
              isbn: null
              note: lent to Jonathan
              pages: 0
              rating: null
              title: gulliver
              shelf: shelf1
          - object: Book book3
            has:
              bought: null
              cover: 0x4a6f6e617468616e
              isbn: null
              note: null
              pages: 12
              rating: null
              title: Überfahrt
              shelf: shelf2
          - object: Shelf shelf1
            has:
              code: 0A6B35E1-5B44-4C2C-9B1A-9D3C8F4E7A11
              place: Attic; Cellar
              books: [book1, book2]
          - object: Shelf shelf2
            has:
              code: 7C1D2E3F-1111-4222-8333-944455556666
              place: Attic
              books: [book3]

        """)
    #expect(try field.run("run", "Report").status == 0)
    #expect(try Data(contentsOf: field.folder.url.appending(path: field.store)) == before)
  }

  @Test func machinesAreToldBySchema() throws {
    let field = try FieldStore()
    let result = try capture(field, "--anonymize", "--json")
    try #require(result.status == 0, "\(result)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(try field.run("schema", "capture").output.utf8))
        as? [String: Any])
    #expect(SchemaCheck(schema).problems(report) == [])
    #expect(report["output"] as? String == "Report/Captured.scenario.yaml")
    #expect(report["rowCount"] as? Int == 5)
    #expect(report["versions"] as? [String] == ["App", "App 2"])
    #expect(((report["proof"] as? [String: Int])?["searchedCount"] ?? 0) > 10)
  }

  @Test func writesTheErrorThatTheMigrationEndsWith() throws {
    let field = try FieldStore(note: "")
    let result = try capture(field)
    try #require(result.status == 0, "\(result)")
    #expect(result.output.contains("error 134110 at Book.note in App -> App 2"))
    let text = try field.text("Report/Captured.scenario.yaml")
    #expect(
      text.hasSuffix(
        """
        expect:
          - fails: { code: 134110, step: App -> App 2, entity: Book, property: note }
          - source: untouched

        """), "\(text)")
    #expect(try field.run("run", "Report").status == 0)
  }

  /// Which order a device gives them isn't known, so that to expect one would be red.
  @Test func noOrderOfWhatBecameOrderedIsExpected() throws {
    let field = try FieldStore()
    let model = "App.xcdatamodeld/App 2.xcdatamodel/contents"
    try field.folder.write(
      field.text(model).replacing("toMany=\"YES\"", with: "toMany=\"YES\" ordered=\"YES\""),
      to: model)
    let result = try capture(field)
    try #require(result.status == 0, "\(result)")
    let text = try field.text("Report/Captured.scenario.yaml")
    #expect(text.contains("books.@count: 2") && text.contains("books: [book3]"), "\(text)")
    let run = try field.run("run", "Report")
    #expect(run.status == 0, "\(run)")
  }

  @Test func valuesOfNoPropertyAreSaid() throws {
    let field = try FieldStore()
    let script = "sqlite3 '\(field.store)' 'ALTER TABLE ZBOOK ADD ZOLD VARCHAR'"
    try #require(try Tool.run(script: script, [], in: field.folder).status == 0)
    let result = try capture(field)
    #expect(
      result.status == 0 && result.errors.contains("1 column belongs to no property: ZOLD"),
      "\(result)")
  }

  // MARK: Anonymizing

  @Test func leavesNothingOfTheCustomerAndKeepsHowItHangsTogether() throws {
    let field = try FieldStore()
    let result = try capture(field, "--anonymize", "--unchanged", "Book.pages")
    try #require(result.status == 0, "\(result)")
    #expect(
      result.output.contains(/looked in every file for \d+ values of the store: none is there/))
    let text = try field.text("Report/Captured.scenario.yaml")
    let said = [
      "gulliver", "jonathan", "lent", "berfahrt", "attic", "cellar", "0a6b35e1", "7c1d2e3f",
      "9783161484100",
      "2019-03-07", "4a6f6e617468616e",
    ]
    for word in said { #expect(!text.lowercased().contains(word), "\(word) in\n\(text)") }
    func value(_ row: String, _ key: String) throws -> Substring {
      let line = try #require(text.split(separator: "\n").first { $0.contains("{ id: \(row),") })
      return try #require(
        line.firstMatch(of: try Regex<(Substring, Substring)>("\(key): ([^,}]*)"))
      ).1
    }
    let (first, second) = (try value("book1", "title"), try value("book2", "title"))
    #expect(first.count == 8 && first.first?.isUppercase == true)
    #expect(first.lowercased() == second.lowercased() && first != second)
    #expect(try value("book1", "note") == value("book2", "note"))
    #expect(try value("book1", "note").split(separator: " ").map(\.count) == [4, 2, 8])
    #expect(try value("book3", "title").first?.isUppercase == true)
    #expect(try value("book1", "pages") == "412")
    #expect(try value("book1", "isbn").trimmingCharacters(in: .whitespaces).count == 13)
    // A list in a text still has the other shelf's place among its parts.
    #expect(try value("shelf1", "place").hasPrefix(value("shelf2", "place").dropLast(1)))
    #expect(try field.run("run", "Report").status == 0)
  }

  @Test func numbersInArchivedValuesAreNamedSinceTheyStay() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <model documentVersion="1.0"><entity name="Person">
      <attribute name="name" attributeType="String"/>
      <attribute name="info" optional="YES" attributeType="Transformable"/>
      <attribute name="tags" optional="YES" attributeType="Transformable"/>
      </entity></model>
      """, to: "App.xcdatamodeld/App.xcdatamodel/contents")
    try folder.write(
      """
      scenario: The store
      models: App.xcdatamodeld
      seed: { Person: [{ name: Jonathan, info: { phones: [5551234567] }, tags: [1, Oslo] }] }
      expect: [{ count: { Person: 1 } }]

      """, to: "Make.scenario.yaml")
    let made = try Tool.run(
      ["run", "Make.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    try #require(made.status == 0, "\(made)")
    let result = try Tool.run(
      Self.capture + ["kept/Make.App.run/store.sqlite", "--anonymize"], in: folder)
    try #require(result.status == 0, "\(result)")
    #expect(
      result.errors.contains("numbers within archived values aren't replaced: Person.info; "),
      "\(result)")
  }

  /// Words that names of the model have stand in every scenario of it.
  @Test func partsOfTheModelsNamesAreNoLeaks() throws {
    let field = try FieldStore(
      seed: FieldStore.seed.replacing("lent to Jonathan", with: "the book on a shelf"))
    let result = try capture(field, "--anonymize")
    try #require(result.status == 0, "\(result)")
    let text = try field.text("Report/Captured.scenario.yaml")
    #expect(!text.contains("the book on"), "\(text)")
  }

  /// A value that happens to be what a row would be called isn't given away by another row's name.
  @Test func noRowIsCalledLikeAValueOfTheStore() throws {
    let field = try FieldStore(
      seed: FieldStore.seed.replacing("lent to Jonathan", with: "book2 and Shelf1"))
    let result = try capture(field, "--anonymize")
    try #require(result.status == 0, "\(result)")
    let text = try field.text("Report/Captured.scenario.yaml")
    for name in ["book1", "book3", "book4", "shelf2", "shelf3"] {
      #expect(text.contains("- { id: \(name),"), "\(name) in\n\(text)")
    }
    #expect(!text.contains("book2") && !text.contains("shelf1"), "\(text)")
  }

  @Test func aKeptAttributeMustBeThere() throws {
    let field = try FieldStore()
    let result = try capture(field, "--anonymize", "--unchanged", "Book.titel")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "--unchanged: error: 'Book.titel' isn't an attribute of App; did you mean 'Book.title'?\n"
    )
    #expect(!field.exists("Report"))
    #expect(try field.listing == ["App.xcdatamodeld", "Make.scenario.yaml", "kept"])
  }

  // MARK: Refusing

  @Test func nothingIsOverwritten() throws {
    let field = try FieldStore()
    try field.folder.write("mine", to: "Report/notes.txt")
    let result = try capture(field)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "Report: error: this already exists, and nothing is overwritten; name a folder that doesn't exist\n"
    )
    #expect(try field.text("Report/notes.txt") == "mine")
  }

  @Test func aStoreOfNoVersionIsRefusedAndLeavesNothing() throws {
    let field = try FieldStore()
    try FieldStore.write(
      version: "App",
      FieldStore.book("").replacing("name=\"pages\"", with: "name=\"leaves\""), field.folder)
    let result = try capture(field)
    #expect(result.status == 2)
    #expect(result.errors.contains("134130") || result.errors.contains("Can't find model"))
    #expect(try field.listing == ["App.xcdatamodeld", "Make.scenario.yaml", "kept"])
  }

  // MARK: Dirty rows

  /// A store with a book that has no title, which the model requires, and more pages than it allows.
  private func dirtyStore() throws -> FieldStore {
    try FieldStore(
      seed: FieldStore.seed.replacing("title: Überfahrt, pages: 12", with: "pages: 12"),
      options: "  .validation: false\n")
  }

  @Test func rowsThatTheModelRefusesAreCapturedAsTheyAre() throws {
    let field = try dirtyStore()
    let result = try capture(field)
    try #require(result.status == 0, "\(result)")
    #expect(result.errors.contains("the store has rows that its model refuses"), "\(result)")
    let text = try field.text("Report/Captured.scenario.yaml")
    #expect(text.contains("seed:\n  .validation: false\n  Book:\n"), "\(text)")
    // A migration in place leaves such rows as they are.
    #expect(text.contains("pages: 12\n      rating: null\n      title: null\n"), "\(text)")
    let run = try field.run("run", "Report")
    #expect(run.status == 0, "\(run)")
  }

  /// What reads as nothing doesn't vanish without a word.
  @Test func aLinkThatLeadsNowhereIsNamed() throws {
    let field = try FieldStore()
    let edit =
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1])\n"
      + "c.execute('update ZBOOK set ZSHELF = 99 where Z_PK = 2'); c.commit()"
    let edited = try Tool.run(
      script: "python3 -c \"$0\" \"$1\"", [edit, field.store], in: field.folder)
    try #require(edited.status == 0, "\(edited)")
    let result = try capture(field)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors.contains(
        "Book.shelf: 1 row leads to no existing Shelf; rows can't have that, and the scenario is without it: name the "
          + "store in one (`store:`) to keep it"), "\(result.errors)")
  }
}
