/// What there is to say about one predicate, as text.
struct PredicateExplanation {
  let predicate: Predicate
  /// nil without an object.
  var result: PredicateResult?
  /// nil when it wasn't asked for.
  var sql: PredicateSQL?

  var text: String {
    var text = section("tree", Self.lines(of: predicate.tree))
    text += section("canonical form", [predicate.predicateFormat])
    if let result { text += section("answer", [Self.line(of: result)]) }
    if let sql { text += section("SQL for \(sql.entityLine)", sql.lines) }
    return text
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    title + "\n" + lines.map { "  \($0)\n" }.joined()
  }

  private static func lines(of tree: PredicateTree) -> [String] {
    [tree.label] + tree.parts.flatMap { lines(of: $0).map { "  \($0)" } }
  }

  private static func line(of result: PredicateResult) -> String {
    switch result {
    case .answer(let answer): "\(answer)"
    case .failure(let message): "error: \(message)"
    }
  }
}

/// The same for machines. Keys may be added; those that are there keep their meaning.
extension PredicateExplanation: Encodable {
  private enum Key: String, CodingKey {
    case format, predicate, tree, result, message, sql
  }

  private struct Node: Encodable {
    let label: String
    let parts: [Node]

    init(_ tree: PredicateTree) {
      label = tree.label
      parts = tree.parts.map(Node.init)
    }
  }

  private struct SQL: Encodable {
    let entity: String
    let statement: String?
    /// The values of `?1`, `?2`, … as expressions.
    let bindings: [String]?
    /// Why there is no statement, so that objects are looked at in memory.
    let untranslatable: String?
    /// Why a device's store raises an exception, and what to write instead.
    let refusal: String?
    let advice: String?

    init(_ sql: PredicateSQL) {
      entity = sql.entity.name
      switch sql.result {
      case .success(let fragment):
        statement = fragment.sql
        bindings = fragment.bindings.map { Expression.constant($0).expressionFormat }
        untranslatable = nil
      case .failure(let error):
        (statement, bindings) = (nil, nil)
        untranslatable = "\(error)"
      }
      refusal = sql.refusal.map { "\($0)" }
      advice = sql.refusal?.advice
    }
  }

  func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(1, forKey: .format)
    try keyed.encode(predicate.predicateFormat, forKey: .predicate)
    try keyed.encode(Node(predicate.tree), forKey: .tree)
    try keyed.encodeIfPresent(result, forKey: .result)
    if case .failure(let message)? = result { try keyed.encode(message, forKey: .message) }
    try keyed.encodeIfPresent(sql.map(SQL.init), forKey: .sql)
  }
}
