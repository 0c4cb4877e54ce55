/// Answers equality fetches among unsaved new objects without looking at each.
///
/// A policy that looks up `name == %@` for every source object would otherwise compare it with
/// every object made so far. An index over one attribute of one hierarchy comes into being with the
/// first such fetch that has many objects to look at, and is kept true from then on. So does the
/// list of a hierarchy's objects with the first fetch that no index answers.
struct PendingIndexes {
  /// A list, not a dictionary: there are one or two, and every value that is set searches it.
  private var indexes: [Index] = []
  /// The new objects of a hierarchy in the order of their insertion, by the root's store index.
  private var hierarchies: ContiguousArray<Hierarchy?> = []

  private final class Hierarchy {
    var objects: [ManagedObject]
    init(_ objects: [ManagedObject]) { self.objects = objects }
  }

  private final class Index {
    let hierarchy: Int
    let slot: Int
    var objects: [Value: EqualObjects] = [:]

    init(hierarchy: Int, slot: Int) { (self.hierarchy, self.slot) = (hierarchy, slot) }

    /// Whether an object has the attribute that this is about: a subentity's attribute isn't in
    /// the rows of its siblings.
    func covers(_ object: ManagedObject) -> Bool {
      object.hierarchyIndex == hierarchy && slot < object.values.count
    }

    func add(_ object: ManagedObject) {
      objects[object.values[slot], default: EqualObjects()].append(object)
    }
  }

  /// Objects with an equal value, and whether they are known to be in the order of their insertion.
  ///
  /// An index takes objects in the order in which they get their value. That order is checked once
  /// and not by each fetch, of which there may be as many as there are equal objects.
  private struct EqualObjects {
    var objects: [ManagedObject] = []
    var isInOrder = true

    mutating func append(_ object: ManagedObject) {
      if let last = objects.last, isInOrder { isInOrder = last.isSurelyOlder(than: object) }
      objects.append(object)
    }
  }

  private func index(ofHierarchy hierarchy: Int, slot: Int) -> Index? {
    for place in indexes.indices
    where indexes[place].slot == slot && indexes[place].hierarchy == hierarchy {
      return indexes[place]
    }
    return nil
  }

  /// Below this many objects, looking at each is as fast.
  static let smallestUsefulCount = 32

  /// The new objects of a hierarchy whose attribute has a value, in the order of their insertion.
  mutating func objects(
    among inserted: @autoclosure () -> [ManagedObject], of entity: EntityDescription, slot: Int,
    equalTo value: Value
  ) -> [ManagedObject] {
    let index =
      index(ofHierarchy: entity.hierarchyIndex, slot: slot)
      ?? build(Index(hierarchy: entity.hierarchyIndex, slot: slot), among: inserted())
    guard let found = index.objects[value] else { return [] }
    if found.isInOrder { return found.objects }
    let ordered = Self.inOrder(found.objects, among: inserted())
    index.objects[value] = EqualObjects(objects: ordered)
    return ordered
  }

  /// The new objects of a hierarchy, in the order of their insertion.
  mutating func objects(
    among inserted: @autoclosure () -> [ManagedObject], of entity: EntityDescription
  ) -> [ManagedObject] {
    let root = entity.hierarchyIndex
    if root < hierarchies.count, let known = hierarchies[root] { return known.objects }
    let hierarchy = Hierarchy(inserted().filter { $0.hierarchyIndex == root })
    while hierarchies.count <= root { hierarchies.append(nil) }
    hierarchies[root] = hierarchy
    return hierarchy.objects
  }

  /// Temporary keys count downwards; where some objects have permanent ones already, only their
  /// places tell.
  private static func inOrder(
    _ objects: [ManagedObject], among inserted: @autoclosure () -> [ManagedObject]
  ) -> [ManagedObject] {
    if objects.allSatisfy(\.objectID.isTemporaryID) {
      return objects.sorted { $0.objectID.insertionRank < $1.objectID.insertionRank }
    }
    let wanted = Set(objects.map(ObjectIdentifier.init))
    return inserted().filter { wanted.contains(ObjectIdentifier($0)) }
  }

  private mutating func build(_ index: Index, among inserted: [ManagedObject]) -> Index {
    for object in inserted where index.covers(object) { index.add(object) }
    indexes.append(index)
    return index
  }

  // Mutating, although the references stay the same: a non-mutating method would copy the array and
  // retain each of its elements.

  mutating func didInsert(_ object: ManagedObject) {
    let hierarchy = object.hierarchyIndex
    if hierarchy < hierarchies.count { hierarchies[hierarchy]?.objects.append(object) }
    willChange(object)
  }

  /// Adds an object that wasn't among the new ones so far.
  mutating func willChange(_ object: ManagedObject) {
    for index in indexes where index.covers(object) { index.add(object) }
  }

  /// Forgets the objects of hierarchies whose rows are spilled from now on.
  mutating func forgetHierarchies(where isGone: (Int) -> Bool) {
    for hierarchy in hierarchies.indices where isGone(hierarchy) { hierarchies[hierarchy] = nil }
    for index in indexes where isGone(index.hierarchy) && !index.objects.isEmpty {
      index.objects.removeAll(keepingCapacity: true)
    }
  }

  mutating func valueWillChange(of object: ManagedObject, slot: Int, to new: Value) {
    guard object.state.contains(.inserted),
      let index = index(ofHierarchy: object.entity.hierarchyIndex, slot: slot)
    else { return }
    let old = object.values[slot]
    if old == new { return }
    index.objects[old]?.objects.removeLast(where: { $0 === object })
    index.objects[new, default: EqualObjects()].append(object)
  }
}

extension ManagedObject {
  /// Whether it was inserted before another; false also where their keys don't tell.
  fileprivate func isSurelyOlder(than other: ManagedObject) -> Bool {
    objectID.isTemporaryID && other.objectID.isTemporaryID
      && objectID.insertionRank < other.objectID.insertionRank
  }
}

extension ManagedObjectID {
  /// Ascends with the order of insertion in a hierarchy: objects with the keys of their rows are older
  /// than those whose keys count downwards.
  fileprivate var insertionRank: Int64 {
    primaryKey > 0 ? primaryKey : (1 << 48) - primaryKey
  }
}

extension Array {
  /// Removes the last element that fits; new objects are changed soon after they are made, so it
  /// is found near the end.
  fileprivate mutating func removeLast(where fits: (Element) -> Bool) {
    if let index = lastIndex(where: fits) { remove(at: index) }
  }
}
