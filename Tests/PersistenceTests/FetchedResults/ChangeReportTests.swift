import Persistence
import TestSupport
import Testing

/// S107: what a controller tells its delegate when objects change.
@Suite struct ChangeReportTests {
  /// Abba, Adele, Bach, Coltrane and Cream in sections A, B and C.
  private struct Scene {
    let library: SongLibrary
    let songs: [ManagedObject]
    let controller: FetchedResultsController<ManagedObject>
    let recorder = ChangeRecorder()

    init(_ backend: Backend, where format: String? = nil) throws {
      library = try SongLibrary(backend)
      songs = try library.add("Abba", "Adele", "Bach", "Coltrane", "Cream")
      let request = library.request(sortedBy: "group", "title")
      request.predicate = try format.map { try Predicate.parse($0) }
      controller = library.controller(request)
      controller.delegate = recorder
      try controller.performFetch()
      recorder.start(with: controller)
    }

    /// What is told of a change.
    func report(_ change: (Scene) throws -> Void) rethrows -> [String] {
      try change(self)
      library.announce()
      let told = recorder.take()
      #expect(
        recorder.list.map(\.rows)
          == (controller.sections ?? []).map {
            ($0.objects ?? []).compactMap { $0 as? ManagedObject }
          })
      return told
    }

