/// `{ sequence: 10, step: 5 }`: one after the other.
enum SequenceRule: SeedingRule {
  static let forms = [
    SeedingRuleForm(
      keywords: ["sequence"], examples: ["{ sequence: 10, step: 5 }"],
      meaning:
        #"one after the other: numbers, dates (`step` in seconds, or `5min`, `2h`, `1d`), texts and URIs with the object's number: `"song-{n:7}.txt"`"#,
      schema: #"{"type": ["string", "number"]}"#)
  ]
  static let options = [(key: "step", schema: #"{"type": ["string", "number"]}"#)]

  static func read(_ written: WrittenKeyword, by reader: RecipeReader) throws -> any ValueMaker {
    let node = written.node
    let attribute = reader.attribute
    if [.string, .uri].contains(attribute.attributeType) {
      let isURI = attribute.attributeType == .uri
      guard let text = node.text, case let template = NumberedTexts.Template(text),
        template.isNumbered, !isURI || URL(string: template.text(0)) != nil
      else {
        let wanted =
          isURI
          ? "a URI with {n} in it, as in https://example.com/{n}"
          : "a text with {n} in it, as in song-{n:7}.txt"
        throw Diagnostic("give \(wanted)", at: node.place)
      }
      return NumberedTexts(template: template, isURI: isURI)
    }
    let step = try written.fields.text("step").map { try Self.step($0) } ?? 1
    switch (attribute.attributeType, try ValueReader.value(node, for: attribute)) {
    case (_, .integer(let start)) where attribute.attributeType != .boolean:
      guard let whole = Int64(exactly: step) else {
        throw Diagnostic(
          "'step' must be a whole number here", at: written.fields.node("step")?.place ?? node.place
        )
      }
      return WholeSequence(start: start, step: whole)
    case (let type, .double(let start)):
      return RealSequence(start: start, step: step, form: type == .float ? .float : .double)
    case (_, .date(let start)):
      return RealSequence(
        start: start.timeIntervalSinceReferenceDate, step: step, form: .date)
    default:
      throw Diagnostic(
        "there is no sequence of \(attribute.attributeType.name) values", at: node.place)
    }
  }

  /// A number; of dates seconds, or a time with its unit.
  private static func step(_ text: Located<String>) throws -> Double {
    let units: [(String, Double)] = [("min", 60), ("s", 1), ("h", 3600), ("d", 86400)]
    let unit = units.first { text.value.hasSuffix($0.0) }
    let digits = text.value.dropLast(unit?.0.count ?? 0).trimmingCharacters(in: .whitespaces)
    guard let number = Double(digits), number.isFinite else {
      throw Diagnostic("'step' must be a number, or a time as in 37s, 5min, 2h, 1d", at: text.place)
    }
    return number * (unit?.1 ?? 1)
  }
}

struct WholeSequence: ValueMaker {
  let start: Int64
  let step: Int64

  func value(_ chance: inout Chance, row: Int) -> Value { .integer(start &+ step &* Int64(row)) }

  var isDistinct: Bool { step != 0 }
  var followsRow: Bool { isDistinct }
  let edges: [Value] = []

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }
}

struct RealSequence: ValueMaker {
  let start: Double
  let step: Double
  let form: RealNumbers.Form

  func value(_ chance: inout Chance, row: Int) -> Value { form.value(start + step * Double(row)) }

  var isDistinct: Bool { step != 0 }
  var followsRow: Bool { isDistinct }
  let edges: [Value] = []

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }
}

/// Texts or URIs with the row's number in them.
struct NumberedTexts: ValueMaker {
  let template: Template
  let isURI: Bool

  func value(_ chance: inout Chance, row: Int) -> Value {
    let text = template.text(row)
    if !isURI { return .string(text) }
    // That the template makes a URI was seen when it was read.
    return URL(string: text).map { .uri($0) } ?? .null
  }

  var isDistinct: Bool { template.isNumbered }
  var followsRow: Bool { isDistinct }
  let edges: [Value] = []

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }

  /// Text with the row's number in it, counted from 1.
  struct Template {
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
