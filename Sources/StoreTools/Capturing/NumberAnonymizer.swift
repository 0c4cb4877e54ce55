/// Replaces numbers by others with as many digits, in the same order.
struct NumberAnonymizer {
  /// Numbers below this one are counts and choices rather than somebody's.
  static let least = 1000.0

  private var seen: Set<Double> = []
  private var chosen: [Double: Double] = [:]
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
    chosen = [:]
    for (_, group) in Dictionary(grouping: seen, by: Class.init) {
      let sorted = group.map(\.magnitude).sorted()
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

  /// Never beyond the largest one: the type, and the model's own bounds, allow what is below it.
  private static func replacements(of sorted: [Double]) -> [Double] {
    guard let largest = sorted.last else { return [] }
    let digits = Class(largest).digits
    let lower = digits == 0 ? 0 : pow(10, Double(digits - 1))
    let isWhole = largest == largest.rounded()
    let decimals = sorted.map(decimals).max() ?? 0
    let scale = isWhole ? 1 : pow(10, Double(decimals))
    let range = (lower * scale).rounded(.up)...max((largest * scale).rounded(), lower * scale)
    // Without room for as many the numbers stay; they are all there are.
    guard range.upperBound - range.lowerBound >= Double(sorted.count) else { return sorted }
    var picked: Set<Double> = []
    while picked.count < sorted.count { picked.insert(Double.random(in: range).rounded()) }
    return picked.sorted().map { number in
      let new = number / scale
      // A fraction stays one, so that it is read as what it was.
      return isWhole || new != new.rounded()
        ? new : (number + (number == range.upperBound ? -1 : 1)) / scale
    }
  }

  /// How many digits a number has behind the point, nine at most.
  private static func decimals(_ number: Double) -> Int {
    let text = "\(number)"
    guard !text.contains("e"), let point = text.firstIndex(of: ".") else { return 9 }
    return min(9, text.distance(from: point, to: text.endIndex) - 1)
  }
}
