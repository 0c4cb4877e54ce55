import Persistence
import TestSupport
import Testing

private enum Song: GenericDataObject {
  static let entityName = "Song"
  static func defaultSortDescriptors() -> [SortDescriptor] {
    [SortDescriptor(key: "title", ascending: true)]
  }
  static func groupIndex(of object: ManagedObject) -> String? {
    (object.value(forKey: "title") as? String).map { String($0.prefix(1)).uppercased() }
  }
  static func relationshipFilterPredicate(for constraintObject: ManagedObject?) -> Predicate? {
    constraintObject.map {
      ComparisonPredicate(
        leftExpression: Expression(forKeyPath: "library"),
        rightExpression: Expression(forConstantValue: $0), type: .equalTo)
    }
  }
  static func searchPredicate(for searchTerm: String?) -> Predicate? {
    .text(at: "title", contains: searchTerm)
  }
}

/// Like songs, but without an object to belong to there are none.
private enum OwnedSong: GenericDataObject {
  static let entityName = "Song"
  static func defaultSortDescriptors() -> [SortDescriptor] { Song.defaultSortDescriptors() }
  static func groupIndex(of object: ManagedObject) -> String? { Song.groupIndex(of: object) }
  static func relationshipFilterPredicate(for constraintObject: ManagedObject?) -> Predicate? {
    Song.relationshipFilterPredicate(for: constraintObject) ?? Predicate(value: false)
  }
  static func searchPredicate(for searchTerm: String?) -> Predicate? {
    Song.searchPredicate(for: searchTerm)
  }
}

private final class SortedSongs: BasicFetchedResultsDataSource<Song> {
  var format: String?
  override var sortDescriptorsForFetchRequest: [SortDescriptor] { Song.defaultSortDescriptors() }
  override var searchPredicateForFetchRequest: Predicate? { format.map { Predicate(format: $0) } }
}

private final class View: DataSourceView {
  var reloadCount = 0
  var changes: [FetchedResultsChange] = []
  func reloadData() { reloadCount += 1 }
  func apply(_ change: FetchedResultsChange) { changes.append(change) }
}

@Suite struct DataSourceTests {
  private func library(_ backend: Backend) throws -> SongLibrary {
    let library = try SongLibrary(backend)
    try library.add(
      "Anna", "Angie", "Banana", "Candy", "O'Neil", "100%", "a*b", "Änderung", "Zoo", "%@")
    return library
  }

  private func sections(
    _ source: BasicFetchedResultsDataSource<Song>
  ) -> [String] { source.fetchedResultsController.shown }

  @Test("S96: the controller is made once, and the source is its delegate")
  func controllerIsLazy() throws {
    let source = SortedSongs(context: try SongLibrary(.memory).context)
    #expect(source.fetchedResultsController === source.fetchedResultsController)
    #expect(source.fetchedResultsController.delegate === source)
  }

