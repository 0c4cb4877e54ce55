import Foundation
import TestSupport

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A scenario of three versions, and stores of each of them.
struct LibraryStores {
  static let scenario = """
    scenario: A library grows
    models:
      v1: { Book: { title: string } }
      v2: { Book: { title: string, pages: int16 = 7 } }
      v3:
        Book:  { title: string, pages: int16 = 7, shelf: "Shelf <-> books" }
        Shelf: { books: "[Book] <-> shelf" }
    chain:
      - v1 -> v2
      - v2 -> v3:
          BookToBook: { source: Book, destination: Book }

    """
  /// The same, without the required shelf.
  static let optionalShelf = scenario.replacing("Shelf <->", with: "Shelf? <->")

  let folder: TemporaryFolder
  let scenario: CheckedScenario

  init(_ text: String = scenario) throws {
    folder = try TemporaryFolder()
    scenario = try checked(text)
  }

  func url(_ name: String) -> URL { folder.url.appending(path: name) }

  /// A store with two books, still open: what was saved waits in its write-ahead log.
  private func openStore(_ version: String, at url: URL) throws -> SQLiteStore {
    try SQLiteStore.create(at: url, model: scenario.model(version)).close()
    let store = try SQLiteStore.open(at: url, model: scenario.model(version))
    let context = try ManagedObjectContext(readingFrom: store)
    for title in ["One", "Two"] {
      let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(title, forKey: "title")
    }
    try context.saveWithoutValidation()
    return store
  }

  /// A store with two books.
  func store(_ version: String) throws -> URL {
    let url = url("\(version).sqlite")
    try openStore(version, at: url).close()
    return url
  }

  /// A store as a killed app leaves it: two books in the `-wal` only.
  func storeWithJournal(_ version: String) throws -> URL {
    let store = try openStore(version, at: url("open.sqlite"))
    let left = url("left.sqlite")
    try PersistentStoreFiles(url("open.sqlite")).copy(to: PersistentStoreFiles(left))
    try store.close()
    try PersistentStoreFiles(url("open.sqlite")).remove()
    return left
  }

  /// All files of the folder with their contents.
  func files() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: url($0))) })
  }

  /// The titles and pages in a store of the scenario.
  func books(_ url: URL, _ version: String) throws -> [String: Int] {
    let store = try SQLiteStore.openReadOnly(at: url, model: scenario.model(version))
    let context = try ManagedObjectContext(readingFrom: store)
    let books = try context.fetch(FetchRequest<ManagedObject>(entityName: "Book"))
    let pairs = books.compactMap { book in
      (book.value(forKey: "title") as? String).map { ($0, book.value(forKey: "pages") as? Int) }
    }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0.0, $0.1 ?? -1) })
  }
}
