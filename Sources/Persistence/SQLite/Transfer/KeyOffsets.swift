/// How far the primary keys of a family of entities move when they come into another.
///
/// They stay where they are unless several families come into one: then the one that is still at
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
      for family in Self.families(of: entities, root: root) {
        offsets[Move(source: ObjectIdentifier(family), destination: ObjectIdentifier(root))] = last
        last += try source.highestKey(of: family)
      }
      highest.append((root, last))
    }
  }

  /// The source's families that come into one of the destination, the one at home first.
  private static func families(
    of entities: [TransferEntity], root: EntityDescription
  ) -> [EntityDescription] {
    var families: [EntityDescription] = []
    let home = entities.filter { $0.destination === root }
    for entity in home + entities {
      guard let family = entity.source.rootEntity, !families.contains(where: { $0 === family })
      else { continue }
      families.append(family)
    }
    return families
  }

  /// What is added to the keys of a source entity's rows when they come into a destination entity's
  /// family.
  func offset(from source: EntityDescription, to destination: EntityDescription) -> Int64 {
    let move = Move(
      source: ObjectIdentifier(source.rootEntity),
      destination: ObjectIdentifier(destination.rootEntity))
    return offsets[move] ?? 0
  }
}
