import Persistence
import Synchronization
import TestSupport
import Testing

private enum Song: CoreDataFinders {
  static let entityName = "Song"
  static func defaultSortDescriptors() -> [SortDescriptor] {
    [SortDescriptor(key: "title", ascending: true)]
  }
}

private enum Library: CoreDataFinders {
  static let entityName = "Library"
  static func defaultSortDescriptors() -> [SortDescriptor] {
    [SortDescriptor(key: "name", ascending: false)]
  }
}

/// A class of an app's own, as which no object comes during a migration.
private final class SongObject: ManagedObject {}

private enum TypedSong: CoreDataFinders {
  typealias FoundObject = SongObject
  static let entityName = "Song"
  static func defaultSortDescriptors() -> [SortDescriptor] { Song.defaultSortDescriptors() }
}

@Suite struct FinderTests {
  private func titles(_ songs: [ManagedObject]) -> [String] {
    songs.compactMap { $0.value(forKey: "title") as? String }
  }

  @Test("S93: finders sort by default, and give nothing for an error", arguments: Backend.allCases)
  func findAllAndFirst(backend: Backend) throws {
    let library = try SongLibrary(backend)
    try library.add("Coltrane", "Abba", "Bach")
    let context = library.context
    #expect(titles(Song.findAll(with: nil, context: context)) == ["Abba", "Bach", "Coltrane"])
    let predicate = try Predicate.parse("title > 'B'")
    #expect(titles(Song.findAll(with: predicate, context: context)) == ["Bach", "Coltrane"])
    let first = Song.findFirst(with: predicate, context: context)
    #expect(first?.value(forKey: "title") as? String == "Bach")
    #expect(Song.findFirst(with: try Predicate.parse("title == 'x'"), context: context) == nil)
    let log = Mutex<[String]>([])
    let bad = try Predicate.parse("nothing == 1")
    let keep: @Sendable (String) -> Void = { line in log.withLock { $0.append(line) } }
    FinderLog.$output.withValue(keep) {
      #expect(Song.findAll(with: bad, context: context).isEmpty)
      #expect(Song.findFirst(with: bad, context: context) == nil)
    }
    let lines = log.withLock { $0 }
    #expect(lines.count == 2)
    #expect(
      lines[0].hasPrefix("Failed to fetch objects of Song with predicate: nothing == 1 error: "))
    #expect(throws: CoreDataError.self) { try Song.find(in: context, with: bad) }
  }

  @Test("S94: every entity has an order of its own", arguments: Backend.allCases)
  func orders(backend: Backend) throws {
    let library = try SongLibrary(backend)
    try library.add("Bach", "Abba")
    for name in ["a", "b"] { library.insert("Library", ["name": name]) }
    #expect(titles(Song.findAll(with: nil, context: library.context)) == ["Abba", "Bach"])
    let names = Library.findAll(with: nil, context: library.context)
    #expect(names.map { $0.value(forKey: "name") as? String } == ["b", "a"])
  }

  @Test("S95: a class of the app's own can't be had; plain objects can")
  func typedFinders() throws {
    let library = try SongLibrary(.sqlite)
    try library.add("Bach")
    do {
      _ = try TypedSong.find(in: library.context)
      Issue.record("a plain object was given as a SongObject")
    } catch let error as CoreDataError {
      #expect(error.reason.hasPrefix("Could not cast value of type 'NSManagedObject_Song_' to '"))
    }
    #expect(try Song.find(in: library.context, limit: 1).count == 1)
  }
}
