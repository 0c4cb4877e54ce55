import Migration
import TestSupport
import Testing

/// Mapping models without policies as SQL: same content, counts, origins and trace as by a manager.
@Suite struct SetBasedTests {
  private static func models(
    _ changed: EntityDescription...
  ) throws -> (old: ManagedObjectModel, new: ManagedObjectModel) {
    let old = try model(
      "v1",
      entity(
        "User", attribute("name"), attribute("city"), attribute("country"),
        attribute("age", .integer32), attribute("weight", .double), attribute("born", .date),
        attribute("key", .uuid), attribute("photo", .binaryData),
        // Arithmetic with what may be nil isn't done by SQL.
        attribute("active", .boolean, required: true, default: .integer(0))))
    return (old, try ManagedObjectModel(entities: changed, name: "v2"))
  }

  private static func seed(_ context: ManagedObjectContext) {
    let cities = ["Trosa", "Loviisa", nil, "Å", ""]
    for number in 0..<40 {
      context.insert(
        "User",
        [
          "name": "user \(number)", "city": cities[number % 5],
          "country": number % 3 == 0 ? "Sweden" : number % 3 == 1 ? "Finland" : nil,
          "age": number % 7 == 0 ? nil : number, "weight": Double(number) / 3,
          "born": Date(timeIntervalSinceReferenceDate: Double(number) * 1e5 + 0.25),
          "key": UUID(), "photo": Data(repeating: UInt8(number), count: number),
          "active": number % 2 == 0,
        ])
    }
  }

  private struct Result: Equatable {
    var content: [String]
    var counts: [EntityMappingReport] = []
    var trace: [String] = []
    var origins: [String] = []
    var failure: String?
    /// Predicates that memory would answer otherwise.
    var differences: [SQLDifference] = []
  }

