/// Replaces numbers by others with as many digits, in the same order.
struct NumberAnonymizer {
  /// Numbers below this one are counts and choices rather than somebody's.
  static let least = 1000.0

  private var seen: Set<Double> = []
  private var chosen: [Double: Double] = [:]
  /// Numbers that lie so close to each other that one may have to stand for another.
  private(set) var crowded: Set<Double> = []
  /// Numbers that the app's code or the model mentions.
  private let kept: Set<Double>

  init(keeping kept: Set<Double>) { self.kept = kept }

  /// Whether a number may say who somebody is, or where.
  func replaces(_ number: Double) -> Bool {
    number.isFinite && !kept.contains(number)
      && (number.magnitude >= Self.least || number != number.rounded())
  }

  mutating func learn(_ number: Double) { if replaces(number) { seen.insert(number) } }

  mutating func choose() {
    (chosen, crowded) = ([:], [])
    for (_, group) in Dictionary(grouping: seen, by: Class.init) {
      let sorted = group.map(\.magnitude).sorted()
      if !Room(for: sorted).isWide { crowded.formUnion(group) }
      for (old, new) in zip(sorted, Self.replacements(of: sorted)) {
        let isNegative = seen.contains(-old) && group.contains(-old)
        if isNegative { chosen[-old] = -new } else { chosen[old] = new }
      }
    }
  }

  func replacement(of number: Double) -> Double { chosen[number] ?? number }

  /// Numbers with the same sign, as many digits before the point, and with or without a fraction.
  private struct Class: Hashable {
    let isNegative: Bool
    let digits: Int
    let isWhole: Bool

    init(_ number: Double) {
      isNegative = number < 0
      isWhole = number == number.rounded()
      digits = Self.digits(of: number.magnitude)
    }

    static func digits(of number: Double) -> Int {
      number < 1 ? 0 : Int(log10(number).rounded(.down)) + 1
    }
  }

  /// Where the numbers that stand for others come from, as whole ones.
  private struct Room {
    let scale: Double
    /// What they are multiples of: a power of ten below 1 isn't exact, as a scale.
    let unit: Double
    let isWhole: Bool
    let range: ClosedRange<Double>
    private let count: Int

    /// Never beyond the largest one: the type, and the model's own bounds, allow what is below it.
    init(for sorted: [Double]) {
      let largest = sorted.last ?? 0
      let digits = Class(largest).digits
      let lower = digits == 0 ? 0 : pow(10, Double(digits - 1))
      isWhole = largest == largest.rounded()
      // A store keeps 15 digits of a Decimal.
      unit = isWhole ? pow(10, Double(max(0, digits - 15))) : 1
      scale = isWhole ? 1 : pow(10, Double(sorted.map(NumberAnonymizer.decimals).max() ?? 0))
      var upper = (largest * scale / unit).rounded(.down)
      // Where the quotient was rounded.
      if upper * unit / scale > largest { upper -= 1 }
      range = min((lower * scale / unit).rounded(.up), upper)...upper
      count = sorted.count
    }

    private var size: Double { range.upperBound - range.lowerBound }
    /// Whether there are as many.
    var suffices: Bool { size >= Double(count) }
    /// Whether there are so many that none needs to be an old one.
    var isWide: Bool { size >= Double(count) * 4 + 4 }
  }

  private static func replacements(of sorted: [Double]) -> [Double] {
    let room = Room(for: sorted)
    // They stay: they are all there are.
    guard room.suffices else { return sorted }
    let old = Set(sorted)
    var picked: Set<Double> = []
    while picked.count < sorted.count {
      let new = number(.random(in: room.range).rounded(), room)
      if !room.isWide || !old.contains(new) { picked.insert(new) }
    }
    return picked.sorted()
  }

  /// A fraction stays one, so that it is read as what it was.
  private static func number(_ scaled: Double, _ room: Room) -> Double {
    let new = scaled * room.unit / room.scale
    if room.isWhole || new != new.rounded() { return new }
    return (scaled + (scaled == room.range.upperBound ? -1 : 1)) / room.scale
  }

  /// How many digits a number has behind the point, nine at most.
  private static func decimals(_ number: Double) -> Int {
    let text = "\(number)"
    guard !text.contains("e"), let point = text.firstIndex(of: ".") else { return 9 }
    return min(9, text.distance(from: point, to: text.endIndex) - 1)
  }
}
