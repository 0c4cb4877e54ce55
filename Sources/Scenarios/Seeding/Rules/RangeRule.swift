/// `{ uniform: [1, 100] }`, `{ skewed: … }` and `{ zipf: … }`: numbers and dates of a range, by chance.
enum RangeRule: SeedingRule {
  static let forms = [
    SeedingRuleForm(
      keywords: ["uniform"], examples: ["{ uniform: [1, 100] }"],
      meaning:
        "a number or date from the first to the last, all equally often; `{ uniform: ~ }` any Boolean, integer or UUID",
      schema: ##"{"$ref": "#/$defs/bounds"}"##),
    SeedingRuleForm(
      keywords: ["skewed", "zipf"], examples: ["{ skewed: [1, 100] }", "{ zipf: [1, 100] }"],
      meaning: "low values more often", schema: ##"{"$ref": "#/$defs/bounds"}"##),
  ]
  static let options: [(key: String, schema: String)] = []

  static func read(_ written: WrittenKeyword, by reader: RecipeReader) throws -> any ValueMaker {
    let node = written.node
    // The keywords are the spreads' own names.
    let spread = Spread(rawValue: written.key.value) ?? .uniform
    if node.isNull { return try anything(reader.attribute, node.place) }
    guard let bounds = node.list, bounds.count == 2 else {
      throw Diagnostic("give the lowest and the highest value, as in [1, 100]", at: node.place)
    }
    let attribute = reader.attribute
    let values = try bounds.map { try ValueReader.value($0, for: attribute) }
    switch (attribute.attributeType, values[0], values[1]) {
    case (.integer16, .integer(let low), .integer(let high)),
      (.integer32, .integer(let low), .integer(let high)),
      (.integer64, .integer(let low), .integer(let high)):
      return WholeNumbers(range: try ordered(low, high, at: node), spread: spread, isMoney: false)
    case (.decimal, _, _):
      let low = values[0].doubleValue ?? 0
      let high = values[1].doubleValue ?? 0
      let (first, last) = ((low * 100).rounded(.up), (high * 100).rounded(.down))
      guard abs(first) < 1e15, abs(last) < 1e15 else {
        throw Diagnostic("give decimals of at most 13 digits before the point", at: node.place)
      }
      let range = try ordered(Int64(first), Int64(last), at: node)
      return WholeNumbers(range: range, spread: spread, isMoney: true)
    case (let type, .double(let low), .double(let high)):
      return RealNumbers(
        range: try ordered(low, high, at: node), spread: spread,
        form: type == .float ? .float : .double
      )
    case (_, .date(let low), .date(let high)):
      let range = try ordered(
        low.timeIntervalSinceReferenceDate, high.timeIntervalSinceReferenceDate, at: node)
      return RealNumbers(range: range, spread: spread, form: .date)
    default:
      throw Diagnostic(
        "'\(spread.rawValue)' makes numbers and dates, and '\(attribute.name)' is "
          + attribute.attributeType.name, at: node.place)
    }
  }

  private static func ordered<Bound: Comparable>(
    _ low: Bound, _ high: Bound, at node: SourceNode
  ) throws -> ClosedRange<Bound> {
    if low <= high { return low...high }
    throw Diagnostic("write the lowest value first", at: node.place)
  }

  /// Any value of a type that has only so many.
  private static func anything(
    _ attribute: AttributeDescription, _ place: SourcePlace
  ) throws -> any ValueMaker {
    if attribute.attributeType == .uuid { return RandomUUIDs() }
    guard let range = attribute.attributeType.wholeNumbers else {
      throw Diagnostic(
        "'\(attribute.name)' is \(attribute.attributeType.name); give the lowest and the highest "
          + "value", at: place)
    }
    return WholeNumbers(range: range, spread: .uniform, isMoney: false)
  }
}

/// Whole numbers of a range, or hundredths.
struct WholeNumbers: ValueMaker {
  let range: ClosedRange<Int64>
  let spread: Spread
  let isMoney: Bool

  func value(_ chance: inout Chance, row: Int) -> Value {
    let number = number(&chance)
    return isMoney ? .decimal(Decimal(number) / 100) : .integer(number)
  }

  var edges: [Value] {
    [range.lowerBound, range.upperBound].map {
      isMoney ? .decimal(Decimal($0) / 100) : .integer($0)
    }
  }

  private func number(_ chance: inout Chance) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    guard width < UInt64(UInt32.max) || (spread == .uniform && width < UInt64(Int64.max)) else {
      let number = chance.next()
      let offset = width == .max ? number : number.multipliedFullWidth(by: width + 1).high
      return range.lowerBound &+ Int64(bitPattern: offset)
    }
    let offset = Chooser(count: Int(width) + 1, spread == .zipf ? .skewed : spread).index(&chance)
    return range.lowerBound + Int64(offset)
  }

  let isDistinct = false
  let followsRow = false

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? {
    var chance = column.cell(-1)
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    let order = Permutation(below: width == .max ? .max : width + 1, &chance)
    return EachWholeNumber(first: range.lowerBound, order: order, isMoney: isMoney)
  }
}

/// Whole numbers of a range, or hundredths, each once; those after the last go on above it.
struct EachWholeNumber: ValueMaker {
  let first: Int64
  let order: Permutation
  let isMoney: Bool

  func value(_ chance: inout Chance, row: Int) -> Value {
    let number = UInt64(row) < order.count ? order.number(UInt64(row)) : UInt64(row)
    let sum = first &+ Int64(bitPattern: number)
    return isMoney ? .decimal(Decimal(sum) / 100) : .integer(sum)
  }

  /// What comes above the range depends on how many there are.
  let edges: [Value] = []

  let isDistinct = true
  let followsRow = false

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }
}

/// Numbers, or seconds of dates since 2001, from the lower bound up.
struct RealNumbers: ValueMaker {
  /// What a floating point number is the value of.
  enum Form {
    case double, float, date

    func value(_ number: Double) -> Value {
      switch self {
      case .double: .double(number)
      case .float: .double(Double(Float(number)))
      case .date: .date(Date(timeIntervalSinceReferenceDate: number))
      }
    }
  }
  let range: ClosedRange<Double>
  let spread: Spread
  let form: Form

  func value(_ chance: inout Chance, row: Int) -> Value {
    let fraction = chance.fraction()
    let share = spread == .uniform ? fraction : fraction * fraction
    return form.value(range.lowerBound + (range.upperBound - range.lowerBound) * share)
  }

  /// Equal ones are as good as impossible, but for those of 24 bits.
  var isDistinct: Bool { form != .float }
  let followsRow = false
  var edges: [Value] { [form.value(range.lowerBound), form.value(range.upperBound)] }

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }
}

/// Random ones: version 4.
struct RandomUUIDs: ValueMaker {
  func value(_ chance: inout Chance, row: Int) -> Value {
    var bytes = Array(chance.bytes(16))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
  }

  let isDistinct = true
  let followsRow = true
  let edges: [Value] = []

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }
}
