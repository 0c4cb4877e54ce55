import Foundation
import TestSupport
import Testing

@testable import Scenarios

/// What people write by mistake, and what they are told.
@Suite struct WrongInputTests {
  private static let base = """
    scenario: s
    models:
      v1: { Song: { title: string } }
      v2: { Song: { title: string, n: int16? } }
    seed: { Song: [{ id: a, title: x }] }

    """

  private func complaint(_ text: String) -> String {
    do {
      let file = SourceFile(path: "test.scenario.yaml", text: text)
      let scenario = try ScenarioReader.read(file, in: URL(fileURLWithPath: "/nowhere"))
      _ = try CheckedScenario.check(scenario)
      return ""
    } catch let error as Diagnostics {
      return error.all.map { problem in
        "\(problem.place.map { "\($0.line):\($0.column): " } ?? "")\(problem.message)"
      }.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    (
      "Song: { album: Albm? <-> songs }\n    Album: { songs: '[Song] <-> album' }",
      "4:20: relationship 'Song.album' leads to the entity 'Albm', which the model doesn't have; did you mean 'Album'?"
    ),
    (
      "Song: { album: Album? <-> sogns }\n    Album: { songs: '[Song] <-> album' }",
      "4:31: relationship 'Song.album' names the inverse 'sogns', but 'Album' has no such relationship; did you mean 'songs'?"
    ),
    (
      "Song: { .parent: Meda }\n    Media: {}",
      "4:22: entity 'Song' has the parent 'Meda', which the model doesn't have; did you mean 'Media'?"
    ),
  ])
  func aMisspeltNameInAModelIsPointedAt(_ model: String, _ message: String) {
    let text = "scenario: s\nmodels:\n  v1:\n    \(model)\nexpect: [{ count: { Song: 0 } }]\n"
    #expect(complaint(text) == message)
  }

