/// Reads how the values of an attribute are made: a value, the same for all, or a rule.
struct RecipeReader {
  let attribute: AttributeDescription
  let collector: DiagnosticCollector

  static let rules = [
    "uniform", "skewed", "zipf", "sequence", "pick", "words", "join", "bytes",
  ]
  static let options = ["step", "weights", "spread", "of", "times", "by", "nil"]

  /// - Returns: Nil after a report of what is wrong.
  func recipe(_ node: SourceNode) -> ValueRecipe? {
    guard let entries = node.map else {
      return collector.attempt(at: node.place) {
        ValueRecipe(kind: .constant(try ValueReader.value(node, for: attribute)))
      }
    }
    let fields = Fields(
      entries, of: "a rule", known: Self.rules + Self.options, at: node.place, to: collector)
    let named = entries.map(\.key).filter { Self.rules.contains($0.value) }
    guard named.count == 1, let rule = named.first else {
      if !fields.hasUnknownKeys {
        collector.report(
          "give '\(attribute.name)' one rule: \(Self.rules.joined(separator: ", "))",
          at: named.last?.place ?? node.place)
      }
      return nil
    }
    return collector.attempt(at: rule.place) { try recipe(rule, fields) }
  }

  private func recipe(_ rule: Located<String>, _ fields: Fields) throws -> ValueRecipe {
    var recipe = ValueRecipe(kind: try kind(rule, fields))
    if let text = fields.text("nil") {
      guard let absence = Probability(text.value) else {
        throw Diagnostic("'nil' must be a share, as in 5% or 0.05", at: text.place)
      }
      recipe.absence = absence
    }
    return recipe
  }

  private func kind(_ rule: Located<String>, _ fields: Fields) throws -> ValueRecipe.Kind {
    guard let node = fields.node(rule.value) else {
      throw Diagnostic("'\(rule.value)' needs a value", at: rule.place)
    }
    if let spread = Spread(rawValue: rule.value) { return try range(node, spread) }
    switch rule.value {
    case "sequence": return try sequence(node, fields)
    case "pick": return try pick(node, fields)
    case "words": return try words(node, fields)
    case "join": return try join(node, fields)
    default:
      try require([.binaryData, .transformable], rule.value, node.place)
      return .bytes(try counts(node))
    }
  }

  private func require(
    _ types: [AttributeType], _ rule: String, _ place: SourcePlace
  ) throws {
    if types.contains(attribute.attributeType) { return }
    let names = types.map(\.name).joined(separator: " or ")
    throw Diagnostic(
      "'\(rule)' makes \(names), and '\(attribute.name)' is \(attribute.attributeType.name)",
      at: place)
  }

  // MARK: Numbers and dates

  private func range(_ node: SourceNode, _ spread: Spread) throws -> ValueRecipe.Kind {
    if node.isNull { return try anything(node.place) }
    guard let bounds = node.list, bounds.count == 2 else {
      throw Diagnostic("give the lowest and the highest value, as in [1, 100]", at: node.place)
    }
    let values = try bounds.map { try ValueReader.value($0, for: attribute) }
    switch (attribute.attributeType, values[0], values[1]) {
    case (.integer16, .integer(let low), .integer(let high)),
      (.integer32, .integer(let low), .integer(let high)),
      (.integer64, .integer(let low), .integer(let high)):
      return .whole(try ordered(low, high, node), spread)
    case (.decimal, _, _):
      let low = values[0].doubleValue ?? 0
      let high = values[1].doubleValue ?? 0
      let (first, last) = ((low * 100).rounded(.up), (high * 100).rounded(.down))
      guard abs(first) < 1e15, abs(last) < 1e15 else {
        throw Diagnostic("give decimals of at most 13 digits before the point", at: node.place)
      }
      return .money(try ordered(Int64(first), Int64(last), node), spread)
    case (let type, .double(let low), .double(let high)):
      return .real(try ordered(low, high, node), spread, type == .float ? .float : .double)
    case (_, .date(let low), .date(let high)):
      let range = try ordered(
        low.timeIntervalSinceReferenceDate, high.timeIntervalSinceReferenceDate, node)
      return .real(range, spread, .date)
    default:
      throw Diagnostic(
        "'\(spread.rawValue)' makes numbers and dates, and '\(attribute.name)' is "
          + attribute.attributeType.name, at: node.place)
    }
  }

  private func ordered<Bound: Comparable>(
    _ low: Bound, _ high: Bound, _ node: SourceNode
  ) throws -> ClosedRange<Bound> {
    if low <= high { return low...high }
    throw Diagnostic("the lowest value comes first", at: node.place)
  }

