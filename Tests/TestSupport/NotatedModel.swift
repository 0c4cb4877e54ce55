import ObjectModel

extension ManagedObjectModel {
  /// A model whose entities are written in the short notation, as in `["Book: Item": ["title": "string?"]]`.
  public static func notated(
    _ entities: KeyValuePairs<String, KeyValuePairs<String, String>>, name: String? = nil,
    configurations: [String: [String]] = [:]
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities.map { try ModelNotation.entity($0.key, properties: $0.value) },
      name: name, configurations: configurations)
  }
}
