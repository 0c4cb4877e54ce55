/// How far the primary keys of a hierarchy of entities move when they come into another.
///
/// They stay where they are unless several hierarchies come into one: then the one that is still at
/// home keeps its keys, and each other one goes above those before it.
struct KeyOffsets {
  private struct Move: Hashable {
    let source: ObjectIdentifier
    let destination: ObjectIdentifier
  }
  private var offsets: [Move: Int64] = [:]
  /// The highest key in use, by root entity of the destination.
  private(set) var highest: [(root: EntityDescription, key: Int64)] = []

  init(for entities: [TransferEntity], from source: SQLiteStore) throws {
    let byRoot = Dictionary(grouping: entities) {
      ObjectIdentifier($0.destination.rootEntity)
    }
    for entities in byRoot.values {
      guard let root = entities.first?.destination.rootEntity else { continue }
      var last: Int64 = 0
      for hierarchy in Self.hierarchies(of: entities, root: root) {
        offsets[Move(source: ObjectIdentifier(hierarchy), destination: ObjectIdentifier(root))] =
          last
        last += try source.highestKey(of: hierarchy)
      }
      highest.append((root, last))
    }
  }

  /// The source's hierarchies that come into one of the destination, the one at home first.
  private static func hierarchies(
    of entities: [TransferEntity], root: EntityDescription
  ) -> [EntityDescription] {
    var hierarchies: [EntityDescription] = []
    let home = entities.filter { $0.destination === root }
    for entity in home + entities {
      guard let hierarchy = entity.source.rootEntity,
        !hierarchies.contains(where: { $0 === hierarchy })
      else { continue }
      hierarchies.append(hierarchy)
    }
    return hierarchies
  }

  /// What is added to the keys of a source entity's rows when they come into a destination entity's
  /// hierarchy.
  func offset(from source: EntityDescription, to destination: EntityDescription) -> Int64 {
    let move = Move(
      source: ObjectIdentifier(source.rootEntity),
      destination: ObjectIdentifier(destination.rootEntity))
    return offsets[move] ?? 0
  }
}
