import Persistence
import TestSupport
import Testing

/// The results of a controller, before anything changes.
@Suite struct FetchedResultsControllerTests {
  private func reason(_ body: () throws -> Void) -> String? {
    do {
      try ExceptionTrap.catching(body)
      return nil
    } catch { return (error as? CoreDataError)?.reason }
  }

  @Test("S97: a request without sort descriptors is refused", arguments: Backend.allCases)
  func sortDescriptorsAreRequired(backend: Backend) throws {
    let library = try SongLibrary(backend)
    let text =
      "An instance of NSFetchedResultsController requires a fetch request with sort descriptors"
    #expect(reason { _ = library.controller(library.request()) } == text)
    let controller = library.controller()
    controller.fetchRequest.sortDescriptors = []
    #expect(reason { try controller.performFetch() } == text)
    #expect(controller.sections == nil && controller.fetchedObjects == nil)
  }

  @Test("S100: sections follow the key path, or there is one", arguments: Backend.allCases)
  func sections(backend: Backend) throws {
    let library = try SongLibrary(backend)
    let songs = try library.add("Bach", "Abba", "Coltrane", "Adele")
    let grouped = library.controller()
    try grouped.performFetch()
    #expect(grouped.shown == ["A: Abba Adele", "B: Bach", "C: Coltrane"])
    #expect(grouped.sectionIndexTitles == ["A", "B", "C"])
    #expect(grouped.section(forSectionIndexTitle: "C", at: 2) == 2)
    #expect(grouped.sections?[0].numberOfObjects == 2)
    #expect(grouped.object(at: IndexPath(row: 1, section: 0)) === songs[3])
    #expect(grouped.indexPath(forObject: songs[2]) == IndexPath(row: 0, section: 2))
    #expect(grouped.fetchedObjects?.count == 4)
    let plain = library.controller(by: nil)
    try plain.performFetch()
    #expect(plain.shown == [": Abba Adele Bach Coltrane"])
    #expect(plain.sections?[0].indexTitle == nil)
    #expect(plain.sectionIndexTitles.isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func anEmptyResultHasOneSectionWithoutKeyPathAndNoneWithOne(backend: Backend) throws {
    let library = try SongLibrary(backend)
    let (plain, grouped) = (library.controller(by: nil), library.controller())
    try plain.performFetch()
    try grouped.performFetch()
    #expect(plain.sections?.count == 1 && plain.sections?[0].numberOfObjects == 0)
    #expect(grouped.sections?.isEmpty == true)
  }

  @Test func sectionNamesAreTexts() throws {
    let library = try SongLibrary(.sqlite)
    for (rank, title) in [(nil, "x"), (2, "y"), (10, "z")] as [(Int?, String)] {
      library.insert("Song", ["title": title]).setValue(rank, forKey: "rank")
    }
    try library.context.save()
    let controller = library.controller(library.request(sortedBy: "rank"), by: "rank")
    try controller.performFetch()
    #expect(controller.shown == [": x", "2: y", "10: z"])
    #expect(controller.sectionIndexTitles == ["", "2", "1"])
  }

  @Test("S101: sections that the order doesn't follow are an error", arguments: Backend.allCases)
  func sectionsOutOfOrder(backend: Backend) throws {
    let library = try SongLibrary(backend)
    try library.add("Abba", "Bach", "Adele")
    let byRank = library.controller(library.request(sortedBy: "rank"))
    #expect(
      reason { try byRank.performFetch() }
        == "The fetched object at index 2 has an out of order section name 'A'. "
        + "Objects must be sorted by section name")
    let byGroup = library.controller(library.request(sortedBy: "group", "rank"))
    try byGroup.performFetch()
    #expect(byGroup.shown == ["A: Abba Adele", "B: Bach"])
  }

  @Test("S102: a computed key groups, but SQL doesn't sort by it")
  func computedKeys() throws {
    for backend in Backend.allCases {
      let library = try SongLibrary(backend)
      for song in try library.add("Abba", "Bach") {
        song.setValue((song.value(forKey: "group") as? String)?.lowercased(), forKey: "computed")
      }
      let controller = library.controller(by: "computed")
      try controller.performFetch()
      #expect(controller.shown == ["a: Abba", "b: Bach"])
      let sorted = library.controller(library.request(sortedBy: "computed"), by: "computed")
      let refusal = reason { try sorted.performFetch() }
      #expect(
        refusal == (backend == .sqlite ? "keypath computed not found in entity Song" : nil))
    }
  }

  @Test("S108: under a cache the request may not change", arguments: Backend.allCases)
  func caches(backend: Backend) throws {
    let library = try SongLibrary(backend)
    try library.add("Abba", "Bach")
    let name = "songs \(UUID())"
    let cached = library.controller(cache: name)
    try cached.performFetch()
    try cached.performFetch()
    cached.fetchRequest.predicate = try Predicate.parse("title BEGINSWITH 'B'")
    #expect(
      reason { try cached.performFetch() }?.hasPrefix(
        "FATAL ERROR: The persistent cache of section information does not match the current "
          + "configuration.") == true)
    FetchedResultsController<ManagedObject>.deleteCache(withName: name)
    try cached.performFetch()
    #expect(cached.shown == ["B: Bach"])
    let free = library.controller()
    try free.performFetch()
    free.fetchRequest.predicate = cached.fetchRequest.predicate
    try free.performFetch()
    #expect(free.shown == ["B: Bach"])
  }

  @Test func whatDoesNotExistRaises() throws {
    let library = try SongLibrary(.memory)
    try library.add("Abba")
    let controller = library.controller()
    try controller.performFetch()
    for path in [IndexPath(row: 1, section: 0), IndexPath(row: 0, section: 1), IndexPath()] {
      #expect(
        reason { _ = controller.object(at: path) }
          == "no object at index \(path.row) in section at index \(path.section)")
    }
    #expect(reason { _ = controller.section(forSectionIndexTitle: "B", at: 0) } != nil)
    #expect(controller.indexPath(forObject: library.insert("Song")) == nil)
    #expect(reason { try library.controller(by: "nothing").performFetch() } != nil)
  }

  @Test func theDelegateNamesIndexTitles() throws {
    final class Titles: FetchedResultsControllerDelegate {
      func controller(
        _ controller: AnyFetchedResultsController, sectionIndexTitleForSectionName name: String
      ) -> String? { name == "A" ? "α" : nil }
    }
    let library = try SongLibrary(.memory)
    try library.add("Abba", "Bach")
    let controller = library.controller()
    let titles = Titles()
    controller.delegate = titles
    try controller.performFetch()
    #expect(controller.sectionIndexTitles == ["α", "B"])
  }
}
