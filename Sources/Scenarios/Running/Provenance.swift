/// Which objects came from which objects of the seed: how a name given to a row still means
/// something after the migration.
package struct Provenance {
  package typealias Key = MigrationOrigins.ObjectKey

  /// An object of the store that the chain started from.
  package struct Origin {
    package let entity: String
    /// The row's local name.
    package let name: String?
    /// How reports call the object.
    package let label: String
  }

  package private(set) var origins: [Origin] = []
  /// By origin, the objects it is or became in the current version.
  package private(set) var current: [[Key]] = []
  /// By origin, the object in the store that the chain started from.
  private var beginnings: [Key] = []
  private var originByName: [String: Int] = [:]
  private var originsByObject: [Key: [Int]] = [:]
  /// Objects that steps after the chain made, by their names.
  private var made: [String: ManagedObject] = [:]

  package init() {}

  mutating func add(_ origin: Origin, _ id: ManagedObjectID) { add(origin, Key(id)) }

  mutating func add(_ origin: Origin, _ key: Key) {
    if let name = origin.name { originByName[name] = origins.count }
    originsByObject[key, default: []].append(origins.count)
    origins.append(origin)
    current.append([key])
    beginnings.append(key)
  }

  mutating func add(made name: String, _ object: ManagedObject) { made[name] = object }

  /// Follows every object to what a step made of it.
  mutating func advance(_ step: MigrationOrigins) {
    originsByObject = [:]
    for index in current.indices {
      current[index] = current[index].flatMap(step.destinations).uniqued()
      for key in current[index] { originsByObject[key, default: []].append(index) }
    }
  }

  /// Takes over what every object became, as somebody else found out.
  mutating func advance(to objects: [[Key]]) {
    originsByObject = [:]
    current = objects
    for (index, keys) in current.enumerated() {
      for key in keys { originsByObject[key, default: []].append(index) }
    }
  }

  /// Means the objects of the store that the chain started from again.
  mutating func returnToSource() {
    made = [:]
    advance(to: beginnings.map { [$0] })
  }

  // MARK: Looking up

  /// The place in the list of the origin with a name.
  func index(named name: String) -> Int? { originByName[name] }

  /// The first origin, of some entities or of all, that became nothing.
  func firstDropped(of entities: [String]) -> Int? {
    current.indices.first { index in
      current[index].isEmpty
        && (entities.isEmpty || entities.contains(origins[index].entity))
    }
  }

  /// What the object with a name became.
  func keys(named name: String) -> [Key] { originByName[name].map { current[$0] } ?? [] }

  /// The object that a step made under a name.
  func madeObject(named name: String) -> ManagedObject? { made[name] }

  /// The origins of an object; none for an object that a policy made without saying from what.
  func origins(of id: ManagedObjectID) -> [Int] { originsByObject[Key(id)] ?? [] }

  /// The origins of an object that is named by any entity of its hierarchy.
  func origins(of object: AuditedObject, in model: ManagedObjectModel) -> [Int] {
    Self.keys(of: object, in: model).flatMap { originsByObject[$0] ?? [] }
  }

  /// The places of the origins that an object of the store was which the chain started from.
  func beginnings(of object: AuditedObject, in model: ManagedObjectModel) -> [Int] {
    let keys = Set(Self.keys(of: object, in: model))
    return beginnings.indices.filter { keys.contains(beginnings[$0]) }
  }

  /// Rows of a hierarchy share one table, so that their keys tell them apart.
  private static func keys(of object: AuditedObject, in model: ManagedObjectModel) -> [Key] {
    guard let root = model.entity(named: object.entity)?.rootEntity else { return [] }
    return model.entities.filter { $0.rootEntity === root }.map {
      Key(entity: $0.name, primaryKey: object.key)
    }
  }

  /// How reports call what an object of the current version was made from.
  func label(of key: Key) -> String? {
    originsByObject[key]?.first.map { origins[$0].label }
  }

  /// The name of an object, where it has one.
  func name(of object: ManagedObject) -> String? {
    if let index = origins(of: object.objectID).first { return origins[index].name }
    return made.first { $0.value === object }?.key
  }
}
