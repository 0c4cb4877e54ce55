extension ScenarioReader {
  /// The keywords of expectations, in the order they are documented.
  static let expectationKeywords = [
    "count", "unique", "inverse", "required", "none", "some", "all", "exactly", "object", "made",
    "dropped", "everySourceMigrated", "model", "calls", "prints", "trace", "hops", "mapping",
    "source", "destination", "store", "fails",
  ]
  private static let modifiers = ["at", "start", "has", "from", "expect"]

  func expectations(_ node: SourceNode) -> [Expectation] {
    if node.isNull { return [] }
    return (collector.list(node, of: "expect") ?? []).flatMap(expectationItem)
  }

  /// One expectation, or a list of expectations `at` a version.
  private func expectationItem(_ node: SourceNode) -> [Expectation] {
    guard let entries = node.map else {
      collector.report("an expectation must be a map, as in '- count: { Tag: 2 }'", at: node.place)
      return []
    }
    let known = Self.expectationKeywords + Self.modifiers
    let fields = Fields(entries, of: "an expectation", known: known, at: node.place, to: collector)
    let keywords = entries.map(\.key).filter { Self.expectationKeywords.contains($0.value) }
    var found: [Expectation]
    if let nested = fields.node("expect"), keywords.isEmpty {
      found = expectations(nested)
    } else {
      found = single(fields, keywords).map { [$0] } ?? []
    }
    let (version, starts) = (fields.text("at"), fields.texts("start"))
    for index in found.indices {
      found[index].version = found[index].version ?? version
      found[index].starts += starts
    }
    return found
  }

  private func single(_ fields: Fields, _ keywords: [Located<String>]) -> Expectation? {
    if keywords.isEmpty, fields.hasUnknownKeys { return nil }
    guard let keyword = keywords.first, keywords.count == 1, fields.entry("expect") == nil else {
      let known = Self.expectationKeywords.joined(separator: ", ")
      collector.report(
        keywords.isEmpty
          ? "this says nothing to expect; write one of: \(known)"
          : "write one expectation per list item, not "
            + keywords.map { "'\($0.value)'" }.joined(separator: " and "),
        at: keywords.dropFirst().first?.place ?? fields.place)
      return nil
    }
    if keyword.value != "object", let extra = fields.entry("has") ?? fields.entry("from") {
      collector.report("'\(extra.key.value)' goes with 'object' only", at: extra.key.place)
      return nil
    }
    return check(keyword.value, fields).map { Expectation(place: keyword.place, check: $0) }
  }

  private func check(_ keyword: String, _ fields: Fields) -> Expectation.Check? {
    guard let node = fields.node(keyword) else { return nil }
    switch keyword {
    case "count": return counts(node).map { .count($0) }
    case "unique": return properties(node, of: keyword, needsProperty: true).map { .unique($0) }
    case "inverse": return properties(node, of: keyword, needsProperty: true).map { .inverse($0) }
    case "required": return properties(node, of: keyword).map { .required($0) }
    case "none", "some", "all", "exactly": return quantity(keyword, node)
    case "object": return object(node, fields)
    case "made": return made(node)
    case "dropped": return references(node, of: keyword).map { .dropped($0) }
    case "everySourceMigrated": return everySourceMigrated(node)
    case "model": return modelFacts(node).map { .model($0) }
    default: return runCheck(keyword, node)
    }
  }

  // MARK: Objects

  private func counts(_ node: SourceNode) -> [CountExpectation]? {
    guard let entries = collector.map(node, of: "count") else { return nil }
    return entries.compactMap { entry in
      guard let query = collector.query(entry.key),
        let count = collector.count(entry.value, of: entry.key.value)
      else { return nil }
      return CountExpectation(query: query, count: count)
    }
  }

  private func properties(
    _ node: SourceNode, of key: String, needsProperty: Bool = false
  ) -> [PropertyReference]? {
    collector.texts(node, of: key).compactMap { text in
      guard let reference = collector.propertyReference(text) else { return nil }
      if needsProperty, reference.properties.isEmpty {
        collector.report("'\(key)' needs a property, as in '\(text.value).name'", at: text.place)
        return nil
      }
      return reference
    }
  }

  private func quantity(_ keyword: String, _ node: SourceNode) -> Expectation.Check? {
    guard var text = collector.text(node, of: keyword) else { return nil }
    var quantity = ["none": Quantity.none, "some": .some, "all": .all][keyword]
    if keyword == "exactly" {
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
    return .quantity(quantity, query)
  }

  private func object(_ node: SourceNode, _ fields: Fields) -> Expectation.Check? {
    guard let text = collector.text(node, of: "object") else { return nil }
    guard let reference = collector.reference(text) else { return nil }
    let values = values(fields.node("has"), of: "has")
    let origin = fields.text("from").flatMap { collector.reference($0) }
    return .object(ObjectExpectation(object: reference, values: values, origin: origin))
  }

  private func made(_ node: SourceNode) -> Expectation.Check? {
    guard let entries = collector.map(node, of: "made") else { return nil }
    return .made(
      entries.compactMap { entry in
        guard let source = collector.reference(entry.key) else { return nil }
        let entities = collector.texts(entry.value, of: entry.key.value)
        return MadeExpectation(source: source, entities: entities)
      })
  }

  private func references(_ node: SourceNode, of key: String) -> [ObjectReference]? {
    collector.texts(node, of: key).compactMap { collector.reference($0) }
  }

  private func everySourceMigrated(_ node: SourceNode) -> Expectation.Check? {
    if node.text == "true" { return .everySourceMigrated([]) }
    let entities = collector.texts(node, of: "everySourceMigrated")
    return entities.isEmpty ? nil : .everySourceMigrated(entities)
  }

  private func modelFacts(_ node: SourceNode) -> [ModelFact]? {
    collector.map(node, of: "model")?.compactMap { entry in
      guard let subject = collector.propertyReference(entry.key) else { return nil }
      switch entry.value.text {
      case "exists": return ModelFact(subject: subject, claim: .exists)
      case "gone": return ModelFact(subject: subject, claim: .gone)
      default: break
      }
      guard let facts = entry.value.map else {
        collector.report(
          entry.value, of: entry.key.value, mustBe: "exists, gone or a map of facts")
        return nil
      }
      return ModelFact(subject: subject, claim: .facts(values(facts)))
    }
  }
}
