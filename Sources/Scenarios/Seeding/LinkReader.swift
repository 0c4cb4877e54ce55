/// Reads how the objects of a relationship are chosen.
struct LinkReader {
  let relationship: RelationshipDescription
  /// How many objects there are to lead to.
  let poolCount: Int
  let collector: DiagnosticCollector

  static let forms = [
    SeedingRuleForm(
      keywords: ["link"], examples: ["{ link: uniform }"],
      meaning:
        "one object of the relationship's destination, written by hand or made by rule; of a to-many relationship `times: 1...3` different ones",
      schema: #"{"enum": ["uniform", "skewed", "zipf", "each"]}"#),
    SeedingRuleForm(
      keywords: ["link"], examples: ["{ link: each }"],
      meaning:
        "the first with the first, the second with the second, and so on; the only way for one-to-one relationships",
      schema: #"{"enum": ["uniform", "skewed", "zipf", "each"]}"#),
  ]
  static let options = [(key: "times", schema: ##"{"$ref": "#/$defs/times"}"##)]
  private static let keys = ["link"] + options.map(\.key) + ["nil"]
  private static let choices = Spread.allCases.map(\.rawValue) + ["each"]

  /// - Returns: Nil for no link at all, or after a report of what is wrong.
  func recipe(_ node: SourceNode) -> LinkRecipe? {
    if node.isNull { return nil }
    guard let entries = node.map else {
      collector.report(
        "give '\(relationship.name)' a link, as in { link: uniform }", at: node.place)
      return nil
    }
    let fields = Fields(entries, of: "a link", known: Self.keys, at: node.place, to: collector)
    return collector.attempt(at: node.place) { try recipe(fields, node.place) }
  }

  private func recipe(_ fields: Fields, _ place: SourcePlace) throws -> LinkRecipe {
    guard let choice = fields.text("link") else {
      throw Diagnostic(
        "'link' must be \(Self.choices.joined(separator: " or "))", at: place)
    }
    try checkSide(place)
    let absence = try absence(fields)
    if poolCount == 0 {
      throw Diagnostic(
        "the seed has no '\(relationship.destinationEntityName)' to link to", at: place)
    }
    let recipe = LinkRecipe(
      relationship: relationship, choice: try self.choice(choice), times: try times(fields),
      absence: absence, poolCount: poolCount)
    if recipe.isOneToOne, choice.value != "each" {
      throw Diagnostic(
        "'\(relationship.name)' is one-to-one: only 'each' gives every object its own partner",
        at: choice.place)
    }
    return recipe
  }

  /// Who is in a to-many relationship whose inverse is to-one follows from that side.
  private func checkSide(_ place: SourcePlace) throws {
    guard relationship.isToMany, let inverse = relationship.inverseRelationship, !inverse.isToMany
    else { return }
    throw Diagnostic(
      "link '\(inverse.name)' of '\(inverse.entity.name)' instead: each has one '\(inverse.name)'",
      at: place)
  }

  private func choice(_ text: Located<String>) throws -> LinkRecipe.Choice {
    if text.value == "each" { return .each }
    guard let spread = Spread(rawValue: text.value) else {
      throw Diagnostic("there is no link", unknown: text, among: Self.choices, called: "ways")
    }
    return .chance(Chooser(count: poolCount, spread))
  }

  private func absence(_ fields: Fields) throws -> Probability {
    guard let text = fields.text("nil") else { return .never }
    guard let absence = Probability(text.value) else {
      throw Diagnostic("'nil' must be a share, as in 5% or 0.05", at: text.place)
    }
    if !relationship.isOptional, !relationship.isToMany, absence != .never {
      throw Diagnostic("'\(relationship.name)' is required: leave out 'nil'", at: text.place)
    }
    return absence
  }

  private func times(_ fields: Fields) throws -> ClosedRange<Int> {
    guard let node = fields.node("times") else {
      let least = max(1, relationship.isToMany ? relationship.minCount : 1)
      return least...least
    }
    guard relationship.isToMany else {
      throw Diagnostic("'\(relationship.name)' is to-one; it has no 'times'", at: node.place)
    }
    let times = try RecipeReader.counts(node)
    let (least, most) = (relationship.minCount, relationship.maxCount)
    if times.lowerBound < least || (most > 0 && times.upperBound > most) {
      let limit = most > 0 ? "from \(least) to \(most)" : "at least \(least)"
      throw Diagnostic(
        "'times' goes beyond the model: each has \(limit) '\(relationship.name)'", at: node.place)
    }
    return times
  }
}
