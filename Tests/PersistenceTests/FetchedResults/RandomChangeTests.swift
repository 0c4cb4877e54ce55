import Persistence
import TestSupport
import Testing

/// Random edits: what is told, applied to the old sections, gives the new ones; a fetch gives the
/// same; and both backends tell the same.
@Suite(.tags(.random), .tiered) struct RandomChangeTests {
  @Test func reportsKeepAListUpToDate() throws {
    for _ in 0..<25 {
      let seed = UInt64.random(in: .min ... .max)
      let logs = try Backend.allCases.map { try ChangeRun($0, seed: seed).play(rounds: 12) }
      #expect(logs[0] == logs[1], "seed \(seed)")
      #expect(logs[0].contains { $0.hasPrefix("move") }, "seed \(seed)")
    }
  }
}

private final class ChangeRun {
  private let seed: UInt64
  private var random: RandomSource
  private let library: SongLibrary
  private let recorder = ChangeRecorder()
  private var songs: [ManagedObject] = []
  private var count = 0

  init(_ backend: Backend, seed: UInt64) throws {
    self.seed = seed
    random = RandomSource(seed: seed)
    library = try SongLibrary(backend)
    for _ in 0..<8 { insert() }
    try library.context.save()
  }

  /// - Returns: All that was told.
  func play(rounds: Int) throws -> [String] {
    let controller = try makeController()
    controller.delegate = recorder
    try controller.performFetch()
    recorder.start(with: controller)
    for round in 0..<rounds {
      for _ in 0..<Int.random(in: 1...5, using: &random) { edit() }
      library.announce()
      try check(controller, "seed \(seed), round \(round)")
      if Bool.random(using: &random) { try library.context.save() }
      if Int.random(in: 0..<4, using: &random) == 0 { try rollBack(controller, round) }
    }
    return recorder.log
  }

  /// Gives up what isn't saved, of which the controller is told as well.
  private func rollBack(
    _ controller: FetchedResultsController<ManagedObject>, _ round: Int
  ) throws {
    library.context.rollback()
    library.announce()
    songs = try library.context.all("Song")
    try check(controller, "seed \(seed), after rolling back in round \(round)")
  }

  private func makeController() throws -> FetchedResultsController<ManagedObject> {
    let request = library.request(sortedBy: "group", "rank", "number")
    request.predicate = try Predicate.parse("note != 'hidden'")
    return library.controller(request)
  }

  private func check(
    _ controller: FetchedResultsController<ManagedObject>, _ place: Comment
  ) throws {
    let fresh = try makeController()
    try fresh.performFetch()
    #expect(controller.changeError == nil, place)
    try #require(controller.shown == fresh.shown, place)
    let list = recorder.list.map { section in
      "\(section.name): "
        + section.rows.map { $0.value(forKey: "title") as? String ?? "-" }.joined(separator: " ")
    }
    try #require(list == controller.shown, place)
  }

  private func edit() {
    let song = songs.randomElement(using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1: insert()
    case 2: if songs.count > 3, let song { delete(song) }
    case 3...4: song?.setValue(randomGroup(), forKey: "group")
    case 5...6: song?.setValue(Int.random(in: 0..<4, using: &random), forKey: "rank")
    case 7: song?.setValue("hidden", forKey: "note")
    case 8: song?.setValue(nil, forKey: "note")
    default: song?.setValue("n\(Int.random(in: 0..<9, using: &random))", forKey: "note")
    }
  }

  private func randomGroup() -> String? {
    [nil, "", "A", "B", "C", "D"].randomElement(using: &random) ?? nil
  }

  private func insert() {
    count += 1
    let song = library.insert("Song", ["title": "t\(count)", "number": count])
    song.setValue(randomGroup(), forKey: "group")
    song.setValue(Int.random(in: 0..<4, using: &random), forKey: "rank")
    songs.append(song)
  }

  private func delete(_ song: ManagedObject) {
    library.context.delete(song)
    songs.removeAll { $0 === song }
  }
}
