/// What becomes of the rows of one store in a store of another model: a mapping model without policies as
/// plain values, which need no store to be made, looked at or put together.
///
/// Compiled from a mapping model in one place (`MigrationPlan(compiling:…)` in `Migration`); carried out by
/// SQL where that gives what the migration manager would give.
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

  /// In the order of the entity mappings.
  package var entities: [EntityPlan]
  package var checks: Checks
  /// What stores in between would have checked; see ``followed(by:)``.
  var presumptions: [Presumption] = []

  package init(entities: [EntityPlan], checks: Checks) {
    self.entities = entities
    self.checks = checks
  }
}

/// What becomes of the rows of one entity.
package struct EntityPlan {
  /// The entity mapping's name, for errors.
  package let name: String
  /// Of the source store's model. Rows of subentities have plans of their own.
  package let source: EntityDescription
  /// Of the destination store's model.
  package let destination: EntityDescription
  /// Which rows come along; nil for all of the entity.
  package let condition: Predicate?
  /// In the order of the property mappings. An attribute may be mapped twice; the last one holds.
  package private(set) var attributes: [(attribute: AttributeDescription, source: ValueSource)] = []
  package private(set) var relationships:
    [(relationship: RelationshipDescription, source: LinkSource)] = []

  package init(
    name: String, source: EntityDescription, destination: EntityDescription,
    condition: Predicate? = nil
  ) {
    self.name = name
    self.source = source
    self.destination = destination
    self.condition = condition
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
    for entity in entities where entity.destination.isKindOf(entity: relationship.entity) {
      if let origin = entity.origin(of: relationship), !found.contains(where: { $0 === origin }) {
        found.append(origin)
      }
    }
    return found
  }

  /// The plans that take the objects a source relationship leads to.
  func entities(reachedBy relationship: RelationshipDescription) -> [EntityPlan] {
    entities.filter { $0.source.isKindOf(entity: relationship.destinationEntity) }
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
    let rows = condition.map { " where \($0)" } ?? ""
    let lines =
      attributes.map { "  \($0.attribute.name) = \($0.source)" }
      + relationships.map { "  \($0.relationship.name) -> \($0.source)" }
    return (["\(name): \(source.name)\(rows) -> \(destination.name)"] + lines)
      .joined(separator: "\n")
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

extension LinkSource: CustomStringConvertible {
  package var description: String {
    switch self {
    case .related(let relationship): relationship.name
    case .mapped(let relationship, let name): "\(relationship.name) by \(name)"
    case .expression(let expression): "\(expression)"
    }
  }
}
