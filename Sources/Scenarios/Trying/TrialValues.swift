extension AttributeType {
  static let longestTrialText: Int64 = 1_000

  /// Values that tell apart conditions with some constants: those constants, what is next to them and between them, and
  /// the ends of the type; nil for types of which the model doesn't say what values they have.
  func trialValues(near constants: [Value], orNil: Bool) -> [Value]? {
    guard let values = trialValues(near: constants) else { return nil }
    return (values + (orNil ? [.null] : [])).uniqued()
  }

  private func trialValues(near constants: [Value]) -> [Value]? {
    switch self {
    case .boolean, .integer16, .integer32, .integer64:
      guard let range = wholeNumbers else { return nil }
      let wholes = [0, 1, range.lowerBound, range.upperBound] + constants.flatMap(\.nearbyWholes)
      return wholes.filter(range.contains).map { .integer($0) }
    case .double, .float: return constants.trialNumbers.map { .double($0) }
    case .decimal: return constants.trialNumbers.map { .decimal(Decimal($0)) }
    case .date:
      return constants.compactMap(\.seconds).trialNumbers.map {
        .date(Date(timeIntervalSinceReferenceDate: $0))
      }
    case .string:
      let lengths = constants.flatMap(\.nearbyWholes).filter {
        (2...Self.longestTrialText).contains($0)
      }
      let long = lengths.map { Value.string(String(repeating: "a", count: Int($0))) }
      return [.string(""), .string("a")] + long + constants.flatMap(\.nearbyTexts)
    case .uuid:
      let other = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
      return [.uuid(other)] + constants.filter { if case .uuid = $0 { true } else { false } }
    case .binaryData:
      return [.data(Data()), .data(Data([1]))]
        + constants.filter { if case .data = $0 { true } else { false } }
    case .uri:
      return [URL(string: "https://example.com/a")].compactMap(\.self).map { .uri($0) }
        + constants.filter { if case .uri = $0 { true } else { false } }
    case .undefined, .transformable, .objectID, .composite: return nil
    }
  }
}

extension [Value] {
  fileprivate var trialNumbers: [Double] {
    compactMap { value in value.isNumber ? value.doubleValue : nil }.trialNumbers
  }
}

extension [Double] {
  /// The numbers, their neighbours, and what lies between two of them.
  fileprivate var trialNumbers: [Double] {
    let known = Set(filter(\.isFinite)).sorted()
    let between = zip(known, known.dropFirst()).map { ($0 + $1) / 2 }
    return [0, 0.5] + known.flatMap { [$0 - 1, $0, $0 + 1] } + between
  }
}

extension Value {
  fileprivate var isNumber: Bool { TriedSort(of: self) == .number }

  fileprivate var seconds: Double? {
    if case .date(let date) = self { date.timeIntervalSinceReferenceDate } else { nil }
  }

  fileprivate var nearbyWholes: [Int64] {
    if case .integer(let number) = self {
      return [number, number &- 1, number &+ 1]
    }
    guard isNumber, let number = doubleValue, abs(number) < 0x1p62 else { return [] }
    let floor = Int64(number.rounded(.down))
    return [floor - 1, floor, floor + 1, floor + 2]
  }

  fileprivate var nearbyTexts: [Value] {
    guard case .string(let text) = self else { return [] }
    return [
      text, text + "a", "a" + text, String(text.dropLast()), text.lowercased(), text.uppercased(),
    ].map { .string($0) }
  }
}

/// What sort of value something is. Values of two sorts are never equal, and in no order.
enum TriedSort: Hashable {
  case number, text, date, data, uuid, uri, object

  /// Nil for nil, and for what can be of any sort.
  init?(of value: Value) {
    switch value {
    case .integer, .double, .decimal: self = .number
    case .string: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .object: self = .object
    case .null, .transformable, .collection: return nil
    }
  }

  /// As in "'rank' is a number".
  var noun: String {
    switch self {
    case .number: "a number"
    case .text: "a text"
    case .date: "a date"
    case .data: "binary data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .object: "an object"
    }
  }

  /// What to compare it with.
  var advice: String {
    switch self {
    case .number: "write a number without quotes"
    case .text: "write a text in quotes"
    case .date: "write a date as CAST(378151200, 'NSDate'), in seconds since 2001"
    case .data: "write data as CAST('aGVsbG8=', 'NSData'), in Base64"
    case .uuid: "write a UUID as CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')"
    case .uri: "write a URI as CAST('https://example.com', 'NSURL')"
    case .object: "compare one of its attributes, or ask for nil"
    }
  }
}
