import TestSupport
import Testing

@testable import ObjectModel
@testable import Persistence

/// Whatever is wrong with a file, reading it ends with a result or an error, and writes nothing.
@Suite("A store with random damage", .tags(.random), .tiered)
struct RandomDamageTests: StoreSuite {
  let place: StorePlace
  let whole: Data

  init() throws {
    place = try StorePlace()
    let store = try SQLiteStore.create(
      at: place.url, model: StoreShape.inheritance.model(), metadata: ["token": "secret"])
    try StoreShape.inheritance.fill(store)
    try store.close()
    whole = try Data(contentsOf: place.url)
  }

  /// What came of reading a damaged file in all ways.
  private enum Outcome: Hashable { case sound, findings, refused }

  private func read(_ bytes: Data, _ comment: Comment) throws -> Outcome {
    try bytes.write(to: url)
    let before = try folder.contents()
    let outcome = try inspect(comment)
    try readAll(comment)
    #expect(try folder.contents() == before, comment)
    return outcome
  }

  private func inspect(_ comment: Comment) throws -> Outcome {
    do {
      let inspector = try StoreInspector(of: url)
      let model = try inspector.cachedModel ?? StoreShape.inheritance.model()
      return try inspector.inspect(with: model).isSound ? .sound : .findings
    } catch let error as CoreDataError {
      #expect(error.place.file == url.path, comment)
      return .refused
    }
  }

  /// As a migration or comparison reads: every row and every link.
  private func readAll(_ comment: Comment) throws {
    do {
      let file = try StoreFile(readingFrom: url)
      _ = try? file.cachedModel()
      let store = try SQLiteStore(file, model: StoreShape.inheritance.model())
      defer { try? store.close() }
      for entity in store.model.entities where !entity.isAbstract {
        for row in try store.rows(entity.name, subentities: false) {
          for relationship in entity.relationships where relationship.isToMany {
            _ = try store.destinations(of: relationship, from: row.objectID)
          }
        }
      }
    } catch let error as CoreDataError {
      #expect(error.place.file == url.path, comment)
    }
  }

  @Test(arguments: [20_261_121, 7, 42] as [UInt64])
  func flippedBitsNeverCrash(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    var outcomes: [Outcome: Int] = [:]
    for round in 0..<150 {
      var bytes = whole
      var places: [Int] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // The first pages hold the schema, where a bit says most.
        let end = Bool.random(using: &random) ? min(bytes.count, 8192) : bytes.count
        let place = Int.random(in: 0..<end, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        places.append(place)
      }
      let outcome = try read(bytes, "seed \(seed), round \(round), bytes \(places)")
      outcomes[outcome, default: 0] += 1
    }
    // Damage of each kind has been met, so that the rounds did test something.
    #expect(outcomes[.findings, default: 0] > 5, "seed \(seed)")
    #expect(outcomes[.refused, default: 0] > 0, "seed \(seed)")
  }

  @Test func overwrittenPagesNeverCrash() throws {
    var random = RandomSource(seed: 5)
    for page in 0..<(whole.count / 4096) {
      for fill in [UInt8(0), 0xff, UInt8.random(in: 1..<255, using: &random)] {
        var bytes = whole
        bytes.replaceSubrange(
          page * 4096..<(page + 1) * 4096, with: Data(repeating: fill, count: 4096))
        let outcome = try read(bytes, "page \(page) filled with \(fill)")
        if page == 0 { #expect(outcome == .refused) }
      }
    }
  }

  @Test func truncationAnywhereIsNoticed() throws {
    let places = Set(
      [0, 1, 15, 16, 99, 100, 101, 512] + stride(from: 4096, to: whole.count, by: 4096)
        + stride(from: 4095, to: whole.count, by: 4096 * 3)
        + stride(from: 700, to: whole.count, by: 9973))
    for length in places.sorted() {
      let outcome = try read(whole.prefix(length), "cut to \(length) bytes")
      // SQLite takes a last page that is cut off for one that ends in zeros.
      if length < whole.count - 4096 { #expect(outcome != .sound, "cut to \(length) bytes") }
      if length < 512 { #expect(outcome == .refused, "cut to \(length) bytes") }
    }
  }

  /// A damaged cache or property list is no reason to end either.
  @Test func flippedBitsInTheModelCacheAreFound() throws {
    let database = try Database(at: url, access: .readWrite)
    let cache = try database.with("SELECT Z_CONTENT FROM Z_MODELCACHE") { statement in
      try statement.step() ? statement.data(0) : Data()
    }
    database.close()
    let archive = try RawDeflate.expand(cache)
    var random = RandomSource(seed: 11)
    for round in 0..<120 {
      var bytes = round.isMultiple(of: 2) ? cache : archive
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
      let content = round.isMultiple(of: 2) ? bytes : try RawDeflate.compress(bytes)
      try whole.write(to: url)
      let changed = try Database(at: url, access: .readWrite)
      try changed.with("UPDATE Z_MODELCACHE SET Z_CONTENT = ?") { statement in
        statement.bind(content, at: 1)
        try statement.run()
      }
      try changed.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      changed.close()
      _ = try read(Data(contentsOf: url), "round \(round)")
    }
  }
}
