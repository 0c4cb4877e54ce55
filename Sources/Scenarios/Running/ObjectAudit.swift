/// What `heavyweight inspect` asks of a file's rows, asked of objects: for stores that have no file.
///
/// Finds objects that lack a required value, have a number beyond their attribute's type, lead to objects that aren't
/// there, lead to one that doesn't lead back, or to too few or too many. Everything else that is wrong with a store is
/// wrong with its file.
struct ObjectAudit {
  private let context: ManagedObjectContext
  private var found: [Place: IntegrityFinding] = [:]
  private var order: [Place] = []
  private var present: Set<ManagedObjectID> = []
  /// The required attributes and elements, by entity.
  private var required: [ObjectIdentifier: [RequiredValue]] = [:]
  /// The attributes and elements whose types don't hold every whole number, by entity.
  private var bounded: [ObjectIdentifier: [(AttributeDescription, ClosedRange<Int64>)]] = [:]
  /// Both sides of every link between objects that are there, by relationship.
  private var links: [RelationshipName: Set<Link>] = [:]

  /// One finding for each property and thing that is wrong with it, as in a file.
  private struct Place: Hashable {
    let kind: IntegrityFinding.Kind
    let entity: String
    let property: String
  }

  private struct RelationshipName: Hashable {
    let entity: String
    let name: String
  }

  private struct Link: Hashable {
    let from: ManagedObjectID
    let to: ManagedObjectID
  }

  /// - Throws: `CoreDataError` when the store's objects can't be read.
  static func findings(in store: PersistentStore) throws -> [IntegrityFinding] {
    var audit = try ObjectAudit(context: ManagedObjectContext(readingFrom: store))
    try ExceptionTrap.catching {
      try audit.forEachObject { $0.present.insert($1.objectID) }
      try audit.forEachObject { $0.check($1) }
    }
    audit.checkInverses()
    return audit.order.compactMap { audit.found[$0] }.worstFirst
  }

  private init(context: ManagedObjectContext) { self.context = context }

  private mutating func forEachObject(
    _ body: (inout ObjectAudit, ManagedObject) -> Void
  ) throws {
    try context.enumerateAll { body(&self, $0) }
  }

  // MARK: One object

  private mutating func check(_ object: ManagedObject) {
    for value in required(of: object.entity) where value.isMissing(in: object.attributeValue(at:)) {
      add(.missingValue, at: value.property, of: object.objectID)
    }
    for (attribute, range) in bounded(of: object.entity) {
      let value = RequiredValue.value(of: attribute, in: object.attributeValue(at:))
      guard case .integer(let number) = value, !range.contains(number) else { continue }
      add(
        .wrongType, at: attribute, of: object.objectID,
        detail: "a value of type \(attribute.attributeType.name)")
    }
    for relationship in object.entity.relationships where !relationship.isTransient {
      check(relationship, of: object)
    }
  }

  private mutating func required(of entity: EntityDescription) -> [RequiredValue] {
    let key = ObjectIdentifier(entity)
    if let known = required[key] { return known }
    let values = entity.requiredValues(source: { _ in nil }, origin: { _ in nil })
      .filter { $0.property is AttributeDescription }
    required[key] = values
    return values
  }

  private mutating func bounded(
    of entity: EntityDescription
  ) -> [(AttributeDescription, ClosedRange<Int64>)] {
    let key = ObjectIdentifier(entity)
    if let known = bounded[key] { return known }
    let attributes = entity.attributes.filter(\.isStored).flatMap(\.withElements)
      .compactMap { attribute in attribute.attributeType.wholeNumbers.map { (attribute, $0) } }
      .filter { $0.1 != .min ... .max }
    bounded[key] = attributes
    return attributes
  }

  private mutating func check(_ relationship: RelationshipDescription, of object: ManagedObject) {
    let targets = object.linkedIDs(relationship)
    if targets.isEmpty, !relationship.isToMany, !relationship.isOptional {
      add(.missingValue, at: relationship, of: object.objectID)
    }
    let destination = relationship.destinationEntity?.name ?? ""
    for target in targets where !present.contains(target) {
      add(
        .danglingReference, at: relationship, of: object.objectID, target: target,
        detail: destination)
    }
    checkCount(targets.count, of: relationship, object.objectID)
    guard relationship.inverseRelationship != nil else { return }
    let name = RelationshipName(entity: relationship.entity.name, name: relationship.name)
    for target in targets where present.contains(target) {
      links[name, default: []].insert(Link(from: object.objectID, to: target))
    }
  }

  /// An optional relationship may be empty all the same, and a required one without a minimum is in many
  /// sound stores.
  private mutating func checkCount(
    _ count: Int, of relationship: RelationshipDescription, _ object: ManagedObjectID
  ) {
    guard relationship.isToMany, !relationship.allows(count: count) else { return }
    add(.wrongCount, at: relationship, of: object, detail: relationship.boundsText)
  }

  // MARK: Both sides

  private mutating func checkInverses() {
    for entity in context.persistentStoreCoordinator.managedObjectModel.entities {
      for relationship in entity.ownRelationships {
        guard let inverse = relationship.inverseRelationship else { continue }
        let there = links[RelationshipName(entity: entity.name, name: relationship.name)] ?? []
        let back = links[RelationshipName(entity: inverse.entity.name, name: inverse.name)] ?? []
        let oneSided = there.filter { !back.contains(Link(from: $0.to, to: $0.from)) }
        for link in oneSided.sorted(by: { $0.from.primaryKey < $1.from.primaryKey }) {
          add(
            .oneSidedInverse, at: relationship, of: link.from, target: link.to, detail: inverse.name
          )
        }
      }
    }
  }

  // MARK: Findings

  private mutating func add(
    _ kind: IntegrityFinding.Kind, at property: PropertyDescription, of object: ManagedObjectID,
    target: ManagedObjectID? = nil, detail: String? = nil
  ) {
    let place = Place(kind: kind, entity: property.entity.name, property: property.dottedName)
    if found[place] == nil { order.append(place) }
    var finding =
      found[place]
      ?? IntegrityFinding(
        kind, entity: place.entity, property: place.property, detail: detail, count: 0)
    finding.count += 1
    finding.rows.append(
      IntegrityFinding.Row(
        entity: object.entity.name, key: object.primaryKey,
        target: target.map { "\($0.entity.name)/p\($0.primaryKey)" }))
    found[place] = finding
  }
}
