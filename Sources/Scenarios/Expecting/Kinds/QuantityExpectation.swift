/// `none: Tag where name == ""`, `some:`, `all:` and `exactly: 2 Tag where …`.
struct QuantityExpectation: ObjectsExpectation {
  /// How many objects of a query there must be.
  enum Quantity: Sendable, Equatable {
    case none, some, all
    case exactly(Int)
  }
  let quantity: Quantity
  let query: ObjectQuery

  static var form: ExpectationForm { forms[0] }
  static let forms = [
    ExpectationForm(
      keyword: "none", example: #"none: Tag where name == """#, meaning: "no object matches",
      schema: #"{"type": "string"}"#, countsObjects: false),
    ExpectationForm(
      keyword: "some", example: #"some: Tag where name == "food""#,
      meaning: "at least one object matches",
      schema: #"{"type": "string"}"#, countsObjects: true),
    ExpectationForm(
      keyword: "all", example: #"all: Tag where name != """#,
      meaning: "every object matches, and there is at least one",
      schema: #"{"type": "string", "pattern": " where "}"#, countsObjects: false),
    ExpectationForm(
      keyword: "exactly", example: "exactly: 2 Tag where events.@count > 1",
      meaning: "exactly this number of objects match",
      schema: #"{"type": "string", "pattern": "^[0-9]+ "}"#, countsObjects: true),
  ]

  var keyword: String {
    switch quantity {
    case .none: "none"
    case .some: "some"
    case .all: "all"
    case .exactly: "exactly"
    }
  }

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    let collector = reader.collector
    guard var text = written.text else { return nil }
    var quantity = ["none": Quantity.none, "some": .some, "all": .all][written.key.value]
    if written.key.value == "exactly" {
      guard let (number, rest) = text.split(at: " "), let count = Int(number.value), count >= 0
      else {
        collector.report(
          "'exactly' needs a number and an entity, as in '2 Tag where name == \"food\"'",
          at: text.place)
        return nil
      }
      (quantity, text) = (.exactly(count), rest)
    }
    guard let quantity, let query = collector.query(text) else { return nil }
    if quantity == .all, query.predicate == nil {
      collector.report("'all' needs a predicate, as in 'Tag where name != \"\"'", at: text.place)
      return nil
    }
    return QuantityExpectation(quantity: quantity, query: query)
  }

  var isEmpty: Bool { false }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> QuantityCheck? {
    checker.resolveQuestion(query, scope).map { QuantityCheck(quantity: quantity, query: $0) }
  }
}

struct QuantityCheck: ObjectsCheck {
  let quantity: QuantityExpectation.Quantity
  let query: ResolvedQuery

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    try mismatch(in: situation, at: place).map { [$0] } ?? []
  }

  private func mismatch(in situation: Situation, at place: SourcePlace) throws -> Failure? {
    if quantity == .all { return try mismatchOfAll(in: situation, at: place) }
    let found = try situation.count(query)
    let (most, least, expected) =
      switch quantity {
      case .none: (0, 0, "none")
      case .exactly(let count): (count, count, "\(count)")
      case .some, .all: (Int.max, 1, "at least one")
      }
    if (least...most).contains(found) { return nil }
    var mismatch = Failure(
      at: place, query.shown, expected: expected, found: "\(found)",
      notes: try situation.examples(of: query, count: found)
    ).counting(query, hasTooMany: found > most)
    if case .exactly = quantity {
      mismatch.repairs = [Repair(ofKey: place, .text("\(found) \(query.shown)"))]
    }
    return mismatch
  }

  private func mismatchOfAll(in situation: Situation, at place: SourcePlace) throws -> Failure? {
    guard let predicate = query.predicate else { return nil }
    let objects = try situation.fetch(query.withoutCondition)
    let others = try objects.filter { try !predicate.evaluate(.object($0), variables: [:]) }
    if !objects.isEmpty, others.isEmpty { return nil }
    var mismatch = Failure(
      at: place, query.shown, expected: "all",
      found: objects.isEmpty
        ? "there is no \(query.entity.name) at all" : "all but \(others.count)",
      notes: others.isEmpty ? [] : ["not so: \(situation.list(others))"]
    ).showing(objects.isEmpty ? .tooFewObjects : nil)
    mismatch.target = Failure.Target(entity: query.entity.name)
    if !others.isEmpty {
      mismatch.question = .matching(
        .init(
          entity: query.entity.name, predicate: predicate, countsOthers: true, hasTooMany: true))
    }
    return mismatch
  }

  /// Whether there is to be none.
  private var isOfNone: Bool { quantity == .none || quantity == .exactly(0) }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] {
    let empty = try check.emptiness(of: looked)
    if !empty.isEmpty { return empty }
    let mismatch = try check.emptiness(
      ofObjectsBehind: query, toBe: !isOfNone, ofEach: isOfEach, at: place)
    return mismatch.map { [$0] } ?? []
  }

  var looked: [(objects: ResolvedQuery, least: Int)] {
    isOfNone ? query.lookedAtForNone : []
  }

  /// Whether it says something of every object.
  private var isOfEach: Bool { isOfNone || quantity == .all }

  var dependsOnTime: Bool { query.asksForTime }

  var emptyEntities: [String] {
    isOfNone && query.predicate == nil ? [query.entity.name] : []
  }

  var emptyPaths: [String] { isOfEach ? query.emptyPaths(wherePredicateIs: !isOfNone) : [] }
}
