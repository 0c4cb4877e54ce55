import Testing

@testable import Commands

/// The signed ranks of Wilcoxon, against values that tables have.
@Suite struct SignedRanksTests {
  @Test func probabilitiesAreExact() {
    // All of five differences are above zero: one outcome of 32 on either side.
    #expect(SignedRanks([1, 2, 3, 4, 5]).probability == 2.0 / 32)
    // The rank sum of those below zero is 1 of at most 15: the outcomes 0 and 1 on either side.
    #expect(SignedRanks([-1, 2, 3, 4, 5]).probability == 4.0 / 32)
    #expect(SignedRanks([-1, 1, -2, 2]).probability == 1)
    #expect(SignedRanks([0, 0, 0]).probability == 1)
    #expect(SignedRanks([]).probability == 1)
    // The least number of pairs that shows a difference with a probability of one in a thousand.
    #expect(SignedRanks((1...10).map(Double.init)).probability > 0.001)
    #expect(SignedRanks((1...11).map(Double.init)).probability < 0.001)
  }

  /// Beyond 200 pairs by the normal distribution, which differs little from the exact one there.
  @Test func manyPairsAreComparedByTheNormalDistribution() throws {
    func ranks(_ count: Int) -> SignedRanks {
      SignedRanks(
        (0..<count).map { (place: Int) -> Double in Double(place * 7919 % 1009) / 1009 - 0.45 })
    }
    let (exact, normal) = (ranks(200), ranks(201))
    let difference: Double = exact.probability - normal.probability
    #expect(abs(difference) < 0.02)
    let (a, b) = (try #require(exact.interval), try #require(normal.interval))
    #expect(abs(a.lowerBound - b.lowerBound) < 0.02 && abs(a.upperBound - b.upperBound) < 0.02)
    #expect(ranks(2000).interval != nil)
  }

  /// Of ten pairs the critical rank sum is 8 at 5%, as tables have it: the interval leaves out 8 averages on either side.
  @Test func theIntervalLeavesOutWhatTablesSay() {
    let ten: [Double] = (1...10).map(Double.init)
    let averages: [Double] = ten.indices.flatMap { i in ten[i...].map { (ten[i] + $0) / 2 } }
      .sorted()
    #expect(SignedRanks(ten).interval == averages[8]...averages[averages.count - 9])
    #expect(SignedRanks([1, 2, 3, 4, 5]).interval == nil)
  }
}
