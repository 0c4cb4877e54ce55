// What `mutableSetValue(forKey:)` and `mutableOrderedSetValue(forKey:)` give: collections that
// stand for a relationship, so that changing them changes it.

extension ManagedObject {
  /// The members of an unordered to-many relationship, as a set that writes through. Any other raises.
  public final func mutableSetValue(forKey key: String) -> NSMutableSet {
    RelationshipSet.make(for: self, key: key)
  }

  /// The members of an ordered relationship, as an ordered set that writes through. Any other raises.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    RelationshipOrderedSet.known(for: self, key: key)
      ?? RelationshipOrderedSet.make(for: self, key: key)
  }

  /// The to-many relationship `key` of a kind, or an exception.
  fileprivate func toManyRelationship(
    _ key: String, isOrdered: Bool
  ) -> RelationshipDescription? {
    if let relationship = entity.relationship(named: key), relationship.isToMany,
      relationship.isOrdered == isOrdered
    {
      return relationship
    }
    ExceptionTrap.raise(CoreDataError.noMutableSet(forKey: key, ordered: isOrdered, of: self))
    return nil
  }
}

private final class RelationshipSet: NSMutableSet {
  private var link: (object: ManagedObject, relationship: RelationshipDescription)?

  static func make(for object: ManagedObject, key: String) -> RelationshipSet {
    let set = RelationshipSet(capacity: 0)
    set.link = object.toManyRelationship(key, isOrdered: false).map { (object, $0) }
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
  override var description: String { NSSet(array: members).description }
  override func description(withLocale locale: Locale?) -> String {
    NSSet(array: members).description(withLocale: locale)
  }
  override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: members) }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: members) }

  override func add(_ object: Any) {
    guard let link else { return }
    link.object.append(object, to: link.relationship)
  }

  override func remove(_ object: Any) {
    guard let link, let object = object as? ManagedObject else { return }
    link.object.remove(object, from: link.relationship)
  }
}

/// An ordered relationship as an ordered set.
///
/// Several of Foundation's methods read the storage of `NSMutableOrderedSet` and can't be overridden:
/// `array`, `for … in`, `firstObject`, `reversed` …. So the storage always has the members: whatever
/// else changes the relationship tells this set, and what changes this set is written to the object.
private final class RelationshipOrderedSet: NSMutableOrderedSet, MembersObserver {
  private var link: (object: ManagedObject, relationship: RelationshipDescription)?
  /// Whether the object's news are this set's own.
  private var isWriting = false

  override init(capacity: Int) { super.init(capacity: capacity) }
  required init(arrayLiteral elements: Any...) { super.init(capacity: 0) }
  required init?(coder: NSCoder) { nil }

  static func make(for object: ManagedObject, key: String) -> RelationshipOrderedSet {
    let set = RelationshipOrderedSet(capacity: 0)
    set.link = object.toManyRelationship(key, isOrdered: true).map { (object, $0) }
    set.membersDidChange()
    return set
  }

  /// The one set that stands for a relationship of an object, as long as somebody has it.
  static func known(for object: ManagedObject, key: String) -> RelationshipOrderedSet? {
    guard let relationship = object.entity.relationship(named: key), relationship.isOrdered
    else { return nil }
    return object.toManyDestinations(of: relationship).observer as? RelationshipOrderedSet
  }

  private var members: [ManagedObject] {
    link.map { $0.object.destinations(of: $0.relationship) } ?? []
  }

  func membersDidChange() {
    guard let link, !isWriting else { return }
    isWriting = true
    super.removeAllObjects()
    super.addObjects(from: members)
    isWriting = false
    link.object.toManyDestinations(of: link.relationship).observer = self
  }

  /// Changes the members as a list, in which one may come several times: it counts where it is first.
  private func rewrite(_ change: (inout [Any]) -> Void) {
    guard let link else { return }
    var changed: [Any] = members
    change(&changed)
    if let stranger = changed.first(where: { !($0 is ManagedObject) }) {
      return link.object.refuse(stranger, link.relationship)
    }
    isWriting = true
    do {
      try link.object.setDestinations(changed as! [ManagedObject], of: link.relationship)
    } catch { ExceptionTrap.raise(error) }
    isWriting = false
    membersDidChange()
  }

  /// Whether all of `indexes` are those of members; else it raises, as `NSMutableOrderedSet` does.
  private func has(_ indexes: IndexSet, andEnd: Bool = false) -> Bool {
    guard let last = indexes.last, last > count || (last == count && !andEnd) else { return true }
    ExceptionTrap.raise(CoreDataError.index(last, beyond: count))
    return false
  }

  private static func range(_ range: NSRange) -> IndexSet {
    range.length == 0 ? [] : IndexSet(range.location..<(range.location + range.length))
  }

