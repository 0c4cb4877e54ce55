import Foundation
import TestSupport
import Testing

/// What `heavyweight smoke` finds beside the faults of the planted app, each kind by its name in the smallest app that
/// has it, and nothing else.
@Suite(.tags(.process), .tiered) struct SmokeFindingsTests {
  private static func entity(
    _ name: String, _ properties: String..., more: String = ""
  ) -> String {
    "<entity name=\"\(name)\" syncable=\"YES\" \(more)>\(properties.joined())</entity>"
  }

  private static func text(_ name: String, _ more: String = "optional=\"YES\"") -> String {
    "<attribute name=\"\(name)\" attributeType=\"String\" \(more)/>"
  }

  private static func link(
    _ name: String, to entity: String, by inverse: String, _ more: String = "maxCount=\"1\""
  ) -> String {
    """
    <relationship name="\(name)" optional="YES" destinationEntity="\(entity)" inverseEntity="\(entity)" \
    inverseName="\(inverse)" deletionRule="Nullify" \(more)/>
    """
  }

  private static let book = entity("Book", text("title"))

  // MARK: In models

  /// An app whose steps are inferred, by what is found in it.
  private static let inferred: [(versions: [String], found: [String])] = [
    (
      [book, entity("Volume", text("title"))],
      ["possible-entity-rename, App -> App 2: Book, rows 1"]
    ),
    (
      [book, entity("Book", text("title", ""))],
      ["now-required, App -> App 2: Book.title, rows 1"]
    ),
    (
      [
        book, entity("Book", "<attribute name=\"title\" attributeType=\"Date\" optional=\"YES\"/>"),
      ],
      ["step-impossible, App -> App 2: , rows 0"]
    ),
    (
      [
        book, entity("Book", text("name", "optional=\"YES\" elementID=\"title\"")),
        entity("Book", text("label", "optional=\"YES\" elementID=\"name\"")),
      ],
      ["lost-identifier, App 2 -> App 3: Book.name, rows 1"]
    ),
    (
      [
        book, entity("Volume", text("title"), more: "elementID=\"Book\""),
        entity("Tome", text("title"), more: "elementID=\"Volume\""),
      ],
      ["lost-identifier, App 2 -> App 3: Volume, rows 1"]
    ),
    (
      ["title", "name"].map { name in
        entity("Thing", text(name), more: "isAbstract=\"YES\"")
          + entity("Book", more: "parentEntity=\"Thing\"")
      },
      ["possible-rename, App -> App 2: Thing.title, rows 1"]
    ),
    (
      [
        entity("Thing", text("title"))
          + entity("Book", more: "parentEntity=\"Thing\""),
        entity("Thing") + entity("Book", text("name"), more: "parentEntity=\"Thing\""),
      ],
      ["possible-rename, App -> App 2: Thing.title, rows 1"]
    ),
    (
      [book, entity("Volume", text("name"), more: "elementID=\"Book\"")],
      ["possible-rename, App -> App 2: Book.title, rows 1"]
    ),
    (
      [("books", "shelf"), ("volumes", "place")].map { many, one in
        entity("Shelf", link(many, to: "Book", by: one, "toMany=\"YES\""))
          + entity("Book", link(one, to: "Shelf", by: many))
      },
      ["possible-rename, App -> App 2: Shelf.books, rows 2"]
    ),
    (
      ["title", "name"].map { entity("Book", text($0, "defaultValueString=\"x\"")) },
      ["possible-rename, App -> App 2: Book.title, rows 1"]
    ),
    (
      [
        entity("Shelf", link("book", to: "Book", by: "shelf"))
          + entity("Book", link("shelf", to: "Shelf", by: "book")),
        entity("Shelf", link("volume", to: "Book", by: "shelf"))
          + entity("Book", link("shelf", to: "Shelf", by: "volume")),
      ],
      ["unknown-on-device, App -> App 2: Shelf.volume, rows 2"]
    ),
    (
      ["toMany=\"YES\"", "maxCount=\"1\""].map { count in
        entity("Shelf", link("books", to: "Book", by: "shelves", count))
          + entity("Book", link("shelves", to: "Shelf", by: "books", "toMany=\"YES\""))
      },
      [
        "links-lost, App -> App 2: Book.shelves, rows 3",
        "unknown-on-device, App -> App 2: Shelf.books, rows 1",
      ]
    ),
    (
      ["ordered=\"YES\"", ""].map { order in
        entity("Shelf", link("books", to: "Book", by: "shelf", "toMany=\"YES\" \(order)"))
          + entity("Book", link("shelf", to: "Shelf", by: "books"))
      },
      ["order-lost, App -> App 2: Shelf.books, rows 0"]
    ),
    // The error of the largest number is in doubt, too.
    (
      ["Double", "Integer 16"].map { type in
        entity("Book", "<attribute name=\"pages\" attributeType=\"\(type)\" optional=\"YES\"/>")
      },
      ["unknown-on-device, App -> App 2: Book.pages, rows 1"]
    ),
  ]

  @Test(arguments: inferred.indices)
  func whatAnInferredStepLosesIsFoundByName(_ index: Int) throws {
    let (versions, found) = Self.inferred[index]
    let app =
      versions.count == 3
      ? try SmokeApp(versions[0], versions[1], versions[2]) : try SmokeApp(versions[0], versions[1])
    #expect(try app.findings() == found)
  }

  // MARK: Accepted

  /// A step that fails for what `check` foresaw is accepted with that; other steps' findings are not.
  @Test func whatIsAcceptedForCheckIsAcceptedWithItsConsequences() throws {
    let needed = Self.entity("Book", Self.text("title", ""))
    let app = try SmokeApp(Self.book, needed, Self.entity("Volume", Self.text("title", "")))
    #expect(
      try app.findings() == [
        "now-required, App -> App 2: Book.title, rows 1",
        "possible-entity-rename, App 2 -> App 3: Book, rows 1",
      ])
    try app.folder.write(
      """
      accepted:
        - { rule: now-required, step: App -> App 2, entity: Book, property: title, reason: All have one. }

      """, to: ".heavyweight-check.yaml")
    #expect(
      try app.findings() == ["possible-entity-rename, App 2 -> App 3: Book, rows 1"])
    let result = try Tool.run(["smoke", "App.xcdatamodeld"], in: app.folder)
    #expect(result.status == 1)
    #expect(result.output.contains(": 1 finding, 1 accepted; "), "\(result.output)")
  }

  @Test func anUnforeseenFailureOfAnImpossibleStepIsAcceptedWithTheStep() throws {
    let app = try SmokeApp(
      Self.book,
      Self.entity("Book", "<attribute name=\"title\" attributeType=\"Date\" optional=\"YES\"/>"))
    try app.folder.write(
      "accepted: [{ rule: hop-impossible, hop: App -> App 2, reason: Nobody has version 1. }]\n",
      to: ".heavyweight-check.yaml")
    let result = try Tool.run(["smoke", "App.xcdatamodeld"], in: app.folder)
    // Nothing else was migrated.
    #expect(result.status == 5)
    #expect(result.output.contains("nothing was migrated, 1 accepted"), "\(result.output)")
  }

  /// Neither with another of its step, nor with the step as a whole.
  @Test func aPolicyThatEndsTheProcessIsAcceptedAlone() throws {
    let names = ["Book", "Note"]
    let entities = names.map { Self.entity($0, Self.text("title")) }.joined()
    let app = try SmokeApp(entities, entities.replacing("/>", with: "/>" + Self.text("more")))
    try app.map(
      names.map { .init(entity: $0, attributes: ["title"], policy: "App.\($0)Policy") })
    func write(_ name: String, _ code: String) throws {
      try app.folder.write(
        """
        import CoreData
        class \(name)Policy: NSEntityMigrationPolicy {
          override func createDestinationInstances(
            forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
          ) throws { \(code) }
        }
        """, to: "\(name)Policy.swift")
    }
    let plain =
      "try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)"
    try write("Note", plain)
    try write("Book", "fatalError()")
    #expect(try app.smoke("--accept", "Old.").output.contains(": nothing found, 1 accepted\n"))
    #expect(try app.findings() == [])
    try write("Note", "fatalError()")
    #expect(try app.findings() == ["policy-ends-process, App -> App 2: NoteToNote, rows 1"])
    try write("Book", plain)
    try write("Note", "throw NSError(domain: \"App\", code: 7)")
    try app.folder.write(
      "accepted: [{ rule: several-mappings, step: App -> App 2, reason: Old. }]\n",
      to: ".heavyweight-check.yaml")
    #expect(try app.findings() == ["migration-fails, App -> App 2: Note, rows 1"])
  }

  @Test func acceptWritesWhatIsFoundWithTheReason() throws {
    let app = try SmokeApp(Self.book, Self.entity("Book", Self.text("title", "")))
    let result = try Tool.run(
      ["smoke", "App.xcdatamodeld", "--accept", "All have one."], in: app.folder)
    // Nothing is left that was found.
    #expect(result.output.contains(": nothing found, 1 accepted\n"), "\(result)")
    #expect(result.errors.contains("1 finding accepted in .heavyweight-check.yaml\n"))
    let list = try String(
      contentsOf: app.folder.url.appending(path: ".heavyweight-check.yaml"), encoding: .utf8)
    #expect(
      list.hasPrefix(
        """
        accepted:
          - rule: now-required
            step: App -> App 2
            entity: Book
            property: title
            reason: All have one.
            date: 2
        """), "\(list)")
    #expect(try app.findings() == [])
    // The same entry serves `check`, and one that smoke alone knows is none of its business.
    let check = try Tool.run(["check", "App.xcdatamodeld", "--strict"], in: app.folder)
    #expect(check.status == 0 && check.output.contains("1 accepted"), "\(check)")
    try app.folder.write(
      list + "  - { rule: value-lost, hop: App -> App 2, reason: Not any more. }\n",
      to: ".heavyweight-check.yaml")
    let again = try Tool.run(["smoke", "App.xcdatamodeld"], in: app.folder)
    #expect(
      again.errors.contains(
        ".heavyweight-check.yaml:8: silences nothing: value-lost (App -> App 2)\n"), "\(again)")
    #expect(try Tool.run(["check", "App.xcdatamodeld", "--strict"], in: app.folder).status == 0)
  }

  /// Each row that can't be without a link has one, though it is written at the other side: also rows with large
  /// texts, which are tried by themselves, and where there are more than the other side may lead to.
  @Test(arguments: ["", "maxCount=\"2\"", "minCount=\"2\""])
  func rowsThatCannotBeWithoutALinkHaveOne(_ count: String) throws {
    func books(_ title: String) -> String {
      let needed =
        Self.link("book", to: "Book", by: "chapters").replacing("optional=\"YES\" ", with: "")
      return Self.entity(
        "Book",
        Self.link("chapters", to: "Chapter", by: "book", "toMany=\"YES\" ordered=\"YES\" \(count)"))
        + Self.entity("Chapter", Self.text(title, "optional=\"YES\" elementID=\"title\""), needed)
    }
    #expect(try SmokeApp(books("title"), books("heading")).findings() == [])
  }

  /// The mapping model that is inferred takes links as they are, whatever the new version wants of their number.
  @Test func aStoreThatInspectWouldNotPassIsFound() throws {
    func shelves(_ links: String) -> String {
      Self.entity("Shelf", Self.link("books", to: "Book", by: "shelf", "toMany=\"YES\" \(links)"))
        + Self.entity("Book", Self.link("shelf", to: "Shelf", by: "books"))
    }
    let app = try SmokeApp(
      shelves(""), shelves("minCount=\"2\" elementID=\"books\" versionHashModifier=\"2\""))
    #expect(try app.findings() == ["unsound-result, App -> App 2: Shelf.books, rows 2"])
    let saved = try app.smoke("--output", "found")
    #expect(
      saved.output.contains(
        """
          ✗ unsound-result  App -> App 2  Shelf.books
              the store that was made isn't sound: 1 row has too few or too many: at least 2
        """), "\(saved)")
    let run = try Tool.run(["run", "found"], in: app.folder)
    #expect(run.status == 1)
    #expect(run.output.contains("damaged result"), "\(run)")
  }

  // MARK: In mapping models

  private static let note = entity("Book", text("title"), text("note"))
  private static let shelves =
    entity("Shelf", link("books", to: "Book", by: "shelf", "toMany=\"YES\""))
    + entity("Book", text("title"), link("shelf", to: "Shelf", by: "books"))

  /// An app with one entity more in the second version, and a mapping model.
  private func app(
    _ entities: String, _ second: String? = nil, mapping mapped: [SmokeApp.Mapped]
  ) throws -> SmokeApp {
    let app = try SmokeApp(
      entities, (second ?? entities) + Self.entity("Extra", Self.text("name")))
    try app.map(mapped)
    return app
  }

  @Test func anEntityThatTheMappingModelLeavesOutIsFound() throws {
    let app = try app(
      Self.book + Self.entity("Tape", Self.text("title")),
      mapping: [.init(entity: "Book", attributes: ["title"])])
    #expect(
      try app.findings() == ["mapping-leaves-out-entity, App -> App 2: Tape, rows 1"])
  }

  @Test func aMappingModelForWhatAVersionWasBeforeIsFound() throws {
    let app = try app(Self.book, mapping: [.init(entity: "Tape", attributes: ["title"])])
    #expect(try app.findings() == ["mapping-outdated, App -> App 2: Map, rows 0"])
  }

  @Test func aValueThatNoPropertyMappingTakesIsFound() throws {
    let app = try app(Self.note, mapping: [.init(entity: "Book", attributes: ["title"])])
    #expect(try app.findings() == ["value-lost, App -> App 2: Book.note, rows 1"])
  }

  @Test func linksThatNoPropertyMappingTakesAreFound() throws {
    let app = try app(
      Self.shelves,
      mapping: [.init(entity: "Shelf"), .init(entity: "Book", attributes: ["title"])])
    #expect(try app.findings() == ["links-lost, App -> App 2: Shelf.books, rows 4"])
  }

  @Test func aRuleOfTheNewModelThatRowsBreakIsFound() throws {
    let app = try app(
      Self.book, Self.entity("Book", Self.text("title", "optional=\"YES\" maxValueString=\"2\"")),
      mapping: [.init(entity: "Book", attributes: ["title"])])
    #expect(try app.findings() == ["migration-fails, App -> App 2: Book.title, rows 1"])
  }

  /// `$destination.author`, as Xcode archives it.
  private static let authorOfDestination = """
    YnBsaXN0MDDUAQIDBAUGNThZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZX
    KsBwgJEBcYGyAhJCksVSRudWxsVmF1dGhvctIKCwwNWCRjbGFzc2VzWiRjbGFzc25hbWWjDQ4PXxAcTlNLZXlQYXRo
    U3BlY2lmaWVyRXhwcmVzc2lvblxOU0V4cHJlc3Npb25YTlNPYmplY3TTERITFBUWViRjbGFzc18QEE5TRXhwcmVzc2
    lvblR5cGVZTlNLZXlQYXRogAIQCoABW2Rlc3RpbmF0aW9u0goLGRqjGg4PXxAUTlNWYXJpYWJsZUV4cHJlc3Npb27T
    ERIcHR4fWk5TVmFyaWFibGWABRACgARcdmFsdWVGb3JLZXk60goLIiOiIw9XTlNBcnJhedIRJSYnWk5TLm9iamVjdH
    OACKEogAPSCgsqK6MrDg9fEBNOU0tleVBhdGhFeHByZXNzaW9u1REtEi4vMDEyMzRbTlNBcmd1bWVudHNZTlNPcGVy
    YW5kXk5TU2VsZWN0b3JOYW1lgAqACRADgAaAB9E2N1Ryb290gAsSAAGGoAAIABEAGwAkACkAMgBEAFEAVwBeAGMAbA
    B3AHsAmgCnALAAtwC+ANEA2wDdAN8A4QDtAPIA9gENARQBHwEhASMBJQEyATcBOgFCAUcBUgFUAVYBWAFdAWEBdwGC
    AY4BmAGnAakBqwGtAa8BsQG0AbkBuwAAAAAAAAIBAAAAAAAAADkAAAAAAAAAAAAAAAAAAAHA
    """

  private static let people =
    entity(
      "Book", text("title"), link("author", to: "Person", by: "written"),
      link("owner", to: "Person", by: "owned"))
    + entity(
      "Person", link("written", to: "Book", by: "author", "toMany=\"YES\""),
      link("owned", to: "Book", by: "owner", "toMany=\"YES\""))

  /// One relationship is mapped by what another one was given before; nothing says which comes first.
  @Test func aResultThatHangsOnTheOrderOfRelationshipMappingsIsFound() throws {
    let byAuthor =
      "<attribute name=\"valueexpressiondata\" type=\"binary\">\(Self.authorOfDestination)</attribute>"
    let app = try app(
      Self.people.replacing(Self.link("owner", to: "Person", by: "owned"), with: "")
        .replacing(Self.link("owned", to: "Book", by: "owner", "toMany=\"YES\""), with: ""),
      Self.people,
      mapping: [
        .init(
          entity: "Book", attributes: ["title"],
          relationships: [
            "author": SmokeApp.generated("author", by: "PersonToPerson"), "owner": byAuthor,
          ]), .init(entity: "Person"),
      ])
    #expect(try app.findings() == ["second-pass-differs, App -> App 2: Book, rows 2"])
    let saved = try app.smoke("--output", "found")
    #expect(
      saved.output.contains(
        "mapping each object's relationships in another order gives a different result"),
      "\(saved)")
    let run = try Tool.run(["run", "found"], in: app.folder)
    #expect(run.status == 1, "\(run)")
  }

  // MARK: In policies

  @Test(.tags(.compiles))
  func rowsThatAPolicyDropsAndWhatItAsksOnlySQLiteAreFound() throws {
    let app = try SmokeApp(
      Self.book + Self.entity("Shelf", Self.text("place")),
      Self.book
        + Self.entity(
          "Shelf", Self.text("place"),
          "<attribute name=\"others\" attributeType=\"Integer 32\" optional=\"YES\"/>"))
    try app.map([
      .init(entity: "Book", attributes: ["title"], policy: "App.BookPolicy"),
      .init(entity: "Shelf", attributes: ["place"], policy: "App.ShelfPolicy"),
    ])
    try app.folder.write(
      """
      import CoreData

      final class BookPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource book: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          if book.value(forKey: "title") == nil { return }
          try super.createDestinationInstances(forSource: book, in: mapping, manager: manager)
        }
      }

      final class ShelfPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource shelf: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          try super.createDestinationInstances(forSource: shelf, in: mapping, manager: manager)
          let others = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
          others.predicate = NSPredicate(format: "place != %@", "Attic")
          let count = try manager.sourceContext.count(for: others)
          manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [shelf])
            .first?.setValue(count, forKey: "others")
        }
      }
      """, to: "Policies.swift")
    #expect(
      try app.findings() == [
        "rows-dropped, App -> App 2: Book, rows 1", "backends-differ, App -> App 2: Shelf, rows 1",
      ])
  }

  @Test(.tags(.compiles)) func anEntityThatAPolicyEmptiesIsToldAsThat() throws {
    let app = try SmokeApp(
      Self.book, Self.entity("Book", Self.text("title"), Self.text("note")))
    try app.map([.init(entity: "Book", attributes: ["title"], policy: "App.BookPolicy")])
    try app.folder.write(
      """
      import CoreData

      final class BookPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource book: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {}
      }
      """, to: "Policies.swift")
    #expect(try app.findings() == ["rows-dropped, App -> App 2: Book, rows 1"])
    let told = try app.smoke()
    #expect(told.output.contains("      App.BookPolicy makes no object of any row\n"), "\(told)")
  }

  // MARK: All the way

  /// A number that only rows of the first version have, since the second gives it to them; in SQLite alone it is
  /// refused.
  @Test(.tags(.compiles)) func whatOnlyRowsOfAnEarlierVersionMeetInSQLiteIsFound() throws {
    func shelf(_ properties: String...) -> String {
      Self.entity("Shelf", ([Self.text("place")] + properties).joined())
    }
    let age = "<attribute name=\"age\" attributeType=\"Integer 32\" defaultValueString=\"70707\"/>"
    let app = try SmokeApp(shelf(), shelf(age), shelf(age, Self.text("note")))
    try app.map(
      [.init(entity: "Shelf", attributes: ["place", "age"], policy: "App.AgePolicy")], from: 2)
    try app.folder.write(
      """
      import CoreData

      final class AgePolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource shelf: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          let store = manager.sourceContext.persistentStoreCoordinator?.persistentStores.first
          if store?.type == NSSQLiteStoreType, shelf.value(forKey: "age") as? Int == 70707 {
            throw NSError(domain: "App", code: 7)
          }
          try super.createDestinationInstances(forSource: shelf, in: mapping, manager: manager)
        }
      }
      """, to: "Policies.swift")
    #expect(try app.findings() == ["backends-differ, App -> App 3: Shelf, rows 1"])
    let saved = try app.smoke("--output", "found")
    #expect(saved.output.contains("fails in App 2 -> App 3: error 7 in SQLite"), "\(saved)")
    // In memory there is nothing wrong, so that the scenario passes once SQLite comes to the same.
    let run = try Tool.run(["run", "found"], in: app.folder)
    #expect(run.output.contains("1 scenario, 2 runs: 1 passed, 1 failed"), "\(run)")
  }
}
