/// A source of random numbers that gives the same on every machine: SplitMix64.
///
/// Each cell of generated data (a row's property) has one of its own, which follows from the seed's
/// number, the property's name and the row's number. So a row can be made without those before it,
/// and a property more changes no other.
package struct Chance: RandomNumberGenerator {
  private var state: UInt64
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mixed(state)
  }

  static func mixed(_ number: UInt64) -> UInt64 {
    var z = number
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to `count - 1`; 0 when there is none.
  mutating func index(below count: Int) -> Int {
    count <= 0 ? 0 : Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// A number from 0 up to, not including, 1: of 53 bits, so that nothing is rounded.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Whether something of a probability happens.
  mutating func happens(_ probability: Probability) -> Bool {
    probability.threshold > 0 && next() >> 32 < probability.threshold
  }
}

extension Chance {
  /// What all cells of a column have in common.
  struct Column: Sendable {
    private let base: UInt64

    /// - Parameter name: The column's name, as `Song.title`.
    init(_ name: String, seed: UInt64) {
      // FNV-1a: Swift's own hashes differ from run to run.
      let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
      }
      base = Chance.mixed(hash ^ Chance.mixed(seed &+ Chance.step))
    }

    func cell(_ row: Int) -> Chance {
      Chance(state: Chance.mixed(base &+ UInt64(bitPattern: Int64(row)) &* Chance.step))
    }
  }
}

/// How likely something is, in 2³² parts.
struct Probability: Hashable, Sendable {
  let threshold: UInt64
  static let never = Probability(threshold: 0)

  private init(threshold: UInt64) { self.threshold = threshold }

  /// - Parameter text: `0.05` or `5%`; nil for anything else, or outside of 0 to 1.
  init?(_ text: String) {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast().trimmingCharacters(in: .whitespaces) : text
    guard let number = Double(digits) else { return nil }
    let share = isPercent ? number / 100 : number
    guard share >= 0, share <= 1 else { return nil }
    threshold = UInt64((share * 0x1p32).rounded(.down))
  }
}
