/// What a policy's module gets in place of Foundation's ways to ask for the time and for chance, so
/// that a scenario can fix both, and of what Foundation does otherwise than on a device.
///
/// A declaration in the module itself wins over an imported one of the same form. Where an app has
/// declared such a thing itself, as older ones do for `Date.now`, its own stays. `NSDate()` and
/// `NSUUID()` are rewritten instead: initializers of classes can't be replaced so.
struct StandIns {
  let sources: [PolicySource]

  /// Swift code for a file of the module.
  var code: String {
    let code = Self.all.filter { !isDeclared($0.declarations) }.map(\.code) + genericTypes
    return code.joined(separator: "\n") + "\n"
  }

  /// Foundation's generic types that have names of the engine's, where a module says what they are of.
  private var genericTypes: [String] {
    [("SortDescriptor", #/\bSortDescriptor\s*(<|\(\s*\\)/#), ("Predicate", #/\bPredicate\s*(<)/#)]
      .filter { name, use in
        sources.contains { $0.text.contains(use) }
          && !isDeclared(["struct", "class", "enum", "typealias"].map { "\($0) \(name)" })
      }.map { name, _ in "public typealias \(name) = Foundation.\(name)" }
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
        extension Date { public init() { self = Surroundings.now } }
        extension UUID { public init() { self = SurroundingChance.uuid() } }
        """),
    StandIn(
      declarations: ["static var now", "static let now"],
      code: "extension Date { public static var now: Date { Surroundings.now } }"),
    StandIn(
      declarations: ["init(timeIntervalSinceNow"],
      code: """
        extension Date {
          public init(timeIntervalSinceNow seconds: TimeInterval) {
            self = Surroundings.now.addingTimeInterval(seconds)
          }
        }
        """),
    StandIn(
      declarations: ["var timeIntervalSinceNow"],
      code: """
        extension Date {
          public var timeIntervalSinceNow: TimeInterval { timeIntervalSince(Surroundings.now) }
        }
        """),
    StandIn(
      declarations: ["var globallyUniqueString"],
      code: """
        extension ProcessInfo {
          public var globallyUniqueString: String { SurroundingChance.uuid().uuidString }
        }
        """),
    StandIn(
      declarations: ["static func random"],
      code: """
        extension FixedWidthInteger {
          public static func random(in range: Range<Self>) -> Self {
            var chance = SurroundingChance()
            return random(in: range, using: &chance)
          }
          public static func random(in range: ClosedRange<Self>) -> Self {
            var chance = SurroundingChance()
            return random(in: range, using: &chance)
          }
        }
        extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
          public static func random(in range: Range<Self>) -> Self {
            var chance = SurroundingChance()
            return random(in: range, using: &chance)
          }
          public static func random(in range: ClosedRange<Self>) -> Self {
            var chance = SurroundingChance()
            return random(in: range, using: &chance)
          }
        }
        extension Bool {
          public static func random() -> Bool {
            var chance = SurroundingChance()
            return random(using: &chance)
          }
        }
        """),
    StandIn(
      declarations: ["func randomElement"],
      code: """
        extension Collection {
          public func randomElement() -> Element? {
            var chance = SurroundingChance()
            return randomElement(using: &chance)
          }
        }
        """),
    StandIn(
      declarations: ["func shuffle", "func shuffled"],
      code: """
        extension Sequence {
          public func shuffled() -> [Element] {
            var chance = SurroundingChance()
            return shuffled(using: &chance)
          }
        }
        extension MutableCollection where Self: RandomAccessCollection {
          public mutating func shuffle() {
            var chance = SurroundingChance()
            shuffle(using: &chance)
          }
        }
        """),
    StandIn(
      declarations: ["func replaceItemAt"],
      code: """
        extension FileManager {
          @discardableResult
          public func replaceItemAt(
            _ original: URL, withItemAt new: URL, backupItemName: String? = nil,
            options: ItemReplacementOptions = []
          ) throws -> URL? {
            try replacing(original, by: new, backupItemName: backupItemName, options: options)
          }
        }
        """),
    StandIn(
      declarations: ["func raise", "func kill", "func pthread_kill"],
      code: """
        @discardableResult func raise(_ signal: Int32) -> Int32 { OwnSignal.raise(signal) }
        @discardableResult func kill(_ process: pid_t, _ signal: Int32) -> Int32 {
          process == getpid() ? OwnSignal.raise(signal) : OwnSignal.kill(process, signal)
        }
        @discardableResult func pthread_kill(_ thread: pthread_t, _ signal: Int32) -> Int32 {
          OwnSignal.raise(signal)
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
