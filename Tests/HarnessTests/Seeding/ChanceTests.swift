import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Random numbers that are the same on every machine.
@Suite struct ChanceTests {
  @Test func numbersAreThoseOfSplitMix() {
    // The first numbers that the algorithm's published code gives for 0.
    var chance = Chance(state: 0)
    #expect(chance.next() == 0xE220_A839_7B1D_CDAF)
    #expect(chance.next() == 0x6E78_9E6A_A1B9_65F4)
    #expect(chance.next() == 0x06C4_5D18_8009_454F)
  }

  @Test func cellsDependOnColumnRowAndSeedOnly() {
    func first(_ name: String, _ seed: UInt64, _ row: Int) -> UInt64 {
      var chance = Chance.Column(name, seed: seed).cell(row)
      return chance.next()
    }
    #expect(first("A.x", 1, 7) == first("A.x", 1, 7))
    let others = [first("A.y", 1, 7), first("A.x", 2, 7), first("A.x", 1, 8)]
    #expect(Set(others + [first("A.x", 1, 7)]).count == 4)
  }

  private func shares(_ chooser: Chooser) -> [Int] {
    var counts = [Int](repeating: 0, count: chooser.count)
    var chance = Chance(state: 42)
    for _ in 0..<10_000 { counts[chooser.index(&chance)] += 1 }
    return counts
  }

  @Test func spreadsPreferTheFirstAsTheySay() {
    #expect(shares(Chooser(count: 4, .uniform)).allSatisfy { (2300...2700).contains($0) })
    // A hundredth of the things has a tenth of the choices.
    #expect((900...1100).contains(shares(Chooser(count: 100, .skewed))[0]))
    let zipf = shares(Chooser(count: 3, .zipf))
    #expect((5300...5600).contains(zipf[0]) && (2600...2850).contains(zipf[1]))
    #expect(shares(Chooser(weights: [0, 3, 0, 1]))[0] == 0)
    #expect((7300...7700).contains(shares(Chooser(weights: [0, 3, 0, 1]))[1]))
  }

  /// Beyond a million things, of which each has a weight, groups have one.
  @Test func zipfsLawHoldsForMillions() {
    let chooser = Chooser(count: 50_000_000, .zipf)
    var chance = Chance(state: 7)
    var counts = [0, 0, 0]
    for _ in 0..<20_000 {
      let index = chooser.index(&chance)
      counts[index == 0 ? 0 : index < 1_000_000 ? 1 : 2] += 1
      #expect(index < 50_000_000)
    }
    // The harmonic sums of 1, a million and fifty million: 1, 14.39, 18.30.
    #expect((950...1250).contains(counts[0]))
    #expect((14_300...15_000).contains(counts[1]))
    #expect((4000...4600).contains(counts[2]))
  }

  @Test(arguments: [1, 2, 3, 10, 1000, 4096, 65_537]) func permutationsTakeEachNumberOnce(
    count: Int
  ) {
    var chance = Chance(state: UInt64(count))
    let order = Permutation(below: UInt64(count), &chance)
    let numbers = (0..<count).map { Int(order.number(UInt64($0))) }
    #expect(numbers.sorted() == Array(0..<count))
    #expect(count < 10 || numbers != Array(0..<count))
  }

  @Test(arguments: [("5%", 214_748_364), ("0.05", 214_748_364), ("100%", 1 << 32), ("0", 0)])
  func sharesAreRead(text: String, threshold: Int) {
    #expect(Probability(text)?.threshold == UInt64(threshold))
  }

  @Test(arguments: ["101%", "-1%", "half", "", "%"])
  func otherSharesAreRefused(text: String) { #expect(Probability(text) == nil) }

  @Test func wordsAreAllDifferent() {
    let vocabulary = Vocabulary(count: 50_000)
    let words = (0..<vocabulary.count).map(vocabulary.word)
    #expect(Set(words).count == words.count)
    #expect(words[0] == "ba" && words[29] == "ne" && words[30] == "baba")
    #expect(words.allSatisfy { $0.count <= 8 })
  }
}
