import Testing

@testable import Harness

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
