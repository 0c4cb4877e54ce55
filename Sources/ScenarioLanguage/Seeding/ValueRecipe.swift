/// How the values of one attribute are made.
struct ValueRecipe: Sendable {
  indirect enum Kind: Sendable {
    case constant(Value)
    case whole(ClosedRange<Int64>, Spread)
    /// Numbers, or seconds of dates since 2001, from the lower bound up.
    case real(ClosedRange<Double>, Spread, Form)
    /// Hundredths.
    case money(ClosedRange<Int64>, Spread)
    case wholeSequence(start: Int64, step: Int64)
    case realSequence(start: Double, step: Double, Form)
    case textSequence(Template)
    case uriSequence(Template)
    case pick([Value], Chooser)
    case words(ClosedRange<Int>, Vocabulary, Chooser)
    case join(ValueRecipe, ClosedRange<Int>, separator: String)
    case bytes(ClosedRange<Int>)
    case uuid
    /// Whole numbers of a range, or hundredths, each once; those after the last go on above it.
    case each(from: Int64, Permutation, isMoney: Bool)
    /// Texts and URIs with the row's number after them.
    case numbered(ValueRecipe)
  }

  /// What a floating point number is the value of.
  enum Form: Sendable { case double, float, date }

  var kind: Kind
  var absence = Probability.never
  /// Whether nobody said what the values are.
  var isDefault = false

  /// The value of a row.
  func value(_ chance: inout Chance, row: Int) -> Value {
    if chance.happens(absence) { return .null }
    switch kind {
    case .constant(let value): return value
    case .whole(let range, let spread): return .integer(Self.whole(range, spread, &chance))
    case .real(let range, let spread, let form):
      return form.value(Self.real(range, spread, &chance))
    case .money(let range, let spread):
      return .decimal(Decimal(Self.whole(range, spread, &chance)) / 100)
    case .wholeSequence(let start, let step): return .integer(start &+ step &* Int64(row))
    case .realSequence(let start, let step, let form):
      return form.value(start + step * Double(row))
    case .textSequence(let template): return .string(template.text(row))
    // That the template makes a URI was seen when it was read.
    case .uriSequence(let template):
      return URL(string: template.text(row)).map { .uri($0) } ?? .null
    case .pick(let values, let chooser): return values[chooser.index(&chance)]
    case .words(let counts, let vocabulary, let chooser):
      return .string(
        Self.joined(Self.count(counts, &chance), separator: " ") {
          vocabulary.word(chooser.index(&chance))
        })
    case .join(let part, let counts, let separator):
      return .string(
        Self.joined(Self.count(counts, &chance), separator: separator) {
          part.value(&chance, row: row).shownInList
        })
    case .bytes(let counts): return .data(Self.bytes(Self.count(counts, &chance), &chance))
    case .uuid: return .uuid(Self.uuid(&chance))
    case .each(let first, let order, let isMoney):
      let number = UInt64(row) < order.count ? order.number(UInt64(row)) : UInt64(row)
      let sum = first &+ Int64(bitPattern: number)
      return isMoney ? .decimal(Decimal(sum) / 100) : .integer(sum)
    case .numbered(let text):
      return text.value(&chance, row: row).distinct(row + 1) ?? .null
    }
  }

  /// Whether each row has a value of its own.
  var isDistinct: Bool {
    switch kind {
    case .wholeSequence(_, let step): step != 0
    case .realSequence(_, let step, _): step != 0
    case .textSequence(let template), .uriSequence(let template): template.isNumbered
    case .uuid, .each, .numbered: true
    // Equal ones are as good as impossible.
    case .real(_, _, .double), .real(_, _, .date): true
    case .bytes(let counts): counts.lowerBound >= 12
    default: false
    }
  }