  /// Any value of a type that has only so many.
  private func anything(_ place: SourcePlace) throws -> ValueRecipe.Kind {
    switch attribute.attributeType {
    case .boolean: return .whole(0...1, .uniform)
    case .integer16: return .whole(Int64(Int16.min)...Int64(Int16.max), .uniform)
    case .integer32: return .whole(Int64(Int32.min)...Int64(Int32.max), .uniform)
    case .integer64: return .whole(Int64.min...Int64.max, .uniform)
    case .uuid: return .uuid
    default:
      throw Diagnostic(
        "'\(attribute.name)' is \(attribute.attributeType.name); give the lowest and the highest "
          + "value", at: place)
    }
  }

  private func sequence(_ node: SourceNode, _ fields: Fields) throws -> ValueRecipe.Kind {
    if attribute.attributeType == .string {
      guard let text = node.text else {
        throw Diagnostic("give a text with {n} in it, as in song-{n:7}.txt", at: node.place)
      }
      return .textSequence(.init(text))
    }
    if attribute.attributeType == .uri {
      guard let text = node.text, case let template = ValueRecipe.Template(text),
        URL(string: template.text(0)) != nil
      else {
        throw Diagnostic(
          "give a URI with {n} in it, as in https://example.com/{n}", at: node.place)
      }
      return .uriSequence(template)
    }
    let step = try fields.text("step").map { try Self.step($0) } ?? 1
    switch (attribute.attributeType, try ValueReader.value(node, for: attribute)) {
    case (_, .integer(let start)) where attribute.attributeType != .boolean:
      guard let whole = Int64(exactly: step) else {
        throw Diagnostic(
          "'step' must be a whole number here", at: fields.node("step")?.place ?? node.place)
      }
      return .wholeSequence(start: start, step: whole)
    case (let type, .double(let start)):
      return .realSequence(start: start, step: step, type == .float ? .float : .double)
    case (_, .date(let start)):
      return .realSequence(
        start: start.timeIntervalSinceReferenceDate, step: step, .date)
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

  // MARK: Choices and texts

  private func pick(_ node: SourceNode, _ fields: Fields) throws -> ValueRecipe.Kind {
    guard let items = node.list, !items.isEmpty else {
      throw Diagnostic("give a list of values to pick from", at: node.place)
    }
    let values = try items.map { try ValueReader.value($0, for: attribute) }
    guard let weights = fields.node("weights") else {
      return .pick(values, try chooser(values.count, fields))
    }
    let numbers = (weights.list ?? []).map { $0.text.flatMap { UInt32($0) } }
    guard numbers.count == values.count, numbers.contains(where: { $0 ?? 0 > 0 }),
      !numbers.contains(nil)
    else {
      throw Diagnostic(
        "give a weight for each of the \(values.count) values: whole numbers, not all 0",
        at: weights.place)
    }
    return .pick(values, Chooser(weights: numbers.map { UInt64($0 ?? 0) }))
  }

  private func words(_ node: SourceNode, _ fields: Fields) throws -> ValueRecipe.Kind {
    try require([.string], "words", node.place)
    let count = fields.integer("of")?.value ?? 1000
    guard count > 0, count <= 1_000_000_000 else {
      throw Diagnostic(
        "'of' must be a number of words, from 1", at: fields.node("of")?.place ?? node.place)
    }
    return .words(try counts(node), Vocabulary(count: count), try chooser(count, fields))
  }

  private func chooser(_ count: Int, _ fields: Fields) throws -> Chooser {
    guard let node = fields.node("spread") else { return Chooser(count: count, .uniform) }
    guard let spread: Located<Spread> = collector.choice(node, of: "spread") else {
      return Chooser(count: count, .uniform)
    }
    return Chooser(count: count, spread.value)
  }

  private func join(_ node: SourceNode, _ fields: Fields) throws -> ValueRecipe.Kind {
    try require([.string], "join", node.place)
    guard let part = recipe(node) else { throw Diagnostic("this can't be joined", at: node.place) }
    let times = try fields.node("times").map(counts) ?? 2...2
    return .join(part, times, separator: fields.text("by")?.value ?? ", ")
  }

  /// `3`, or `1...5`.
  func counts(_ node: SourceNode) throws -> ClosedRange<Int> {
    let parts = (node.text ?? "").split(separator: "...", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    guard let low = numbers.first, let high = numbers.last, numbers.count == parts.count,
      numbers.count <= 2, low >= 0, low <= high, high <= 1_000_000
    else { throw Diagnostic("this must be a number, or two as in 1...5", at: node.place) }
    return low...high
  }
}
