// What a scenario names, found in the model of a version.

/// Objects of an entity: all, or those that a predicate holds for.
package struct ResolvedQuery: Sendable {
  /// The query as the scenario writes it.
  package let written: ObjectQuery
  package let entity: EntityDescription
  package let predicate: Predicate?

  package init(_ written: ObjectQuery, of entity: EntityDescription, where predicate: Predicate?) {
    self.written = written
    self.entity = entity
    self.predicate = predicate
  }

  /// All objects of an entity.
  package init(all written: Located<String>, of entity: EntityDescription) {
    self.init(ObjectQuery(entity: written), of: entity, where: nil)
  }

  package var shown: String { written.shown }

  /// All objects of its entity.
  package var withoutCondition: ResolvedQuery { ResolvedQuery(all: written.entity, of: entity) }
}

/// One object: by its local name, or as the only one a query finds.
package enum ResolvedReference: Sendable {
  /// - Parameter place: Where its entity is written.
  case named(Located<String>, EntityDescription, place: SourcePlace)
  case query(ResolvedQuery)

  /// Where it is written.
  package var place: SourcePlace {
    switch self {
    case .named(_, _, let place): place
    case .query(let query): query.written.entity.place
    }
  }

  package var entity: EntityDescription {
    switch self {
    case .named(_, let entity, _): entity
    case .query(let query): query.entity
    }
  }

  /// The reference as the scenario writes it.
  package var shown: String {
    switch self {
    case .named(let name, let entity, _): "\(entity.name) \(name.value)"
    case .query(let query): query.shown
    }
  }
}

/// An entity, or properties of one.
package struct ResolvedProperties: Sendable {
  /// The reference as the scenario writes it.
  package let written: PropertyReference
  package let entity: EntityDescription
  /// In the order in which they are written; none where the entity is meant.
  package let properties: [PropertyDescription]

  /// All objects of the entity.
  package var objects: ResolvedQuery { ResolvedQuery(all: written.entity, of: entity) }
}

/// A relationship and the objects that it is to lead to.
package struct ResolvedLinks: Sendable {
  package let relationship: RelationshipDescription
  package let members: [ResolvedReference]
}

/// A property and what it is set to.
package enum ResolvedField: Sendable {
  case attribute(AttributeDescription, Value)
  case relationship(ResolvedLinks)
}

/// An object of the seed, by its name there.
package struct SeededObject: Sendable {
  package let name: Located<String>
  /// Where the reference is written.
  package let place: SourcePlace
  /// The reference as the scenario writes it.
  package let shown: String
}

/// What is expected at the end of a key path.
package enum ExpectedContent: Sendable {
  case count(Int)
  case attribute(AttributeDescription, ExpectedValue)
  case links(ResolvedLinks)
  /// `present`: a to-one relationship that leads to an object.
  case linked(RelationshipDescription)
}
