import Migration
import TestSupport
import Testing

/// Consecutive lightweight steps that run as one.
@Suite struct TogetherTests {
  /// Versions of an app: an attribute comes, is renamed, gets a default, goes, and links stay.
  private func versions(requiringYear: Bool = false) throws -> [ManagedObjectModel] {
    func song(_ properties: PropertyDescription...) -> EntityDescription {
      let song = entity("Song", toOne("album", "Album", inverse: "songs"))
      song.ownProperties += properties
      return song
    }
    let album = { (name: String) in
      entity("Album", attribute(name), toMany("songs", "Song", inverse: "album", ordered: true))
    }
    return [
      try model("v1", album("name"), song(attribute("name"), attribute("year", .integer32))),
      try model(
        "v2", album("name"),
        song(
          attribute("name"), attribute("year", .integer32, required: requiringYear),
          attribute("plays", .integer32, required: true, default: .integer(3)))),
      try model(
        "v3", album("name"),
        song(
          attribute("title", was: "name"), attribute("year", .integer32),
          attribute("plays", .integer32, required: true, default: .integer(3)))),
      try model(
        "v4", album("name"), entity("Listener", attribute("name")),
        song(attribute("title", was: "name"), attribute("count", .integer32, was: "plays"))),
    ]
  }

  private func seed(_ context: ManagedObjectContext) {
    let albums = ["A", "B"].map { context.insert("Album", ["name": $0]) }
    for number in [3, 1, 2, 5, 4] {
      context.insert(
        "Song", ["name": "song \(number)", "year": 2000 + number, "album": albums[number % 2]])
    }
    context.insert("Song", ["name": "without year"])
  }

  /// The same without links.
  private func plainVersions(requiringYear: Bool = false) throws -> [ManagedObjectModel] {
    return [
      try model(
        "v1", entity("Song", attribute("name"), attribute("year", .integer32), attribute("plays"))),
      try model(
        "v2",
        entity(
          "Song", attribute("name"), attribute("year", .integer32, required: requiringYear),
          attribute("plays", required: true, default: .string("none")))),
      try model(
        "v3", entity("Listener", attribute("name")),
        entity("Song", attribute("title", was: "name"), attribute("plays"))),
      try model(
        "v4", entity("Listener", attribute("name")),
        entity(
          "Song", attribute("title", was: "name"), attribute("year", .integer32),
          attribute("count", was: "plays"))),
    ]
  }

  private func seedPlain(_ context: ManagedObjectContext) {
    context.insert("Song", ["name": "first", "year": 2001, "plays": "many"])
    context.insert("Song", ["name": "second", "year": 2002])
    context.insert("Song", ["name": "without year", "plays": "few"])
  }

