/// `count: { Event: 2, Tag where name == "food": 1 }`.
struct CountExpectation: ObjectsExpectation {
  struct Item: Sendable {
    let query: ObjectQuery
    let count: Located<Int>
  }
  let items: [Item]

  static let form = ExpectationForm(
    keyword: "count", example: #"count: { Event: 2, Tag where name == "food": 1 }"#,
    meaning: "there is this number of objects (including those of subentities)",
    schema: """
      {"type": "object", "additionalProperties": {"$ref": "#/$defs/number"},
       "description": "Objects per entity or query."}
      """, countsObjects: true)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    guard let entries = written.map else { return nil }
    // In braces, YAML ends a key at a comma.
    if let torn = entries.first(where: { $0.value.isNull && $0.key.value.hasOpenParenthesis }) {
      reader.collector.report(
        "a comma ends this: put all of the condition into quotes, as in { 'Tag where f(a, b) == 1': 2 }",
        at: torn.key.place)
      return nil
    }
    return CountExpectation(
      items: entries.compactMap { entry in
        guard let query = reader.collector.query(entry.key),
          let count = reader.collector.count(entry.value, of: entry.key.value)
        else { return nil }
        return Item(query: query, count: count)
      })
  }

  var isEmpty: Bool { items.isEmpty }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> CountCheck? {
    CountCheck(
      items: items.compactMap { item in
        checker.resolveQuestion(item.query, scope).map { (query: $0, count: item.count) }
      })
  }
}

struct CountCheck: ObjectsCheck {
  let items: [(query: ResolvedQuery, count: Located<Int>)]
  private typealias Item = (query: ResolvedQuery, count: Located<Int>)

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    try items.compactMap { try mismatch($0, in: situation) }
  }

  private func mismatch(_ item: Item, in situation: Situation) throws -> Failure? {
    let found = try situation.count(item.query)
    if found == item.count.value { return nil }
    let hasTooMany = found > item.count.value
    // With a condition, more of them needn't be more objects.
    let symptom: Failure.Symptom? =
      hasTooMany ? (item.query.predicate == nil ? .tooManyObjects : nil) : .tooFewObjects
    var mismatch = Failure(
      at: item.count.place, "count of \(item.query.shown)",
      expected: "\(item.count.value)", found: "\(found)",
      notes: try situation.examples(of: item.query, count: found),
      repairs: [Repair(of: item.count.place, .number(found))]
    ).counting(item.query, hasTooMany: hasTooMany).showing(symptom)
    mismatch.counts = .init(expected: item.count.value, found: found)
    return mismatch
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] {
    try items.compactMap { query, count in
      let isOfNone = count.value == 0
      if isOfNone, let mismatch = try check.emptiness(of: query.lookedAtForNone).first {
        return mismatch
      }
      return try check.emptiness(
        ofObjectsBehind: query, toBe: !isOfNone, ofEach: isOfNone, at: count.place)
    }
  }

  var dependsOnTime: Bool { items.contains { $0.query.asksForTime } }

  var looked: [(objects: ResolvedQuery, least: Int)] {
    items.filter { $0.count.value == 0 }.flatMap(\.query.lookedAtForNone)
  }

  var emptyEntities: [String] {
    items.filter { $0.count.value == 0 && $0.query.predicate == nil }.map(\.query.entity.name)
  }

  var emptyPaths: [String] {
    items.filter { $0.count.value == 0 }.flatMap { $0.query.emptyPaths(wherePredicateIs: false) }
  }
}

extension String {
  fileprivate var hasOpenParenthesis: Bool {
    count(where: { $0 == "(" }) > count(where: { $0 == ")" })
  }
}

extension ResolvedQuery {
  /// The to-many paths, as `Entity.relationship`, that lead nowhere if its predicate is true, or false, for every
  /// object.
  func emptyPaths(wherePredicateIs truth: Bool) -> [String] {
    predicate.map { predicate in
      TriedCondition(predicate, about: entity).pathsSaidToBeEmpty(truth).map {
        "\(entity.name).\($0)"
      }
    } ?? []
  }

  var asksForTime: Bool { written.predicate?.value.contains("now()") ?? false }
}
