/// The links of a relationship of which nobody knows what an inferred mapping makes of them on a device.
///
/// A lightweight migration works inside the store, on columns and join tables. Where a relationship goes on, and is
/// kept by the same side, its column goes on too, and that is certain. Elsewhere the engine does what a migration
/// manager would do with the same mapping.
// Core Data: assumed; neither a document nor a store that shows it was found.
public struct DoubtfulLinks: Hashable, Sendable, Codable, CustomStringConvertible {
  public enum Reason: String, Hashable, Sendable, Codable {
    /// The relationship is new by its name, and is filled from the inverse, which goes on.
    case filledFromInverse
    /// The relationship and its inverse went on from two relationships that weren't each other's inverse.
    case inversesExchanged
    /// Fewer links came out than there were, though the objects at both ends go on.
    case lost
    /// Objects at the other end are of an entity that goes, whose table stays.
    case ended
  }

  /// In the destination model.
  public let entity: String
  public let relationship: String
  public let reason: Reason
  /// How many links there were between objects that go on.
  public let before: Int
  public let after: Int
  /// An object of several links of which one can stay.
  public var crowded: String?

  public var description: String { "\(what): \(numbers)" }

  /// What is the same whichever objects there are.
  package var what: String {
    let name = "\(entity).\(relationship)"
    return switch reason {
    case .filledFromInverse: "\(name) is new and was filled from its inverse"
    case .inversesExchanged: "\(name) and its inverse belonged to different relationships before"
    case .lost: "\(name) lost links between objects that still exist"
    case .ended: "\(name) led to objects of an entity that is gone"
    }
  }

  package var numbers: String {
    "\(before) \(before == 1 ? "link" : "links") before, \(after) after"
      + (crowded.map { "; \($0) had several" } ?? "")
  }
}

extension MigrationStep {
  /// The doubts that concern a store, by the rows that it has.
  func doubts(
    about source: PersistentStore, by choice: MappingChoice?
  ) throws -> [InferenceDoubt] {
    try (choice?.doubts ?? []).filter { doubt in
      guard let entity = doubt.rows.flatMap({ source.model.entity(named: $0) }) else { return true }
      if doubt.kind == .inverseRemoved,
        let old = entity.relationships.first(where: { $0.name == doubt.before.first })
      {
        return try source.countLinks(of: old) > 0
      }
      var query = StoreQuery(entity: entity)
      query.includesSubentities = doubt.kind != .madeAbstract
      return try source.count(of: query) > 0
    }
  }

  /// The doubtful links of a lightweight step, once it is done.
  ///
  /// Reads all links of the relationships concerned, if there are any; nothing otherwise.
  func doubtfulLinks(
    by choice: MappingChoice?, from source: PersistentStore, to destination: PersistentStore
  ) throws -> [DoubtfulLinks] {
    guard let choice, choice.kind == .inferred, !makesObjects else { return [] }
    let inference = LinkInference(from: sourceModel, to: destinationModel)
    var found: [DoubtfulLinks] = []
    var told: Set<ObjectIdentifier> = []
    for suspicion in inference.suspicions {
      let relationship = suspicion.relationship
      if told.contains(ObjectIdentifier(relationship)) { continue }
      let before = try inference.countLinks(that: suspicion, hasIn: source)
      if before == 0 { continue }
      let after =
        suspicion.reason == .ended ? 0 : try destination.countLinks(of: relationship)
      if suspicion.reason == .lost && after >= before { continue }
      // The inverse would say the same.
      if let inverse = relationship.inverseRelationship { told.insert(ObjectIdentifier(inverse)) }
      var links = DoubtfulLinks(
        entity: relationship.entity.name, relationship: relationship.name,
        reason: suspicion.reason, before: before, after: after)
      for side in [relationship, relationship.inverseRelationship] where side?.isToMany == false {
        links.crowded = try links.crowded ?? side.flatMap { try inference.crowded($0, in: source) }
      }
      found.append(links)
    }
    return found
  }
}

extension ManagedObjectModel {
  /// The relationships that are ordered here, and were to-many without an order in another version.
  package func relationships(orderedSince source: ManagedObjectModel) -> [RelationshipDescription] {
    let inference = LinkInference(from: source, to: self)
    return ownRelationships.filter {
      $0.isOrdered && inference.origins(of: $0).contains { $0.isToMany && !$0.isOrdered }
    }
  }
}

/// Finds the relationships whose links an inferred mapping may change otherwise than a device does.
struct LinkInference {
  /// A relationship of the destination that may not get its links on a device.
  struct Suspicion {
    let relationship: RelationshipDescription
    /// The relationship whose origins tell whether there are links at all: itself, or its inverse.
    let counted: RelationshipDescription
    let reason: DoubtfulLinks.Reason
  }

