/// Which hook last changed something about each object that a step makes.
struct InsertedLog<State: Equatable> {
  struct Record {
    /// Kept, so that its identity isn't another's later.
    let object: ManagedObject
    var state: State
    /// The hook after which the state is what it is.
    var place: Failure.Origin
    /// The objects of the seed that it came from, where the policy said so.
    let origins: [Int]
  }

  private let entity: String
  private let read: (ManagedObject) throws -> State
  /// In the order in which the objects were seen first.
  private(set) var records: [Record] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private var readCount = 0

  /// All objects are looked at after each hook: with more than some thousand that takes too long.
  private static var mostReads: Int { 3_000_000 }

  /// - Parameter read: What is to be known of an object of the entity.
  init(of entity: String, _ read: @escaping (ManagedObject) throws -> State) {
    self.entity = entity
    self.read = read
  }

  /// Whether there was too much to look at, so that the records are of no use.
  var isOverfull: Bool { readCount > Self.mostReads }

  mutating func look(_ hook: SeenHook) {
    if isOverfull { return }
    let all = hook.call.manager.destinationContext.insertedObjects
    readCount += all.count
    for object in all where object.entity.isNamedOrDescends(from: entity) {
      // What can't be read has no history to tell.
      guard let state = try? read(object) else { continue }
      note(object, state: state, in: hook)
    }
  }

  private mutating func note(_ object: ManagedObject, state: State, in hook: SeenHook) {
    if let index = places[ObjectIdentifier(object)] {
      if records[index].state == state { return }
      records[index].state = state
      records[index].place = hook.origin
    } else {
      places[ObjectIdentifier(object)] = records.count
      let isMade = hook.made.contains { $0 === object }
      records.append(
        Record(
          object: object, state: state, place: hook.origin, origins: isMade ? hook.origins : []))
    }
  }

  func record(of object: ManagedObject) -> Record? {
    places[ObjectIdentifier(object)].map { records[$0] }
  }
}
