/// What a policy's module gets in place of Foundation's ways to ask for the time and for chance, so
/// that a scenario can fix both.
///
/// A declaration in the module itself wins over an imported one of the same form. Where an app has
/// declared such a thing itself, as older ones do for `Date.now`, its own stays. `NSDate()` and
/// `NSUUID()` are rewritten instead: initializers of classes can't be replaced so.
struct StandIns {
  let sources: [PolicySource]

  /// Swift code for a file of the module.
  var code: String {
    Self.all.filter { !isDeclared($0.declarations) }.map(\.code).joined(separator: "\n") + "\n"
  }

  private func isDeclared(_ declarations: [String]) -> Bool {
    sources.contains { source in declarations.contains { source.declares($0) } }
  }

  /// Code, and the declarations of an app beside which it has no place.
  private struct StandIn {
    let declarations: [String]
    let code: String
  }

  private static let all = [
    StandIn(
      declarations: ["init()"],
      code: """
        extension Date { init() { self = Surroundings.now } }
        extension UUID { init() { self = SurroundingChance.uuid() } }
        """),
    StandIn(
      declarations: ["static var now", "static let now"],
      code: "extension Date { static var now: Date { Surroundings.now } }"),
    StandIn(
      declarations: ["init(timeIntervalSinceNow"],
      code: """
        extension Date {
          init(timeIntervalSinceNow seconds: TimeInterval) {
            self = Surroundings.now.addingTimeInterval(seconds)
          }
        }
        """),
    StandIn(
      declarations: ["var timeIntervalSinceNow"],
      code: """
        extension Date {
          var timeIntervalSinceNow: TimeInterval { timeIntervalSince(Surroundings.now) }
        }
        """),
    StandIn(
      declarations: ["var globallyUniqueString"],
      code: """
        extension ProcessInfo {
          var globallyUniqueString: String { SurroundingChance.uuid().uuidString }
        }
        """),
    StandIn(
      declarations: ["static func random"],
      code: """
        extension FixedWidthInteger {
          static func random(in range: Range<Self>) -> Self {
            var chance = SurroundingChance()
            return random(in: range, using: &chance)
          }
          static func random(in range: ClosedRange<Self>) -> Self {
            var chance = SurroundingChance()
            return random(in: range, using: &chance)
          }
        }
        extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
          static func random(in range: Range<Self>) -> Self {
            var chance = SurroundingChance()
            return random(in: range, using: &chance)
          }
          static func random(in range: ClosedRange<Self>) -> Self {
            var chance = SurroundingChance()
            return random(in: range, using: &chance)
          }
        }
        extension Bool {
          static func random() -> Bool {
            var chance = SurroundingChance()
            return random(using: &chance)
          }
        }
        """),
    StandIn(
      declarations: ["func randomElement"],
      code: """
        extension Collection {
          func randomElement() -> Element? {
            var chance = SurroundingChance()
            return randomElement(using: &chance)
          }
        }
        """),
    StandIn(
      declarations: ["func shuffle", "func shuffled"],
      code: """
        extension Sequence {
          func shuffled() -> [Element] {
            var chance = SurroundingChance()
            return shuffled(using: &chance)
          }
        }
        extension MutableCollection where Self: RandomAccessCollection {
          mutating func shuffle() {
            var chance = SurroundingChance()
            shuffle(using: &chance)
          }
        }
        """),
  ]
}

extension PolicySource {
  /// Whether an extension of the file may declare something, by its first words.
  fileprivate func declares(_ words: String) -> Bool {
    // A class may have any initializer; that of an extension is what would be there twice.
    if words.hasPrefix("init(") {
      return text.contains(#/extension\s+(Foundation\s*\.\s*)?(Date|UUID)\b/#)
        && text.filter { !$0.isWhitespace }.contains(words)
    }
    let pattern = words.split(separator: " ").joined(separator: " ")
    let plain = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return plain.contains(pattern)
  }
}
