/// Reads how the values of an attribute are made: a value, the same for all, or a rule.
struct RecipeReader {
  let attribute: AttributeDescription
  let collector: DiagnosticCollector

  /// - Returns: Nil after a report of what is wrong.
  func recipe(_ node: SourceNode) -> ValueRecipe? {
    guard let entries = node.map else {
      return collector.attempt(at: node.place) {
        ValueRecipe(maker: SameValue(value: try ValueReader.value(node, for: attribute)))
      }
    }
    if let link = entries.first(where: { $0.key.value == "link" }) {
      collector.report(
        "'link' is for relationships, and '\(attribute.name)' is an attribute", at: link.key.place)
      return nil
    }
    let fields = Fields(
      entries, of: "a rule", known: SeedingRules.keywords + SeedingRules.options, at: node.place,
      to: collector)
    let named = entries.map(\.key).filter { SeedingRules.rule($0.value) != nil }
    guard named.count == 1, let keyword = named.first, let rule = SeedingRules.rule(keyword.value)
    else {
      if !fields.hasUnknownKeys {
        collector.report(
          "give '\(attribute.name)' one rule: \(SeedingRules.keywords.joined(separator: ", "))",
          at: named.last?.place ?? node.place)
      }
      return nil
    }
    checkOptions(in: fields, keyword: keyword, rule: rule)
    return collector.attempt(at: keyword.place) { try recipe(keyword, rule: rule, fields: fields) }
  }

  private func recipe(
    _ keyword: Located<String>, rule: any SeedingRule.Type, fields: Fields
  ) throws -> ValueRecipe {
    guard let node = fields.node(keyword.value) else {
      throw Diagnostic("'\(keyword.value)' needs a value", at: keyword.place)
    }
    var recipe = ValueRecipe(
      maker: try rule.read(WrittenKeyword(key: keyword, node: node, fields: fields), by: self))
    if let text = fields.text("nil") {
      guard let absence = Probability(text.value) else {
        throw Diagnostic("'nil' must be a share, as in 5% or 0.05", at: text.place)
      }
      recipe.absence = absence
    }
    return recipe
  }

  /// Reports what belongs to another rule, and would be passed over.
  private func checkOptions(
    in fields: Fields, keyword: Located<String>, rule: any SeedingRule.Type
  ) {
    let known = rule.options.map(\.key) + ["nil"]
    for option in SeedingRules.options where !known.contains(option) {
      guard let entry = fields.entry(option) else { continue }
      collector.report("'\(option)' can't be combined with '\(keyword.value)'", at: entry.key.place)
    }
  }

  // MARK: What several rules are made of

  func require(
    _ types: [AttributeType], for rule: String, at place: SourcePlace
  ) throws {
    if types.contains(attribute.attributeType) { return }
    let names = types.map(\.name).joined(separator: " or ")
    throw Diagnostic(
      "'\(rule)' makes \(names), and '\(attribute.name)' is \(attribute.attributeType.name)",
      at: place)
  }

  /// Chooses among so many things by the rule's `spread`.
  func chooser(_ count: Int, _ fields: Fields) -> Chooser {
    let spread: Located<Spread>? = fields.node("spread").flatMap {
      collector.choice($0, of: "spread")
    }
    return Chooser(count: count, spread?.value ?? .uniform)
  }

  /// `3`, or `1...5`.
  static func counts(_ node: SourceNode) throws -> ClosedRange<Int> {
    let parts = (node.text ?? "").split(separator: "...", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    guard let low = numbers.first, let high = numbers.last, numbers.count == parts.count,
      numbers.count <= 2, low >= 0, low <= high, high <= 1_000_000
    else {
      throw Diagnostic(
        "this must be a whole number, or two as in 1...5, the smaller one first", at: node.place)
    }
    return low...high
  }
}
