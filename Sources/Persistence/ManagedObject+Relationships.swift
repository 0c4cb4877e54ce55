// Relationships: reading them, setting them, and keeping the other side true.
//
// The model's inverse is maintained whoever sets a side: that is behaviour of the model, not of
// generated accessors, so it works on the plain objects of a migration as well.

extension ManagedObject {
  /// The object a to-one relationship leads to.
  public final func destination(of relationship: RelationshipDescription) -> ManagedObject? {
    destinationID(of: relationship).flatMap { context?.object(with: $0) }
  }

  /// The identifier a to-one relationship leads to.
  public final func destinationID(of relationship: RelationshipDescription) -> ManagedObjectID? {
    guard case .object(let reference) = attributeValue(at: relationship.slot) else { return nil }
    return unsafeDowncast(reference, to: ManagedObjectID.self).current
  }

  /// The objects a to-many relationship leads to; in order when it is ordered.
  public final func destinations(of relationship: RelationshipDescription) -> [ManagedObject] {
    guard let context else { return [] }
    return destinationIDs(of: relationship).map { context.object(with: $0) }
  }

  /// The identifiers a to-many relationship leads to, read from the store at first use.
  public final func destinationIDs(of relationship: RelationshipDescription) -> [ManagedObjectID] {
    Array(loadedDestinations(of: relationship).members ?? [])
  }

  /// How many objects a to-many relationship leads to.
  final func destinationCount(of relationship: RelationshipDescription) -> Int {
    loadedDestinations(of: relationship).members?.count ?? 0
  }

  /// Whether a to-many relationship leads to an object.
  final func leads(to object: ManagedObject, by relationship: RelationshipDescription) -> Bool {
    loadedDestinations(of: relationship).isMember(object.objectID) ?? false
  }

  private func loadedDestinations(of relationship: RelationshipDescription) -> ToManyDestinations {
    let destinations = toManyDestinations(of: relationship)
    if !destinations.isLoaded {
      do {
        destinations.load(try context?.storedDestinations(of: relationship, from: objectID) ?? [])
      } catch {
        ExceptionTrap.raise(error)
        destinations.load([])
      }
    }
    return destinations
  }

  func toManyDestinations(of relationship: RelationshipDescription) -> ToManyDestinations {
    if state.contains(.written) {
      withContext { context in context.newObjects.settleLinks() }
    }
    let slot = relationship.slot
    if toMany.isEmpty { toMany = ContiguousArray(repeating: nil, count: entity.slotCount) }
    if let known = toMany[slot] { return known }
    let new = ToManyDestinations(ofNewObject: isUnwritten)
    toMany[slot] = new
    return new
  }

  /// Forgets the members of to-many relationships.
  /// - Returns: Who has copies of them, to be told when the object is as it is to be.
  func forgetMembers() -> [any MembersObserver] {
    let observers = toMany.compactMap { $0?.observer }
    toMany = []
    return observers
  }

  /// Forgets what is known of to-many relationships, of an object that changes its place; the memory for
  /// it stays.
  /// - Parameter isNew: Whether no store has a row of the object from now on.
  func forgetToMany(ofNewObject isNew: Bool) {
    for slot in toMany.indices where toMany[slot] != nil {
      if isKnownUniquelyReferenced(&toMany[slot]) {
        toMany[slot]?.reset(ofNewObject: isNew)
      } else {
        toMany[slot] = nil
      }
    }
  }

  // MARK: To-one

  /// Sets a to-one relationship and its inverse.
  /// - Throws: What Core Data raises for an object of another context or entity.
  public final func setDestination(
    _ new: ManagedObject?, of relationship: RelationshipDescription
  ) throws {
    if let new { try check(new, for: relationship) }
    let old = destinationID(of: relationship)
    if old == nil && new == nil { return }
    if let old, let new, old.isSame(as: new.objectID) { return }
    setReference(new?.objectID, at: relationship.slot)
    guard let inverse = relationship.inverseRelationship else { return }
    if let old { context?.object(with: old).removeInverse(inverse, to: self) }
    new?.addInverse(inverse, to: self)
  }

  private func setReference(_ id: ManagedObjectID?, at slot: Int) {
    willChange()
    changedSlots |= RowWriter.bit(ofSlot: slot)
    values[slot] = id.map { .object($0) } ?? .null
  }

  // MARK: To-many

  /// Makes `objects` the members of a to-many relationship, in this order if it is ordered.
  public final func setDestinations(
    _ objects: [ManagedObject], of relationship: RelationshipDescription
  ) throws {
    for object in objects { try check(object, for: relationship) }
    let wanted = Set(objects.map(\.objectID))
    for id in destinationIDs(of: relationship) where !wanted.contains(id) {
      if let object = context?.object(with: id) { remove(object, from: relationship) }
    }
    for object in objects { add(object, checkedTo: relationship) }
    guard relationship.isOrdered else { return }
    var seen = Set<ManagedObjectID>()
    let order = objects.map(\.objectID).filter { seen.insert($0).inserted }
    reorder(relationship, to: order)
  }

  /// Puts the members of an ordered relationship in another order.
  func reorder(_ relationship: RelationshipDescription, to order: [ManagedObjectID]) {
    fireFaultBeforeMembers()
    let current = destinationIDs(of: relationship)
    guard current != order else { return }
    willChange()
    let destinations = toManyDestinations(of: relationship)
    destinations.reorder(order)
    destinations.tellObserver()
  }

  /// Adds a member to a to-many relationship; its inverse follows.
  public final func add(_ object: ManagedObject, to relationship: RelationshipDescription) throws {
    try check(object, for: relationship)
    add(object, checkedTo: relationship)
  }

