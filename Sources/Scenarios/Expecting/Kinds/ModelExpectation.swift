/// `model: { Song: exists, Event.note: gone, Song.length: { type: double } }`.
struct ModelExpectation: ObjectsExpectation {
  /// A statement about the model of a version.
  struct Fact: Sendable {
    enum Claim: Sendable {
      case exists
      case gone
      /// Facts by name: `type`, `optional`, `deleteRule`, …
      case facts([PropertyValue])
    }
    let subject: PropertyReference
    let claim: Claim
    /// Whether it stands in a list of several, which have one claim.
    var isListed = false
  }
  let facts: [Fact]

  static let form = ExpectationForm(
    keyword: "model",
    example:
      "model: { gone: [OldSong, Event.note], exists: Song, Song.length: { type: double } }",
    meaning:
      "the version's model has or lacks these entities and properties, or a property has these facts; see below",
    schema: ##"""
      {"type": "object", "additionalProperties": {"anyOf": [
        {"enum": ["exists", "gone"]}, {"$ref": "#/$defs/facts"}]},
       "properties": {
        "exists": {"anyOf": [{"$ref": "#/$defs/texts"}, {"$ref": "#/$defs/facts"}]},
        "gone": {"anyOf": [{"$ref": "#/$defs/texts"}, {"$ref": "#/$defs/facts"}]}}}
      """##, countsObjects: false)

  // MARK: Reading

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    written.map.map { entries in
      ModelExpectation(facts: entries.flatMap { facts($0, reader) })
    }
  }

  private static func facts(_ entry: SourceNode.Entry, _ reader: ScenarioReader) -> [Fact] {
    if let claim = claim(entry.key.value), let names = names(entry.value) {
      return reader.properties(names, of: entry.key.value).map {
        Fact(subject: $0, claim: claim, isListed: true)
      }
    }
    guard let subject = reader.collector.propertyReference(entry.key) else { return [] }
    if let claim = entry.value.text.flatMap(claim) { return [Fact(subject: subject, claim: claim)] }
    guard let facts = entry.value.map else {
      reader.collector.report(
        entry.value, of: entry.key.value, mustBe: "exists, gone or a map of facts")
      return []
    }
    if facts.isEmpty {
      reader.collector.report(
        "'\(entry.key.value)' has no facts, so this can't fail; write 'exists', or a fact, as in "
          + "'{ optional: true }'", at: entry.value.place)
    }
    return [Fact(subject: subject, claim: .facts(reader.values(facts)))]
  }

  private static func claim(_ word: String) -> Fact.Claim? {
    switch word {
    case "exists": .exists
    case "gone": .gone
    default: nil
    }
  }

  /// The names beside `gone` or `exists`; nil where that is an entity of the app's, with something said of it.
  private static func names(_ node: SourceNode) -> SourceNode? {
    if node.list != nil { return node }
    return node.text.map { claim($0) == nil } == true ? node : nil
  }

  var isEmpty: Bool { facts.isEmpty }

  // MARK: Checking

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> ModelFactsCheck? {
    for fact in facts { check(fact, by: checker) }
    return ModelFactsCheck(facts: facts)
  }

  /// An entity or property that exists, or existed in some version.
  private func check(_ fact: Fact, by checker: ScenarioChecker) {
    if case .facts(let facts) = fact.claim {
      for fact in facts { ModelFacts.check(fact, checker.collector) }
    }
    guard checker.isEntityOfAnyVersion(fact.subject.entity) else { return }
    for name in fact.subject.properties {
      _ = checker.isPropertyOfAnyVersion(name, of: fact.subject.entity.value)
    }
  }

}

/// The entities and properties that are named may be there or not: they are looked for in the store's model.
struct ModelFactsCheck: ObjectsCheck {
  let facts: [ModelExpectation.Fact]

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    try facts.flatMap { try ModelFacts.mismatches($0, situation) }
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] { [] }

  var dependsOnTime: Bool { false }
}

/// Statements about entities, attributes and relationships of a model.
package enum ModelFacts {
  static let names = [
    "parent", "abstract", "unique", "type", "default", "optional", "transient", "was",
    "destination", "inverse", "deleteRule", "toMany", "ordered", "minCount", "maxCount",
  ]

  /// The values that a fact can have, where they are few.
  private static func choices(for fact: String) -> [String]? {
    switch fact {
    case "type": AttributeType.allCases.map(\.notation)
    case "deleteRule": ["nullify", "cascade", "deny", "no action"]
    case "abstract", "optional", "transient", "toMany", "ordered": ["true", "false"]
    default: nil
    }
  }

  /// Reports a fact that models don't have, or a value that it can't have.
  static func check(_ fact: PropertyValue, _ collector: DiagnosticCollector) {
    if names.contains(fact.key.value) { return checkValue(fact, collector) }
    collector.report("there is no fact", unknown: fact.key, among: names, called: "known facts")
  }

  private static func checkValue(_ fact: PropertyValue, _ collector: DiagnosticCollector) {
    guard let choices = choices(for: fact.key.value) else { return }
    let word = fact.value.text ?? ""
    if choices.contains(word) { return }
    let hint = Spelling.hint(for: word, among: choices, called: "choices")
    let shown = fact.value.text.map { "'\($0)'" } ?? fact.value.kind
    collector.report("'\(fact.key.value)' can't be \(shown)\(hint)", at: fact.value.place)
  }

  static func mismatches(_ fact: ModelExpectation.Fact, _ situation: Situation) throws -> [Failure]
  {
    let entity = situation.model.entity(named: fact.subject.entity.value)
    guard let name = fact.subject.properties.first else {
      return compare(fact, exists: entity != nil, situation) { entity.map(Self.facts) ?? [:] }
    }
    let property = entity?.property(named: name.value)
    return compare(fact, exists: property != nil, situation) { property.map(Self.facts) ?? [:] }
  }

  private static func compare(
    _ fact: ModelExpectation.Fact, exists: Bool, _ situation: Situation,
    facts: () -> [String: String]
  ) -> [Failure] {
    let subject = "\(fact.subject.shown) in the model of \(situation.version)"
    func mismatch(expected: String, found: String, new: String) -> [Failure] {
      let place = fact.subject.entity.place
      return [
        Failure(
          at: place, subject, expected: expected, found: found,
          repairs: fact.isListed ? [] : [Repair(ofKey: place, .text(new))])
      ]
    }
    switch fact.claim {
    case .gone: return exists ? mismatch(expected: "gone", found: "it is there", new: "exists") : []
    case .exists:
      return exists ? [] : mismatch(expected: "exists", found: "it isn't there", new: "gone")
    case .facts(let claims):
      guard exists else {
        return mismatch(expected: "exists", found: "it isn't there", new: "gone")
      }
      let known = facts()
      return claims.compactMap { claim in
        let (expected, found) = (claim.value.shown, known[claim.key.value] ?? "null")
        if normalized(expected) == normalized(found) { return nil }
        return Failure(
          at: claim.key.place, "\(subject), \(claim.key.value)", expected: expected, found: found,
          repairs: notation(of: known[claim.key.value], claim.key.value).map {
            [Repair(ofKey: claim.key.place, $0)]
          } ?? [])
      }
    }
  }

  /// What a fact says, as a scenario writes it.
  private static func notation(of text: String?, _ fact: String) -> Notation? {
    guard let text, text != "null" else { return .null }
    guard fact == "unique" else { return .text(text.replacing("\"", with: "")) }
    // What a person wrote and isn't YAML is told where it is read.
    let parsed = try? SourceNode.yaml(SourceFile(path: "", text: text))
    return parsed.map { Notation($0) }
  }

  /// Quotes don't matter in a fact, nor does how a number is written.
  private static func normalized(_ text: String) -> String {
    let bare = text.replacing("\"", with: "")
    return Double(bare).map { "\($0)" } ?? bare
  }

  // MARK: What models say

  /// What rows alone don't tell of an entity: the defaults of attributes that it didn't have before, and inverses,
  /// each pair once.
  package static func untold(
    of entity: EntityDescription, before: EntityDescription?
  ) -> [Notation.Field] {
    func field(_ property: PropertyDescription, _ fact: String) -> Notation.Field? {
      let key = "\(property.entity.name).\(property.name)"
      return notation(of: facts(of: property)[fact], fact).map {
        .init(key: key, value: .map([.init(key: fact, value: $0)]))
      }
    }
    let known = Set(before?.attributes.map(\.renamingIdentifier) ?? [])
    let defaults = entity.attributes.filter {
      !known.contains($0.renamingIdentifier) && !$0.typedDefaultValue.isNull && !$0.isTransient
    }.compactMap { field($0, "default") }
    let inverses = entity.relationships.filter(\.isFirstOfPair).compactMap { field($0, "inverse") }
    return defaults + inverses
  }

  private static func facts(of entity: EntityDescription) -> [String: String] {
    var facts = ["abstract": "\(entity.isAbstract)"]
    facts["parent"] = entity.superentity?.name
    facts["was"] = entity.explicitRenamingIdentifier
    let constraints = entity.uniquenessConstraints.map { names in
      names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]"
    }
    facts["unique"] = "[\(constraints.joined(separator: ", "))]"
    return facts
  }

  private static func facts(of property: PropertyDescription) -> [String: String] {
    var facts = ["optional": "\(property.isOptional)", "transient": "\(property.isTransient)"]
    facts["was"] = property.explicitRenamingIdentifier
    if let attribute = property as? AttributeDescription {
      facts["type"] = attribute.attributeType.notation
      facts["default"] = attribute.typedDefaultValue.shown(as: attribute)
    }
    if let relationship = property as? RelationshipDescription {
      facts["destination"] = relationship.destinationEntityName
      facts["inverse"] = relationship.inverseName
      facts["deleteRule"] =
        relationship.deleteRule == .noAction ? "no action" : "\(relationship.deleteRule)"
      facts["toMany"] = "\(relationship.isToMany)"
      facts["ordered"] = "\(relationship.isOrdered)"
      facts["minCount"] = "\(relationship.minCount)"
      facts["maxCount"] = "\(relationship.maxCount)"
    }
    return facts
  }
}

extension RelationshipDescription {
  /// Whether it has an inverse, and of the two is the one that a pair is told by.
  package var isFirstOfPair: Bool {
    inverseRelationship.map { (entity.name, name) <= ($0.entity.name, $0.name) } ?? false
  }
}
