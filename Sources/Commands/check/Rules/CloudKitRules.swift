/// What a store that CloudKit mirrors can't have. The container refuses to load such a model (134060), so each is an
/// error; only the version that the app opens counts.
// Core Data: documented; Apple's page on models for CloudKit, and the messages of public logs that name the same rules.
struct CloudKitRules {
  private let current: ManagedObjectModel
  /// The entities of each store that is mirrored.
  private let mirrored: [[EntityDescription]]

  /// Core Data's name for all entities.
  static let whole = "Default"

  /// - Parameter given: The configurations that somebody names; those that the model's file marks count, too.
  /// - Throws: ``Diagnostics`` for a configuration that the current version doesn't have.
  init(current: ManagedObjectModel, given: [String]) throws {
    self.current = current
    let known = current.configurations.keys.sorted() + [Self.whole]
    let named = try given.map { name -> [EntityDescription] in
      // A project file may say `cloudkit: true`.
      if ["", "true", Self.whole].contains(name) { return current.entities }
      if let entities = current.entities(forConfigurationName: name) { return entities }
      let hint = Spelling.hint(for: name, among: known, called: "configurations")
      throw Diagnostics(
        file: "--cloudkit", "\(current.shownName) has no configuration '\(name)'\(hint)")
    }
    mirrored =
      named + current.entitiesUsedWithCloudKit.map { $0.compactMap(current.entity(named:)) }
  }

  var findings: [CheckFinding] {
    mirrored.flatMap { entities in
      // Objects have what their entity inherits, from an entity outside the configuration, too.
      entities.flatMap { sequence(first: $0, next: \.superentity) }.flatMap { entity in
        entity.uniquenessConstraints.map {
          finding(
            .cloudKitConstraint, in: entity, of: $0[0],
            "a uniqueness constraint names it: CloudKit has none",
            advice: "Remove the constraint, and merge equal objects in the app.")
        } + entity.ownProperties.filter { !$0.isTransient }.flatMap { findings(of: $0, in: entity) }
          + links(from: entity, leading: entities)
      }
    }.uniqued()
  }

  /// The relationships that leave the entities of a store.
  private func links(from entity: EntityDescription, leading out: [EntityDescription])
    -> [CheckFinding]
  {
    entity.ownRelationships.filter { !$0.isTransient && !out.contains($0.destinationEntity) }.map {
      finding(
        .cloudKitConfiguration, in: entity, of: $0.name,
        "leads to \($0.destinationEntity.name), which isn't in the configuration that CloudKit mirrors",
        advice:
          "Put \($0.destinationEntity.name) into the configuration, or keep an identifier in place of the relationship."
      )
    }
  }

  private func findings(of property: PropertyDescription, in entity: EntityDescription)
    -> [CheckFinding]
  {
    func found(if isFound: Bool, by rule: CheckRule, _ message: String, advice: String)
      -> [CheckFinding]
    {
      isFound ? [finding(rule, in: entity, of: property.name, message, advice: advice)] : []
    }
    if let attribute = property as? AttributeDescription {
      return found(
        if: !attribute.isOptional && attribute.typedDefaultValue == .null && !attribute.isDerived,
        by: .cloudKitRequired,
        "is required and has no default value: CloudKit may bring objects without it",
        advice: "Make it optional, or give it a default value.")
        + found(
          if: [.undefined, .objectID].contains(attribute.attributeType) && !attribute.isDerived,
          by: .cloudKitType, "has no type that CloudKit takes", advice: "Choose another type.")
    }
    guard let relationship = property as? RelationshipDescription else { return [] }
    return found(
      if: !relationship.isOptional, by: .cloudKitRequired,
      "is required: CloudKit may bring the object before what it leads to",
      advice: "Make it optional.")
      + found(
        if: relationship.inverseRelationship == nil, by: .cloudKitInverse,
        "has no inverse, which CloudKit asks for", advice: "Add an inverse relationship.")
      + found(
        if: relationship.deleteRule == .deny, by: .cloudKitDeny,
        "has the delete rule Deny, which CloudKit doesn't keep",
        advice: "Choose Nullify or Cascade.")
      + found(
        if: relationship.isOrdered, by: .cloudKitOrdered, "is ordered, which CloudKit doesn't keep",
        advice: "Keep the order in an attribute of the objects at the other end.")
  }

  private func finding(
    _ rule: CheckRule, in entity: EntityDescription, of property: String, _ message: String,
    advice: String
  ) -> CheckFinding {
    CheckFinding(
      rule,
      about: CheckFinding.Subject(
        version: current.shownName, entity: entity.name, property: property), message,
      advice: advice, code: 134060)
  }
}