  @Test("S97: the basic source has no order, which the controller refuses")
  func basicSourceNeedsSorting() throws {
    let context = try SongLibrary(.memory).context
    let error = #expect(throws: CoreDataError.self) {
      try ExceptionTrap.catching {
        try BasicFetchedResultsDataSource<Song>(context: context).updateRequestAndFetch()
      }
    }
    #expect(error?.reason.hasSuffix("requires a fetch request with sort descriptors") == true)
    try SortedSongs(context: context).updateRequestAndFetch()
  }

  @Test("S98: a new request is fetched and shown once; errors reach the caller")
  func updateRequestAndFetch() throws {
    let library = try library(.sqlite)
    let view = View()
    let source = SortedSongs(context: library.context, view: view)
    source.format = "title BEGINSWITH 'An'"
    try source.updateRequestAndFetch()
    #expect(view.reloadCount == 1)
    #expect(sections(source) == [": Angie Anna"])
    source.format = "nothing == 1"
    #expect(throws: CoreDataError.self) { try source.updateRequestAndFetch() }
    #expect(view.reloadCount == 1)
  }

  @Test("S99: sorted, grouped, filtered and searched together", arguments: Backend.allCases)
  func allAbilities(backend: Backend) throws {
    let library = try library(backend)
    let mine = library.insert("Library", ["name": "mine"])
    for song in try library.context.all("Song", "title IN {'Anna', 'Banana', 'Candy', 'Zoo'}") {
      song.setValue(mine, forKey: "library")
    }
    try library.context.save()
    let source = GenericFetchedResultsDataSource<Song>(context: library.context)
    source.constraintObject = mine
    source.currentSearchTerm = "an"
    #expect(sections(source) == ["A: Anna", "B: Banana", "C: Candy"])
    #expect(source.numberOfSections == 3 && source.numberOfObjects(inSection: 1) == 1)
    #expect(source.title(ofSection: 2) == "C" && source.title(ofSection: 3) == nil)
    #expect(source.sectionIndexTitles == ["A", "B", "C"])
    let object = source.object(at: IndexPath(row: 0, section: 1))
    #expect(object.value(forKey: "title") as? String == "Banana")
  }

  @Test("S100: without grouping there is one section")
  func grouping() throws {
    let library = try SongLibrary(.sqlite)
    try library.add("Anna", "Banana")
    let source = GenericFetchedResultsDataSource<Song>(
      context: library.context, allowsGrouping: false)
    try source.updateRequestAndFetch()
    #expect(sections(source) == [": Anna Banana"])
  }

  @Test("S103: a term is looked for only where searching is allowed")
  func searching() throws {
    let library = try library(.sqlite)
    for isAllowed in [true, false] {
      let view = View()
      let source = GenericFetchedResultsDataSource<Song>(
        context: library.context, view: view, allowsTextSearching: isAllowed)
      source.currentSearchTerm = "zoo"
      #expect(view.reloadCount == (isAllowed ? 1 : 0))
    }
  }

  @Test("S104: no term and an empty one find everything", arguments: Backend.allCases)
  func emptyTerms(backend: Backend) throws {
    let source = GenericFetchedResultsDataSource<Song>(
      context: try library(backend).context, allowsGrouping: false)
    for term in [nil, ""] as [String?] {
      source.currentSearchTerm = term
      #expect(source.numberOfObjects(inSection: 0) == 10)
    }
  }

  @Test("S105: a term is text, whatever is in it", arguments: Backend.allCases)
  func specialCharacters(backend: Backend) throws {
    let source = GenericFetchedResultsDataSource<Song>(
      context: try library(backend).context, allowsGrouping: false)
    let found = [
      "O'Neil": "O'Neil", "*": "a*b", "%@": "%@", "0%": "100%", "ander": "Änderung", "\\": "",
      "\" OR 1 == 1": "", "zOO": "Zoo",
    ]
    for (term, title) in found {
      source.currentSearchTerm = term
      #expect(source.fetchError == nil)
      #expect(sections(source) == [": \(title)"], "\(term)")
    }
  }

  @Test("S106: without an object the entity decides", arguments: Backend.allCases)
  func missingConstraint(backend: Backend) throws {
    let context = try library(backend).context
    let all = GenericFetchedResultsDataSource<Song>(context: context, allowsGrouping: false)
    let none = GenericFetchedResultsDataSource<OwnedSong>(context: context, allowsGrouping: false)
    all.constraintObject = nil
    none.constraintObject = nil
    #expect(all.numberOfObjects(inSection: 0) == 10)
    #expect(none.numberOfObjects(inSection: 0) == 0)
  }

  @Test("S107: the view gets all changes together")
  func changes() throws {
    let library = try SongLibrary(.memory)
    let songs = try library.add("Anna", "Banana")
    let view = View()
    let source = GenericFetchedResultsDataSource<Song>(context: library.context, view: view)
    try source.updateRequestAndFetch()
    songs[1].setValue("Candy", forKey: "title")
    library.context.delete(songs[0])
    library.announce()
    let change = try #require(view.changes.first)
    #expect(view.changes.count == 1 && view.reloadCount == 1)
    #expect(change.deletedSections == [0, 1] && change.insertedSections == [0])
    #expect(change.rows.map(\.type) == [.delete, .move])
  }
}
