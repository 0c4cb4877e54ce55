/// What an entity mapping does. Raw values are Core Data's own.
public enum EntityMappingType: UInt, Sendable, Hashable, CaseIterable, Codable {
  /// Treated as transform when the mapping has a source and a destination. Xcode's mapping files
  /// say this of every mapping; the type follows from policy, names and version hashes.
  case undefinedEntityMappingType = 0
  /// The developer makes the instances; needs a policy class.
  case customEntityMappingType = 1
  /// A new entity: there is no source, nothing is fetched.
  case addEntityMappingType = 2
  /// The source's instances aren't carried over.
  case removeEntityMappingType = 3
  /// Source and destination have the same structure; values are copied.
  case copyEntityMappingType = 4
  /// The attribute and relationship mappings are applied to each source instance.
  case transformEntityMappingType = 5
}

extension EntityMappingType: CustomStringConvertible {
  /// The word for reports: `custom`, `add`, `remove`, `copy`, `transform`.
  public var description: String {
    switch self {
    case .undefinedEntityMappingType: "undefined"
    case .customEntityMappingType: "custom"
    case .addEntityMappingType: "add"
    case .removeEntityMappingType: "remove"
    case .copyEntityMappingType: "copy"
    case .transformEntityMappingType: "transform"
    }
  }
}