  @Test(arguments: Backend.allCases)
  func rowsComeToTheSameAsStepByStep(_ backend: Backend) throws {
    let runs = try [true, false].map {
      try run(plainVersions(), together: $0, on: backend, seed: seedPlain)
    }
    #expect(
      runs[0].content == [
        "Song(count: few, title: without year, year: nil)",
        "Song(count: many, title: first, year: nil)",
        "Song(count: none, title: second, year: nil)",
      ])
    #expect(runs[0].content == runs[1].content)
    // In memory the manager takes every step by itself: what it gives is what SQL is held against.
    let isTogether = backend == .sqlite
    #expect(runs[0].report.steps.map(\.isPassedThrough) == [isTogether, isTogether, false])
    #expect(runs[1].report.steps.map(\.isPassedThrough) == [false, false, false])
    let methods = runs.map { Set($0.report.steps.flatMap(\.runs).map(\.method)) }
    #expect(methods == Array(repeating: [backend == .sqlite ? .inPlace : .manager], count: 2))
    let counts = runs.map { $0.report.steps.map { $0.runs.map(\.entityMappings) } }
    #expect(counts[0] == counts[1])
  }

  /// Rows that were there when the attribute came have none of its values, whatever later ones get.
  @Test func aLaterDefaultIsForNewRowsOnly() throws {
    func song(_ plays: AttributeDescription...) -> EntityDescription {
      let song = entity("Song", attribute("name"))
      song.ownProperties += plays
      return song
    }
    let versions = try [
      model("v1", song()), model("v2", song(attribute("plays", .integer32))),
      model("v3", song(attribute("plays", .integer32, default: .integer(3)))),
      model("v4", song(attribute("hits", .integer32, default: .integer(5), was: "plays"))),
    ]
    for together in [true, false] {
      let run = try run(versions, together: together) { $0.insert("Song", ["name": "old"]) }
      #expect(run.content == ["Song(hits: nil, name: old)"])
      #expect(run.report.steps.map(\.isPassedThrough) == [together, together, false])
    }
  }

  /// Nothing of the year is left at the end, but the version in between requires it.
  @Test(arguments: Backend.allCases)
  func rowsMayBeRefusedInBetween(_ backend: Backend) throws {
    for together in [true, false] {
      let run = try run(
        plainVersions(requiringYear: true), together: together, on: backend, seed: seedPlain)
      #expect(run.report.failure?.place.step == "v1 -> v2")
      #expect(run.report.steps.count == 1)
    }
  }

  @Test func whoeverIsToldOfHooksHasAManagerInMemory() throws {
    let versions = try plainVersions()
    let stage = try Stage(.memory, versions[0], seed: seedPlain)
    var chain = MigrationChain(
      steps: zip(versions, versions.dropFirst()).map { MigrationStep(from: $0, to: $1) })
    chain.observesEveryStep = false
    var callCount = 0
    chain.didCallHook = { _ in callCount += 1 }
    let (_, report) = chain.run(
      from: stage.source, into: Backend.memory.stores(in: stage.folder))
    #expect(callCount > 0)
    #expect(report.steps.flatMap(\.runs).map(\.method) == [.manager, .manager, .manager])
  }

  private func run(
    _ versions: [ManagedObjectModel], together: Bool, on backend: Backend = .sqlite,
    seed: ((ManagedObjectContext) -> Void)? = nil
  ) throws -> (content: [String], report: ChainReport, observed: [String]) {
    let stage = try Stage(backend, versions[0], seed: seed ?? self.seed)
    var chain = MigrationChain(
      steps: zip(versions, versions.dropFirst()).map { MigrationStep(from: $0, to: $1) })
    chain.observesEveryStep = !together
    var observed: [String] = []
    let (store, report) = chain.run(
      from: stage.source, into: backend.stores(in: stage.folder)
    ) { step, store in observed.append("\(step.name) \(store.model.name ?? "")") }
    let content = try store.map(dump) ?? []
    try store?.close()
    if store == nil { #expect(stage.otherFiles.isEmpty) }
    return (content, report, observed)
  }

  @Test func comesToTheSameAsStepByStep() throws {
    let (together, single) = (
      try run(versions(), together: true), try run(versions(), together: false)
    )
    #expect(together.content == single.content)
    #expect(together.content.contains("Album(name: B, songs: [song 3, song 1, song 5])"))
    #expect(together.content.contains("Song(album: nil, count: 3, title: without year)"))
    #expect(together.report.steps.map(\.isPassedThrough) == [true, true, false])
    #expect(single.report.steps.map(\.isPassedThrough) == [false, false, false])
    let counts = [together, single].map { $0.report.steps.map { $0.runs.map(\.entityMappings) } }
    #expect(counts[0] == counts[1])
    #expect(together.observed == ["v1 -> v2 v4", "v2 -> v3 v4", "v3 -> v4 v4"])
    #expect(single.observed == ["v1 -> v2 v2", "v2 -> v3 v3", "v3 -> v4 v4"])
  }

  /// The last version would take the row; the one in between doesn't.
  @Test func storeInBetweenMayRefuseARow() throws {
    let versions = try versions(requiringYear: true)
    let (together, single) = (
      try run(versions, together: true), try run(versions, together: false)
    )
    #expect(single.report.failure?.place.step == "v1 -> v2")
    #expect(together.report.failure?.place.step == "v1 -> v2")
    #expect(together.report.steps.count == 1)
  }

  /// The last version has neither the element nor its entity.
  @Test(arguments: [true, false]) func anElementMayBeMissingInBetween(together: Bool) throws {
    let note = entity("Note")
    note.ownProperties.append(
      try ModelNotation.property(named: "place", "composite(x: int32 = 3, y: double)?"))
    let versions = try [
      model("v1", entity("Note"), entity("Tag")), model("v2", note, entity("Tag")),
      model("v3", entity("Tag")),
    ]
    let run = try run(versions, together: together) { $0.insert("Note", [:]) }
    #expect(run.report.failure?.place.step == "v1 -> v2")
  }

  @Test func conversionsAreNotPutTogether() throws {
    let versions = [
      try model("v1", entity("N", attribute("x", .double))),
      try model("v2", entity("N", attribute("x", .integer32))),
      try model("v3", entity("N", attribute("x", .double))),
    ]
    let stage = try Stage(.sqlite, versions[0]) { $0.insert("N", ["x": 2.9]) }
    var chain = MigrationChain(
      steps: zip(versions, versions.dropFirst()).map { MigrationStep(from: $0, to: $1) })
    chain.observesEveryStep = false
    let (store, report) = chain.run(
      from: stage.source, into: Backend.sqlite.stores(in: stage.folder))
    #expect(try dump(#require(store)) == ["N(x: 2.0)"])
    #expect(report.steps.map(\.isPassedThrough) == [false, false])
  }

  /// Three versions, the last of which has another transformer and reads what the first one wrote.
  private func runLast(transformer last: String, together: Bool) throws -> ChainReport {
    let versions = try [(nil, []), (nil, ["size"]), (last, ["size", "colour"])].map {
      (transformer: String?, others: [String]) in
      let paper = attribute("paper", .transformable)
      paper.valueTransformerName = transformer
      let note = entity("Note", paper)
      note.ownProperties += others.map { attribute($0) }
      return try model("v\(others.count + 1)", note)
    }
    let (_, report, _) = try run(versions, together: together) {
      $0.insert("Note", ["paper": ["a"]])
    }
    #expect(report.steps.map(\.isPassedThrough) == [together, false])
    return report
  }

  /// The transformer that can't read the values comes with the last step; the step that wrote them was before.
  @Test(arguments: [true, false])
  func unreadableValuesAreNotedAsStepByStep(together: Bool) throws {
    ValueTransformer.setValueTransformer(SealedTransformer(), forName: .init("Sealed"))
    let report = try runLast(transformer: "Sealed", together: together)
    #expect(report.steps.flatMap(\.runs).flatMap(\.trace.warnings) == [])
    #expect(
      report.steps.map { $0.unreadableValues.map(\.description) } == [
        [],
        [
          "Note.paper has values of the value transformer NSKeyedUnarchiveFromData, which Sealed can't read"
        ],
      ])
  }

  /// The app's own transformer needn't be among the policies' sources; then nobody can look.
  @Test(arguments: [true, false])
  func aTransformerThatIsNotHereIsAWarning(together: Bool) throws {
    let report = try runLast(transformer: "Elsewhere", together: together)
    #expect(report.steps.flatMap(\.unreadableValues) == [])
    #expect(
      report.steps.map { $0.runs.flatMap(\.trace.warnings) } == [
        [],
        [
          "Note.paper is read by Elsewhere now, which isn't in the policies' sources: whether it reads the values of "
            + "NSKeyedUnarchiveFromData isn't known"
        ],
      ])
  }
}

/// Reads nothing.
private final class SealedTransformer: ValueTransformer {
  override func reverseTransformedValue(_ value: Any?) -> Any? { nil }
}
