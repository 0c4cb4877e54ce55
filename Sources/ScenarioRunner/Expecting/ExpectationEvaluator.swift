/// Compares a situation with what a scenario expects of it.
package struct ExpectationEvaluator {
  let situation: Situation
  /// The entities that the scenario expects to have no objects here.
  let emptyEntities: Set<String>
  /// The objects that the scenario expects to lead nowhere here, by `Entity.relationship`.
  let unlinkedObjects: [String: Set<String>]

  /// - Parameter expectations: All that the scenario expects here.
  init(_ situation: Situation, expecting expectations: [Expectation]) {
    self.situation = situation
    emptyEntities = expectations.emptyEntities
    unlinkedObjects = expectations.unlinkedObjects
  }

  /// - Returns: Everything that isn't as expected; empty when the expectation holds.
  func mismatches(_ expectation: Expectation) -> [Mismatch] {
    do {
      return try ExceptionTrap.catching {
        let found = try check(expectation)
        return found.isEmpty ? try emptiness(of: expectation) : found
      }
    } catch let diagnostic as Diagnostic {
      return [failed(expectation, diagnostic.message)]
    } catch {
      return [failed(expectation, "\(error)")]
    }
  }

  private func failed(_ expectation: Expectation, _ problem: String) -> Mismatch {
    Mismatch(
      at: expectation.place, expectation.check.keyword, expected: "something to compare with",
      found: problem)
  }

  private func check(_ expectation: Expectation) throws -> [Mismatch] {
    let place = expectation.place
    switch expectation.check {
    case .count(let counts): return try counts.compactMap(count)
    case .unique(let keys): return try keys.compactMap(unique)
    case .inverse(let keys): return try keys.flatMap(inverse)
    case .required(let keys): return try keys.flatMap(required)
    case .quantity(let quantity, let query):
      return try self.quantity(quantity, query, at: place).map { [$0] } ?? []
    case .object(let object): return try self.object(object, at: place)
    case .made(let list): return list.compactMap(made)
    case .dropped(let list): return dropped(list, at: place).map { [$0] } ?? []
    case .everySourceMigrated(let entities):
      return everySourceMigrated(entities, at: place).map { [$0] } ?? []
    case .model(let facts): return try facts.flatMap { try ModelFacts.mismatches($0, situation) }
    default: return try RunExpectations(run: situation.run).check(expectation)
    }
  }

  // MARK: How many

  private func count(_ expectation: CountExpectation) throws -> Mismatch? {
    let found = try situation.count(expectation.query)
    if found == expectation.count.value { return nil }
    return Mismatch(
      at: expectation.count.place, "count of \(expectation.query.shown)",
      expected: "\(expectation.count.value)", found: "\(found)",
      notes: try examples(of: expectation.query, count: found),
      repairs: [Repair(of: expectation.count.place, .number(found))]
    ).counting(expectation.query, hasTooMany: found > expectation.count.value)
  }

  private func quantity(
    _ quantity: Quantity, _ query: ObjectQuery, at place: SourcePlace
  ) throws -> Mismatch? {
    if quantity == .all { return try all(query, at: place) }
    let found = try situation.count(query)
    let (most, least, expected) =
      switch quantity {
      case .none: (0, 0, "none")
      case .exactly(let count): (count, count, "\(count)")
      case .some, .all: (Int.max, 1, "at least one")
      }
    if (least...most).contains(found) { return nil }
    var mismatch = Mismatch(
      at: place, query.shown, expected: expected, found: "\(found)",
      notes: try examples(of: query, count: found)
    ).counting(query, hasTooMany: found > most)
    if case .exactly = quantity {
      mismatch.repairs = [Repair(ofKey: place, .text("\(found) \(query.shown)"))]
    }
    return mismatch
  }

  private func all(_ query: ObjectQuery, at place: SourcePlace) throws -> Mismatch? {
    guard let text = query.predicate else { return nil }
    let objects = try situation.fetch(ObjectQuery(entity: query.entity, predicate: nil))
    let predicate = try FormatText.predicate(text)
    let others = try objects.filter { try !predicate.evaluate(.object($0), variables: [:]) }
    if !objects.isEmpty, others.isEmpty { return nil }
    var mismatch = Mismatch(
      at: place, query.shown, expected: "all",
      found: objects.isEmpty
        ? "there is no \(query.entity.value) at all" : "all but \(others.count)",
      notes: others.isEmpty ? [] : ["not so: \(situation.list(others))"])
    mismatch.target = Failure.Target(entity: query.entity.value)
    if !others.isEmpty {
      mismatch.question = .matching(
        .init(entity: query.entity.value, predicate: text, countsOthers: true, hasTooMany: true))
    }
    return mismatch
  }

  private func examples(of query: ObjectQuery, count: Int) throws -> [String] {
    count == 0 || count > 100 ? [] : ["found: \(situation.list(try situation.fetch(query)))"]
  }

  // MARK: What must hold for every object

  private func unique(_ reference: PropertyReference) throws -> Mismatch? {
    let objects = try situation.fetch(ObjectQuery(entity: reference.entity, predicate: nil))
    let names = reference.properties.map(\.value)
    var byValues: [[Value]: [ManagedObject]] = [:]
    for object in objects {
      byValues[try names.map { try object.typedValue(forKey: $0) }, default: []].append(object)
    }
    let repeated = byValues.filter { $0.value.count > 1 }
    if repeated.isEmpty { return nil }
    let notes = repeated.map { values, objects in
      "\(values.map(\.shown).joined(separator: ", ")): \(objects.count) objects"
    }
    let mismatch = Mismatch(
      at: reference.entity.place, reference.shown, expected: "every value once",
      found: "\(repeated.count) repeated", notes: Array(notes.sorted().prefix(5)))
    let second = repeated.values.compactMap { $0.dropFirst().first }
      .min { situation.label($0) < situation.label($1) }
    guard let second, let name = names.first else { return mismatch }
    return mismatch.about(second, name, situation)
  }

  private func inverse(_ reference: PropertyReference) throws -> [Mismatch] {
    try reference.properties.compactMap { name in
      let entity = try situation.model.entity(reference.entity, version: situation.version)
      guard let relationship = entity.relationship(named: name.value),
        let inverse = relationship.inverseRelationship
      else { return nil }
      let there = try links(relationship, of: entity)
      let back = try links(inverse, of: relationship.destinationEntity)
      let oneSided =
        there.filter { !back.contains($0.reversed) }
        + back.filter { !there.contains($0.reversed) && $0.to.entity.isKindOf(entity: entity) }
      if oneSided.isEmpty { return nil }
      let notes = oneSided.map {
        "\(situation.label($0.from)) leads to \(situation.label($0.to)), which doesn't lead back"
      }
      return Mismatch(
        at: name.place, "\(reference.entity.value).\(name.value)", expected: "both sides agree",
        found: "\(oneSided.count) one-sided", notes: Array(notes.sorted().prefix(5)))
    }
  }

  /// One side of a link between two objects.
  private struct Link: Hashable {
    let from: ManagedObject
    let to: ManagedObject
    var reversed: Link { Link(from: to, to: from) }
  }

  private func links(
    _ relationship: RelationshipDescription, of entity: EntityDescription
  ) throws -> Set<Link> {
    let request = FetchRequest<ManagedObject>()
    request.entity = entity
    let objects = try situation.context.fetch(request)
    return Set(
      objects.flatMap { object in
        object.members(of: relationship).map { Link(from: object, to: $0) }
      })
  }

  private func required(_ reference: PropertyReference) throws -> [Mismatch] {
    let objects = try situation.fetch(ObjectQuery(entity: reference.entity, predicate: nil))
    guard let entity = situation.model.entity(named: reference.entity.value) else { return [] }
    let names =
      reference.properties.isEmpty
      ? entity.properties.filter { !$0.isOptional }.map(\.name)
      : reference.properties.map(\.value)
    return names.compactMap { name in
      let empty = objects.filter { $0.isEmpty(name) }
      if empty.isEmpty { return nil }
      return Mismatch(
        at: reference.entity.place, "\(reference.entity.value).\(name)", expected: "a value",
        found: "none in \(empty.count) of \(objects.count)", notes: [situation.list(empty)]
      ).about(empty[0], name, situation)
    }
  }

  // MARK: Where objects came from

  private func made(_ expectation: MadeExpectation) -> Mismatch? {
    guard case .named(_, let name) = expectation.source else { return nil }
    let found = situation.provenance.keys(named: name.value).map(\.entity).sorted()
    let expected = expectation.entities.map(\.value).sorted()
    if found == expected { return nil }
    var mismatch = Mismatch(
      at: name.place, "made of \(expectation.source.shown)",
      expected: "[\(expected.joined(separator: ", "))]",
      found: "[\(found.joined(separator: ", "))]",
      repairs: [
        Repair(ofKey: expectation.source.entity.place, .list(found.map { .text($0) }))
      ])
    mismatch.question = situation.provenance.index(named: name.value).map { .presence(origin: $0) }
    return mismatch
  }

  private func dropped(_ references: [ObjectReference], at place: SourcePlace) -> Mismatch? {
    let found = situation.droppedOrigins(of: []).sorted()
    let expected = references.map(\.shown).sorted()
    if found == expected { return nil }
    return Mismatch(
      at: place, "seeded objects that became nothing",
      expected: "[\(expected.joined(separator: ", "))]",
      found: "[\(found.joined(separator: ", "))]",
      repairs: situation.hasOnlyNamedOrigins
        ? [Repair(ofKey: place, .list(found.map { .text($0) }))] : [])
  }

  private func everySourceMigrated(
    _ entities: [Located<String>], at place: SourcePlace
  ) -> Mismatch? {
    let lost = situation.droppedOrigins(of: entities.map(\.value))
    if lost.isEmpty { return nil }
    var mismatch = Mismatch(
      at: place, "seeded objects", expected: "all migrated", found: "\(lost.count) lost",
      notes: [lost.prefix(10).joined(separator: ", ")])
    mismatch.question = situation.provenance.firstDropped(of: entities.map(\.value))
      .map { .presence(origin: $0) }
    return mismatch
  }
}

