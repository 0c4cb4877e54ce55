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

// MARK: - For machines

extension PredicateExplanation {
  var json: JSONObject {
    [
      "format": 1, "predicate": predicate.predicateFormat, "tree": predicate.tree.json,
      "result": result?.json, "message": result?.message, "sql": sql?.json,
    ]
  }
}

extension PredicateTree {
  fileprivate var json: JSONObject { ["label": label, "parts": parts.map(\.json)] }
}

extension PredicateSQL {
  fileprivate var json: JSONObject {
    var json: JSONObject = [
      "entity": entity.name,
      // Why a device's store raises an exception, and what to write instead.
      "refusal": refusal.map { "\($0)" }, "advice": refusal?.advice,
    ]
    switch result {
    case .success(let fragment):
      json["statement"] = fragment.sql
      // The values of `?1`, `?2`, … as expressions.
      json["bindings"] = fragment.bindings.map { Expression.constant($0).expressionFormat }
    case .failure(let error):
      // Why there is no statement, so that objects are looked at in memory.
      json["untranslatable"] = "\(error)"
    }
    return json
  }
}
