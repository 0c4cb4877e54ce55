import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Mistakes that show only when a scenario is held against its models.
@Suite struct ScenarioCheckerTests {
  /// What is wrong with a scenario, without the source lines.
  private func mistakes(_ text: String) -> [String] {
    do {
      _ = try checked(text)
      return []
    } catch let diagnostics as Diagnostics {
      return diagnostics.all.map { diagnostic in
        let place = diagnostic.place.map { "\($0.line):\($0.column): " } ?? ""
        return place + diagnostic.message
      }
    } catch {
      return ["\(error)"]
    }
  }

  private static let models = """
    scenario: s
    models:
      v1:
        Event: { timestamp: date, note: string?, size: int16 = 0, tags: "[Tag] <-> events" }
        Tag: { name: string, events: "[Event] <-> tags" }
      v2:
        Event: { timestamp: date, note: string?, tags: "[Tag] <-> events" }
        Tag: { name: string, events: "[Event] <-> tags" }

    """

  @Test func anIndexIsNoPartOfAName() {
    let chain = """
      seed: { Event: [{ timestamp: 2020-01-01T00:00:00Z }] }
      chain:
        - v1 -> v2:
            E: { source: Event, destination: Event, attributes: { note: '$source.tags[SIZE]' } }
      expect: [{ count: { Event: 1 } }]
      """
    #expect(
      mistakes(Self.models + chain) == [
        "12:76: the index in 'tags[SIZE]' belongs to the last key alone; write (…)[…], as in ($source.tags)[FIRST]"
      ])
    #expect(mistakes(Self.models + chain.replacing("$source.tags[", with: "($source.tags)[")) == [])
  }

  @Test func anAbsentDestinationThatNeverCouldBeThereIsRefused() {
    let run = """
      seed: { Event: [{ timestamp: 2020-01-01T00:00:00Z }] }
      chain: [v1 -> v2]
      expect: [{ destination: absent }]

      """
    #expect(
      mistakes(Self.models + run) == [
        "11:12: the result replaces the source, so there is never a destination, and this "
          + "can't fail; name one, as in 'destination: new.sqlite', or expect 'source: untouched'"
      ])
    let named = Self.models + "destination: new.sqlite\n" + run
    #expect(mistakes(named) == [])
    #expect(
      mistakes(named.replacing("chain: [v1 -> v2]", with: "start: v1\nchain: []")) == [
        "13:12: no step is executed, so there is never a destination, and this can't fail"
      ])
  }

  @Test func theSampleIsRight() {
    // Its policy file is somewhere else.
    #expect(
      mistakes(tagsScenario) == [
        "9:41: there is no file 'Policies/TagsMigrationPolicy.swift' beside the scenario"
      ])
  }

  @Test func mistakesInTheModelNotationAreFoundInsideTheText() {
    #expect(
      mistakes(
        """
        scenario: s
        models:
          v1:
            Event: { timestamp: dat, tags: "[Tag] <-> evnts" }
        """) == ["4:25: unknown type 'dat'; did you mean 'data'?"])
    #expect(
      mistakes(
        """
        scenario: s
        models:
          v1:
            Event: { timestamp: date, tags: "[Tag] <-> evnts" }
            Tag: { .parent: Thing, events: "[Event] <-> tags" }
        """) == ["5:21: entity 'Tag' has the parent 'Thing', which the model doesn't have"])
  }

  @Test func mistakesInRows() {
    #expect(
      mistakes(
        Self.models + """
          seed:
            Event:
              - { id: a, timestamp: yesterday, nota: x, size: 70000, tags: food }
              - { id: a, timestamp: 2012-12-25, tags: [food, fod] }
            Tga: [{ name: x }]
            Tag: [{ id: food, name: food, events: [food] }]
          """) == [
          "11:27: 'yesterday' isn't a value for 'timestamp': it must be a date, as in "
            + "2012-12-25T18:00:00Z or 2012-12-25",
          "11:38: entity 'Event' of v1 has no property 'nota'; did you mean 'note'?",
          "11:53: '70000' isn't a value for 'size': it must be a whole number from -32768 to 32767",
          "11:66: 'tags' is to-many; give a list, as in [food]",
          "12:13: the name 'a' is already used in line 11",
          "12:52: no object is named 'fod'; did you mean 'food'?",
          "13:3: v1 has no entity 'Tga'; did you mean 'Tag'?",
          "14:42: 'food' isn't of the entity 'Event', but of Tag",
        ])
  }

  @Test func misspeltVariablesFactsEventsAndPasses() {
    #expect(
      mistakes(
        Self.models + """
          chain:
            - v1 -> v2:
                TagToTag: { source: Tag, destination: Tag, attributes: { name: $sorce.name } }
          expect:
            - model: { Event.note: { type: strin, optional: maybe } }
            - fails: { entity: Tga }
          """) == [
          "11:70: expressions of a mapping have no variable '$sorce'; did you mean '$source'?",
          "13:34: 'type' can't be 'strin'; did you mean 'string'?",
          "13:51: 'optional' can't be 'maybe'; choices: false, true",
          "14:22: no version has an entity 'Tga'; did you mean 'Tag'?",
        ])
    #expect(
      mistakes(
        Self.models + """
          expect:
            - count: { Tag: -1 }
            - trace: [begn TagToTag, save]
            - fails: { pass: creating }
          """) == [
          "10:19: 'Tag' can't be -1",
          "11:13: a trace has no event 'begn'; did you mean 'begin'?",
          "12:20: 'pass' must be instance creation, relationship creation, validation, save, willMigrate or didMigrate, "
            + "not 'creating'",
        ])
  }

  @Test func aVersionThatManyExpectationsNameIsWrongOnce() {
    #expect(
      mistakes(
        Self.models + """
          expect:
            - at: v3
              expect:
                - count: { Tag: 1 }
                - unique: Tag.name
          """) == ["10:9: there is no version 'v3'; versions: v1, v2"])
  }

  @Test func filesThatCannotBeRead() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let mapping = folder.appending(path: "Broken.xcmappingmodel")
    try FileManager.default.createDirectory(at: mapping, withIntermediateDirectories: true)
    try Data("no XML".utf8).write(to: mapping.appending(path: "xcmapping.xml"))
    try #require(mkfifo(folder.appending(path: "pipe.sqlite").path, 0o600) == 0)
    let found = mistakes(
      Self.models + """
        store: { v1: \(folder.path) }
        chain:
          - v1 -> v2: \(mapping.path)
        """)
    #expect(found.count == 2)
    #expect(found.first == "9:14: '\(folder.path)' is a folder, not a file")
    #expect(
      found.last?.hasPrefix("11:15: \(mapping.path)/xcmapping.xml:1: this isn't well-formed XML")
        == true)
    #expect(
      mistakes(Self.models + "store: \(folder.path)/pipe.sqlite") == [
        "9:8: '\(folder.path)/pipe.sqlite' isn't an ordinary file"
      ])
  }

  @Test func mistakesInTheChain() {
    #expect(
      mistakes(
        Self.models + """
          start: v3
          chain:
            - v1 -> v2:
                EventToEvent:
                  source: Evnt
                  destination: Event
                  predicate: sise > 3
                  attributes: { nots: $source.note }
                  relationships: { note: ~ }
                TagToTag:
                  source: Tag
                  destination: Tag
                  predicate: name ==
                  attributes: { name: "$source.nam" }
            - v1 -> v2: Missing.xcmappingmodel
          """) == [
          "9:8: there is no version 'v3'; versions: v1, v2",
          "13:17: v1 has no entity 'Evnt'; did you mean 'Event'?",
          "16:23: entity 'Event' of v2 has no property 'nots'; did you mean 'note'?",
          "17:26: 'Event.note' isn't a relationship",
          "21:27: can't read 'name ==': expected a value, found the end of the text",
          "22:38: entity 'Tag' of v1 has no property 'nam'; did you mean 'name'?",
          "23:5: this step starts at 'v1', but the one before it leads to 'v2'",
          "23:15: there is no file 'Missing.xcmappingmodel' beside the scenario",
        ])
  }

  /// Rows that can't be read are told; that nothing has their names is no other mistake.
  @Test(arguments: [
    (
      "seed: { Evnt: [{ id: a, timestamp: 2012-12-25 }], Tag: [{ name: x, events: [a] }] }",
      "v1 has no entity 'Evnt'; did you mean 'Event'?"
    ),
    (
      "seed: { v3: { Event: [{ id: a, timestamp: 2012-12-25 }] } }",
      "there is no version 'v3'; versions: v1, v2"
    ),
  ])
  func namesOfRowsThatCannotBeReadAreNotMissed(_ seed: String, _ mistake: String) {
    let rest = "\nchain: [v1 -> v2]\nexpect: [{ object: Event a, has: { note: null } }]\n"
    let told = mistakes(Self.models + seed + rest)
    #expect(told.count == 1 && told[0].hasSuffix(mistake), "\(told)")
  }

  @Test func mistakesInExpectations() {
    #expect(
      mistakes(
        Self.models + """
          seed: { Event: [{ id: dinner, timestamp: 2012-12-25 }] }
          chain: [v1 -> v2]
          expect:
            - count: { Evnt: 1 }
            - object: Event diner
              has: { size: 1, tags.nam: [x], tags.name: x, timestamp: soon, tags: [dinner] }
            - none: Tag where nmae == "x"
            - inverse: Event.note
            - at: v3
              count: { Event: 1 }
            - model: { Event.sise: gone, Evnt: exists, Event.size: { typ: int16 } }
            - calls: { App.Policy.end: 1 }
            - fails: { code: 99 }
            - dropped: Tag dinner
          """) == [
          "12:14: v2 has no entity 'Evnt'; did you mean 'Event'?",
          "13:19: no object is named 'diner'; did you mean 'dinner'?",
          "14:12: entity 'Event' of v2 has no property 'size'; properties of Event: note, tags, "
            + "timestamp",
          "14:26: entity 'Tag' of v2 has no property 'nam'; did you mean 'name'?",
          "14:47: this leads to several values; give a list",
          "14:61: 'soon' isn't a value for 'timestamp': it must be a date, as in "
            + "2012-12-25T18:00:00Z or 2012-12-25",
          "15:21: entity 'Tag' of v2 has no property 'nmae'; did you mean 'name'?",
          "16:20: 'Event.note' isn't a relationship",
          "17:9: there is no version 'v3'; versions: v1, v2",
          "19:20: no version of 'Event' has a property 'sise'; did you mean 'size'?",
          "19:32: no version has an entity 'Evnt'; did you mean 'Event'?",
          "19:60: there is no fact 'typ'; did you mean 'type'?",
          "20:14: no step has a policy, an entity mapping or a stage 'App.Policy'; there are no "
            + "policies, entity mappings and stages",
          "21:20: Core Data has no error code 99; for an error of Foundation or of a policy, give its 'domain', too",
          "22:18: 'dinner' isn't of the entity 'Tag', but of Event",
        ])
  }

  @Test(arguments: [
    ("prints: {}", "'prints' lists nothing, so it can't fail"),
    (
      "prints: { loud: 1 }",
      "the scenario has no policies, so no app code prints anything: add 'policies', or remove this"
    ),
    ("prints: { '': 1 }", "'prints' needs a text, as in '{ \"no tags\": 1 }'"),
    ("prints: { loud: -1 }", "'loud' can't be -1"),
    (
      "fetched: { App.Policy: 1 }",
      "no step has a policy or an entity mapping 'App.Policy'; there are no policies and entity mappings"
    ),
  ])
  func whatNothingCouldPrintOrFetchIsAMistake(expectation: String, mistake: String) {
    let text = Self.models + "chain: [v1 -> v2]\nexpect: [\(expectation)]\n"
    #expect(mistakes(text).contains { $0.hasSuffix(mistake) }, "\(mistakes(text))")
  }

  private static let types = """
    scenario: s
    models:
      v1: &model
        Song: { title: string?, rank: int16 = 0, flag: bool = false, on: date?, key: uuid?, album: "Album? <-> songs" }
        Album: { name: string, songs: "[Song] <-> album" }
      v2: *model

    """

  /// The condition is written from line 9, column 22.
  private func mistakes(inCondition condition: String, of entity: String = "Song") -> [String] {
    mistakes(
      Self.types + "chain: [v1 -> v2]\nexpect:\n  - none: \(entity) where \(condition)\n")
  }

  private static let neverEqual =
    "they are never equal here, and how a device compares them isn't known; "

  @Test(arguments: [
    (#"rank == "1""#, #"'rank' is a number and "1" a text"#, "write a number without quotes"),
    (#"rank IN {1, "2"}"#, #"'rank' is a number and "2" a text"#, "write a number without quotes"),
    (
      #"rank BETWEEN {"1", 2}"#, #"'rank' is a number and "1" a text"#,
      "write a number without quotes"
    ),
    (#"flag == "YES""#, #"'flag' is a number and "YES" a text"#, "write YES or NO without quotes"),
    ("title != 5", "'title' is a text and 5 a number", "write a text in quotes"),
    (
      #"on == "2012-12-25""#, #"'on' is a date and "2012-12-25" a text"#,
      "write a date as CAST(378151200, 'NSDate'), in seconds since 2001"
    ),
    (
      "on > 5", "'on' is a date and 5 a number",
      "write a date as CAST(378151200, 'NSDate'), in seconds since 2001"
    ),
    (
      #"key == "E621""#, #"'key' is a UUID and "E621" a text"#,
      "write a UUID as CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')"
    ),
    (
      #"album == "best""#, #"'album' is an object and "best" a text"#,
      "compare one of its attributes, or ask for nil"
    ),
    (
      #"SELF == "a""#, #"'SELF' is an object and "a" a text"#,
      "compare one of its attributes, or ask for nil"
    ),
    ("album.name == 7", "'album.name' is a text and 7 a number", "write a text in quotes"),
    (
      "ANY album.songs.title == 5", "'album.songs.title' is a text and 5 a number",
      "write a text in quotes"
    ),
    (
      #"album.songs.@count == "1""#, #"'album.songs.@count' is a number and "1" a text"#,
      "write a number without quotes"
    ),
    ("rank == title", "'rank' is a number and 'title' a text", "compare values of one type"),
    (
      #"SUBQUERY(album.songs, $s, $s.rank == "1").@count > 0"#,
      #"'$s.rank' is a number and "1" a text"#,
      "write a number without quotes"
    ),
    (
      #"SUBQUERY(album.songs, $s, $s.rank == 1).@count == "1""#,
      #"'SUBQUERY(album.songs, $s, $s.rank == 1).@count' is a number and "1" a text"#,
      "write a number without quotes"
    ),
    (
      #"album.songs.@sum.rank == "5""#, #"'album.songs.@sum.rank' is a number and "5" a text"#,
      "write a number without quotes"
    ),
    (
      "album.songs.@max.title == 5", "'album.songs.@max.title' is a text and 5 a number",
      "write a text in quotes"
    ),
    (
      #"rank + 1 == "2""#, #"'rank + 1' is a number and "2" a text"#,
      "write a number without quotes"
    ),
    (
      "CAST(rank, 'NSString') == 3", "'CAST(rank, \"NSString\")' is a text and 3 a number",
      "write a text in quotes"
    ),
  ])
  func aPropertyIsComparedWithValuesOfItsType(_ condition: String, _ fact: String, _ advice: String)
  {
    let column =
      switch condition.prefix(4) {
      case "ANY ": 26
      case "CAST": 27
      case "SUBQ" where condition.contains("$s.rank == \""): 22 + 26
      default: 22
      }
    #expect(
      mistakes(inCondition: condition) == [
        "9:\(column): \(fact): \(Self.neverEqual)\(advice)"
      ])
  }

  @Test(arguments: [
    "rank == 1 AND flag == YES AND flag == 1", "title == nil OR album == nil", "title IN \"ABC\"",
    "on > CAST(378151200, 'NSDate')",
    "key == CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')",
    "title == CAST(rank, 'NSString')", "on < now()", "ANY album.songs.rank == 3",
    "SELF IN album.songs",
    "album.songs.@count == 2", "SUBQUERY(album.songs, $s, $s.rank == 3).@count == 1",
    "title.length == 3", "album.name IN {\"A\", nil}", "rank BETWEEN {0, 40000}",
    "title CONTAINS album.name", "ANY album.songs.title BEGINSWITH \"A\"",
    "album.songs CONTAINS SELF",
    "album.songs.@max.rank == 3", "uppercase(title) == \"A\"", "rank > 32766", "rank + 1 == 40000",
  ])
  func valuesOfOneTypeAreCompared(_ condition: String) {
    #expect(mistakes(inCondition: condition) == [])
  }

  @Test(arguments: [
    (#"rank BEGINSWITH "1""#, "9:22: 'rank' is a number and \"1\" a text"),
    (#"on CONTAINS "2012""#, "'on' is a date and \"2012\" a text"),
    (#"title LIKE 5"#, "'title' is a text and 5 a number"),
    (
      "rank BEGINSWITH 1",
      "'rank BEGINSWITH 1' holds for no value of 'rank' (int16), so it tests nothing"
    ),
    ("rank == 40000", "'rank == 40000' holds for no value of 'rank' (int16), so it tests nothing"),
    ("-32769 < rank", "'-32769 < rank' holds for every value of 'rank' (int16)"),
    (
      "ANY album.songs.title == nil",
      "'ANY album.songs.title == nil' holds for no value of 'album.songs.title' (string)"
    ),
    ("rank IN {1, 40000}", "'rank == 40000' holds for no value of 'rank' (int16)"),
    ("rank > 32767", "'rank > 32767' holds for no value of 'rank' (int16)"),
    ("rank == 1.5 OR title == 'x'", "9:22: 'rank == 1.5' holds for no value of 'rank' (int16)"),
    ("flag == 2", "'flag == 2' holds for no value of 'flag' (bool), so it tests nothing"),
    ("album.name != title AND album.name == title", "this condition holds for no object"),
    (
      "SUBQUERY(album.songs, $s, $s.rank < 40000).@count > 3",
      "9:48: '$s.rank < 40000' holds for every value of 'album.songs.rank' (int16), so it tests nothing"
    ),
    (
      #"album.songs.title == "A""#,
      "9:22: SQLite stores refuse this: to-many key not allowed here: album.songs.title; "
        + "Write ANY before the key, or use SUBQUERY(…).@count."
    ),
    (
      #"ANY album.songs.album.songs.title == "A""#,
      "9:26: SQLite stores refuse this: multiple to-many keys not allowed here: album.songs.album.songs.title; "
        + "Ask for one of the to-many keys in a SUBQUERY."
    ),
    (
      #"ALL album.songs.album.songs.title == "A""#,
      "9:26: SQLite stores refuse this: multiple to-many keys not allowed here: album.songs.album.songs.title"
    ),
    (
      #""A" IN album.songs.album.songs.title"#,
      "multiple to-many keys not allowed here: album.songs.album.songs.title"
    ),
    (
      "album.songs.album.songs.@count == 1",
      "multiple to-many keys not allowed here: album.songs.album.songs.@count"
    ),
    (
      "album.songs.album.songs.@max.rank == 1",
      "multiple to-many keys not allowed here: album.songs.album.songs.@max.rank"
    ),
    (
      "SUBQUERY(album.songs.album.songs, $s, $s.rank == 1).@count > 0",
      "multiple to-many keys not allowed here: album.songs.album.songs"
    ),
    ("album.songs == nil", "SQLite stores refuse this: to-many key not allowed here: album.songs"),
    (
      "SUBQUERY(album.songs, $s, $s.rnak == 1).@count > 0",
      "entity 'Song' of v2 has no property 'rnak'; did you mean 'rank'?"
    ),
  ])
  func aConditionThatNoValueCouldMeetIsAMistake(_ condition: String, _ message: String) {
    let found = mistakes(inCondition: condition)
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
  }

  @Test func conditionsInExpressionsOfMappingsCompareValuesOfOneType() {
    #expect(
      mistakes(
        Self.types + """
          chain:
            - v1 -> v2:
                .rest: copy
                SongToSong:
                  source: Song
                  destination: Song
                  attributes:
                    title: 'TERNARY($source.rank == "1", "a", "b")'
                    rank: 'TERNARY(title == 5, 1, 2)'
          expect: [{ count: { Song: 0 } }]
          """) == [
          "14:27: '$source.rank' is a number and \"1\" a text: \(Self.neverEqual)write a number without quotes",
          "15:26: 'title' is a text and 5 a number: \(Self.neverEqual)write a text in quotes",
        ])
  }

  @Test func aSourcePredicateComparesValuesOfOneType() {
    #expect(
      mistakes(
        Self.types + """
          chain:
            - v1 -> v2:
                SongToSong: { source: Song, destination: Song, predicate: 'rank == "1"' }
                AlbumToAlbum: { source: Album, destination: Album, predicate: 'name IN {1}' }
          """) == [
          "9:66: 'rank' is a number and \"1\" a text: \(Self.neverEqual)write a number without quotes",
          "10:70: 'name' is a text and 1 a number: \(Self.neverEqual)write a text in quotes",
        ])
  }

  @Test func mistakesInSteps() {
    #expect(
      mistakes(
        Self.models + """
          chain: [v1 -> v2]
          then:
            - insert: Tag music
              values: { name: music, event: [] }
            - link: Tag musik
              to: { name: x }
            - delete: Album
            - sav
          """) == [
          "15:13: 'Album' must be an object: an entity and a local name, as in 'Event dinner', "
            + "or an entity and a predicate",
          "16:5: there is no step 'sav'; did you mean 'save'?",
        ])
    #expect(
      mistakes(
        Self.models + """
          chain: [v1 -> v2]
          then:
            - insert: Tag music
              values: { name: music, event: [] }
            - link: Tag musik
              to: { name: x }
            - save
          """) == [
          "12:28: entity 'Tag' of v2 has no property 'event'; did you mean 'events'?",
          "13:15: no object is named 'musik'; did you mean 'music'?",
          "14:11: 'name' is an attribute; use 'set' for it",
        ])
  }

  @Test func mistakesInReleases() {
    #expect(
      mistakes(
        Self.models + """
          chain: [v1 -> v2]
          then:
            - start: v1
              store: result
            - save: all
              store: source
          """) == [
          "12:12: 'store' must be 'source', the store that the chain started from",
          "13:11: 'save' takes no value",
          "14:5: 'store' belongs to 'start'",
        ])
    #expect(
      mistakes(
        Self.models + """
          chain: [v1 -> v2]
          then:
            - start: [v2, v3]
            - start: v1
              store: source
            - insert: Event walk
              values: { timestamp: 2012-12-25, size: 3 }
            - start: v2
            - insert: Event run
              values: { timestamp: 2012-12-25, size: 3 }
            - save
          """) == [
          "11:17: there is no version 'v3'; versions: v1, v2",
          "13:12: the result replaced the source; keep both with 'destination'",
          "18:38: entity 'Event' of v2 has no property 'size'; properties of Event: note, tags, timestamp",
        ])
  }

  @Test func aSeedOfItsOwnNeedsAStart() {
    #expect(
      mistakes(
        Self.models + """
          seed:
            v1: { Tag: [{ name: x }] }
            v2: { Tag: [{ name: x }] }
          chain: [v1 -> v2]
          """) == ["11:3: no run starts at 'v2'; add it to 'start'"])
  }

  @Test func aPropertyNamedIDKeepsItsName() throws {
    let text = """
      scenario: s
      models: { v1: { Post: { id: int32, title: string } } }
      seed: { Post: [{ .id: first, id: 7, title: One }] }
      expect:
        - object: Post first
          has: { id: 7 }
      """
    #expect(try outcomes(text) == [[], []])
  }

  private static let tag = """
    scenario: s
    models: { v1: { Tag: { name: string } } }
    seed: { Tag: [{ id: food, name: Food }] }

    """

  @Test func aNameIsGivenOnce() {
    let insertions = """
      then:
        - insert: Tag music
          values: { name: One }
        - insert: Tag music
          values: { name: Two }
        - insert: Tag food
          values: { name: Three }
        - rollback
        - insert: Tag music
          values: { name: Four }
        - save
      """
    #expect(
      mistakes(Self.tag + insertions) == [
        "7:17: the name 'music' is already used in line 5",
        "9:17: the name 'food' is already used in line 3",
      ])
  }

  @Test(arguments: ["../x.sqlite", "/x.sqlite", "a/x.sqlite", "..", "."])
  func aDestinationIsAPlainFileName(name: String) {
    #expect(
      mistakes(Self.tag + "destination: \(name)") == [
        "4:14: 'destination' must be a plain file name, as in 'new.sqlite', not '\(name)'"
      ])
  }

  @Test func aDestinationIsntTheOldStore() {
    #expect(mistakes(Self.tag + "destination: Store.sqlite").count == 1)
    #expect(mistakes(Self.tag + "destination: new.sqlite") == [])
  }

  @Test func skippingTakesAReason() throws {
    #expect(try checked(Self.tag + "skip: false").scenario.skip == nil)
    #expect(try checked(Self.tag + "skip: no").scenario.skip == nil)
    #expect(try checked(Self.tag + "skip: waits").scenario.skip?.value == "waits")
    #expect(mistakes(Self.tag + "skip: true").first?.contains("needs the reason") == true)
  }
}