  override func object(at index: Int) -> Any {
    has([index]) ? super.object(at: index) : NSNull()
  }

  // MARK: Adding

  override func add(_ object: Any) {
    guard let link else { return }
    isWriting = true
    let isMember = contains(object)
    link.object.append(object, to: link.relationship)
    if !isMember, let object = object as? ManagedObject,
      link.object.leads(to: object, by: link.relationship)
    {
      super.add(object)
    }
    isWriting = false
  }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    for object in UnsafeBufferPointer(start: objects, count: count) { add(object) }
  }

  override func addObjects(from array: [Any]) { for object in array { add(object) } }
  override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }
  override func unionSet(_ other: Set<AnyHashable>) { for object in other { add(object.base) } }

  override func insert(_ object: Any, at position: Int) {
    if contains(object) || !has([position], andEnd: true) { return }
    rewrite { $0.insert(object, at: position) }
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    for (object, index) in zip(objects, indexes) { insert(object, at: index) }
  }

  // MARK: Replacing

  override func replaceObject(at index: Int, with object: Any) {
    guard has([index]) else { return }
    rewrite { $0[index] = object }
  }

  override func setObject(_ object: Any, at index: Int) {
    if index == count { insert(object, at: index) } else { replaceObject(at: index, with: object) }
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    guard has(indexes) else { return }
    rewrite { members in
      for (object, index) in zip(objects, indexes) { members[index] = object }
    }
  }

  override func replaceObjects(
    in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int
  ) {
    guard has(Self.range(range)) else { return }
    let new = UnsafeBufferPointer(start: objects, count: count).map { $0 as Any }
    rewrite { $0.replaceSubrange(range.location..<(range.location + range.length), with: new) }
  }

  // MARK: Removing

  override func removeObject(at index: Int) {
    guard has([index]) else { return }
    rewrite { $0.remove(at: index) }
  }

  override func remove(_ object: Any) {
    let index = self.index(of: object)
    if index != NSNotFound { removeObject(at: index) }
  }

  override func removeObjects(at indexes: IndexSet) {
    guard has(indexes) else { return }
    rewrite { members in
      for index in indexes.reversed() { members.remove(at: index) }
    }
  }

  override func removeObjects(in range: NSRange) { removeObjects(at: Self.range(range)) }
  override func removeAllObjects() { rewrite { $0 = [] } }

  override func removeObjects(in array: [Any]) {
    let others = NSOrderedSet(array: array)
    rewrite { $0.removeAll { others.contains($0) } }
  }

  override func minus(_ other: NSOrderedSet) { removeObjects(in: other.array) }
  override func minusSet(_ other: Set<AnyHashable>) { removeObjects(in: other.map(\.base)) }

  override func intersect(_ other: NSOrderedSet) {
    rewrite { $0.removeAll { !other.contains($0) } }
  }

  override func intersectSet(_ other: Set<AnyHashable>) {
    intersect(NSOrderedSet(array: other.map(\.base)))
  }

  // MARK: Ordering

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    guard has([first, second]) else { return }
    rewrite { $0.swapAt(first, second) }
  }

  override func moveObjects(at indexes: IndexSet, to index: Int) {
    guard has(indexes) else { return }
    rewrite { members in
      let moved = indexes.map { members[$0] }
      for index in indexes.reversed() { members.remove(at: index) }
      members.insert(contentsOf: moved, at: Swift.min(index, members.count))
    }
  }

  override func sort(comparator: (Any, Any) -> ComparisonResult) {
    sortRange(NSRange(location: 0, length: count), options: [], usingComparator: comparator)
  }

  override func sort(
    options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    sortRange(NSRange(location: 0, length: count), options: options, usingComparator: comparator)
  }

  override func sortRange(
    _ range: NSRange, options: NSSortOptions = [],
    usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    let places = Self.range(range)
    guard has(places) else { return }
    rewrite { members in
      let sorted = places.map { members[$0] }.sorted { comparator($0, $1) == .orderedAscending }
      for (index, object) in zip(places, sorted) { members[index] = object }
    }
  }

  // MARK: Copies

  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: array) }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: array) }
}

extension ManagedObject {
  /// Adds a member behind the others. Anything but a managed object raises.
  fileprivate func append(_ any: Any, to relationship: RelationshipDescription) {
    guard let object = any as? ManagedObject else { return refuse(any, relationship) }
    do { try add(object, to: relationship) } catch { ExceptionTrap.raise(error) }
  }

  fileprivate func refuse(_ any: Any, _ relationship: RelationshipDescription) {
    ExceptionTrap.raise(unacceptable(any, for: relationship))
  }
}
