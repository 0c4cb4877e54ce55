extension ModelFacts {
  package static func mismatches(_ fact: ModelFact, _ situation: Situation) throws -> [Mismatch] {
    let entity = situation.model.entity(named: fact.subject.entity.value)
    guard let name = fact.subject.properties.first else {
      return compare(fact, exists: entity != nil, situation) { entity.map(Self.facts) ?? [:] }
    }
    let property = entity?.property(named: name.value)
    return compare(fact, exists: property != nil, situation) { property.map(Self.facts) ?? [:] }
  }

  private static func compare(
    _ fact: ModelFact, exists: Bool, _ situation: Situation, facts: () -> [String: String]
  ) -> [Mismatch] {
    let subject = "\(fact.subject.shown) in the model of \(situation.version)"
    func mismatch(_ expected: String, _ found: String, _ new: String) -> [Mismatch] {
      let place = fact.subject.entity.place
      return [
        Mismatch(
          at: place, subject, expected: expected, found: found,
          repairs: [Repair(ofKey: place, .text(new))])
      ]
    }
    switch fact.claim {
    case .gone: return exists ? mismatch("gone", "it is there", "exists") : []
    case .exists: return exists ? [] : mismatch("exists", "it isn't there", "gone")
    case .facts(let claims):
      guard exists else { return mismatch("exists", "it isn't there", "gone") }
      let known = facts()
      return claims.compactMap { claim in
        let (expected, found) = (claim.value.shown, known[claim.key.value] ?? "null")
        if normalized(expected) == normalized(found) { return nil }
        return Mismatch(
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
    return parsed.map(Notation.init(node:))
  }

  /// Quotes don't matter in a fact, nor does how a number is written.
  private static func normalized(_ text: String) -> String {
    let bare = text.replacing("\"", with: "")
    return Double(bare).map { "\($0)" } ?? bare
  }

  // MARK: What models say

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
