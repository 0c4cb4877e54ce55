/// Where everything of a model is kept in an SQLite file: entity numbers, tables, columns, join
/// tables.
///
/// Built for a fresh store from the model alone, for an existing one by looking for the same names
/// among the tables and columns it really has.
final class StoreSchema {
  let configuration: StoreConfiguration
  /// The entities that have a place in it.
  let entities: [EntityDescription]
  let numbers: EntityNumbers
  /// One for each root entity, in store order.
  let tables: [StoreTable]
  let joins: [JoinTable]
  /// The uniqueness constraints that have columns.
  let constraints: [UniqueColumns]
  private let storage: [ObjectIdentifier: PropertyStorage]

  init(builder: SchemaBuilder) {
    configuration = builder.configuration
    entities = builder.entities
    numbers = builder.numbers
    tables = builder.tables
    joins = builder.joins
    constraints = builder.constraints
    storage = builder.storage
  }

  /// The schema of a fresh store.
  convenience init(freshFor configuration: StoreConfiguration) throws {
    var builder = SchemaBuilder(
      configuration: configuration, numbers: EntityNumbers(freshFor: configuration))
    try builder.build()
    self.init(builder: builder)
  }

  /// The schema of a fresh store with all entities.
  convenience init(freshFor model: ManagedObjectModel) throws {
    try self.init(freshFor: StoreConfiguration(model: model))
  }

  /// The schema of an existing store.
  /// - Throws: `CoreDataError` `.persistentStoreIncompatibleSchema` naming what is missing.
  convenience init(of configuration: StoreConfiguration, in database: Database) throws {
    var builder = SchemaBuilder(
      configuration: configuration, numbers: try EntityNumbers(of: configuration, in: database),
      catalog: try StoreCatalog(of: database))
    try builder.build()
    self.init(builder: builder)
  }

  /// The schema of a store that may lack something, which `catalog` gathers.
  convenience init(
    of configuration: StoreConfiguration, in rows: [EntityNumbers.Row], catalog: StoreCatalog
  ) throws {
    var builder = SchemaBuilder(
      configuration: configuration,
      numbers: EntityNumbers(of: configuration, in: rows, gaps: catalog.gaps ?? SchemaGaps()),
      catalog: catalog)
    try builder.build()
    self.init(builder: builder)
  }

  var model: ManagedObjectModel { configuration.model }

  /// The table that holds an entity's rows.
  func table(of entity: EntityDescription) -> String { StoreNames.table(of: entity) }

  func storage(of property: PropertyDescription) -> PropertyStorage {
    storage[ObjectIdentifier(property)] ?? .none
  }

  /// The constraints that apply to an entity, its own and inherited ones.
  func constraints(on entity: EntityDescription) -> [UniqueColumns] {
    constraints.filter { entity.isKindOf(entity: $0.entity) }
  }

  /// A condition that picks the rows of an entity from its table; nil when all rows are its own.
  func condition(for entity: EntityDescription, withSubentities: Bool) -> String? {
    let isLeaf = entity.subentities.isEmpty
    if entity.superentity == nil, withSubentities || isLeaf { return nil }
    if isLeaf || !withSubentities { return "Z_ENT = \(numbers[entity])" }
    let hierarchy = numbers.hierarchy(of: entity).map(String.init).joined(separator: ", ")
    return "Z_ENT IN (\(hierarchy))"
  }
}

extension StoreSchema {
  /// The columns that every table of rows has first.
  static let fixedColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// The other columns of an entity's table, in the order of `CREATE TABLE`.
  func columnNames(ofTableOf entity: EntityDescription) -> [String] {
    tables.first { $0.root === entity.rootEntity }?.columns.map(\.name) ?? []
  }

  /// The fixed columns and others, as SQL lists them.
  static func list(_ columns: [String]) -> String {
    (fixedColumns + columns).joined(separator: ", ")
  }
}

/// Core Data's names for tables and columns.
enum StoreNames {
  static func table(of entity: EntityDescription) -> String {
    quoted("Z" + entity.rootEntity.name.uppercased())
  }

  /// The name of a property in columns: `Z` and its name in capitals.
  static func column(of property: PropertyDescription) -> String {
    "Z" + property.name.uppercased()
  }

  /// `name` as SQL takes it: in quotes only where it must be, since Core Data uses none.
  static func quoted(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0 == "_" || $0.value > 127 || ("0"..."9").contains($0) || ("A"..."Z").contains($0)
        || ("a"..."z").contains($0)
    }
    return isPlain ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
