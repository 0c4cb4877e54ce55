import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Statistics and verdicts of benchmarks, and stores of any size from a few rows.
@Suite struct BenchTests {
  private func result(_ sizes: [BenchSamples.Size]) -> BenchResults {
    BenchResults([BenchSamples.result(sizes)])
  }

  // MARK: Numbers

  @Test func quantilesLieBetweenSamples() {
    let statistics = BenchStatistics([4, 1, 3, 2, 5])
    #expect(statistics.median == 3)
    #expect(statistics.p90 == 4.6)
    #expect(abs(statistics.p99 - 4.96) < 1e-9)
    #expect(abs(statistics.spread - 2.0 / 3) < 1e-9)
    #expect(BenchStatistics([]).median == 0)
  }

  @Test(arguments: [0.5, 1, 2])
  func exponentIsFound(exponent: Double) throws {
    let points = [1000, 10_000, 100_000].map { (objects: $0, seconds: pow(Double($0), exponent)) }
    #expect(abs(try #require(GrowthExponent.of(points)) - exponent) < 1e-9)
    #expect(GrowthExponent.of([points[0]]) == nil)
  }

  @Test func anExponentThatIsShownAsNoneHasNoSign() {
    #expect(
      [-0.004, 0.004, -0.006, 1.004].map(GrowthExponent.text) == ["0.00", "0.00", "-0.01", "1.00"])
  }

  @Test func sizesAreReadAsPeopleWriteThem() {
    #expect(
      BenchOptions.sizes("1000,1e5, 10k,1M,1.1M,2e4") == [
        1000, 100_000, 10_000, 1_000_000, 1_100_000, 20_000,
      ])
    for wrong in ["", "x", "1.5", "0", "-3", "1e99", "10k,", "k", "1kk", "nan", "inf", "101M"] {
      #expect(BenchOptions.sizes(wrong) == nil, "\(wrong)")
    }
  }

  @Test func backendsAreReadAsRunReadsThem() {
    #expect(BenchOptions.backends("sqlite") == [.sqlite])
    #expect(BenchOptions.backends("memory, sqlite") == [.memory, .sqlite])
    for wrong in ["", "mysql", "memory,", "memory,memory"] {
      #expect(BenchOptions.backends(wrong) == nil, "\(wrong)")
    }
  }

  // MARK: Verdicts

  /// Times of one build: some noise, and now and then a sample that something else slowed down.
  private func times(
    _ random: inout SplitMix, median: Double, slowPart: Double = 0.1
  ) -> [Double] {
    (0..<15).map { _ in
      let noise = random.uniform() + random.uniform() + random.uniform() - 1.5
      return median * (1 + 0.06 * noise) * (random.uniform() >= 1 - slowPart ? 1.6 : 1)
    }
  }

  @Test func buildIsNoBetterOrWorseThanItself() {
    for seed in 1...20 {
      var random = SplitMix(seed: UInt64(seed))
      for _ in 1...50 {
        let (new, old) = (times(&random, median: 1), times(&random, median: 1))
        for ratio in [BenchRatio(new, besides: old), BenchRatio(new, against: old)] {
          #expect([.same, .inconclusive].contains(ratio.verdict), "seed \(seed)")
        }
      }
    }
  }

  @Test func realDifferencesAreTold() {
    var random = SplitMix(seed: 7)
    var told = 0
    for _ in 1...50 {
      let (old, slow) = (times(&random, median: 1), times(&random, median: 1.5))
      let verdict = BenchRatio(slow, besides: old).verdict
      #expect([.worse, .inconclusive].contains(verdict))
      if verdict == .worse, BenchRatio(old, besides: slow).verdict == .better { told += 1 }
    }
    #expect(told >= 35)
    #expect(BenchRatio([2, 2, 2], against: [1, 1, 1]).verdict == .inconclusive)
    #expect(BenchRatio([1, 1.01, 0.99], against: [1, 1, 1.01]).verdict == .same)
  }

  /// Fifty of each, with the noise that a build has against itself.
  @Test(arguments: [1.3, 2, 10], [false, true])
  func plantedDifferencesAreFound(_ factor: Double, isApart: Bool) {
    var random = SplitMix(seed: 11)
    for slowPart in [0, 0.1] {
      var found = 0
      for _ in 1...50 {
        let new = times(&random, median: factor, slowPart: slowPart)
        let old = times(&random, median: 1, slowPart: slowPart)
        let ratio = isApart ? BenchRatio(new, against: old) : BenchRatio(new, besides: old)
        #expect([.worse, .inconclusive].contains(ratio.verdict))
        if ratio.verdict == .worse { found += 1 }
      }
      // At another time a third is about what one build differs by from itself.
      if isApart, factor == 1.3 { continue }
      // Three slow samples of fifteen may hide a third.
      let least = slowPart == 0 ? 50 : [1.3: 35, 2: 48, 10: 50][factor] ?? 50
      #expect(found >= least, "with \(slowPart)")
    }
  }

  @Test func aBetterBuildIsTheOtherWayRound() {
    var random = SplitMix(seed: 12)
    let (old, new) = (times(&random, median: 2), times(&random, median: 1))
    #expect(BenchRatio(new, against: old).verdict == .better)
    #expect(BenchRatio(old, against: new).verdict == .worse)
  }

  @Test func ratiosHaveAnIntervalWhereThereAreEnoughSamples() {
    let eleven = (1...11).map { 1 + Double($0) / 100 }
    let twice = eleven.map { 2 * $0 }
    let apart = BenchRatio(twice, against: eleven)
    #expect(apart.verdict == .worse && apart.medians == 2)
    #expect(
      apart.text.wholeMatch(of: #/worse ×2\.00 \(1\.9\d–2\.0\d\)/#) != nil, "\(apart.text)")
    // Each is just twice what was measured beside it.
    #expect(BenchRatio(twice, besides: eleven).text == "worse ×2.00 (2.00–2.00)")
    let three = Array(eleven.prefix(3))
    #expect(BenchRatio(three, against: three).interval == nil)
    #expect(BenchRatio(three, besides: three).interval == nil)
    // A gap wider than the samples of either side are apart is one, with few of them, too.
    #expect(BenchRatio([37, 52, 41], against: [1, 1.4, 1.1]).text == "worse ×37.27")
    #expect(BenchRatio([37, 2000, 41], against: [1, 1.4, 1.1]).verdict == .inconclusive)
    #expect(BenchRatio([37, 41], against: [1, 1.1]).verdict == .inconclusive)
    #expect(BenchRatio([0, 0, 0], against: [1, 1, 1]).text == "inconclusive ×1.00")
  }

  // MARK: Gates

  @Test func gatesSayWhatIsBeyondThem() {
    let steep = result([(1000, [1, 1], 50 << 20), (10_000, [40, 40], 200 << 20)]).scenarios[0]
    #expect(
      BenchGates(exponent: 1.1, megabytes: 150).failures(of: steep, against: nil) == [
        "time grows with objects^1.60, more than ^1.10",
        "10,000 objects take 200 MB of memory, more than 150 MB",
      ])
    #expect(BenchGates(exponent: 2, megabytes: 500).failures(of: steep, against: nil).isEmpty)
    #expect(
      BenchGates(diskMegabytes: 4.5).failures(of: steep, against: nil) == [
        "1,000 objects take 5.0 MB on disk, more than 4.5 MB",
        "10,000 objects take 5.0 MB on disk, more than 4.5 MB",
      ])
    #expect(BenchGates(diskMegabytes: 5).failures(of: steep, against: nil).isEmpty)
  }

  /// Nine samples around a median, the outermost as far from it as a part of it.
  private func spread(_ median: Double, by part: Double) -> [Double] {
    (-4...4).map { median * (1 + part * Double($0) / 4) }
  }

  @Test func anExponentBeyondTheGateFailsOnlyWhereItIsSure() {
    func failures(_ large: Double, spreadBy part: Double) -> [String] {
      let sizes = [(1000, spread(1, by: part), 1), (10_000, spread(large, by: part), Int64(1))]
      return BenchGates(exponent: 1.1).failures(
        of: result(sizes.map { ($0.0, $0.1, $0.2) }).scenarios[0], against: nil)
    }
    let steep = pow(10, 1.2)
    #expect(failures(steep, spreadBy: 0.02) == ["time grows with objects^1.20, more than ^1.10"])
    #expect(failures(steep, spreadBy: 0.6).isEmpty)
    // Steeper than any spread explains.
    #expect(failures(pow(10, 2), spreadBy: 0.6).count == 1)
    #expect(failures(pow(10, 1.09), spreadBy: 0.001).isEmpty)
  }

  @Test func anExponentOfSingleSamplesIsNeverSure() throws {
    let single = result([(1000, [1], 1), (10_000, [100], 1)]).scenarios[0]
    #expect(abs(try #require(single.exponent) - 2) < 1e-9)
    let gates = BenchGates(exponent: 1.1)
    #expect(gates.failures(of: single, against: nil).isEmpty)
    #expect(
      gates.doubts(of: single) == [
        "time grows with objects^2.00, more than ^1.10, but not certainly: take more samples"
      ])
  }

  @Test func onlySureRegressionsFail() {
    let old = BenchBaseline(
      measuredBeside: result([(1000, Array(repeating: 1, count: 12), 1)]))
    let slow = result([(1000, Array(repeating: 1.3, count: 12), 1)]).scenarios[0]
    let few = result([(1000, [1.3, 1.3], 1)]).scenarios[0]
    #expect(
      BenchGates().failures(of: slow, against: old) == [
        "1,000 objects take 1.30 times as long as before"
      ])
    #expect(BenchGates(ratio: 1.4).failures(of: slow, against: old).isEmpty)
    let other = result([(2000, [1, 1], 1)]).scenarios[0]
    #expect(
      BenchGates(ratio: 1.4).failures(of: other, against: old) == [
        "2,000 objects aren't in the baseline, so that nothing says whether they take more than 1.4 times as long"
      ])
    #expect(BenchGates().failures(of: other, against: old).isEmpty)
    #expect(BenchGates().failures(of: few, against: old).isEmpty)
  }

  @Test func timesOfAnotherMachineAreRefused() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "before.json")
    let kept = result([(1000, [1], 1)])
    try kept.json().write(to: file)
    let same = try BenchBaseline(file: file.path)
    #expect(same.results == kept && same.refusal == nil)
    let other = String(decoding: try kept.json(), as: UTF8.self)
      .replacing(Machine.description, with: "1 × abacus, 0 GB")
    try Data(other.utf8).write(to: file)
    let refusal = try #require(try BenchBaseline(file: file.path).refusal)
    #expect(refusal.contains("was measured on another machine (1 × abacus, 0 GB"))
    #expect(refusal.contains("times can't be compared, only counters"))
    try Data("{}".utf8).write(to: file)
    #expect(throws: BenchError.self) { try BenchBaseline(file: file.path) }
  }

  // MARK: Stores

  @Test func rowsAreRepeatedWithTheirLinks() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "x.scenario.yaml")
    try Data(
      """
      scenario: x
      models:
        v1:
          Song: { title: string, album: "Album? <-> songs", number: int32?, .unique: [title] }
          Album: { name: string, songs: "[Song] <-> album ordered" }
        v2:
          Song: { title: string, album: "Album? <-> songs", number: int32? }
          Album: { name: string, songs: "[Song] <-> album ordered" }
      seed:
        Album: [{ id: best, name: Best, songs: [b, a] }]
        Song: [{ id: a, title: A, number: 1 }, { id: b, title: B }, { id: c, title: C }]
      chain: [v1 -> v2]
      expect: [{ count: { Song: 3 } }]
      """.utf8
    ).write(to: file)
    let scenario = try CheckedScenario.load(contentsOf: file)
    let model = try scenario.model("v1")
    let template = InMemoryStore(model: model)
    let rows = try #require(scenario.seed(for: "v1")).rows
    _ = try Seeder.seed(rows, into: ManagedObjectContext(readingFrom: template))
    let repeated = try RepeatedStore(of: template)
    #expect(repeated.count == 4)
    // The second version's constraints hold for the first one's rows already.
    let later = try checked(
      """
      scenario: y
      models: { v9: { Album: { .unique: [name], name: string } } }
      """
    ).model("v9")
    let names = try RepeatedStore(of: template, through: [later])
    let distinct = folder.url.appending(path: "distinct.sqlite")
    #expect(try names.write(8, to: distinct) == 8)
    let read = try SQLiteStore.openReadOnly(at: distinct, model: model)
    let found = try ManagedObjectContext(readingFrom: read)
      .fetch(FetchRequest<ManagedObject>(entityName: "Album"))
    #expect(Set(found.map { $0.value(forKey: "name") as? String }) == ["Best", "Best 1"])
    try read.close()
    let url = folder.url.appending(path: "many.sqlite")
    #expect(try repeated.write(10, to: url) == 12)
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    let context = try ManagedObjectContext(readingFrom: store)
    let albums = try context.fetch(FetchRequest<ManagedObject>(entityName: "Album"))
    let titles = albums.map { album in
      (album.value(forKey: "songs") as? NSOrderedSet)?.array
        .compactMap { ($0 as? ManagedObject)?.value(forKey: "title") as? String } ?? []
    }
    #expect(titles == [["B", "A"], ["B 1", "A 1"], ["B 2", "A 2"]])
    try store.close()
    let again = try RepeatedStore(of: SQLiteStore.openReadOnly(at: url, model: model))
    #expect(again.count == 12)
  }

  @Test func uniqueIdentifiersAreVaried() throws {
    let folder = try TemporaryFolder()
    let scenario = try checked(
      """
      scenario: x
      models:
        v1:
          Song: { id: uuid, place: uri, kind: bool, .unique: [id, place], title: string }
          Album: { kind: bool, key: uuid, .unique: [[kind, key]], place: uri? }
      seed:
        Song:
          - { id: 00000000-0000-0000-0000-000000000001, place: "https://a.example/1", kind: true, title: A }
          - { id: 00000000-0000-0000-0000-000000000002, place: "https://a.example/2#x", kind: true, title: B }
        Album: [{ kind: true, key: 00000000-0000-0000-0000-000000000003 }]
      expect: [{ count: { Song: 2 } }]
      """)
    let model = try scenario.model("v1")
    let template = InMemoryStore(model: model)
    let rows = try #require(scenario.seed(for: "v1")).rows
    _ = try Seeder.seed(rows, into: ManagedObjectContext(readingFrom: template))
    let url = folder.url.appending(path: "many.sqlite")
    #expect(try RepeatedStore(of: template).write(300, to: url) == 300)
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    let context = try ManagedObjectContext(readingFrom: store)
    let songs = try context.fetch(FetchRequest<ManagedObject>(entityName: "Song"))
    #expect(Set(songs.map { $0.value(forKey: "id") as? UUID }).count == 200)
    let places = Set(songs.map { ($0.value(forKey: "place") as? URL)?.absoluteString })
    #expect(places.count == 200)
    #expect(places.contains("https://a.example/1#7") && places.contains("https://a.example/2#x-7"))
    let albums = try context.fetch(FetchRequest<ManagedObject>(entityName: "Album"))
    #expect(Set(albums.map { $0.value(forKey: "key") as? UUID }).count == 100)
    try store.close()
  }
}

/// Equal numbers on every machine.
private struct SplitMix {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  /// From 0 up to 1.
  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) / 9_007_199_254_740_992
  }
}
