/// What becomes of the objects of one store in a store of another model: a mapping model as plain values, which
/// need no store to be made, looked at or put together.
///
/// Compiled from a mapping model in one place (`MigrationPlan(compiling:…)` in `Migration`). A migration manager
/// carries out any; SQL those that ask for no more than rows.
package struct MigrationPlan {
  /// What is checked when all rows are there.
  package enum Checks: Sendable {
    /// That mandatory properties have values: a lightweight migration inside a store sees no more.
    case mandatoryValues
    /// Everything that a migration manager validates.
    case everything
  }

  /// An attribute of the source that must have values.
  struct Presumption {
    let entity: EntityDescription
    let attribute: AttributeDescription
  }

  /// One for each entity mapping, in their order.
  package var entities: [EntityPlan]
  package var checks: Checks
  /// What stores in between would have checked; see ``followed(by:)``.
  var presumptions: [Presumption] = []

  package init(entities: [EntityPlan], checks: Checks) {
    self.entities = entities
    self.checks = checks
  }
}

/// What one entity mapping does.
package struct EntityPlan {
  /// Where the source instances come from.
  package enum Instances {
    /// Nothing is read: an add or remove mapping.
    case none
    /// The rows of an entity for which a condition holds; nil for all. Those of subentities have plans of
    /// their own.
    case rows(ofEntityNamed: String, condition: Predicate?)
    /// What an expression gives.
    case expression(Expression)
  }

  /// The entity mapping's name.
  package let name: String
  /// The class of the app's policy; nil for Core Data's own.
  package let policyClassName: String?
  package let instances: Instances
  /// Of the source store's model; nil where the mapping names none.
  package let source: EntityDescription?
  /// Of the destination store's model; nil where the mapping names none.
  package let destination: EntityDescription?
  /// In the order of the property mappings. An attribute may be mapped twice; the last one holds.
  package private(set) var attributes: [(attribute: AttributeDescription, source: ValueSource)] = []
  package private(set) var relationships:
    [(relationship: RelationshipDescription, source: LinkSource)] = []

  package init(
    name: String, policyClassName: String? = nil, instances: Instances, source: EntityDescription?,
    destination: EntityDescription?
  ) {
    self.name = name
    self.policyClassName = policyClassName
    self.instances = instances
    self.source = source
    self.destination = destination
  }

  /// Which rows come along; nil for all.
  package var condition: Predicate? {
    if case .rows(_, let condition) = instances { condition } else { nil }
  }

  /// Of which entity all rows are read, and none of subentities.
  package var wholeEntityName: String? {
    if case .rows(let name, nil) = instances { name } else { nil }
  }

  /// The entities of the rows that it takes and makes; nil where it takes or makes none.
  var ends: (source: EntityDescription, destination: EntityDescription)? {
    guard case .rows = instances, let source, let destination else { return nil }
    return (source, destination)
  }

  package mutating func fill(_ attribute: AttributeDescription, from source: ValueSource) {
    attributes.append((attribute, source))
  }

  package mutating func link(_ relationship: RelationshipDescription, from source: LinkSource) {
    relationships.append((relationship, source))
  }

  /// What a relationship of the destination was in the source; nil for a new one, and for one whose
  /// objects are computed.
  func origin(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationships.last { $0.relationship === relationship }?.source.relationship
  }
}

/// Where the values of an attribute come from.
package indirect enum ValueSource: Sendable {
  /// A source attribute of the same type.
  case copied(AttributeDescription)
  /// A source attribute whose numbers are converted.
  case converted(AttributeDescription)
  /// The same, copied or converted, or a default value where it is nil.
  case fallback(AttributeDescription, Value)
  case constant(Value)
  /// The elements of a source composite, each for the one with its renaming identifier.
  case elements(of: AttributeDescription)
  /// A value for an element of a composite, unless all of the source's composite is nil.
  case element(ValueSource, of: AttributeDescription)
  /// What an expression gives for each row, converted as setting it would.
  case expression(Expression)
}

/// Where the objects of a relationship come from.
package enum LinkSource: Sendable {
  /// What was made, under any mapping, of the objects at a source relationship.
  case related(RelationshipDescription)
  /// What one mapping made of the objects at a source relationship.
  case mapped(RelationshipDescription, by: String)
  /// What an expression gives for each row.
  case expression(Expression)

  /// The source relationship that is followed.
  package var relationship: RelationshipDescription? {
    switch self {
    case .related(let relationship), .mapped(let relationship, _): relationship
    case .expression: nil
    }
  }
}

