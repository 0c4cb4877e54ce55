/// Finds expectations that hold only because there is nothing they could be wrong about, unless the
/// scenario expects just that.
struct VacuityCheck {
  let situation: Situation
  /// The entities that the scenario expects to have no objects here.
  private let emptyEntities: Set<String>
  /// The objects that the scenario expects to lead nowhere here, by the relationship's name.
  private let unlinkedObjects: [String: [ResolvedReference]]
  /// Where the scenario expects all objects of an entity to lead nowhere here, as `Entity.relationship`.
  private let emptyPaths: Set<String>

  /// - Parameter expectations: All that the scenario expects here.
  init(_ situation: Situation, expecting expectations: [ResolvedExpectation]) {
    self.situation = situation
    let checks = expectations.compactMap { expectation -> (any ObjectsCheck)? in
      if case .objects(let check) = expectation.subject(at: situation.version) {
        check
      } else {
        nil
      }
    }
    emptyEntities = Set(checks.flatMap(\.emptyEntities))
    unlinkedObjects = checks.reduce(into: [:]) {
      $0.merge($1.unlinkedObjects) { $0 + $1 }
    }
    emptyPaths = Set(checks.flatMap(\.emptyPaths))
  }

  /// That there is none of an entity says enough; that none has a property says nothing if there is
  /// none at all.
  func emptiness(ofCondition query: ResolvedQuery) throws -> Mismatch? {
    query.predicate == nil ? nil : try emptiness(of: query.withoutCondition)
  }

  /// - Parameter query: All objects of an entity.
  func emptiness(of query: ResolvedQuery) throws -> Mismatch? {
    if isExpectedToBeEmpty(query.entity) { return nil }
    let count = try situation.count(query)
    return count > 0 ? nil : vacuous(query.entity.name, at: query.written.entity.place)
  }

  /// That ALL, or not ANY, of what objects have meets a condition says nothing if none of them has any.
  /// - Parameters:
  ///   - truth: What the query's condition must come to.
  ///   - isOfEach: Whether it must do so for every object, rather than for some.
  func emptiness(
    ofQuantifiersIn query: ResolvedQuery, toBe truth: Bool, ofEach isOfEach: Bool,
    at place: SourcePlace
  ) throws -> Mismatch? {
    let collections = (query.predicate?.collectionsWhoseLackGives(truth) ?? []).filter {
      isOfEach || $0.conditions.isEmpty
    }.compactMap { CollectionOfObjects($0, of: query.entity) }
    if collections.isEmpty { return nil }
    let all = try situation.fetch(query.withoutCondition)
    for collection in collections {
      let objects = try collection.objectsThatMatter(among: all) {
        isExpectedToLeadNowhere($0.way, from: [$1], query.entity)
      }
      if try objects.isEmpty || !objects.allSatisfy(collection.isLacking) { continue }
      let way = collection.way
      if isExpectedToLeadNowhere(way, from: objects, query.entity) { continue }
      let hasNone = try objects.allSatisfy(collection.hasNoElements)
      let isOfRest = objects.count < all.count
      let rest = isOfRest ? " that the rest of the condition leaves" : ""
      let element = way.last?.destinationEntity?.name ?? query.entity.name
      let note =
        hasNone
        ? remedy(way, query.entity, isOfRest: isOfRest, toBe: truth)
        : "\(collection.passingOverNil ?? "") passes over what is nil: expect something of each \(element) instead"
      var mismatch = Mismatch(
        at: place, query.shown, expected: "values to look at",
        found:
          "no \(query.entity.name)\(rest) has any '\(hasNone ? collection.elements : collection.values)'",
        notes: way.isEmpty ? [] : [note])
      mismatch.isVacuous = true
      return mismatch
    }
    return nil
  }

  /// What to write where objects are meant to have nothing at the end of a way.
  private func remedy(
    _ way: [RelationshipDescription], _ entity: EntityDescription, isOfRest: Bool, toBe truth: Bool
  ) -> String {
    // A count can't be taken through several to-many relationships.
    let start = (way.dropLast().lastIndex(where: \.isToMany) ?? -1) + 1
    let owner = start == 0 ? entity : way[start - 1].destinationEntity ?? entity
    let path = way[start...].map(\.name).joined(separator: ".")
    return switch (isOfRest && start == 0, truth) {
    case (false, _):
      "if that is intended, expect it, too: - all: \(owner.name) where \(path).@count == 0"
    case (true, true):
      "if that is intended, say so in the condition: \(path).@count == 0 OR …"
    case (true, false):
      "if that is intended, say so in the condition: \(path).@count > 0 AND …"
    }
  }

  /// Whether another expectation says that a way ends at an entity without objects, that nothing leads along a
  /// part of it, or that none of the objects leads anywhere by its first relationship.
  func isExpectedToLeadNowhere(
    _ way: [RelationshipDescription], from objects: [ManagedObject], _ entity: EntityDescription
  ) -> Bool {
    guard let first = way.first else { return false }
    return areExpectedToBeUnlinked(objects, by: first)
      || way.contains { $0.destinationEntity.map(isExpectedToBeEmpty) ?? false }
      || way.indices.contains { start in
        let owner: EntityDescription? = start == 0 ? entity : way[start - 1].destinationEntity
        return isSaidToLeadNowhere(way[start...].map(\.name), from: owner)
      }
  }

  private func areExpectedToBeUnlinked(
    _ objects: [ManagedObject], by relationship: RelationshipDescription
  ) -> Bool {
    guard let references = unlinkedObjects[relationship.name] else { return false }
    // An expectation of an object that isn't there fails by itself.
    let unlinked = Set(references.compactMap { try? situation.object($0).objectID })
    return objects.allSatisfy { unlinked.contains($0.objectID) }
  }

