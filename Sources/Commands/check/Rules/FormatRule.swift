/// Predicates and expressions in a model that can't be parsed, or that read what isn't there: those of
/// fetch requests, fetched properties and indexes. Nothing of it stops a migration; Core Data raises
/// when it first uses them.
struct FormatRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    StatedFormat.all(in: version).flatMap { text in
      do {
        let missing = try text.missingKeys(in: version)
        return missing.map { text.finding(.unknownName, "reads '\($0)', which isn't there") }
      } catch let error as PredicateFormatError {
        return [text.finding(.unparsablePredicate, Self.firstLine(of: error))]
      } catch {
        return [text.finding(.unparsablePredicate, "\(error)")]
      }
    }
  }

  private static func firstLine(of error: PredicateFormatError) -> String {
    "\(error)".split(separator: "\n").first.map(String.init) ?? "can't be parsed"
  }
}

/// A predicate or expression of a model, and where it stands.
private struct StatedFormat {
  enum Kind {
    case predicate, expression
  }

  let kind: Kind
  let text: String
  /// The entity whose objects it is about.
  let subject: String
  /// Where it stands: an entity and a property, and what of them.
  let entity: String
  var property: String?
  var place: String?

  func finding(_ rule: CheckRule, _ message: String) -> LintFinding {
    LintFinding(
      rule, entity: entity, property: property, place.map { "\($0): \(message)" } ?? message)
  }

  // MARK: Finding them

  static func all(in version: ManagedObjectModel) -> [StatedFormat] {
    let templates = version.fetchRequestTemplates.sorted { $0.key < $1.key }
    let stated = templates.compactMap { name, request in
      StatedFormat(of: request, entity: request.entityName, place: "fetch request '\(name)'")
    }
    return stated + version.entities.flatMap(all)
  }

  private static func all(of entity: EntityDescription) -> [StatedFormat] {
    entity.ownProperties.compactMap(format) + entity.indexes.flatMap { formats(of: $0, in: entity) }
  }

  private init?(
    of request: FetchRequestTemplate, entity: String, property: String? = nil, place: String? = nil
  ) {
    guard let format = request.predicateFormat, !format.isEmpty else { return nil }
    self.init(
      kind: .predicate, text: format, subject: request.entityName, entity: entity,
      property: property, place: place)
  }

  private init(
    kind: Kind, text: String, subject: String, entity: String, property: String? = nil,
    place: String? = nil
  ) {
    (self.kind, self.text, self.subject, self.entity) = (kind, text, subject, entity)
    (self.property, self.place) = (property, place)
  }

  private static func format(of property: PropertyDescription) -> StatedFormat? {
    guard let fetched = property as? FetchedPropertyDescription else { return nil }
    return Self(of: fetched.fetchRequest, entity: property.entity.name, property: property.name)
  }

  private static func formats(
    of index: FetchIndexDescription, in entity: EntityDescription
  ) -> [StatedFormat] {
    let place = "index '\(index.name)'"
    let expressions = index.elements.compactMap(\.expressionFormat).map {
      Self(kind: .expression, text: $0, subject: entity.name, entity: entity.name, place: place)
    }
    let predicate = index.partialPredicateFormat.map {
      Self(kind: .predicate, text: $0, subject: entity.name, entity: entity.name, place: place)
    }
    return expressions + [predicate].compactMap { $0 }
  }

  // MARK: Judging them

  /// The key paths that the entity doesn't have, each once.
  /// - Throws: `PredicateFormatError` when the text can't be parsed.
  func missingKeys(in version: ManagedObjectModel) throws -> [String] {
    var missing: [String] = []
    let entity = version.entity(named: subject)
    func note(_ keys: [String]) {
      guard let entity, !Self.leadsOn(keys, from: entity) else { return }
      missing.append(keys.joined(separator: "."))
    }
    switch kind {
    case .predicate: try Predicate.parse(text).forEachKeyPath(note)
    case .expression: try Expression.parse(text).forEachKeyPath(note)
    }
    return missing.uniqued()
  }

  /// Whether keys lead from an entity to a property. What is behind an attribute, a collection
  /// operator or a SUBQUERY's variable isn't known.
  private static func leadsOn(_ keys: [String], from start: EntityDescription) -> Bool {
    var entity = start
    for key in keys {
      if key.hasPrefix("@") || ["self", "entity", "objectID"].contains(key) { return true }
      guard let property = entity.propertyOfHierarchy(named: key) else { return false }
      guard let relationship = property as? RelationshipDescription else { return true }
      entity = relationship.destinationEntity
    }
    return true
  }
}

extension EntityDescription {
  /// A property of the entity, or of a subentity: a request may be meant for those that have it.
  fileprivate func propertyOfHierarchy(named name: String) -> PropertyDescription? {
    selfAndDescendants.lazy.compactMap { $0.property(named: name) }.first
  }
}