  @Test func aMappingMayNotHaveTheNameOfOneThatRestAdds() {
    let text = """
      scenario: s
      models:
        v1: { Dog: { n: string }, Cat: { n: string } }
        v2: { Dog: { n: string }, Cat: { n: string }, Fox: { n: string } }
      seed: { Dog: [{ id: d, n: D }] }
      chain:
        - v1 -> v2:
            DogToDog: { source: Cat, destination: Fox }
            .rest: copy
      expect: [{ count: { Dog: 1 } }]
      """
    #expect(
      complaint(text)
        == "8:7: '.rest' copies 'Dog' by a mapping of this name; give this one another")
  }

  @Test(arguments: [
    (
      "expect:\n  - trace: [begin, end SongToSong, save]",
      "8:13: 'begin' of which entity mapping? Write its name after it, as in 'begin SongToSong'"
    ),
    (
      "expect:\n  - count: { Song where SUBQUERY(songs, $s, $s.n > 1).@count == 0: 2 }",
      "8:14: a comma ends this: put all of the condition into quotes, as in { 'Tag where f(a, b) == 1': 2 }"
    ),
    (
      "then:\n  - insert: Song b\n  - set: Song a\n    values: { title: y }",
      "9:5: this has no effect: it isn't saved, and nothing is expected after it; add '- save', or an "
        + "'expect' to the step"
    ),
    ("then:\n  - set: Song a\n    values: { title: y }\n  - save", ""),
    (
      "then:\n  - set: Song a\n    values: { title: y }\n  - rollback\n  - start",
      "8:5: this has no effect: it isn't saved, and nothing is expected after it; add '- save', or an "
        + "'expect' to the step"
    ),
    (
      "then:\n  - delete: Song a\n  - save:\n    fails: { code: 1600 }\n  - rollback", ""
    ),
    (
      "then:\n  - set: Song a\n    values: {}\n  - save",
      "9:13: 'values' lists nothing, so this step does nothing"
    ),
    (
      "then:\n  - expect:\n      - at: v1\n        count: { Song: 1 }",
      "9:13: 'at' can't be used in 'then', whose steps are about the store at the end: put this into the "
        + "scenario's own 'expect'"
    ),
    (
      "then:\n  - expect:\n      - start: { except: [v1] }\n        count: { Song: 9 }",
      "9:27: no run starts at another version, so this is never checked; starts: v1"
    ),
    (
      "expect:\n  - model: { Song.title: {} }",
      "8:26: 'Song.title' has no facts, so this can't fail; write 'exists', or a fact, as in '{ optional: true }'"
    ),
    (
      "expect:\n  - start: { except: [v1] }\n    count: { Song: 9 }",
      "8:23: no run starts at another version, so this is never checked; starts: v1"
    ),
    (
      "then:\n  - delete: Song a\n    expect:\n      - count: { Song: 0 }",
      ""
    ),
  ])
  func whatCouldNotBeWrongIsRefused(_ text: String, _ message: String) {
    #expect(complaint(Self.base + "chain: [v1 -> v2]\n" + text + "\n") == message)
  }

  @Test(arguments: [
    ("SongToSong.begin", ""), ("AlbumToAlbum.begin", ""),
    (
      "SongToSong.willMigrate",
      "'willMigrate' is called of stages only, and 'SongToSong' isn't one"
    ),
    (
      "SongToSnog.begin",
      "no step has a policy, an entity mapping or a stage 'SongToSnog'; did you mean 'SongToSong'?"
    ),
  ])
  func onlyHooksThatCanBeCalledAreCounted(_ call: String, _ message: String) {
    let text = """
      scenario: s
      models:
        v1: { Song: { title: string }, Album: { title: string } }
        v2: { Song: { title: string, n: int16? }, Album: { title: string } }
      chain:
        - v1 -> v2: { .rest: copy, SongToSong: { source: Song, destination: Song } }
      expect:
        - calls: { \(call): 0 }

      """
    let found = complaint(text)
    #expect(message.isEmpty ? found.isEmpty : found.hasSuffix(message), "\(found)")
  }

  @Test(arguments: [
    ("chain: [v1 -> v2]", false),
    ("chain: [v1 -> v2: { SongToSong: { source: Song, destination: Song } }]", false),
    ("chain: [v1 -> v2: { .stages: [v1 -> v2: { did: App.did }] }]", true),
    ("chain: [v1 -> v2: { SongToSong: { source: Song, destination: Song, policy: App.P } }]", true),
    (
      "chain: [v1 -> v2: { SongToSong: { source: Song, destination: Song, attributes: "
        + "{ title: 'FUNCTION($source.title, \"uppercaseString\")' } } }]", true
    ),
  ])
  func whatTheAppPrintsIsCountedWhereItsCodeMayRun(_ chain: String, _ isFine: Bool) {
    let text = Self.base + "policies: { module: App, sources: '*.swift' }\n" + chain + "\n"
    let found = complaint(text + "expect:\n  - prints: { loud: 0 }\n")
    let message =
      "no step calls the app's code, so it prints nothing: name a policy in a step's mapping, or remove this"
    #expect(found.contains(message) != isFine, "\(found)")
  }

  @Test(arguments: [
    (#"FUNCTION(title, "isLoud") == 1"#, true), (#"title == "x""#, false), ("", false),
  ])
  func whatAMappingFileCallsMayPrint(_ predicate: String, _ isFine: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      MappingFileText.of(
        "Song", from: "v1", to: "v2", in: "App",
        fields: """
          <attribute name="sourcefilterpredicatestring" type="string">\(predicate)</attribute>
          """), to: "Map.xcmappingmodel/xcmapping.xml")
    let text =
      Self.base + "policies: { module: App, sources: '*.swift' }\n"
      + "chain: [v1 -> v2: Map.xcmappingmodel]\nexpect: [{ prints: { loud: 0 } }]\n"
    var found = ""
    do {
      _ = try CheckedScenario.check(
        ScenarioReader.read(SourceFile(path: "a.yaml", text: text), in: folder.url))
    } catch { found = "\(error)" }
    #expect(found.contains("no step calls the app's code") != isFine, "\(found)")
  }

  @Test(arguments: [
    ("backends: []", "6:11: 'backends' lists nothing"),
    (
      "policies: { module: App, sources: [P.swift, P.swift] }",
      "6:45: 'P.swift' is listed twice in 'sources'"
    ),
    (
      "policies: { module: App, sources: P.swift, prefix: App }",
      "6:52: 'prefix' is put before the names of classes as it is: end it with a dot, as in 'App.'"
    ),
    (
      "store: old.sqlite",
      "6:8: write 'seed' or 'store': of both, the rows are taken, and this store isn't"
    ),
    ("backends: [sqlite, sqlite]", "6:20: 'sqlite' is listed twice in 'backends'"),
    ("accept: []", "6:9: 'accept' lists nothing"),
    (
      "accept: { finding: wrong-cuont, because: x }",
      "6:20: there is no finding 'wrong-cuont'; did you mean 'wrong-count'?"
    ),
    (
      "accept: [{ finding: wrong-count, because: x }, { finding: wrong-count, because: y }]",
      "6:59: 'wrong-count' is accepted twice"
    ),
    (
      "defaults: { Song: { <<: x } }",
      "6:21: maps aren't merged ('<<'): write the entries here, or use an alias ('*name') for a whole value"
    ),
    (
      "expect: [{ none: Song where size == 1 }]",
      "6:29: can't read 'size == 1': expected a value, found SIZE, a word of the format language; a key of this "
        + "name is written #size"
    ),
  ])
  func whatIsWrittenWithoutEffectIsRefused(_ text: String, _ message: String) {
    #expect(complaint(Self.base + text + "\n") == message)
  }

  @Test(arguments: [
    (
      ".rest: copy, .gone: [Song], Song: { title: string }",
      "4:30: 'Song' is written in this version, so it can't be gone"
    ),
    (".rest: copy, .gone: [Song, Song]", "4:36: 'Song' is listed twice in '.gone'"),
  ])
  func whatIsGoneIsNotWritten(_ version: String, _ message: String) {
    let text =
      "scenario: s\nmodels:\n  v1: { Song: { title: string }, Tag: { name: string } }\n  v2: { \(version) }\n"
    #expect(complaint(text) == message)
  }

  @Test(arguments: [
    (
      "{ destination: Song, predicate: 'n == 1' }",
      "'predicate' chooses among source objects, and this mapping has no 'source'"
    ),
    (
      "{ source: Song, attributes: { title: '\"x\"' } }",
      "'title' would be set in a destination object, and this mapping has no 'destination'"
    ),
    (
      "{ source: Song, destination: Song, predicate: 'title == \"x\"', sourceExpression: 'FETCH($manager, $manager, NO)' }",
      "write 'predicate' or 'sourceExpression': of both, only the expression counts"
    ),
  ])
  func whatAnEntityMappingHasNoEndForIsRefused(_ mapping: String, _ message: String) {
    let found = complaint(Self.base + "chain:\n  - v1 -> v2:\n      SongToSong: \(mapping)\n")
    #expect(found.hasSuffix(message), "\(found)")
  }

  @Test func aSecondPassThatNoStepHasIsRefused() {
    #expect(
      complaint(Self.base + "chain: [v1 -> v2: { .secondPass: twice }]\n")
        == "6:34: '.secondPass' has no effect: this step has no mapping model; give it one, or write '.manager: true'"
    )
    #expect(
      complaint(Self.base + "chain: [v1 -> v2: { .secondPass: twice, .manager: true }]\n") == "")
  }

  @Test(arguments: [
    (
      "Album: [{ id: a, songs: [w] }, { id: b, songs: [w] }]\n  Song: [{ id: w }]",
      "8:16: Song w has one 'album', and the rows give it 2, by this relationship or its inverse"
    ),
    (
      "Album: [{ id: a, songs: [w] }, { id: b }]\n  Song: [{ id: w, album: b }]",
      "8:26: Song w has one 'album', and the rows give it 2, by this relationship or its inverse"
    ),
    (
      "Album: [{ id: a, songs: [w] }]\n  Song: [{ id: w, album: null }]",
      "8:26: Song w has no 'album' here, and another row leads to it by the inverse"
    ),
    (
      "Album: [{ id: a, songs: [w, w] }]\n  Song: [{ id: w }]",
      "7:31: 'w' is listed twice in 'songs'"
    ),
    ("Album: [{ id: a, songs: [w] }]\n  Song: [{ id: w, album: a }, { id: v, album: a }]", ""),
    (
      "Album: [{ id: a, hits: [w] }, { id: b, hits: [w] }]\n  Song: [{ id: w }]",
      "8:16: Song w has one owner by 'Album.hits', which has no inverse, and the rows give it 2"
    ),
    ("Album: [{ id: a, hits: [w], plays: [w] }, { id: b, plays: [w] }]\n  Song: [{ id: w }]", ""),
  ])
  func rowsThatContradictEachOtherAreRefused(_ seed: String, _ message: String) {
    let text = """
      scenario: s
      models:
        v1:
          Album: { songs: "[Song] <-> album", hits: "[Song]", plays: "[Song] <-> playedBy" }
          Song: { album: Album? <-> songs, playedBy: "[Album] <-> plays" }
      seed:
      """
    #expect(complaint(text + "\n  \(seed)\n") == message)
  }

  @Test(arguments: [
    ("title: { sequence: x }", "give a text with {n} in it, as in song-{n:7}.txt"),
    ("title: { sequence: 'x{m}' }", "give a text with {n} in it, as in song-{n:7}.txt"),
    (
      "title: x, rank: { sequence: 32766 }",
      "the last of these is 32768, and 'rank' must be a whole number from -32768 to 32767"
    ),
    ("title: x, rank: { sequence: 32765 }", ""),
    (
      "title: x, rank: { sequence: -32768, step: -1 }",
      "the last of these is -32770, and 'rank' must be a whole number from -32768 to 32767"
    ),
  ])
  func sequencesGoOnAsFarAsTheTypeDoes(_ rules: String, _ message: String) {
    let found = complaint(
      "scenario: s\nmodels:\n  v1: { Song: { title: string, rank: int16? } }\nseed:\n  Song: { .count: 3, \(rules) }\n"
    )
    #expect(message.isEmpty ? found.isEmpty : found.hasSuffix(message), "\(found)")
  }

  @Test(arguments: [
    (".unique: []", "3:26: '.unique' lists nothing"),
    (".index: []", "3:25: '.index' lists nothing"),
    (".unique: [[]]", "3:27: '.unique' lists nothing"),
  ])
  func constraintsNameAProperty(_ option: String, _ message: String) {
    #expect(
      complaint("scenario: s\nmodels:\n  v1: { Song: { \(option), title: string } }\n") == message)
  }

  @Test func hooksOfEntityMappingsAreNotCalledOfStages() {
    let text =
      Self.base + """
        chain: [v1 -> v2: { .stages: [v1 -> v2: { label: Names }] }]
        expect: [calls: { Names.begin: 0 }]

        """
    #expect(
      complaint(text)
        == "7:25: 'begin' is called of entity mappings only, and 'Names' is a stage: it has willMigrate and didMigrate"
    )
  }

  @Test(arguments: [
    (
      "chain: [v1 -> v2: []]",
      "6:19: this lists no mapping; write 'infer' for a step without one"
    ),
    ("policies: { module: App, sources: [] }", "6:35: 'sources' lists nothing"),
    (
      "chain: [v1 -> v2: {}]",
      "6:19: this is empty; write 'infer' for a step without a mapping"
    ),
    ("chain:", "6:7: 'chain' must be a list of steps, as in '- v1 -> v2', not nothing"),
    ("chain: [v1 -> v2]\nthen: []", "7:7: 'then' lists nothing"),
    ("chain: [v1 -> v2]\nthen:", "7:6: 'then' must be a list, not nothing"),
    ("chain: [v1 -> v2: { .stages: [] }]", "6:30: '.stages' lists nothing"),
    (
      "chain: [v1 -> v2]\nexpect:\n  - fails: { code: 1570, errors: [] }",
      "8:34: 'errors' lists nothing, so it can't fail"
    ),
    (
      "chain: [v1 -> v2]\nexpect:\n  - object: Song a\n    has: {}",
      "9:10: 'has' lists nothing, so it can't fail"
    ),
    (
      "chain: [v1 -> v2]\nexpect:\n  - at: v2\n    expect: []",
      "9:13: 'expect' lists nothing, so it can't fail"
    ),
    (
      "chain: [v1 -> v2]\nthen:\n  - expect: []",
      "8:13: 'expect' lists nothing, so it can't fail"
    ),
  ])
  func aListOfNothingIsRefused(_ text: String, _ message: String) {
    #expect(complaint(Self.base + text + "\n") == message)
  }

  @Test(arguments: [
    (
      ".unique: [nothing]",
      "'.unique' names 'nothing', but 'Song' has no such property; properties: title"
    ),
    (
      ".index: [[title, titel]]",
      "'.index' names 'titel', but 'Song' has no such property; did you mean 'title'?"
    ),
  ])
  func constraintsAndIndexesNameProperties(_ option: String, _ message: String) {
    let text = "scenario: s\nmodels: { v1: { Song: { \(option), title: string } } }\n"
    #expect(complaint(text).hasSuffix(": " + message), "\(complaint(text))")
  }

  @Test(arguments: [
    ("bs", "a to-many relationship"), ("[t, name]", "which is transient"),
    ("home", "a composite attribute"), ("home.zap", "which isn't there"),
    ("a.name", "a property of another entity"),
  ])
  func constraintsNameWhatStoresKeepUnique(_ names: String, _ obstacle: String) {
    let name = names == "[t, name]" ? "t" : names
    #expect(
      complaint(Self.constrained(by: names)).hasSuffix(
        ": '.unique' names '\(name)', \(obstacle): no store keeps it unique; name stored attributes and to-one "
          + "relationships"), "\(complaint(Self.constrained(by: names)))")
  }

  @Test(arguments: ["name", "[name, a]", "a", "home.zip"])
  func constraintsNameAttributesAndToOneRelationships(_ names: String) {
    #expect(complaint(Self.constrained(by: names)) == "")
  }

  private static func constrained(by names: String) -> String {
    """
    scenario: s
    models:
      v1:
        A:
          .unique: [\(names)]
          name: string
          t: string? transient
          home: "composite(zip: string?)?"
          a: A? <-> bs
          bs: "[A] <-> a"

    """
  }

  @Test(arguments: [
    ("String", "String", "string"), ("Int16", "Int16", "int16"),
    ("Integer 16 = 0", "Integer", "int16"), ("Date?", "Date", "date"), ("UUID", "UUID", "uuid"),
    ("Boolean = true", "Boolean", "bool"), ("Int", "Int", "int64"),
    ("Data(external)", "Data", "data"),
    ("String indexed", "String", "string"), ("URL?", "URL", "uri"),
  ])
  func typesAreInSmallLetters(_ type: String, _ name: String, _ meant: String) {
    let text = "scenario: s\nmodels: { v1: { Song: { title: \(type) } } }\n"
    #expect(
      complaint(text) == """
        2:32: there is no entity '\(name)'; attribute types are lowercase: did you mean '\(meant)'?
        """)
  }

  @Test func anEntityMayBeCalledLikeAType() {
    let text = """
      scenario: s
      models: { v1: { Song: { day: Date? }, Date: { year: int16 } } }

      """
    #expect(complaint(text) == "")
  }

  @Test func aNumberThatIsNotThereIsNoMisspelling() {
    #expect(
      complaint(Self.base + "chain: [v1 -> v9]\n")
        == "6:9: there is no version 'v9'; versions: v1, v2")
    #expect(
      complaint(Self.base + "chain: [v1 -> w2]\n")
        == "6:9: there is no version 'w2'; did you mean 'v2'?")
  }

  @Test func aNumberIsNoMisspellingOfANameWithoutOne() {
    #expect(Spelling.closest(to: "Model 9", among: ["Model", "Model 2"]) == nil)
    #expect(Spelling.closest(to: "name2", among: ["name"]) == "name")
  }

  @Test func aVersionIsNotNamedLikeAStep() {
    #expect(
      complaint("scenario: s\nmodels: { v1 -> v2: { Song: { title: string } } }\n")
        == "2:11: 'v1 -> v2' can't be the name of a version: '->' separates the two versions of a "
        + "step")
  }

  @Test func aToManyRelationshipTakesNoQuestionMark() {
    let message = "a to-many relationship is optional anyway: leave out '?'; '!' makes it required"
    for type in ["[Song]? <-> others", "[Song](1...2)? <-> others"] {
      let text = "scenario: s\nmodels: { v1: { Song: { others: \"\(type)\" } } }\n"
      #expect(complaint(text).hasSuffix(message), "\(complaint(text))")
    }
  }

  @Test(arguments: [
    (
      "colour: red",
      "8:67: 'red' is read as a key, and entity 'Song' of v1 has no such property; text has its own "
        + "quotes: '\"red\"'"
    ),
    ("colour: titel", "8:67: entity 'Song' of v1 has no property 'titel'; did you mean 'title'?"),
    ("colour: title", ""), ("colour: SELF", ""), ("colour: '\"red\"'", ""),
  ])
  func aBareWordInAMappingIsAKey(_ value: String, _ message: String) {
    let text =
      Self.base.replacing("n: int16?", with: "colour: string?")
      + "chain:\n  - v1 -> v2:\n      S: { source: Song, destination: Song, attributes: { \(value) } }\n"
    #expect(complaint(text) == message)
  }

  @Test(arguments: [
    (
      "{ title: { sequence: \"t{n}\" } }",
      "5:9: 'Song' needs '.count' to make objects by rule, as in { .count: 3, … }; rows are a list"
    ),
    (
      "{ .count: 3, title: { link: each } }",
      "5:37: 'link' is for relationships, and 'title' is an attribute"
    ),
  ])
  func aMistakenRuleIsCalledOne(_ rule: String, _ message: String) {
    #expect(complaint(Self.base.replacing("[{ id: a, title: x }]", with: rule)) == message)
  }

  @Test func aTabIsCalledATab() {
    #expect(
      complaint("scenario: s\nmodels:\n\tv1: {}\n")
        == "3:1: a tab is used where YAML needs spaces: write spaces instead")
    #expect(
      complaint("scenario: s\nmodels:\n  \tv1: {}\n  v2: {}\n").contains(
        "a tab is used where YAML needs spaces"))
  }

  @Test func aReleaseWithoutTheStoresVersionIsRefused() {
    let text = Self.base + "chain: [v1 -> v2]\nthen:\n  - start: v1\n"
    #expect(
      complaint(text) == """
        8:12: by then the store is of 'v2', which this release lacks; add that version, or expect the \
        error: 'fails: { code: 134130 }'
        """)
    #expect(complaint(text + "    fails: { code: 134130 }\n") == "")
    #expect(complaint(text.replacing("start: v1", with: "start: [v2, v1]")) == "")
  }

  private static let library = """
    scenario: s
    models:
      v1:
        Song: { title: string, n: int16 = 1, note: string?, album: Album <-> songs }
        Album: { songs: "[Song]! <-> album" }
    expect: [{ count: { Song: 1, Album: 1 } }]
    seed:

    """

  @Test(arguments: [
    ("Album: [{ id: best, songs: [waltz] }]\n  Song: [{ id: waltz, title: x }]", ""),
    ("Album: [{ id: best }]\n  Song: [{ id: waltz, title: x, album: best }]", ""),
    (
      "Album: [{ id: best }]\n  Song: [{ id: waltz, album: best }]",
      "9:16: Song waltz has no 'title', which v1 requires: such a row can't be saved"
    ),
    (
      "Album: [{ id: best }]\n  Song: [{ title: ~, album: best }]",
      "9:10: this Song has no 'title', which v1 requires: such a row can't be saved"
    ),
    (
      "Album: [{ id: best }]\n  Song: [{ id: waltz, title: x }]",
      "9:16: Song waltz has no 'album', which v1 requires: such a row can't be saved"
    ),
  ])
  func aRowHasWhatItsEntityRequires(_ rows: String, _ message: String) {
    #expect(complaint(Self.library + "  " + rows + "\n") == message)
  }

  @Test(arguments: [
    (
      "title: string(...3)", "title: Waltz",
      "9:30: Song waltz can't be saved: title is too long (v1 wants ...3)"
    ),
    (
      "title: \"string(/[A-Z]+/)\"", "title: Waltz",
      "9:30: Song waltz can't be saved: title is invalid (v1 wants /[A-Z]+/)"
    ),
    (
      "title: string, n: int16(1...5)", "title: W, n: 6",
      "9:36: Song waltz can't be saved: n is too large (v1 wants 1...5)"
    ),
    (
      "title: string, d: date(2000-01-01...)?", "title: W, d: 1999-01-01",
      "9:36: Song waltz can't be saved: d is too early (v1 wants 2000-01-01T00:00:00Z...)"
    ),
    ("title: string(1...5)", "title: Waltz", ""),
  ])
  func aRowKeepsTheModelsRules(_ properties: String, _ values: String, _ message: String) {
    let text = """
      scenario: s
      models:
        v1:
          Song: { \(properties) }
      expect: [{ count: { Song: 1 } }]
      # Nothing
      # here
      seed:
        Song: [{ id: waltz, \(values) }]

      """
    #expect(complaint(text) == message)
    // A scenario about the error may have such a row.
    let expected = text.replacing("count: { Song: 1 }", with: "fails: { code: 1610 }")
    #expect(complaint(expected) == "")
  }

  @Test(arguments: [
    (
      "Song: { title: string, self: string }",
      "3:32: 'self' can't be the name of a property: every managed object has a method of this name"
    ),
    (
      "Song: { 'na me': string }",
      "3:17: 'na me' can't be the name of a property: it begins with a letter, and has letters, digits and '_' only"
    ),
    (
      "'So ng': { title: string }",
      "3:9: 'So ng' can't be the name of an entity: it begins with a letter, and has letters, digits and '_' only"
    ),
    (
      "Song: { title: string }, song: { title: string }",
      "3:34: 'song' and 'Song' differ only in case, so they would have one table: rename one of them"
    ),
    ("Song: { title: string?? }", "3:31: '?' occurs twice"),
    ("Song: { title: string was a was b }", "3:37: 'was' occurs twice"),
    ("Song: { title: string indexed indexed }", "3:39: 'indexed' occurs twice"),
    ("Song: { songs: '[Song](5...1)' }", "3:32: the range '5...1' is empty"),
    (
      "Song: { title: transformable() }",
      "3:38: expected the name of a value transformer, found ')'"
    ),
    ("Song: { cover: data(internal) }", "3:29: expected 'external', found 'internal'"),
    (
      "Song: { .class: 5, title: string }",
      "3:25: '5' can't be the name of a class, which is written as 'Song' or 'Songbook.Song'"
    ),
  ])
  func modelsHaveOnlyWhatXcodeTakes(_ entity: String, _ message: String) {
    #expect(complaint("scenario: s\nmodels:\n  v1: { \(entity) }\n") == message)
  }

  @Test func entitiesOfXcodeWithOneTableAreRefusedOnSQLite() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"<model><entity name="Tag"/><entity name="tag"/></model>"#,
      to: "App.xcdatamodeld/App.xcdatamodel/contents")
    func check(_ text: String) throws {
      let file = SourceFile(path: "a.yaml", text: "scenario: s\nmodels: " + text)
      _ = try CheckedScenario.check(ScenarioReader.read(file, in: folder.url))
    }
    for models in ["App.xcdatamodeld\n", "{ v1: App.xcdatamodeld }\n"] {
      let error = #expect(throws: Diagnostics.self) { try check(models) }
      #expect(
        error?.all.map(\.message) == [
          "'tag' and 'Tag' differ only in case, so they would have one table: rename one of them"
        ])
      #expect(error?.all.first?.place?.line == 2)
      try check(models + "backends: [memory]\n")
    }
    try check("{ v1: { Tag: { name: string }, tag: { name: string } } }\nbackends: [memory]\n")
    try check("{ v1: { Tag: { name: string }, tag: { .parent: Tag } } }\n")
  }

  @Test(arguments: ["_Song", "Song_2", "Ärger", "e\u{301}te\u{301}", "日本", "हिन्दी"])
  func namesHaveLettersOfAllScripts(_ name: String) {
    let models = "scenario: s\nmodels:\n  v1: { \(name): { title: string, \(name)1: string? } }\n"
    #expect(!complaint(models).contains("can't be the name"), "\(complaint(models))")
  }

  @Test(arguments: [
    ("covers: [S1, S1]", "6:14: 'S1' is listed twice in 'covers'"),
    ("start: [v1, v1]", "6:13: 'v1' is listed twice in 'start'"),
    ("start: []", "6:8: 'start' lists nothing"),
    ("scenarios: x", "6:1: unknown key 'scenarios' in a scenario; did you mean 'scenario'?"),
    ("chain: v1 -> v2", "6:8: 'chain' is a list of steps, or one of: stepwise, direct"),
    ("chain: [v1 -> v1]", "6:9: this step leads from 'v1' to itself: name another version"),
    (
      "chain: [v1 -> v2, v2 -> v1]",
      "6:19: the chain comes back to 'v1', which it has passed: a chain passes each version once; write a scenario "
        + "of its own for the way back"
    ),
    (
      "chain: [v2 -> v1, v1 -> v2]",
      "6:19: the chain comes back to 'v2', which it has passed: a chain passes each version once; write a scenario "
        + "of its own for the way back"
    ),
    (
      "chain: [v1 -> v2 -> v1]",
      "6:9: a step leads from one version to another: write 'v1 -> v2 -> v1' as several steps"
    ),
    (
      "chain: [v1 -> v2: { infer: false }]",
      "6:28: the entity mapping 'infer' must be a map, not 'false'; did you mean the option '.infer'?"
    ),
    (
      "chain: [v1 -> v2: { .stages: [v1] }]",
      "6:31: the last stage ends with 'v1', but the step leads to 'v2': let a stage lead there"
    ),
    (
      "chain: [v1 -> v2: { SongToSong: { source: Song, destination: Song, type: copy } }]",
      "6:74: 'copy' is for an entity that is the same in both versions, and 'Song' of v2 differs from 'Song' of v1: "
        + "leave out the type, or write 'transform'"
    ),
    (
      "policies: { module: Foundation, sources: P.swift }",
      "6:21: 'Foundation' is a system module, which policies import: write the app's module name"
    ),
    (
      "policies: [{ module: A, sources: P.swift }, { module: A, sources: Q.swift }]",
      "6:55: the module 'A' is given twice: list all its files in one 'sources'"
    ),
  ])
  func whatCannotBeMeantIsRefused(_ text: String, _ message: String) {
    #expect(complaint(Self.base + text + "\n") == message)
  }

  @Test(arguments: [
    ("scenario: ''", "1:11: 'scenario' is the title: say in one line what it shows"),
    ("scenario: 'open", "1:11: not valid YAML: the quotes that begin here aren't closed"),
    (
      "scenario: [a",
      "2:7: not valid YAML: ',' or ']' is expected here; text with []{},:#, or that begins with a sign, needs quotes"
    ),
    (
      "scenario: a: b",
      "1:12: not valid YAML: there can't be a second ':' in this line; text with []{},:#, or that begins with a sign, needs quotes"
    ),
    (
      "scenario: a\u{1b}[31m",
      "1:12: not valid YAML: control characters are not allowed: U+001B here, a text has it as \"\\x1B\""
    ),
  ])
  func yamlIsExplained(_ text: String, _ message: String) {
    #expect(complaint(text + "\nmodels: {}\n").hasPrefix(message), "\(complaint(text))")
  }

  @Test(arguments: [
    ("!!binary aGk=", "1:11: the tag '!!binary' has no meaning here: "),
    ("!foo x", "1:11: the tag '!foo' has no meaning here: "),
    ("!!int 5", "1:11: the tag '!!int' has no meaning here: "),
    ("[!!set { a: b }]", "1:12: the tag '!!set' has no meaning here: "),
    ("{ !!int 5: x }", "1:13: the tag '!!int' has no meaning here: "),
  ])
  func tagsAreNotIgnored(_ value: String, _ message: String) {
    #expect(complaint("scenario: \(value)\n").hasPrefix(message), "\(complaint(value))")
  }

  @Test func whatIsTaggedAsTextIsText() throws {
    let text = "a: !!str 5\nb: !!str null\nc: !!map { d: !!seq [x] }\n!!str e: !!str x\nf: 5\n"
    let node = try SourceNode.yaml(SourceFile(path: "a.yaml", text: text))
    let entries = try #require(node.map)
    #expect(entries.map(\.key.value) == ["a", "b", "c", "e", "f"])
    #expect(!entries[1].value.isNull)
    for (index, isPlain) in [(0, false), (1, false), (3, false), (4, true)] {
      guard case .scalar(_, isPlain: isPlain) = entries[index].value.content else {
        Issue.record("\(entries[index])")
        continue
      }
    }
  }

  @Test(arguments: [
    ("{", "1:1: not valid YAML: the '{' here isn't closed"),
    ("scenario: rock 'n' roll's [\nseed: { Song: [\n  { title: \"[\" }, # [\n", "2:15:"),
    ("expect: [a, {b: 'c]'}, [d", "1:24:"),
  ])
  func theBracketThatIsOpenIsFound(_ text: String, _ message: String) {
    #expect(complaint(text).hasPrefix(message), "\(complaint(text))")
    #expect(complaint(text).contains("isn't closed"), "\(complaint(text))")
  }

  @Test func nothingThatSteersATerminalIsShown() {
    let text = "scenario: \"a\\e[31m\"\nmodels: {}\n\"b\\e[2J\": 1\n"
    #expect(
      complaints(text) == """
        test.scenario.yaml:3:1: error: unknown key 'b␛[2J' in a scenario; known keys: about, accept, backends, chain, \
        covers, defaults, destination, device, expect, for_each, include, manager, models, policies, scenario, seed, \
        skip, start, store, tags, target-os, then
          3 | "b\\e[2J": 1
            | ^~~~~~~
        """)
    let long = complaints("scenario: s\nmodels: {}\n\(String(repeating: "x", count: 1000)): 1\n")
    #expect(long.count < 2000)
    #expect(long.hasPrefix("test.scenario.yaml:3:1: error: unknown key 'xxx"))
  }

  @Test func aMissingFixtureIsOneBelowVersionsToo() {
    for models in [
      "{ v1: None.xcdatamodel }", "{ xcode: None.xcdatamodeld, versions: [a] }",
      "[None.xcdatamodeld]",
    ] {
      let file = SourceFile(path: "test.scenario.yaml", text: "scenario: s\nmodels: \(models)\n")
      let error = #expect(throws: Diagnostics.self) {
        try CheckedScenario.check(ScenarioReader.read(file, in: URL(fileURLWithPath: "/nowhere")))
      }
      #expect(error?.areOnlyMissingFiles == true, "\(models): \(error.map { "\($0)" } ?? "")")
    }
  }

  @Test func aMappingFileWithoutContentsIsMissing() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "Map.xcmappingmodel"), withIntermediateDirectories: true)
    let text =
      Self.base + "chain: [v1 -> v2: Map.xcmappingmodel]\nexpect: [{ count: { Song: 1 } }]\n"
    let error = #expect(throws: Diagnostics.self) {
      try CheckedScenario.check(
        ScenarioReader.read(SourceFile(path: "a.yaml", text: text), in: folder.url))
    }
    #expect(error?.areOnlyMissingFiles == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func aScenarioAboutAnErrorMayHaveSuchRows() {
    let text = Self.library.replacing(
      "expect: [{ count: { Song: 1, Album: 1 } }]", with: "expect: [{ fails: { code: 1570 } }]")
    #expect(complaint(text + "  Song: [{ id: waltz }]\n") == "")
  }
}