  private let destination: ManagedObjectModel
  let entities: ElementPairing<EntityDescription>
  /// What relationships of the destination were.
  private var origins: [ObjectIdentifier: [RelationshipDescription]] = [:]
  /// The destination entities that objects of the source go on in, by the name of their entity there.
  private var survivors: [String: EntityDescription] = [:]

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.init(to: destination, entities: ElementPairing(from: source, to: destination))
  }

  init(to destination: ManagedObjectModel, entities: ElementPairing<EntityDescription>) {
    self.destination = destination
    self.entities = entities
    for entity in destination.entities {
      guard let old = entities.source(of: entity) else { continue }
      survivors[old.name] = entity
      noteOrigins(of: entity, from: old)
    }
  }

  private mutating func noteOrigins(of entity: EntityDescription, from old: EntityDescription) {
    let pairing = ElementPairing(source: old.relationships, destination: entity.relationships)
    for relationship in entity.relationships {
      guard let origin = pairing.source(of: relationship),
        !origins(of: relationship).contains(where: { $0 === origin })
      else { continue }
      origins[ObjectIdentifier(relationship), default: []].append(origin)
    }
  }

  func origins(of relationship: RelationshipDescription) -> [RelationshipDescription] {
    origins[ObjectIdentifier(relationship)] ?? []
  }

  /// All that there is to doubt. What one side of a relationship shows for certain comes before what it might lose.
  var suspicions: [Suspicion] {
    let relationships = destination.ownRelationships
    let all = relationships.compactMap(suspicion)
    return all.filter { $0.reason != .lost } + all.filter { $0.reason == .lost }
      + relationships.compactMap(ending)
  }

  /// The row, or the join table, keeps the key of an object that goes.
  private func ending(of relationship: RelationshipDescription) -> Suspicion? {
    guard !relationship.isTransient,
      !relationship.isToMany || relationship.inverseRelationship?.isToMany == true
    else { return nil }
    let goes = origins(of: relationship).map(\.destinationEntity).contains { end in
      survivors[end.name] != nil
        && end.selfAndDescendants.contains { survivors[$0.name] == nil && !$0.isAbstract }
    }
    return goes
      ? Suspicion(relationship: relationship, counted: relationship, reason: .ended) : nil
  }

  private func suspicion(of relationship: RelationshipDescription) -> Suspicion? {
    if relationship.isTransient { return nil }
    func suspicion(
      _ reason: DoubtfulLinks.Reason, by counted: RelationshipDescription
    ) -> Suspicion { Suspicion(relationship: relationship, counted: counted, reason: reason) }
    let olds = origins(of: relationship)
    if let inverse = relationship.inverseRelationship {
      let others = origins(of: inverse)
      if olds.isEmpty, !others.isEmpty, relationship.keepsLinks(beside: inverse) {
        return suspicion(.filledFromInverse, by: inverse)
      }
      let areInverse = others.allSatisfy { other in
        olds.contains { $0.inverseRelationship === other }
      }
      if !olds.isEmpty, !areInverse { return suspicion(.inversesExchanged, by: relationship) }
    }
    return mayLose(relationship, olds) ? suspicion(.lost, by: relationship) : nil
  }

  /// Whether links may have no place in the destination: objects at an end are no longer of its entity, or an end
  /// that several could lead to leads back to one now.
  private func mayLose(
    _ relationship: RelationshipDescription, _ olds: [RelationshipDescription]
  ) -> Bool {
    let owner = relationship.inverseRelationship?.destinationEntity
    return olds.contains { old in
      let staysAtItsEnds =
        goesOn(all: old.destinationEntity, as: relationship.destinationEntity)
        && owner.map { goesOn(all: old.entity, as: $0) } ?? true
      return !staysAtItsEnds || (old.canShareEnds && !relationship.canShareEnds)
        || (old.isToMany && !relationship.isToMany)
    }
  }

  private func goesOn(all old: EntityDescription, as end: EntityDescription) -> Bool {
    old.selfAndDescendants.compactMap { survivors[$0.name] }.allSatisfy { $0.isKindOf(entity: end) }
  }

  /// The first object that several links lead away from.
  func crowded(
    _ relationship: RelationshipDescription, in source: PersistentStore
  ) throws -> String? {
    for origin in origins(of: relationship) where origin.isToMany {
      var found: String?
      var query = StoreQuery(entity: origin.entity)
      query.includesValues = false
      try source.enumerateRows(matching: query) { row in
        if try source.destinations(of: origin, from: row.objectID).count > 1 {
          found = "\(row.objectID.entity.name)/p\(row.objectID.primaryKey)"
        }
        return found == nil
      }
      if let found { return found }
    }
    return nil
  }

  /// The links between objects that go on, and have the relationship afterwards; to those that go where it ends.
  func countLinks(that suspicion: Suspicion, hasIn source: PersistentStore) throws -> Int {
    let counted = suspicion.counted
    return try origins(of: counted).reduce(0) { sum, origin in
      try sum
        + source.countLinks(
          of: origin,
          from: { survivors[$0.name]?.isKindOf(entity: counted.entity) ?? false },
          to: { (survivors[$0.name] == nil) == (suspicion.reason == .ended) })
    }
  }
}

extension RelationshipDescription {
  /// Whether this side keeps the links, so that nothing but its own origin fills it: a to-one relationship has a
  /// column; of two to-many ones either has the join table.
  fileprivate func keepsLinks(beside inverse: RelationshipDescription) -> Bool {
    !isToMany || inverse.isToMany
  }

  /// Whether several objects may lead to one.
  ///
  /// A to-many relationship without inverse has its key in the rows of its members, so that each has one owner.
  fileprivate var canShareEnds: Bool { inverseRelationship?.isToMany ?? !isToMany }
}

extension PersistentStore {
  /// The links of a relationship between objects of certain entities.
  fileprivate func countLinks(
    of relationship: RelationshipDescription,
    from isOwner: (EntityDescription) -> Bool = { _ in true },
    to isEnd: (EntityDescription) -> Bool = { _ in true }
  ) throws -> Int {
    var query = StoreQuery(entity: relationship.entity)
    query.includesValues = !relationship.isToMany
    var count = 0
    try enumerateRows(matching: query) { row in
      if isOwner(row.objectID.entity) {
        count += try ends(of: relationship, in: row).count { isEnd($0.entity) }
      }
      return true
    }
    return count
  }

  private func ends(
    of relationship: RelationshipDescription, in row: StoreRow
  ) throws -> [ManagedObjectID] {
    if relationship.isToMany { return try destinations(of: relationship, from: row.objectID) }
    guard case .object(let end as ManagedObjectID) = row.values[relationship.slot] else {
      return []
    }
    return [end]
  }
}
