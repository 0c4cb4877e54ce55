/// `trace: [begin OldSongToSong, createDestinationInstances OldSongToSong ×3, …]`.
struct TraceExpectation: RunExpectation, RunCheck {
  /// Each begins with the kind of an event.
  let lines: [Located<String>]

  static let form = ExpectationForm(
    keyword: "trace",
    example: "trace: [begin OldSongToSong, createDestinationInstances OldSongToSong ×3, …]",
    meaning: "exactly this happened, in this order",
    schema: #"{"type": "array", "items": {"type": "string"}}"#, countsObjects: true)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    let lines = written.texts
    let known = MigrationTrace.Event.Kind.allCases.map(\.rawValue)
    for line in lines {
      let end = line.value.firstIndex(of: " ") ?? line.value.endIndex
      let word = line.part(line.value.startIndex..<end)
      if let kind = MigrationTrace.Event.Kind(rawValue: word.value) {
        if kind.isOfEntityMapping, word.value == line.value {
          reader.collector.report(
            "'\(word.value)' of which entity mapping? Write its name after it, as in "
              + "'\(word.value) SongToSong'", at: word.place)
        }
        continue
      }
      reader.collector.report("a trace has no event", unknown: word, among: known, called: "events")
    }
    return TraceExpectation(lines: lines)
  }

  var isEmpty: Bool { false }

  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    self
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    let found = run.executedSteps.flatMap { $0.events.map(\.description) }
    let expected = lines.map { $0.value.replacing(" x", with: " ×") }
    if found == expected { return [] }
    let first = zip(expected, found).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let index = first ?? min(expected.count, found.count)
    func line(_ list: [String]) -> String {
      index < list.count ? "\(index + 1). \(list[index])" : "the end after \(list.count)"
    }
    return [
      Failure(
        at: lines.indices.contains(index) ? lines[index].place : place, "trace",
        expected: line(expected), found: line(found), notes: ["the whole trace:"] + found,
        repairs: [Repair(ofKey: place, .list(found.map { .text($0) }))])
    ]
  }

  var decidesSteps: Bool { false }
  var dependsOnOutput: Bool { false }
}

extension MigrationTrace.Event.Kind {
  /// Whether it is always of one entity mapping, which a trace names.
  fileprivate var isOfEntityMapping: Bool {
    switch self {
    case .begin, .createDestinationInstances, .endInstanceCreation, .createRelationships,
      .endRelationshipCreation, .performCustomValidation, .end:
      true
    case .validate, .save, .cancel, .warning, .willMigrate, .didMigrate: false
    }
  }
}
