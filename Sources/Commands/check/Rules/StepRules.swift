/// The rules about one step from a version to the next.
enum StepRules {
  static func findings(in situation: StepSituation) -> [CheckFinding] {
    rules.flatMap { $0.findings(in: situation) }
  }

  private static let rules: [any StepRule] = [
    ImpossibleStepRule(), RequiredPropertyRule(), ConstraintRule(), RemovedEntityRule(),
    RemovedPropertyRule(), NarrowedTypeRule(), BoundsRule(), TransformerRule(), OrderRule(),
    DeleteRuleRule(), DoubtRule(), ConfigurationRule(),
  ]
}

/// One rule about a step.
protocol StepRule: Sendable {
  func findings(in situation: StepSituation) -> [CheckFinding]
}

/// Entities that leave a configuration, in whose stores objects of theirs may be.
private struct ConfigurationRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    let (old, new) = (
      situation.checked.source.configurations, situation.checked.destination.configurations
    )
    return situation.pairs.flatMap { pair in
      old.keys.sorted().filter { name in
        old[name]?.contains(pair.source.name) == true
          && new[name]?.contains(pair.destination.name) == false
      }.map { name in
        CheckFinding(
          .configurationLeft, about: situation.subject(pair.destination),
          "leaves the configuration '\(name)': stores of it have no place for its objects any more",
          advice:
            "Leave it in '\(name)', or have the app copy the objects to the other store beforehand."
        )
      }
    }
  }
}

/// A step, with what a rule needs to know about it.
struct StepSituation: Sendable {
  let checked: CheckedStep
  /// The entities that live on.
  let pairs: [KeptEntity]
  let removed: [EntityDescription]
  let added: [EntityDescription]

  init(_ checked: CheckedStep) {
    self.checked = checked
    let pairing = ElementPairing(from: checked.source, to: checked.destination)
    pairs = checked.destination.entities.compactMap { entity in
      pairing.source(of: entity).map { KeptEntity(source: $0, destination: entity) }
    }
    let kept = Set(pairs.map(\.source.name))
    removed = checked.source.entities.filter { !kept.contains($0.name) }
    let known = Set(pairs.map(\.destination.name))
    added = checked.destination.entities.filter { !known.contains($0.name) }
  }

  /// The properties that live on, and the elements of composites among them.
  var keptWithElements: [(source: PropertyDescription, destination: PropertyDescription)] {
    pairs.flatMap(\.exchanges).flatMap(\.kept)
  }

  /// A finding for each property of a kind that lives on, of which there is something to say.
  func findings<Property: PropertyDescription>(
    _ rule: CheckRule, advice: String? = nil, _ message: (Property, Property) -> String?
  ) -> [CheckFinding] {
    keptWithElements.compactMap { old, new in
      guard let old = old as? Property, let new = new as? Property,
        let message = message(old, new)
      else { return nil }
      return CheckFinding(rule, about: subject(new.entity, new), message, advice: advice)
    }.uniqued()
  }

  /// What happens to data follows from the models alone; a mapping model may do anything.
  var isLightweight: Bool { checked.verdict.isLightweight }

  func subject(
    _ entity: EntityDescription?, _ property: PropertyDescription? = nil
  ) -> CheckFinding.Subject {
    CheckFinding.Subject(
      step: checked.versions, entity: entity?.name, property: property?.dottedName)
  }
}

/// An entity that lives on, in both versions.
struct KeptEntity: Sendable {
  let source: EntityDescription
  let destination: EntityDescription
  /// The stored properties that live on.
  let properties: [(source: PropertyDescription, destination: PropertyDescription)]
  let removed: [PropertyDescription]
  let added: [PropertyDescription]

  init(source: EntityDescription, destination: EntityDescription) {
    self.source = source
    self.destination = destination
    let attributes = PropertyPairs(source.storedAttributes, destination.storedAttributes)
    let relationships = PropertyPairs(
      source.storedRelationships, destination.storedRelationships)
    properties = attributes.kept + relationships.kept
    removed = attributes.removed + relationships.removed
    added = attributes.added + relationships.added
  }
}

extension KeptEntity {
  /// What goes on, goes and comes: of the entity, and of each composite attribute that lives on.
  var exchanges: [PropertyPairs] {
    PropertyPairs(kept: properties, removed: removed, added: added).withElements
  }
}

/// Properties of one kind, paired as inference does it.
struct PropertyPairs {
  let kept: [(source: PropertyDescription, destination: PropertyDescription)]
  let removed: [PropertyDescription]
  let added: [PropertyDescription]

  /// With those of composites' elements.
  fileprivate var withElements: [PropertyPairs] {
    [self]
      + kept.flatMap { source, destination in
        let composites = [source, destination].map { ($0 as? AttributeDescription)?.elements ?? [] }
        return composites[1].isEmpty ? [] : PropertyPairs(composites[0], composites[1]).withElements
      }
  }
}

extension PropertyPairs {
  fileprivate init<Property: PropertyDescription>(_ old: [Property], _ new: [Property]) {
    if ElementPairing.areUnchanged(old, new) {
      kept = zip(old, new).map { ($0, $1) }
      (removed, added) = ([], [])
      return
    }
    let pairing = ElementPairing(source: old, destination: new)
    kept = new.compactMap { property in pairing.source(of: property).map { ($0, property) } }
    let keptNames = Set(pairing.sources.values.map(\.name))
    removed = old.filter { !keptNames.contains($0.name) }
    added = new.filter { pairing.source(of: $0) == nil }
  }
}