    func rename(_ song: Int, _ title: String) {
      songs[song].setValue(title, forKey: "title")
      songs[song].setValue(String(title.prefix(1)), forKey: "group")
    }
  }

  @Test("S107: an inserted object comes with its section", arguments: Backend.allCases)
  func insertion(backend: Backend) throws {
    let scene = try Scene(backend)
    let inserted = scene.report {
      $0.library.insert("Song", ["title": "Air", "group": "A"])
      $0.library.insert("Song", ["title": "Bowie", "group": "B"])
      $0.library.insert("Song", ["title": "Doors", "group": "D"])
    }
    #expect(
      inserted == [
        "will", "insert section 3 D", "insert Air - -> 0.2", "insert Bowie - -> 1.1",
        "insert Doors - -> 3.0", "did",
      ])
  }

  @Test("S107: a deleted object goes with its section", arguments: Backend.allCases)
  func deletion(backend: Backend) throws {
    let scene = try Scene(backend)
    let deleted = scene.report {
      $0.library.context.delete($0.songs[0])
      $0.library.context.delete($0.songs[2])
    }
    #expect(
      deleted == ["will", "delete section 1 B", "delete  0.0 -> -", "delete  1.0 -> -", "did"])
    #expect(scene.controller.shown == ["A: Adele", "C: Coltrane Cream"])
  }

  @Test("S107: a rename across sections is a move", arguments: Backend.allCases)
  func moveAcrossSections(backend: Backend) throws {
    let scene = try Scene(backend)
    #expect(
      scene.report { $0.rename(2, "Doors") } == [
        "will", "delete section 1 B", "insert section 2 D", "move Doors 1.0 -> 2.0", "did",
      ])
    #expect(scene.report { $0.rename(0, "Cure") } == ["will", "move Cure 0.0 -> 1.2", "did"])
  }

  @Test("S107: a changed sort key is a move, even to the same place", arguments: Backend.allCases)
  func moveInSection(backend: Backend) throws {
    let scene = try Scene(backend)
    #expect(scene.report { $0.rename(0, "Air") } == ["will", "move Air 0.0 -> 0.1", "did"])
    #expect(scene.report { $0.rename(0, "Aka") } == ["will", "move Aka 0.1 -> 0.1", "did"])
  }

  @Test("S107: any other change is an update", arguments: Backend.allCases)
  func update(backend: Backend) throws {
    let scene = try Scene(backend)
    let updated = scene.report { $0.songs[3].setValue("live", forKey: "note") }
    #expect(updated == ["will", "update Coltrane 2.0 -> -", "did"])
    #expect(scene.report { $0.library.insert("Library", ["name": "mine"]) } == [])
  }

  @Test(arguments: Backend.allCases)
  func objectsEnterAndLeaveByThePredicate(backend: Backend) throws {
    let scene = try Scene(backend, where: "note == nil")
    #expect(
      scene.report { $0.songs[1].setValue("x", forKey: "note") } == [
        "will", "delete  0.1 -> -", "did",
      ])
    #expect(
      scene.report { $0.songs[1].setValue(nil, forKey: "note") } == [
        "will", "insert Adele - -> 0.1", "did",
      ])
  }

  @Test(arguments: Backend.allCases)
  func sectionsThatChangePlacesAreDeletedAndInserted(backend: Backend) throws {
    let library = try SongLibrary(backend)
    let songs = try library.add("Abba", "Adele", "Bach", "Coltrane")
    let controller = library.controller(library.request(sortedBy: "rank"))
    let recorder = ChangeRecorder()
    controller.delegate = recorder
    try controller.performFetch()
    recorder.start(with: controller)
    songs[2].setValue(-1, forKey: "rank")
    library.announce()
    #expect(controller.shown == ["B: Bach", "A: Abba Adele", "C: Coltrane"])
    #expect(
      recorder.list.map(\.rows) == [[songs[2]], [songs[0], songs[1]], [songs[3]]],
      "\(recorder.log)")
    #expect(recorder.list.map(\.name) == ["B", "A", "C"])
  }

  @Test(arguments: Backend.allCases)
  func aLimitHoldsAfterChangesToo(backend: Backend) throws {
    let scene = try Scene(backend)
    scene.controller.fetchRequest.fetchLimit = 2
    try scene.controller.performFetch()
    scene.recorder.start(with: scene.controller)
    #expect(
      scene.report { $0.rename(4, "Aaron") } == [
        "will", "delete  0.1 -> -", "insert Aaron - -> 0.0", "did",
      ])
  }

  @Test func withoutADelegateNothingIsFollowed() throws {
    let scene = try Scene(.memory)
    scene.controller.delegate = nil
    scene.rename(2, "Doors")
    scene.library.announce()
    #expect(scene.recorder.log.isEmpty)
    #expect(scene.controller.sections?.map(\.name) == ["A", "B", "C"])
  }

  @Test("S101: a change that puts a section out of order ends the following")
  func outOfOrder() throws {
    let scene = try Scene(.memory)
    scene.controller.fetchRequest.sortDescriptors = [SortDescriptor(key: "title", ascending: true)]
    try scene.controller.performFetch()
    scene.songs[0].setValue("Zappa", forKey: "title")  // and is still of group A
    scene.library.announce()
    #expect(scene.recorder.log.isEmpty)
    #expect(
      (scene.controller.changeError as? CoreDataError)?.reason.contains("out of order") == true)
    scene.rename(0, "Zappa")
    try scene.controller.performFetch()
    #expect(scene.controller.changeError == nil)
  }

  @Test("S107: what another context saved is told once it is merged", arguments: Backend.allCases)
  func merging(backend: Backend) throws {
    let scene = try Scene(backend)
    let other = scene.library.stack.context()
    let saved = NotificationLog(of: other, [ManagedObjectContext.didSaveObjectsNotification])
    let song = try other.one("Song", "title == 'Bach'")
    song.setValue("Doors", forKey: "title")
    song.setValue("D", forKey: "group")
    other.delete(try other.one("Song", "title == 'Abba'"))
    other.insert("Song", ["title": "Cure", "group": "C"])
    try other.save()
    #expect(scene.recorder.log.isEmpty)
    let notification = try #require(saved.all.first)
    #expect(
      scene.report { $0.library.context.mergeChanges(fromContextDidSave: notification) } == [
        "will", "delete section 1 B", "insert section 2 D", "delete  0.0 -> -",
        "insert Cure - -> 1.2", "move Doors 1.0 -> 2.0", "did",
      ])
    #expect(scene.controller.shown == ["A: Adele", "C: Coltrane Cream Cure", "D: Doors"])
    // What the results have already when it is told of is no change.
    other.insert("Song", ["title": "Cars", "group": "C"])
    try other.save()
    scene.library.context.mergeChanges(fromContextDidSave: try #require(saved.all.last))
    try scene.controller.performFetch()
    scene.recorder.start(with: scene.controller)
    #expect(scene.report { _ in } == [])
    #expect(scene.controller.shown == ["A: Adele", "C: Cars Coltrane Cream Cure", "D: Doors"])
  }

  @Test(arguments: Backend.allCases)
  func aRollbackIsToldToo(backend: Backend) throws {
    let scene = try Scene(backend)
    let before = scene.controller.shown
    _ = scene.report {
      $0.rename(0, "Zappa")
      $0.library.insert("Song", ["title": "Doors", "group": "D"])
      $0.library.context.delete($0.songs[2])
    }
    #expect(scene.controller.shown == ["A: Adele", "C: Coltrane Cream", "D: Doors", "Z: Zappa"])
    #expect(scene.report { $0.library.context.rollback() }.count > 2)
    #expect(scene.controller.shown == before)
  }
}