  /// Runs one mapping model both ways and compares all that can be seen of it.
  /// - Returns: How it ran, and the content.
  private func runBothWays(
    _ models: (old: ManagedObjectModel, new: ManagedObjectModel), _ drafts: [EntityMappingDraft],
    seed: (ManagedObjectContext) throws -> Void = Self.seed
  ) throws -> (method: MigrationMethod?, result: Result) {
    let mapping = try MappingBuilder(source: models.old, destination: models.new)
      .mappingModel(drafts)
    let stage = try Stage(.sqlite, models.old, seed: seed)
    let before = try Data(contentsOf: #require(stage.source.url))
    let bySets = try run(stage, models, mapping, asSQL: true)
    let byManager = try run(stage, models, mapping, asSQL: false)
    #expect(bySets.result == byManager.result)
    #expect(byManager.method == .manager || byManager.method == nil)
    #expect(try Data(contentsOf: #require(stage.source.url)) == before)
    // Where SQL answers a predicate otherwise, memory has other rows.
    if bySets.result.differences.isEmpty {
      try runInMemory(
        models, mapping, from: stage.source, expecting: bySets.result.content)
    }
    return bySets
  }

  /// The store in memory shares no code with SQL, and comes to the same content.
  private func runInMemory(
    _ models: (old: ManagedObjectModel, new: ManagedObjectModel), _ mapping: MappingModel,
    from source: PersistentStore, expecting content: [String]
  ) throws {
    let stage = try Stage(.memory, models.old)
    let copy = try InMemoryStore.copying(source)
    let inMemory = try run(stage, models, mapping, from: copy, asSQL: true)
    #expect(inMemory.method == .manager || inMemory.method == nil)
    #expect(inMemory.result.content == content)
  }

  private func run(
    _ stage: Stage, _ models: (old: ManagedObjectModel, new: ManagedObjectModel),
    _ mapping: MappingModel, from source: PersistentStore? = nil, asSQL: Bool
  ) throws -> (method: MigrationMethod?, result: Result) {
    var chain = MigrationChain(steps: [
      MigrationStep(
        from: models.old, to: models.new, mappings: [MappingCandidate(name: "m", model: mapping)])
    ])
    chain.usesSetBasedPlans = asSQL
    chain.recordsOrigins = true
    let (store, report) = chain.run(
      from: source ?? stage.source, into: stage.backend.stores(in: stage.folder))
    let step = try #require(report.steps.first)
    var result = Result(content: try store.map(dump) ?? [])
    result.counts = step.runs.flatMap(\.entityMappings)
    result.trace = step.runs.flatMap(\.hooks).map(\.description)
    result.origins = step.origins.links.map { "\($0.entityMapping) \($0.source)" }
    result.differences = step.sqlDifferences
    // Temporary keys count on in a process.
    result.failure = report.failure?.description.replacing(/\/t[0-9]+/, with: "/t")
    try store?.close()
    if store == nil { #expect(stage.otherFiles.isEmpty) }
    return (step.runs.first?.method, result)
  }

  private static func draft(
    _ destination: String, predicate: String? = nil, _ expressions: [String: String] = [:]
  ) -> EntityMappingDraft {
    var draft = EntityMappingDraft(source: "User", destination: destination)
    draft.sourcePredicate = predicate
    draft.attributes = .sameNamed(except: expressions.mapValues { .text($0) })
    return draft
  }

  /// In memory they never match; a device compares in SQL, which converts some.
  @Test(arguments: [
    #"age == "20""#, #"age IN {"1", "2"}"#, "name == 5", #"key == "x""#,
    #"country == "Sweden" AND weight != "a""#, #"NOT (age == "20")"#,
  ])
  func comparisonsOfDifferentTypesAreTold(_ predicate: String) throws {
    let models = try Self.models(entity("User", attribute("name")))
    let (_, result) = try runBothWays(models, [Self.draft("User", predicate: predicate)])
    #expect(result.differences.map(\.reason) == [.types])
    let difference = try #require(result.differences.first)
    #expect(difference.count == 40)
    #expect(difference.objects == ["User/p1", "User/p2", "User/p3"])
    #expect(difference.place == "the source predicate of UserToUser")
  }

  @Test(arguments: ["age == 20", "age == 20.5", "active == 1", #"name == "5""#, "age == weight"])
  func numbersOfAllTypesAreOneType(_ predicate: String) throws {
    let models = try Self.models(entity("User", attribute("name")))
    let (_, result) = try runBothWays(models, [Self.draft("User", predicate: predicate)])
    #expect(!result.differences.contains { $0.reason == .types })
  }

  // MARK: Rows and values

  @Test func splitByPredicatesWithExpressions() throws {
    let models = try Self.models(
      entity("Swede", attribute("name"), attribute("city")),
      entity("Finn", attribute("name"), attribute("city")))
    let (method, result) = try runBothWays(
      models,
      [
        Self.draft(
          "Swede", predicate: #"country == "Sweden""#,
          ["city": #"TERNARY($source.city == "Trosa", "Nora", $source.city)"#]),
        Self.draft(
          "Finn", predicate: #"country == "Finland" AND age > 3"#, ["city": "uppercase(city)"]),
      ])
    #expect(method == .sets)
    #expect(result.content.contains("Swede(city: Nora, name: user 0)"))
    #expect(result.counts.map(\.sourceCount) == [14, 10])
    #expect(
      result.trace.prefix(3) == [
        "begin UserToSwede", "createDestinationInstances UserToSwede ×14",
        "endInstanceCreation UserToSwede",
      ])
  }

  @Test func everyTypeIsCarriedOverAndNumbersAreConverted() throws {
    let models = try Self.models(
      entity(
        "Person", attribute("name"), attribute("age", .integer16), attribute("weight", .integer64),
        attribute("born", .date), attribute("key", .uuid), attribute("photo", .binaryData),
        attribute("active", .boolean), attribute("years", .double), attribute("sum", .integer32),
        attribute("level", .integer64, default: .integer(7)), attribute("old", .boolean),
        attribute("nothing", default: .string("x"))))
    let (method, result) = try runBothWays(
      models,
      [
        Self.draft(
          "Person",
          [
            "years": "$source.age", "sum": "$source.active + 1000 * $source.active",
            "old": "$source.active",
            "nothing": "nil",
          ])
      ])
    #expect(result.failure == nil)
    #expect(method == .sets)
    #expect(result.content.count == 40)
    #expect(result.content.allSatisfy { $0.contains("level: 7") && $0.contains("nothing: nil") })
  }

  @Test func emptyStoreHasItsHooksAllTheSame() throws {
    let models = try Self.models(entity("Person", attribute("name")))
    let (method, result) = try runBothWays(models, [Self.draft("Person")]) { _ in }
    #expect(method == .sets)
    #expect(result.content.isEmpty)
  }

  // MARK: Validation

  /// A rule of the destination that some row breaks: the manager has the last word, and its error.
  @Test(arguments: [
    "required", "too short", "too long", "too small", "too large", "too late", "pattern",
    "condition",
  ])
  func rowThatValidationRefuses(rule: String) throws {
    let age = attribute("age", .integer32)
    let name = attribute("name")
    let born = attribute("born", .date)
    switch rule {
    case "required": age.isOptional = false
    case "too short": name.minimum = .integer(7)
    case "too long": name.maximum = .integer(6)
    case "too small": age.minimum = .integer(2)
    case "too large": age.maximum = .integer(38)
    case "too late": born.maximum = .date(Date(timeIntervalSinceReferenceDate: 38e5))
    case "pattern": name.regularExpression = "user [0-9]"
    default: age.validationConditions = [ValidationCondition(predicateFormat: "SELF < 39")]
    }
    let models = try Self.models(entity("Person", age, name, born))
    let (method, result) = try runBothWays(models, [Self.draft("Person")])
    #expect(method != .sets)
    #expect(result.failure != nil)
    #expect(result.content.isEmpty)
  }

  @Test func rowsThatKeepAllRules() throws {
    let (age, name, born) = (
      attribute("age", .integer32), attribute("name", required: true), attribute("born", .date)
    )
    (age.minimum, age.maximum) = (.integer(1), .integer(39))
    (name.minimum, name.maximum) = (.integer(6), .integer(7))
    born.minimum = .date(Date(timeIntervalSinceReferenceDate: 0.25))
    let models = try Self.models(entity("Person", age, name, born))
    let (method, result) = try runBothWays(models, [Self.draft("Person")])
    #expect(method == .sets)
    #expect(result.failure == nil)
  }

  /// 6 emoji are 12 UTF-16 units, which a device counts, and 24 bytes.
  @Test func lengthBetweenBytesAndUnitsIsForTheManagerToJudge() throws {
    let name = attribute("name")
    name.maximum = .integer(12)
    let models = try Self.models(entity("Person", name))
    let (method, result) = try runBothWays(models, [Self.draft("Person")]) {
      $0.insert("User", ["name": "🎵🎵🎵🎵🎵🎵"])
    }
    #expect(method == .manager)
    #expect(result.content == ["Person(name: 🎵🎵🎵🎵🎵🎵)"])
  }

  // MARK: What SQL can't do

  @Test(arguments: [(40_000, AttributeType.integer16), (Int.max, .integer64)], [false, true])
  func overflowIsForTheManagerToJudge(by factor: (Int, AttributeType), isTransient: Bool) throws {
    let age = attribute("age", factor.1)
    age.isTransient = isTransient
    let models = try Self.models(entity("Person", age))
    let (method, _) = try runBothWays(
      models, [Self.draft("Person", ["age": "$source.age * \(factor.0)"])]
    ) {
      for age in [0, 1, 2] { $0.insert("User", ["age": age]) }
    }
    #expect(method != .sets)
  }

  @Test(arguments: ["$source.name.length", #"FUNCTION($source.name, "uppercaseString")"#])
  func expressionThatIsEvaluatedInMemory(expression: String) throws {
    let models = try Self.models(entity("Person", attribute("city"), attribute("age", .integer32)))
    let key = expression.contains("length") ? "age" : "city"
    let (method, _) = try runBothWays(models, [Self.draft("Person", [key: expression])])
    #expect(method != .sets)
  }

  @Test func objectsMadeTwiceOfOneAreNoRowsOfOneTable() throws {
    let models = try Self.models(entity("Person", attribute("name")))
    var (first, second) = (Self.draft("Person"), Self.draft("Person", predicate: "age > 20"))
    (first.explicitName, second.explicitName) = ("all", "old")
    let (method, result) = try runBothWays(models, [first, second])
    #expect(method == .manager)
    #expect(result.content.count > 40)
  }

  @Test func managedStepsRunInAManager() throws {
    let models = try Self.models(entity("Person", attribute("name")))
    let mapping = try MappingBuilder(source: models.old, destination: models.new)
      .mappingModel([Self.draft("Person")])
    let stage = try Stage(.sqlite, models.old, seed: Self.seed)
    var step = MigrationStep(
      from: models.old, to: models.new, mappings: [MappingCandidate(name: "m", model: mapping)])
    step.way = .manager(usesStoreSpecificMigrationManager: true)
    #expect(stage.run([step]).report.steps.first?.runs.map(\.method) == [.manager])
  }

  // MARK: Relationships

  @Test func relationshipsOfRenamedEntities() throws {
    let old = try model(
      "v1", entity("Album", attribute("name"), toMany("songs", "Song", inverse: "album")),
      entity(
        "Song", attribute("name"), toOne("album", "Album", inverse: "songs"),
        toMany("tags", "Tag", inverse: "songs")),
      entity("Tag", attribute("name"), toMany("songs", "Song", inverse: "tags")))
    let new = try model(
      "v2", entity("Record", attribute("name"), toMany("tracks", "Song", inverse: "record")),
      entity(
        "Song", attribute("name"), toOne("record", "Record", inverse: "tracks", required: true),
        toMany("tags", "Tag", inverse: "songs")),
      entity("Tag", attribute("name"), toMany("songs", "Song", inverse: "tags")))
    var album = EntityMappingDraft(source: "Album", destination: "Record")
    album.relationships = .only(["tracks": .instances(keyPath: "songs", mappingName: nil)])
    var song = EntityMappingDraft(source: "Song", destination: "Song")
    song.relationships = .sameNamed(except: [
      "record": .instances(keyPath: "album", mappingName: nil)
    ])
    let (method, result) = try runBothWays(
      (old, new), [album, song, EntityMappingDraft(source: "Tag", destination: "Tag")]
    ) { context in
      let albums = ["A", "B"].map { context.insert("Album", ["name": $0]) }
      let tags = ["x", "y"].map { context.insert("Tag", ["name": $0]) }
      for number in 0..<6 {
        context.insert(
          "Song",
          [
            "name": "\(number)", "album": albums[number % 2],
            "tags": Set(tags.prefix(number % 3)),
          ])
      }
    }
    #expect(method == .sets)
    #expect(result.content.contains("Record(name: B, tracks: [1, 3, 5])"))
    #expect(result.content.contains("Tag(name: y, songs: [2, 5])"))
  }

  /// Albums, songs and tags with each kind of relationship, and what they become.
  private static func shelf(
    _ name: String, songs: String, isOrdered: Bool
  ) throws -> ManagedObjectModel {
    let ofAlbum = toMany(songs, "Song", inverse: "album")
    let tags = toMany("tags", "Tag", inverse: "songs")
    (ofAlbum.isOrdered, tags.isOrdered) = (isOrdered, isOrdered)
    return try model(
      name,
      entity(
        "Album", attribute("name"), attribute("year", .integer32), ofAlbum,
        toOne("cover", "Cover", inverse: "album")),
      entity("Cover", attribute("name"), toOne("album", "Album", inverse: "cover")),
      entity(
        "Song", attribute("name"), attribute("year", .integer32),
        toOne("album", "Album", inverse: songs), toOne("first", "Song", inverse: "later"),
        toMany("later", "Song", inverse: "first"), tags),
      entity("Tag", attribute("name"), toMany("songs", "Song", inverse: "tags")))
  }

  private static func fillShelf(
    _ context: ManagedObjectContext, songs key: String, _ random: inout RandomSource
  ) throws {
    func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }
    let albums = (0..<4).map { (number: Int) in
      context.insert("Album", ["name": "album \(number)", "year": number])
    }
    let tags = (0..<3).map { context.insert("Tag", ["name": "tag \($0)"]) }
    for (number, album) in albums.enumerated() where chance(2, in: 3) {
      context.insert("Cover", ["name": "cover \(number)", "album": album])
    }
    var songs: [ManagedObject] = []
    for number in 0..<12 {
      let song = context.insert("Song", ["name": "song \(number)"])
      if chance(3, in: 4) { song.setValue(number % 5, forKey: "year") }
      if chance(4, in: 5) { song.setValue(albums.randomElement(using: &random), forKey: "album") }
      if chance(1, in: 2) { song.setValue(songs.randomElement(using: &random), forKey: "first") }
      for tag in tags where chance(1, in: 2) {
        try song.add(tag, to: #require(song.entity.relationship(named: "tags")))
      }
      songs.append(song)
    }
  }

  private static let shelfPredicates = [
    "Album": [nil, "year > 1", "name != 'album 2'", "ANY songs.year == 3", "cover != nil"],
    "Cover": [nil, "album.year < 3", "name ENDSWITH '1'"],
    "Song": [
      nil, "year != 3", "album.year > 0", "ANY tags.name == 'tag 1'", "name LIKE 'song ?'",
      "#first == nil", "FALSEPREDICATE",
    ],
    "Tag": [nil, "name != 'tag 0'", "songs.@count > 3"],
  ]

  /// Objects that stay behind take their links with them, whatever the relationship is like.
  @Test(arguments: [false, true]) func relationshipsToWhatStaysBehind(isOrdered: Bool) throws {
    let first = UInt64.random(in: .min ... .max)
    var asSQL = 0
    for seed in (0..<12).map({ first &+ $0 }) {
      var random = RandomSource(seed: seed)
      let models = (
        old: try Self.shelf("v1", songs: "songs", isOrdered: isOrdered),
        new: try Self.shelf("v2", songs: "tracks", isOrdered: isOrdered)
      )
      var predicates: [String] = []
      let drafts = Self.shelfPredicates.keys.sorted().map { name in
        var draft = EntityMappingDraft(source: name, destination: name)
        draft.sourcePredicate =
          Self.shelfPredicates[name]?.randomElement(using: &random).flatMap { $0 }
        predicates.append(draft.sourcePredicate ?? "all")
        if name == "Album" {
          draft.relationships = .sameNamed(except: [
            "tracks": .instances(keyPath: "songs", mappingName: nil)
          ])
        }
        return draft
      }
      let (method, result) = try runBothWays(models, drafts) {
        try Self.fillShelf($0, songs: "songs", &random)
      }
      #expect(result.failure == nil, "seed \(seed), \(predicates)")
      if method == .sets { asSQL += 1 }
    }
    #expect(asSQL > 6, "seed \(first)")
  }

  /// A required relationship that led to what stays behind.
  @Test func requiredPartnerThatStaysBehind() throws {
    func shelf(_ name: String, isRequired: Bool) throws -> ManagedObjectModel {
      try model(
        name, entity("Album", attribute("name"), toMany("songs", "Song", inverse: "album")),
        entity(
          "Song", attribute("name"), toOne("album", "Album", inverse: "songs", required: isRequired)
        ))
    }
    let models = (
      old: try shelf("v1", isRequired: false), new: try shelf("v2", isRequired: true)
    )
    var album = EntityMappingDraft(source: "Album", destination: "Album")
    album.sourcePredicate = "name == 'A'"
    let song = EntityMappingDraft(source: "Song", destination: "Song")
    let (method, result) = try runBothWays(models, [album, song]) { context in
      for name in ["A", "B"] {
        context.insert("Song", ["name": name, "album": context.insert("Album", ["name": name])])
      }
    }
    #expect(method != .sets)
    #expect(result.failure != nil)
  }

  // MARK: Rows of no entity

  /// A row with the number of no entity is one of the only entity of its table; SQL that goes by numbers would
  /// leave it out. Of several entities it is none, so that no mapping takes it: `inspect` says so.
  @Test(arguments: [
    (nil, false, ["user 0", "user 1", "user 2"]), ("name == 'user 1'", false, ["user 1"]),
    (nil, true, ["user 0", "user 1"]),
  ])
  func rowOfAnEntityThatIsNotThere(
    predicate: String?, hasSubentity: Bool, names: [String]
  ) throws {
    let name = attribute("name")
    name.isIndexed = true
    let entities = [entity("User", name)] + (hasSubentity ? [entity("Admin", parent: "User")] : [])
    let old = try ManagedObjectModel(entities: entities, name: "v1")
    let new = try model("v2", entity("Person", attribute("name")))
    let mapping = try MappingBuilder(source: old, destination: new)
      .mappingModel([Self.draft("Person", predicate: predicate)])
    let stage = try Stage(.sqlite, old) {
      for number in 0..<3 { $0.insert("User", ["name": "user \(number)"]) }
    }
    let url = try #require(stage.source.url)
    try stage.source.close()
    try PlainDatabase.execute("UPDATE ZUSER SET Z_ENT = 7 WHERE ZNAME = 'user 2'", in: url)
    let found = try StoreInspector(of: url).inspect(with: old).findings
    #expect(found.map(\.kind) == [.wrongEntity])
    #expect(found.map(\.severity) == [hasSubentity ? .error : .warning])
    let step = MigrationStep(
      from: old, to: new, mappings: [MappingCandidate(name: "m", model: mapping)])
    let (store, report) = MigrationChain(steps: [step]).run(
      from: try SQLiteStore.openReadOnly(at: url, model: old),
      into: Backend.sqlite.stores(in: stage.folder))
    #expect(report.failure == nil)
    #expect(try store.map(dump)?.sorted() == names.map { "Person(name: \($0))" })
    try store?.close()
  }

  /// A lightweight step takes the entities that have objects: such a row would be lost without a word.
  @Test func rowOfAnAbstractEntityEndsALightweightStep() throws {
    let old = try model(
      "v1", entity("Base", abstract: true, attribute("name")), entity("Song", parent: "Base"))
    let new = try model(
      "v2", entity("Base", abstract: true, attribute("name")),
      entity("Song", parent: "Base", attribute("note")))
    let stage = try Stage(.sqlite, old) {
      for name in ["one", "two"] { $0.insert("Song", ["name": name]) }
    }
    let url = try #require(stage.source.url)
    try stage.source.close()
    try PlainDatabase.execute("UPDATE ZBASE SET Z_ENT = 1 WHERE ZNAME = 'two'", in: url)
    let source = try SQLiteStore.openReadOnly(at: url, model: old)
    #expect(try source.ignoredSchema().map(\.names) == [["p2"]])
    let (store, report) = MigrationChain(steps: [MigrationStep(from: old, to: new)]).run(
      from: source, into: Backend.sqlite.stores(in: stage.folder))
    #expect(store == nil)
    let error = report.failure?.error as? CoreDataError
    #expect(error?.code == .persistentStoreIncompatibleSchema)
  }
}
