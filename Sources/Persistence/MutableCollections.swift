// What `mutableSetValue(forKey:)` and `mutableOrderedSetValue(forKey:)` give: collections that
// stand for a relationship, so that changing them changes it.

extension ManagedObject {
  /// The members of a to-many relationship, as a set that writes through.
  public final func mutableSetValue(forKey key: String) -> NSMutableSet {
    RelationshipSet.make(for: self, key: key)
  }

  /// The members of an ordered relationship, as an ordered set that writes through.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    RelationshipOrderedSet.make(for: self, key: key)
  }

  /// The to-many relationship `key`, or an exception.
  fileprivate func toManyRelationship(_ key: String) -> RelationshipDescription? {
    if let relationship = entity.relationship(named: key), relationship.isToMany {
      return relationship
    }
    ExceptionTrap.raise(
      CoreDataError(
        .coreData,
        "NSManagedObjects of entity '\(entity.name)' do not support -mutableSetValueForKey: for "
          + "the property '\(key)'",
        advice: "Use it on a to-many relationship."
      ).at(entity: entity.name, property: key, object: "\(objectID)"))
    return nil
  }
}

private final class RelationshipSet: NSMutableSet {
  private var link: (object: ManagedObject, relationship: RelationshipDescription)?

  static func make(for object: ManagedObject, key: String) -> RelationshipSet {
    let set = RelationshipSet(capacity: 0)
    set.link = object.toManyRelationship(key).map { (object, $0) }
    return set
  }

  private var members: [ManagedObject] {
    link.map { $0.object.destinations(of: $0.relationship) } ?? []
  }

  override var count: Int { link.map { $0.object.destinationCount(of: $0.relationship) } ?? 0 }

  override func member(_ object: Any) -> Any? {
    guard let link, let object = object as? ManagedObject else { return nil }
    return link.object.leads(to: object, by: link.relationship) ? object : nil
  }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: members).objectEnumerator() }
  override var allObjects: [Any] { members }

  override func add(_ object: Any) {
    if link == nil { return }
    uncounted(link!.object) { owner in
      uncounted(link!.relationship) { owner.append(object, to: $0) }
    }
  }

  override func remove(_ object: Any) {
    guard let link, let object = object as? ManagedObject else { return }
    link.object.remove(object, from: link.relationship)
  }
}

private final class RelationshipOrderedSet: NSMutableOrderedSet {
  private var link: (object: ManagedObject, relationship: RelationshipDescription)?

  override init(capacity: Int) { super.init(capacity: capacity) }
  required init(arrayLiteral elements: Any...) { super.init(capacity: 0) }
  required init?(coder: NSCoder) { nil }

  static func make(for object: ManagedObject, key: String) -> RelationshipOrderedSet {
    let set = RelationshipOrderedSet(capacity: 0)
    set.link = object.toManyRelationship(key).map { (object, $0) }
    return set
  }

  private var members: [ManagedObject] {
    link.map { $0.object.destinations(of: $0.relationship) } ?? []
  }

  private func replace(_ change: (inout [ManagedObject]) -> Void) {
    guard let link else { return }
    var changed = members
    change(&changed)
    do { try link.object.setDestinations(changed, of: link.relationship) } catch {
      ExceptionTrap.raise(error)
    }
  }

  override var count: Int { link.map { $0.object.destinationCount(of: $0.relationship) } ?? 0 }
  override func object(at index: Int) -> Any { members[index] }

  override func index(of object: Any) -> Int {
    guard let object = object as? ManagedObject else { return NSNotFound }
    return members.firstIndex { $0 === object } ?? NSNotFound
  }

  override func insert(_ object: Any, at position: Int) {
    guard let link else { return }
    guard let object = object as? ManagedObject else { return link.object.refuse(object, link.1) }
    if self.index(of: object) != NSNotFound { return }
    replace { $0.insert(object, at: Swift.min(position, $0.count)) }
  }

  override func add(_ object: Any) {
    if let link { link.object.append(object, to: link.relationship) }
  }

  override func contains(_ object: Any) -> Bool {
    guard let link, let object = object as? ManagedObject else { return false }
    return link.object.leads(to: object, by: link.relationship)
  }

  override func removeObject(at index: Int) { replace { $0.remove(at: index) } }

  override func remove(_ object: Any) {
    let index = self.index(of: object)
    if index != NSNotFound { removeObject(at: index) }
  }

  override func replaceObject(at index: Int, with object: Any) {
    guard let link else { return }
    guard let object = object as? ManagedObject else { return link.object.refuse(object, link.1) }
    replace { $0[index] = object }
  }
}

extension ManagedObject {
  /// Adds a member behind the others. Anything but a managed object raises.
  fileprivate func append(_ any: Any, to relationship: RelationshipDescription) {
    guard let object = any as? ManagedObject else { return refuse(any, relationship) }
    do { try add(object, to: relationship) } catch { ExceptionTrap.raise(error) }
  }

  fileprivate func refuse(_ any: Any, _ relationship: RelationshipDescription) {
    do { try setTypedValue(Value(any), forKey: relationship.name) } catch {
      ExceptionTrap.raise(error)
    }
  }
}