  private func add(_ object: ManagedObject, checkedTo relationship: RelationshipDescription) {
    guard insertMember(object, of: relationship) else { return }
    if let inverse = relationship.inverseRelationship { object.addInverse(inverse, to: self) }
  }

  /// Removes a member from a to-many relationship; its inverse follows.
  public final func remove(_ object: ManagedObject, from relationship: RelationshipDescription) {
    guard removeMember(object.objectID, of: relationship) else { return }
    if let inverse = relationship.inverseRelationship { object.removeInverse(inverse, to: self) }
  }

  /// Adds without touching the other side.
  private func insertMember(
    _ object: ManagedObject, of relationship: RelationshipDescription
  ) -> Bool {
    // The store must be asked, or a member that is there already would count as an addition.
    if !isUnwritten {
      fireFaultBeforeMembers()
      if let isMember = isKnownToLead(to: object, by: relationship) {
        if isMember { return false }
        if leavesLink(to: object, by: relationship) { return true }
        willChange()
        let destinations = toManyDestinations(of: relationship)
        destinations.addNew(object.objectID)
        destinations.tellObserver()
        return true
      }
      _ = loadedDestinations(of: relationship)
    }
    willChange()
    let destinations = toManyDestinations(of: relationship)
    defer { destinations.tellObserver() }
    return destinations.add(object.objectID)
  }

  /// Whether no store has a row of the object.
  var isUnwritten: Bool { state.contains(.inserted) && !state.contains(.written) }

  /// Whether the other side says that it leads here; nil where the store would have to be asked.
  private func isKnownToLead(
    to other: ManagedObject, by relationship: RelationshipDescription
  ) -> Bool? {
    guard state.contains(.written), let inverse = relationship.inverseInPlace?.takeUnretainedValue()
    else { return nil }
    if !inverse.isToMany {
      return other.destinationID(of: inverse)?.isSame(as: objectID) ?? false
    }
    guard other.isUnwritten else { return nil }
    return other.hasMember(objectID, of: inverse)
  }

  /// Whether a new object leads to another by a to-many relationship.
  private func hasMember(
    _ id: ManagedObjectID, of relationship: RelationshipDescription
  ) -> Bool {
    if toMany.isEmpty { return false }
    return toMany[relationship.slot]?.isMember(id) ?? false
  }

  private func removeMember(
    _ id: ManagedObjectID, of relationship: RelationshipDescription
  ) -> Bool {
    if !isUnwritten {
      fireFaultBeforeMembers()
      _ = loadedDestinations(of: relationship)
    }
    willChange()
    let destinations = toManyDestinations(of: relationship)
    defer { destinations.tellObserver() }
    return destinations.remove(id)
  }

  /// Members that are to be changed are read after the row, since the row makes earlier ones forgotten.
  private func fireFaultBeforeMembers() {
    if isFault && !hasChanges { fireFault() }
  }

  // MARK: The other side

  /// Notes on this side that `object` now leads here by the inverse of `relationship`.
  func addInverse(_ relationship: RelationshipDescription, to object: ManagedObject) {
    if relationship.isToMany {
      if leavesLink(to: object, by: relationship) { return }
      willChange()
      // Here additions are known to be new, so the store need not be asked.
      let destinations = toManyDestinations(of: relationship)
      destinations.add(object.objectID)
      destinations.tellObserver()
      return
    }
    var displaced = destinationID(of: relationship)
    if let current = displaced, current.isSame(as: object.objectID) {
      guard readAnew(contradictedIn: relationship) else { return }
      displaced = destinationID(of: relationship)
      if displaced?.isSame(as: object.objectID) == true { return }
    }
    setReference(object.objectID, at: relationship.slot)
    guard let displaced, let inverse = relationship.inverseRelationship else { return }
    context?.object(with: displaced).removeInverse(inverse, to: self)
  }

  /// Notes on this side that `object` leads here no more.
  func removeInverse(_ relationship: RelationshipDescription, to object: ManagedObject) {
    if relationship.isToMany {
      willChange()
      let destinations = toManyDestinations(of: relationship)
      destinations.remove(object.objectID)
      destinations.tellObserver()
    } else if leads(relationship, to: object)
      || (readAnew(contradictedIn: relationship) && leads(relationship, to: object))
    {
      setReference(nil, at: relationship.slot)
    }
  }

  private func leads(_ relationship: RelationshipDescription, to object: ManagedObject) -> Bool {
    destinationID(of: relationship)?.isSame(as: object.objectID) == true
  }

  /// To be called when the other side of a one-to-one relationship says something else. An unchanged
  /// object was read before others changed the link, then, and is read anew: both sides have the link
  /// in their rows, and the save would leave one of them as it is.
  /// - Returns: Whether it was.
  private func readAnew(contradictedIn relationship: RelationshipDescription) -> Bool {
    guard !hasChanges, relationship.inverseRelationship?.isToMany == false,
      let row = context?.rowOrException(for: objectID), row.version != version
    else { return false }
    turnIntoFault()
    fulfill(with: row)
    return true
  }

  // MARK: Checks

  private func check(_ object: ManagedObject, for relationship: RelationshipDescription) throws {
    guard object.hasSameContext(as: self) else {
      throw CoreDataError.differentContexts(relationship, of: self)
    }
    if ObjectIdentifier(object.entity) == relationship.destinationEntityID { return }
    guard object.entity.isKindOf(entity: relationship.destinationEntity) else {
      throw CoreDataError.unacceptable(
        "\(object)", of: object.entity.name, desired: relationship.destinationEntity.name,
        for: relationship, of: self)
    }
  }
}
