import Foundation
import ObjectModel

/// An entity with what a store that SwiftData wrote has of it: its version hash and its columns.
public struct RecordedEntity: Decodable, Sendable, CustomStringConvertible {
  public let entity: String
  public let unique: [[String]]
  /// In the short notation.
  public let properties: [String: String]
  public let hash: String
  public let columns: [String]
  public let framework: Int

  public var description: String { "\(entity) (framework \(framework))" }

  public static func all() throws -> [RecordedEntity] {
    struct File: Decodable { let entities: [RecordedEntity] }
    let data = try Data(contentsOf: Fixture.url("composite-entities.json"))
    return try JSONDecoder().decode(File.self, from: data).entities
  }

  public func entityDescription() throws -> EntityDescription {
    let entity = EntityDescription(name: entity)
    entity.ownProperties = try properties.map {
      try ModelNotation.property(named: $0.key, $0.value)
    }
    entity.uniquenessConstraints = unique
    return entity
  }

  /// A model of this entity and of those that its relationships lead to, as other recorded ones have them.
  public func model() throws -> ManagedObjectModel {
    var others: [String: RecordedEntity] = [:]
    for other in try Self.all() where (other.framework == 1345) == (framework == 1345) {
      if others[other.entity] == nil { others[other.entity] = other }
    }
    others[entity] = self
    return try ManagedObjectModel(entities: others.values.map { try $0.entityDescription() })
  }
}
