/// New objects that aren't written yet, by the keys of their rows, which follow each other.
final class RecentObjects {
  /// Empty for a context that spills none.
  private var families: ContiguousArray<Family> = []

  private struct Family {
    let root: ObjectIdentifier
    /// The key of the first object.
    var firstKey: Int64 = 1
    var objects: ContiguousArray<Unmanaged<ManagedObject>> = []
  }

  func start(of model: ManagedObjectModel) {
    families = ContiguousArray(model.entities.map { Family(root: ObjectIdentifier($0)) })
  }

  func stop() { families = [] }

  @inline(__always)
  func append(_ object: ManagedObject) {
    let family = object.entity.familyIndex
    assert(
      object.objectID.primaryKey
        == families[family].firstKey + Int64(families[family].objects.count),
      "the keys of new objects don't follow each other")
    families[family].objects.append(.passUnretained(object))
  }

  @inline(__always)
  func object(_ id: ManagedObjectID) -> ManagedObject? {
    let index = id.entity.familyIndex
    guard index < families.count else { return nil }
    let place = Int(id.primaryKey &- families[index].firstKey)
    guard place >= 0, place < families[index].objects.count,
      families[index].root == ObjectIdentifier(id.entity.rootEntity)
    else { return nil }
    return families[index].objects[place].takeUnretainedValue()
  }

  /// The objects are written now: those that come next are recent.
  func removeAll() {
    for index in families.indices where !families[index].objects.isEmpty {
      families[index].firstKey += Int64(families[index].objects.count)
      families[index].objects.removeAll(keepingCapacity: true)
    }
  }

  var all: [ManagedObject] {
    families.flatMap { $0.objects.map { $0.takeUnretainedValue() } }
  }
}