extension MigrationPlan {
  /// The source relationships that one of the destination is filled from, each once.
  func origins(of relationship: RelationshipDescription) -> [RelationshipDescription] {
    var found: [RelationshipDescription] = []
    for entity in entities
    where entity.ends?.destination.isKindOf(entity: relationship.entity) == true {
      if let origin = entity.origin(of: relationship), !found.contains(where: { $0 === origin }) {
        found.append(origin)
      }
    }
    return found
  }

  /// The plans that take the objects a source relationship leads to.
  func entities(reachedBy relationship: RelationshipDescription) -> [EntityPlan] {
    entities.filter { $0.ends?.source.isKindOf(entity: relationship.destinationEntity) == true }
  }
}

extension MigrationPlan {
  /// - Throws: ``PlanUnsupported`` where it asks for more than rows: for policies and source expressions.
  package func requireRows() throws(PlanUnsupported) {
    for entity in entities { try entity.requireRows() }
  }
}

extension EntityPlan {
  fileprivate func requireRows() throws(PlanUnsupported) {
    if policyClassName != nil { throw PlanUnsupported("'\(name)' has a policy") }
    switch instances {
    case .none: return
    case .expression: throw PlanUnsupported("'\(name)' has a source expression of its own")
    case .rows(let entity, _) where entity == source?.name && destination != nil: return
    case .rows: throw PlanUnsupported("'\(name)' makes nothing that can be stored")
    }
  }
}

/// Why a way to carry out a plan can't be taken; nothing is wrong with the data, and another way does it.
package struct PlanUnsupported: Error, CustomStringConvertible {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  package init(_ property: PropertyDescription, _ reason: String) {
    self.reason = "\(property.entity.name).\(property.name): \(reason)"
  }

  package var description: String { reason }
}

// MARK: - As text

extension MigrationPlan: CustomStringConvertible {
  /// One line for each entity, attribute and relationship, as tests and `--verbose` show it.
  package var description: String { entities.map(\.description).joined(separator: "\n") }
}

extension EntityPlan: CustomStringConvertible {
  package var description: String {
    let policy = policyClassName.map { ", by \($0)" } ?? ""
    let lines =
      attributes.map { "  \($0.attribute.name) = \($0.source)" }
      + relationships.map { "  \($0.relationship.name) -> \($0.source)" }
    return (["\(name): \(instances) -> \(destination?.name ?? "nothing")\(policy)"] + lines)
      .joined(separator: "\n")
  }
}

extension EntityPlan.Instances: CustomStringConvertible {
  package var description: String {
    switch self {
    case .none: "nothing"
    case .rows(let entity, nil): entity
    case .rows(let entity, let condition?): "\(entity) where \(condition)"
    case .expression(let expression): "\(expression)"
    }
  }
}

extension ValueSource: CustomStringConvertible {
  package var description: String {
    switch self {
    case .copied(let attribute): attribute.name
    case .converted(let attribute): "converted \(attribute.name)"
    case .fallback(let attribute, let value): "\(attribute.name), or \(Expression.constant(value))"
    case .constant(let value): "\(Expression.constant(value))"
    case .elements(let composite): "elements of \(composite.name)"
    case .element(let source, let composite): "\(source), if \(composite.name) has a value"
    case .expression(let expression): "\(expression)"
    }
  }
}

extension ManagedObjectModel {
  /// The ordered relationships that plans leave to what they link by the inverse.
  package func orderedRelationships(
    filledByInverseIn plans: [MigrationPlan]
  ) -> [RelationshipDescription] {
    let filled = Set(
      plans.flatMap(\.entities).flatMap(\.relationships).map {
        [$0.relationship.entity.name, $0.relationship.name]
      })
    func isFilled(_ relationship: RelationshipDescription) -> Bool {
      filled.contains([relationship.entity.name, relationship.name])
    }
    return ownRelationships.filter {
      $0.isOrdered && !isFilled($0) && $0.inverseRelationship.map(isFilled) == true
    }
  }
}

extension LinkSource: CustomStringConvertible {
  package var description: String {
    switch self {
    case .related(let relationship): relationship.name
    case .mapped(let relationship, let name): "\(relationship.name) by \(name)"
    case .expression(let expression): "\(expression)"
    }
  }
}
