import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Comparisons of a build with itself, by times that were really measured, on a machine that did a lot of
/// other things: none of them may raise an alarm. `Benchmarks/self-check.sh` does it with new ones.
@Suite(.tags(.random), .tiered) struct SelfComparisonTests {
  /// So many comparisons with each seed.
  private static let count = 50

  /// Samples of one build taken one after the other, half of them named A and half B.
  private func byTurns(
    _ recorded: RecordedSamples, from start: Int
  ) -> (a: [Double], b: [Double]) {
    var (a, b): ([Double], [Double]) = ([], [])
    for number in 0..<15 {
      let pair = (0..<2).map { recorded.seconds[(start + 2 * number + $0) % recorded.count] }
      a.append(pair[number % 2])
      b.append(pair[1 - number % 2])
    }
    return (a, b)
  }

  @Test(arguments: RecordedSamples.all) func byTurnsThereIsNoAlarm(recorded: RecordedSamples) {
    for seed in 1...2 {
      var chance = Chance(state: UInt64(seed))
      for _ in 0..<Self.count {
        let (a, b) = byTurns(recorded, from: chance.index(below: recorded.count))
        let verdict = BenchRatio(a, besides: b).verdict
        #expect([.same, .inconclusive].contains(verdict), "seed \(seed)")
      }
    }
  }

  /// As with `--save` and `--baseline`: the machine was another one then, as it were.
  @Test(arguments: RecordedSamples.all) func apartThereIsNoAlarm(recorded: RecordedSamples) {
    for seed in 1...2 {
      var chance = Chance(state: UInt64(seed))
      for _ in 0..<Self.count {
        let (new, old) = (window(recorded, &chance), window(recorded, &chance))
        let drift = max(new.pace / old.pace, old.pace / new.pace) - 1
        let verdict = BenchRatio(new.seconds, against: old.seconds, drift: drift).verdict
        #expect([.same, .inconclusive].contains(verdict), "seed \(seed)")
      }
    }
  }

  private func window(
    _ recorded: RecordedSamples, _ chance: inout Chance
  ) -> (seconds: [Double], pace: Double) {
    let start = chance.index(below: recorded.count)
    let places = (0..<15).map { (start + $0) % recorded.count }
    return (
      places.map { recorded.seconds[$0] },
      BenchStatistics(places.map { recorded.paces[$0] }).median
    )
  }

  /// Drawn one by one: each comparison with samples of all the time.
  @Test(arguments: RecordedSamples.all) func drawnAtRandomThereIsNoAlarm(
    recorded: RecordedSamples
  ) {
    for seed in 1...2 {
      var chance = Chance(state: UInt64(seed))
      for _ in 0..<Self.count {
        let drawn = (0..<30).map { _ in recorded.seconds[chance.index(below: recorded.count)] }
        let (new, old) = (Array(drawn[..<15]), Array(drawn[15...]))
        for ratio in [BenchRatio(new, besides: old), BenchRatio(new, against: old)] {
          #expect([.same, .inconclusive].contains(ratio.verdict), "seed \(seed)")
        }
      }
    }
  }

  /// With eight times as many, which a comparison by turns takes where fifteen don't decide, a third more.
  @Test(arguments: RecordedSamples.all) func manyPairsTellAThirdMore(recorded: RecordedSamples) {
    var told = 0
    for start in 0..<Self.count {
      var (a, b): ([Double], [Double]) = ([], [])
      for round in 0..<8 {
        let more = byTurns(recorded, from: start * 5 + round * 30)
        (a, b) = (a + more.a, b + more.b)
      }
      let same = BenchRatio(a, besides: b).verdict
      #expect([.same, .inconclusive].contains(same), "from \(start)")
      if BenchRatio(a.map { 1.3 * $0 }, besides: b).verdict == .worse { told += 1 }
    }
    #expect(told >= 30, "of \(Self.count)")
  }

  /// The same samples tell a build that is four times as slow; on a machine that did nothing else it
  /// takes a tenth.
  @Test(arguments: RecordedSamples.all) func realRegressionsAreTold(recorded: RecordedSamples) {
    var chance = Chance(state: 5)
    var told = 0
    for _ in 0..<Self.count {
      let (a, b) = byTurns(recorded, from: chance.index(below: recorded.count))
      let verdict = BenchRatio(a.map { 4 * $0 }, besides: b).verdict
      if verdict == .worse { told += 1 }
      #expect(verdict != .better)
    }
    #expect(told >= 45, "of \(Self.count)")
  }

  /// Also with so few samples that ranks can't tell anything.
  @Test(arguments: RecordedSamples.all) func fewSamplesRaiseNoAlarm(recorded: RecordedSamples) {
    for seed in 1...2 {
      var chance = Chance(state: UInt64(seed))
      for _ in 0..<Self.count {
        let (new, old) = (window(recorded, &chance).seconds, window(recorded, &chance).seconds)
        for few in [2, 3, 5, 8] {
          let (new, old) = (Array(new.prefix(few)), Array(old.prefix(few)))
          let verdict = BenchRatio(new, against: old).verdict
          #expect([.same, .inconclusive].contains(verdict), "seed \(seed), \(few) samples")
        }
      }
    }
  }

  /// However noisy both are: nobody overlooks a build that takes 37 times as long.
  @Test(arguments: RecordedSamples.all) func aHugeRegressionIsToldApart(recorded: RecordedSamples) {
    var chance = Chance(state: 9)
    for _ in 0..<Self.count {
      let (new, old) = (window(recorded, &chance), window(recorded, &chance))
      let drift = max(new.pace / old.pace, old.pace / new.pace) - 1
      let ratio = BenchRatio(
        new.seconds.map { 37 * $0 }, against: old.seconds, drift: drift)
      #expect(ratio.verdict == .worse, "\(ratio.text)")
    }
  }
}