  /// A rule of the same kind that gives each row a value of its own; nil where there is none.
  func madeDistinct(_ column: Chance.Column) -> ValueRecipe? {
    var (recipe, chance) = (self, column.cell(-1))
    switch kind {
    case .whole(let range, _):
      recipe.kind = .each(
        from: range.lowerBound, Self.order(of: range, &chance), isMoney: false)
    case .money(let range, _):
      recipe.kind = .each(from: range.lowerBound, Self.order(of: range, &chance), isMoney: true)
    case .words, .join: recipe.kind = .numbered(ValueRecipe(kind: kind))
    case .pick(let values, _) where values.allSatisfy(\.isTextOrURI):
      recipe.kind = .numbered(ValueRecipe(kind: kind))
    default: return nil
    }
    return recipe
  }

  private static func order(
    of range: ClosedRange<Int64>, _ chance: inout Chance
  ) -> Permutation {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    return Permutation(below: width == .max ? .max : width + 1, &chance)
  }
}

// MARK: - Parts

extension ValueRecipe {
  static func count(_ range: ClosedRange<Int>, _ chance: inout Chance) -> Int {
    range.lowerBound + chance.index(below: range.upperBound - range.lowerBound + 1)
  }

  private static func joined(
    _ count: Int, separator: String, _ part: () -> String
  ) -> String {
    var text = ""
    for number in 0..<count {
      if number > 0 { text += separator }
      text += part()
    }
    return text
  }

  private static func whole(
    _ range: ClosedRange<Int64>, _ spread: Spread, _ chance: inout Chance
  ) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    guard width < UInt64(UInt32.max) || (spread == .uniform && width < UInt64(Int64.max)) else {
      let number = chance.next()
      let offset = width == .max ? number : number.multipliedFullWidth(by: width + 1).high
      return range.lowerBound &+ Int64(bitPattern: offset)
    }
    let offset = Chooser(count: Int(width) + 1, spread == .zipf ? .skewed : spread).index(&chance)
    return range.lowerBound + Int64(offset)
  }

  private static func real(
    _ range: ClosedRange<Double>, _ spread: Spread, _ chance: inout Chance
  ) -> Double {
    let fraction = chance.fraction()
    let share = spread == .uniform ? fraction : fraction * fraction
    return range.lowerBound + (range.upperBound - range.lowerBound) * share
  }

  private static func bytes(_ count: Int, _ chance: inout Chance) -> Data {
    var data = Data(capacity: count)
    while data.count < count {
      let number = chance.next()
      for shift in 0..<min(8, count - data.count) {
        data.append(UInt8(truncatingIfNeeded: number >> (8 * shift)))
      }
    }
    return data
  }

  /// A random one: version 4.
  private static func uuid(_ chance: inout Chance) -> UUID {
    var bytes = Array(Self.bytes(16, &chance))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Text with the row's number in it, counted from 1.
  struct Template: Sendable {
    private let before: String
    private let after: String
    private let width: Int
    let isNumbered: Bool

    /// - Parameter text: `song-{n}.txt`, or `song-{n:7}.txt` for at least seven digits.
    init(_ text: String) {
      let mark = text.firstMatch(of: #/\{n(?::(\d{1,2}))?\}/#)
      isNumbered = mark != nil
      before = mark.map { String(text[..<$0.range.lowerBound]) } ?? text
      after = mark.map { String(text[$0.range.upperBound...]) } ?? ""
      width = mark?.output.1.flatMap { Int($0) } ?? 0
    }

    func text(_ row: Int) -> String {
      guard isNumbered else { return before }
      let digits = String(row + 1)
      let zeros = String(repeating: "0", count: max(0, width - digits.count))
      return before + zeros + digits + after
    }
  }
}

extension ValueRecipe.Form {
  func value(_ number: Double) -> Value {
    switch self {
    case .double: .double(number)
    case .float: .double(Double(Float(number)))
    case .date: .date(Date(timeIntervalSinceReferenceDate: number))
    }
  }
}

extension Value {
  /// The value as a part of a list in a text; nothing for nil.
  fileprivate var shownInList: String {
    switch self {
    case .null: ""
    case .string(let text): text
    default: shown
    }
  }
}
