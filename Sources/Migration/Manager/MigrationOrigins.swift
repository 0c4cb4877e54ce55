/// Which source object each destination object of a finished migration was made from.
///
/// Objects are named by entity and primary key, so this outlives contexts and stores. Objects that
/// a policy inserted without associating them have no origin.
public struct MigrationOrigins {
  /// An object of a store, by entity name and primary key.
  public struct ObjectKey: Hashable, Sendable, Codable {
    public var entity: String
    public var primaryKey: Int64

    public init(entity: String, primaryKey: Int64) {
      self.entity = entity
      self.primaryKey = primaryKey
    }

    public init(_ id: ManagedObjectID) {
      self.init(entity: id.entity.name, primaryKey: id.primaryKey)
    }
  }

  /// A source object and what was made from it under one entity mapping.
  public struct Link: Hashable, Sendable {
    public var entityMapping: String
    public var source: ObjectKey
    public var destination: ObjectKey
  }

  /// All links, mapping by mapping, in order of association.
  public private(set) var links: [Link] = []
  private var bySource: [ObjectKey: [Int]] = [:]
  private var byDestination: [ObjectKey: [Int]] = [:]

  public init(links: [Link] = []) { add(links) }

  /// Adds the links of another mapping model's run into the same destination.
  public mutating func add(_ new: [Link]) {
    for link in new {
      bySource[link.source, default: []].append(links.count)
      byDestination[link.destination, default: []].append(links.count)
      links.append(link)
    }
  }

  /// The objects that were made from a source object.
  public func destinations(of source: ObjectKey) -> [ObjectKey] {
    (bySource[source] ?? []).map { links[$0].destination }.uniqued()
  }

  /// The objects a destination object was made from.
  public func sources(of destination: ObjectKey) -> [ObjectKey] {
    (byDestination[destination] ?? []).map { links[$0].source }.uniqued()
  }
}

extension MigrationManager {
  /// The associations of the migration that has just succeeded. Takes memory for each of them, so
  /// ask only where origins are wanted.
  public final var originLinks: [MigrationOrigins.Link] {
    let entities = sourceContextModel.entities
    return (run?.programs ?? []).flatMap { program in
      (0..<program.associations.count).compactMap { row in
        let source = program.associations.sourceKey(at: row)
        // A policy may have associated something that is no object of the source.
        guard let destination = program.associations.destinationID(at: row),
          !destination.isTemporaryID, source.primaryKey > 0,
          Int(source.entityIndex) < entities.count
        else { return nil }
        return MigrationOrigins.Link(
          entityMapping: program.mapping.name,
          source: .init(
            entity: entities[Int(source.entityIndex)].name, primaryKey: source.primaryKey),
          destination: .init(destination))
      }
    }
  }
}
