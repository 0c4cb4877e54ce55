/// Tells which classes of policies leave the second pass to Core Data's own policy, so that their objects
/// need not be visited where the mapping has nothing to link.
///
/// Swift can't say which methods a class overrides. But its table of methods can: where a subclass has
/// the superclass's entry, it runs the superclass's code. Which entry is the one of
/// `createRelationships` is found out by two classes that override one method each. Where anything is
/// otherwise than expected, each class is said to override it, which only costs time.
enum PolicyOverrides {
  /// Whether a policy of this class may do something of its own for each object in the second pass.
  static func mayCreateRelationships(_ type: EntityMigrationPolicy.Type) -> Bool {
    if type == EntityMigrationPolicy.self { return false }
    guard let place = placeOfCreateRelationships else { return true }
    return MethodTable(of: type)[place] != MethodTable(of: EntityMigrationPolicy.self)[place]
  }

  private static let placeOfCreateRelationships: Int? = {
    guard let wanted = place(overriddenBy: RelationshipsProbe.self),
      let other = place(overriddenBy: EndProbe.self), wanted != other,
      MethodTable(of: SecondProbe.self)[wanted] == MethodTable(of: RelationshipsProbe.self)[wanted],
      MethodTable(of: EndProbe.self)[wanted] == MethodTable(of: EntityMigrationPolicy.self)[wanted]
    else { return nil }
    return wanted
  }()

  /// The one entry that a class has otherwise than its superclass, though a class without methods
  /// inherits it.
  private static func place(overriddenBy probe: EntityMigrationPolicy.Type) -> Int? {
    let base = MethodTable(of: EntityMigrationPolicy.self)
    let plain = MethodTable(of: PlainProbe.self)
    let probe = MethodTable(of: probe)
    let different = (0..<base.count).filter { plain[$0] == base[$0] && probe[$0] != base[$0] }
    return different.count == 1 ? different[0] : nil
  }
}

/// The words behind the head of a class's metadata: the entries of its methods, and what else a class
/// hands down. Those of a superclass come first, in the same places.
private struct MethodTable {
  private let words: UnsafePointer<UInt>
  let count: Int

  /// Of the metadata of classes: kind, superclass, flags, sizes (two words), description, destroyer.
  private static let headCount = 7

  init(of type: EntityMigrationPolicy.Type) {
    #if _runtime(_Native)
      let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
      let (size, start) = (
        metadata.load(fromByteOffset: 32, as: UInt32.self),
        metadata.load(fromByteOffset: 36, as: UInt32.self)
      )
      let wordSize = MemoryLayout<UInt>.size
      words = (metadata + Self.headCount * wordSize).assumingMemoryBound(to: UInt.self)
      count = wordSize == 8 && size > start ? Int(size - start) / wordSize - Self.headCount : 0
    #else
      words = UnsafePointer(bitPattern: MemoryLayout<UInt>.alignment)!
      count = 0
    #endif
  }

  subscript(place: Int) -> UInt { words[place] }
}

private class PlainProbe: EntityMigrationPolicy {}

private class RelationshipsProbe: EntityMigrationPolicy {
  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws { throw CancellationError() }
}

/// Inherits what another overrides.
private final class SecondProbe: RelationshipsProbe {}

private final class EndProbe: EntityMigrationPolicy {
  override func endRelationshipCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws { throw CancellationError() }
}