  /// Whether another expectation says that nothing is at the end of a path, or on the way.
  private func isSaidToLeadNowhere(_ path: [String], from entity: EntityDescription?) -> Bool {
    var current = entity
    while let owner = current {
      let isSaid = path.indices.contains {
        emptyPaths.contains("\(owner.name).\(path[...$0].joined(separator: "."))")
      }
      if isSaid { return true }
      current = owner.superentity
    }
    return false
  }

  private func vacuous(_ entity: String, at place: SourcePlace) -> Mismatch {
    var mismatch = Mismatch(
      at: place, entity, expected: "objects to look at", found: "there is no \(entity) at all",
      notes: ["if that is intended, expect it: - count: { \(entity): 0 }"])
    mismatch.isVacuous = true
    return mismatch
  }

  /// Whether another expectation says that there is none of an entity, or of one above it.
  func isExpectedToBeEmpty(_ entity: EntityDescription) -> Bool {
    emptyEntities.contains { entity.isNamedOrDescends(from: $0) }
  }

  func unseeded(_ entities: [Located<String>], at place: SourcePlace) -> Mismatch? {
    let wanted = Set(entities.map(\.value))
    let isSeeded = situation.provenance.origins.contains {
      wanted.isEmpty || wanted.contains($0.entity)
    }
    if isSeeded { return nil }
    let names = entities.map(\.value).joined(separator: ", ")
    var mismatch = Mismatch(
      at: place, "seeded objects", expected: "objects to look at",
      found: names.isEmpty ? "the seed is empty" : "the seed has no \(names)")
    mismatch.isVacuous = true
    return mismatch
  }
}

/// What a condition on the objects of an entity looks at.
private struct CollectionOfObjects {
  /// The relationships that lead to its elements; none where no relationship does.
  let way: [RelationshipDescription]
  /// Its elements, and what is looked at of them.
  let elements: Expression
  let values: Expression
  let passingOverNil: String?
  private let conditions: [QuantifiedCollection.Condition]
  private let entity: EntityDescription

  /// nil for a text.
  init?(_ collection: QuantifiedCollection, of entity: EntityDescription) {
    way = entity.wayToSeveral(along: collection.expression)
    if collection.mayBeText, way.isEmpty { return nil }
    values = collection.expression
    elements =
      way.isEmpty ? values : Expression(forKeyPath: way.map(\.name).joined(separator: "."))
    passingOverNil = collection.passingOverNil
    conditions = collection.conditions
    self.entity = entity
  }

  func hasNoElements(of object: ManagedObject) throws -> Bool {
    try elements.isEmpty(for: .object(object))
  }

  /// Whether an object has nothing to look at. Where there are elements without values, ANY is right to find none.
  func isLacking(in object: ManagedObject) throws -> Bool {
    let looksAtValues = passingOverNil != nil
    return try hasNoElements(of: object) || looksAtValues && values.isEmpty(for: .object(object))
  }

  /// The objects that the other parts of the condition leave. If they leave none, those that they leave out only because
  /// there is nothing to look at for them, either; then none if one of them has looked at something.
  /// - Parameter isIntended: Whether the scenario expects that an object has nothing in a collection.
  func objectsThatMatter(
    among all: [ManagedObject], isIntended: (CollectionOfObjects, ManagedObject) -> Bool
  ) throws -> [ManagedObject] {
    let left = try all.filter { try areConditionsMet(by: $0) }
    if !left.isEmpty { return left }
    var found: [ManagedObject] = []
    for object in all {
      let unmet = try conditions.filter { try !$0.isMet(by: object) }
        .map { $0.collections.compactMap { CollectionOfObjects($0, of: entity) } }
      let lacking = try unmet.map { try $0.filter { try $0.decides(about: object) } }
      let isMeant = lacking.joined().contains { isIntended($0, object) }
      if isMeant || unmet.contains(where: \.isEmpty) { continue }
      if lacking.contains(where: \.isEmpty) { return [] }
      found.append(object)
    }
    return found
  }

  /// Whether the lack of it alone decides about an object.
  private func decides(about object: ManagedObject) throws -> Bool {
    try isLacking(in: object) && areConditionsMet(by: object)
  }

  private func areConditionsMet(by object: ManagedObject) throws -> Bool {
    try conditions.allSatisfy { try $0.isMet(by: object) }
  }
}

extension QuantifiedCollection.Condition {
  fileprivate func isMet(by object: ManagedObject) throws -> Bool {
    try predicate.evaluate(.object(object), variables: [:])
  }
}

extension EntityDescription {
  /// The relationships at the beginning of a collection's key path, up to the last to-many one; none where no such
  /// relationship gives the collection, as where an attribute has a list.
  fileprivate func wayToSeveral(along collection: Expression) -> [RelationshipDescription] {
    var way: [RelationshipDescription] = []
    collection.forEachKeyPath { keys in
      if way.isEmpty { way = relationships(along: keys) }
    }
    guard let last = way.lastIndex(where: \.isToMany) else { return [] }
    way.removeSubrange((last + 1)...)
    // Not where the path is but a part of the collection, as an argument of a function.
    return collection.keyPath.hasPrefix(way.map(\.name).joined(separator: ".")) ? way : []
  }

  /// The relationships at the beginning of a key path.
  fileprivate func relationships(along keys: [String]) -> [RelationshipDescription] {
    var way: [RelationshipDescription] = []
    var entity: EntityDescription? = self
    for key in keys {
      guard let relationship = entity?.relationship(named: key) else { break }
      way.append(relationship)
      entity = relationship.destinationEntity
    }
    return way
  }
}
