/// A rule that a seed may give for the values of an attribute, as in `{ uniform: [1, 100] }`.
///
/// Each rule is one type in one file, with what makes its values. What its values depend on has no default
/// here: a rule that forgot it would make values that aren't what the model asks for.
protocol SeedingRule: Sendable {
  /// How it is written, one for each keyword.
  static var forms: [SeedingRuleForm] { get }
  /// The keys that may stand beside its keyword, with their parts of the schema, as JSON. `nil` goes with every rule.
  static var options: [(key: String, schema: String)] { get }

  /// - Throws: ``Diagnostic`` for what the attribute can't have.
  static func read(_ written: WrittenKeyword, by reader: RecipeReader) throws -> any ValueMaker
}

/// Makes the values of an attribute, each of which can be made by itself.
protocol ValueMaker: Sendable {
  /// The value of a row.
  func value(_ chance: inout Chance, row: Int) -> Value

  /// Whether each row has a value of its own.
  var isDistinct: Bool { get }
  /// Whether the row says which value it has, and chance nothing.
  var followsRow: Bool { get }
  /// Values that it makes sooner or later and that are the likeliest to break a rule: both ends of a range,
  /// all of a list; none where only making them tells.
  var edges: [Value] { get }
  /// A maker of the same kind that gives each row a value of its own; nil where there is none.
  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)?
}

/// One way to write a rule, as the documentation and the schema have it.
struct SeedingRuleForm {
  /// The keywords that are written this way.
  let keywords: [String]
  /// Examples, and what they give: a line of the table in Scenarios/README.md.
  let examples: [String]
  let meaning: String
  /// What a keyword's value may be: a JSON schema.
  let schema: String
}

/// All rules, in the order in which they are documented.
enum SeedingRules {
  static let all: [any SeedingRule.Type] = [
    RangeRule.self, SequenceRule.self, PickRule.self, WordsRule.self, JoinRule.self, BytesRule.self,
  ]
  static let keywords = all.flatMap { $0.forms.flatMap(\.keywords) }
  /// The keys beside a keyword.
  static let options = (all.flatMap { $0.options.map(\.key) } + ["nil"]).uniqued()

  static func rule(_ keyword: String) -> (any SeedingRule.Type)? {
    all.first { $0.forms.contains { $0.keywords.contains(keyword) } }
  }
}