extension Mismatch {
  /// The mismatch of a number of objects.
  fileprivate func counting(_ query: ObjectQuery, hasTooMany: Bool) -> Mismatch {
    var mismatch = self
    let entity = query.entity.value
    mismatch.target = Failure.Target(entity: entity)
    mismatch.question =
      query.predicate.map {
        .matching(.init(entity: entity, predicate: $0, hasTooMany: hasTooMany))
      } ?? .count(entity: entity)
    return mismatch
  }
}

extension Situation {
  /// Whether each seeded object has a local name that a scenario could write.
  var hasOnlyNamedOrigins: Bool { provenance.origins.allSatisfy { $0.name != nil } }

  /// The labels of the seeded objects that became nothing, of some entities or of all.
  func droppedOrigins(of entities: [String]) -> [String] {
    zip(provenance.origins, provenance.current).compactMap { origin, objects in
      guard objects.isEmpty, entities.isEmpty || entities.contains(origin.entity) else {
        return nil
      }
      return origin.label
    }
  }
}

extension ManagedObject {
  /// The objects a relationship leads to, whether one or many.
  func members(of relationship: RelationshipDescription) -> [ManagedObject] {
    if relationship.isToMany { return destinations(of: relationship) }
    return destination(of: relationship).map { [$0] } ?? []
  }

  /// Whether a property is nil or leads nowhere.
  func isEmpty(_ name: String) -> Bool {
    if let relationship = entity.relationship(named: name) {
      return members(of: relationship).isEmpty
    }
    return entity.attribute(named: name).map { attributeValue(at: $0.slot).isNull } ?? true
  }
}
