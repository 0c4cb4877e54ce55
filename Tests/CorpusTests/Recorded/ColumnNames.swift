import ObjectModel

/// The names that Core Data gives to tables and columns, worked out from a model alone.
struct ColumnNames {
  /// Entities in the order of their numbers, which start at 1: by name regardless of case, each
  /// followed by its subentities.
  private let entities: [EntityDescription]
  private var columns: [ObjectIdentifier: String] = [:]

  init(_ model: ManagedObjectModel) {
    entities = Self.sorted(model.entities.filter { $0.superentity == nil })
    var claimed: [String: Set<String>] = [:]
    for entity in entities {
      for property in Self.propertiesWithColumns(of: entity) {
        columns[ObjectIdentifier(property)] =
          Self.claim(property.name, &claimed[Self.table(of: entity), default: []])
      }
    }
  }

  private static func sorted(_ entities: [EntityDescription]) -> [EntityDescription] {
    entities.sorted { $0.name.lowercased() < $1.name.lowercased() }
      .flatMap { [$0] + sorted($0.subentities) }
  }

  /// Attributes by name, then to-one relationships by name.
  private static func propertiesWithColumns(of entity: EntityDescription) -> [PropertyDescription] {
    let own = entity.ownProperties.filter { !$0.isTransient }.sorted { $0.name < $1.name }
    let toOnes = own.compactMap { $0 as? RelationshipDescription }.filter { !$0.isToMany }
    return own.filter { $0 is AttributeDescription } + toOnes
  }

  /// The second property with a column's name gets 1 at its end, the third 2.
  private static func claim(_ name: String, _ claimed: inout Set<String>) -> String {
    let base = "Z" + name.uppercased()
    var column = base
    var digit = 1
    while !claimed.insert(column).inserted {
      column = "\(base)\(digit)"
      digit += 1
    }
    return column
  }

  static func table(of entity: EntityDescription) -> String {
    "Z" + entity.rootEntity.name.uppercased()
  }

  /// The column of an attribute or to-one relationship.
  func column(of property: PropertyDescription) -> String? {
    columns[ObjectIdentifier(property)]
  }

  /// The number of an entity.
  func number(of entity: EntityDescription) -> Int {
    (entities.firstIndex { $0 === entity } ?? -1) + 1
  }
}
