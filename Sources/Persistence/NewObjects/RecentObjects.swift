/// New objects that aren't written yet, by the keys of their rows, which follow each other.
final class RecentObjects {
  /// Empty for a context that spills none.
  private var hierarchies: ContiguousArray<Hierarchy> = []

  private struct Hierarchy {
    let root: ObjectIdentifier
    /// The key of the first object.
    var firstKey: Int64 = 1
    var objects: ContiguousArray<Unmanaged<ManagedObject>> = []
  }

  func start(of model: ManagedObjectModel) {
    hierarchies = ContiguousArray(model.entities.map { Hierarchy(root: ObjectIdentifier($0)) })
  }

  func stop() { hierarchies = [] }

  @inline(__always)
  func append(_ object: ManagedObject) {
    let hierarchy = object.entity.hierarchyIndex
    assert(
      object.objectID.primaryKey
        == hierarchies[hierarchy].firstKey + Int64(hierarchies[hierarchy].objects.count),
      "the keys of new objects don't follow each other")
    hierarchies[hierarchy].objects.append(.passUnretained(object))
  }

  @inline(__always)
  func object(_ id: ManagedObjectID) -> ManagedObject? {
    let index = id.entity.hierarchyIndex
    guard index < hierarchies.count else { return nil }
    let place = Int(id.primaryKey &- hierarchies[index].firstKey)
    guard place >= 0, place < hierarchies[index].objects.count,
      hierarchies[index].root == ObjectIdentifier(id.entity.rootEntity)
    else { return nil }
    return hierarchies[index].objects[place].takeUnretainedValue()
  }

  /// The objects are written now: those that come next are recent.
  func removeAll() {
    for index in hierarchies.indices where !hierarchies[index].objects.isEmpty {
      hierarchies[index].firstKey += Int64(hierarchies[index].objects.count)
      hierarchies[index].objects.removeAll(keepingCapacity: true)
    }
  }

  var all: [ManagedObject] {
    hierarchies.flatMap { $0.objects.map { $0.takeUnretainedValue() } }
  }
}
