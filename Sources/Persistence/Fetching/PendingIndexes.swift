/// Answers equality fetches among unsaved new objects without looking at each.
///
/// A policy that looks up `name == %@` for every source object would otherwise compare it with
/// every object made so far. An index over one attribute of one family comes into being with the
/// first such fetch that has many objects to look at, and is kept true from then on. So does the
/// list of a family's objects with the first fetch that no index answers.
struct PendingIndexes {
  /// There are one or two, and each value that is set looks for one.
  private var indexes: [Index] = []
  /// The new objects of a family in the order of their insertion, by the root's store index.
  private var families: ContiguousArray<Family?> = []

  private final class Family {
    var objects: [ManagedObject]
    init(_ objects: [ManagedObject]) { self.objects = objects }
  }

  private final class Index {
    let family: Int
    let slot: Int
    var objects: [Value: EqualObjects] = [:]

    init(family: Int, slot: Int) { (self.family, self.slot) = (family, slot) }

    /// Whether an object has the attribute that this is about: a subentity's attribute isn't in
    /// the rows of its siblings.
    func covers(_ object: ManagedObject) -> Bool {
      object.familyIndex == family && slot < object.values.count
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

  private func index(ofFamily family: Int, slot: Int) -> Index? {
    for place in indexes.indices
    where uncounted(indexes[place], { $0.slot == slot && $0.family == family }) {
      return indexes[place]
    }
    return nil
  }

  /// Below this many objects, looking at each is as fast.
  static let smallestUsefulCount = 32

  /// The new objects of a family whose attribute has a value, in the order of their insertion.
  mutating func objects(
    among inserted: @autoclosure () -> [ManagedObject], of entity: EntityDescription, slot: Int,
    equalTo value: Value
  ) -> [ManagedObject] {
    let index =
      index(ofFamily: entity.familyIndex, slot: slot)
      ?? build(Index(family: entity.familyIndex, slot: slot), among: inserted())
    guard let found = index.objects[value] else { return [] }
    if found.isInOrder { return found.objects }
    let ordered = Self.inOrder(found.objects, among: inserted())
    index.objects[value] = EqualObjects(objects: ordered)
    return ordered
  }

  /// The new objects of a family, in the order of their insertion.
  mutating func objects(
    among inserted: @autoclosure () -> [ManagedObject], of entity: EntityDescription
  ) -> [ManagedObject] {
    let root = entity.familyIndex
    if root < families.count, let known = families[root] { return known.objects }
    let family = Family(inserted().filter { $0.familyIndex == root })
    while families.count <= root { families.append(nil) }
    families[root] = family
    return family.objects
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

  // Whoever changes nothing here would be given a copy, and count the references in it.

  mutating func didInsert(_ object: ManagedObject) {
    let family = object.familyIndex
    if family < families.count { families[family]?.objects.append(object) }
    willChange(object)
  }

  /// Takes in an object that wasn't looked at as unsaved so far.
  mutating func willChange(_ object: ManagedObject) {
    indexes.forEachUncounted { if $0.covers(object) { $0.add(object) } }
  }

  /// Forgets the objects of some families, which aren't in memory only any more.
  mutating func forgetFamilies(where isGone: (Int) -> Bool) {
    for family in families.indices where isGone(family) { families[family] = nil }
    for index in indexes where isGone(index.family) && !index.objects.isEmpty {
      index.objects.removeAll(keepingCapacity: true)
    }
  }

  mutating func valueWillChange(of object: ManagedObject, slot: Int, to new: Value) {
    guard object.state.contains(.inserted),
      let index = index(ofFamily: object.entity.familyIndex, slot: slot)
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
  /// Ascends with the order of insertion in a family: objects with the keys of their rows are older
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
