import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A migrator as apps have one, written against Apple's documentation alone, compiled unchanged and
/// run on real files. One after the other: mapping models are looked for in every bundle of the process.
@Suite(.serialized, .tags(.compiles), .tiered)
struct ProgressiveMigratorTests {
  private let folder: TemporaryFolder
  private let models: [ManagedObjectModel]

  init() throws {
    folder = try TemporaryFolder()
    models = try [
      Self.model("Library", book: ["title": "string", "authorName": "string?"]),
      Self.model(
        "Library 2", book: ["title": "string", "authorName": "string?", "pages": "int32 = 1"]),
      Self.model(
        "Library 3",
        book: ["title": "string", "pages": "int32 = 1", "author": "Author? <-> books"],
        author: ["name": "string", "books": "[Book] <-> author"]),
    ]
    try folder.writeCompiled(
      Dictionary(uniqueKeysWithValues: models.map { ($0.name ?? "", $0) }), current: "Library 3",
      to: "App.bundle/Library.momd")
    try folder.write(Self.mapping, to: "App.bundle/Second.xcmappingmodel/xcmapping.xml")
  }

  private static func model(
    _ name: String, book: [String: String], author: [String: String]? = nil
  ) throws -> ManagedObjectModel {
    func entity(_ name: String, _ properties: [String: String]) throws -> EntityDescription {
      EntityDescription(
        name,
        try properties.sorted { $0.key < $1.key }
          .map { try ModelNotation.property(named: $0.key, $0.value) })
    }
    let authors = try author.map { [try entity("Author", $0)] } ?? []
    return try ManagedObjectModel(entities: [try entity("Book", book)] + authors, name: name)
  }

  private static let mapping = MappingFileText.of(
    "Book", from: "Library 2", to: "Library 3", in: "Library",
    fields: """
      <attribute name="migrationpolicyclassname" type="string">Library.BookToBookPolicy</attribute>
      <relationship name="attributemappings" type="0/0" idrefs="z3 z4"></relationship>
      """,
    objects: """
      <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name" type="string">title</attribute></object>
      <object type="XDDEVATTRIBUTEMAPPING" id="z4"><attribute name="name" type="string">pages</attribute></object>
      """)

  private static let app = Task { try await AppCode.library("Migrator", module: "Library") }

  private func launch() async throws -> String {
    try await Self.app.value.call("launchIn:", of: "Library.Launch", folder.url.path)
  }

  private var store: URL { folder.url.appending(path: "Library.sqlite") }

  /// A store of a version with two books by one author and one by nobody.
  private func seed(_ model: ManagedObjectModel) throws {
    let context = try Self.context(of: SQLiteStore.create(at: store, model: model))
    for (title, author) in [("Emma", "Austen"), ("Persuasion", "Austen"), ("Beowulf", nil)] {
      let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(title, forKey: "title")
      book.setValue(author, forKey: "authorName")
    }
    try context.save()
    try context.persistentStoreCoordinator.persistentStores[0].close()
  }

  private static func context(of store: PersistentStore) throws -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    return ManagedObjectContext(coordinator: coordinator)
  }

  private func content() throws -> [String] {
    let context = try Self.context(of: SQLiteStore.openReadOnly(at: store, model: models[2]))
    return try context.fetch(FetchRequest<ManagedObject>(entityName: "Book")).map { book in
      let author = book.value(forKeyPath: "author.name") as? String ?? "-"
      return "\(book.value(forKey: "title") ?? "") \(book.value(forKey: "pages") ?? "") \(author)"
    }.sorted()
  }

  private static let migrated = ["Beowulf 1 -", "Emma 1 Austen", "Persuasion 1 Austen"]

  @Test func takesAStoreThroughAllVersions() async throws {
    try seed(models[0])
    #expect(try await launch() == "migrated, 1 custom, current")
    #expect(try content() == Self.migrated)
    #expect(try await launch() == "up to date")
  }

  @Test func startsWhereTheStoreIs() async throws {
    try seed(models[1])
    #expect(try await launch() == "migrated, 1 custom, current")
    #expect(try content() == Self.migrated)
  }

  @Test func infersWhereTheMappingIsMissing() async throws {
    try FileManager.default.removeItem(
      at: folder.url.appending(path: "App.bundle/Second.xcmappingmodel"))
    try seed(models[1])
    #expect(try await launch() == "migrated, 0 custom, current")
    #expect(try content() == ["Beowulf 1 -", "Emma 1 -", "Persuasion 1 -"])
  }

  @Test func leavesAStoreOfAnotherAppAlone() async throws {
    try seed(
      Self.model("Other", book: ["title": "string", "authorName": "string?", "isbn": "string?"]))
    let before = try Data(contentsOf: store)
    #expect(try await launch() == "unknown version")
    #expect(try Data(contentsOf: store) == before)
  }

  @Test func leavesNothingBesideTheStore() async throws {
    try seed(models[0])
    _ = try await launch()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(files == ["App.bundle", "Library.sqlite"])
  }

  @Test func carriesWhatIsInTheJournalOnly() async throws {
    let model = models[0]
    try seed(model)
    let writer = try Self.context(of: SQLiteStore.open(at: store, model: model))
    let book = EntityDescription.insertNewObject(forEntityName: "Book", into: writer)
    book.setValue("Walden", forKey: "title")
    try writer.save()
    // The store is copied with its journal, as a crash leaves both.
    let crashed = folder.url.appending(path: "Crashed.sqlite")
    try PersistentStoreFiles(store).copy(to: PersistentStoreFiles(crashed))
    #expect(FileManager.default.fileExists(atPath: crashed.path + "-wal"))
    try writer.persistentStoreCoordinator.persistentStores[0].close()
    try PersistentStoreFiles(store).remove()
    try PersistentStoreFiles(crashed).move(to: PersistentStoreFiles(store))
    #expect(try await launch() == "migrated, 1 custom, current")
    #expect(try content() == (Self.migrated + ["Walden 1 -"]).sorted())
  }
}
