import Synchronization

/// Where everything of a model is kept in an SQLite file: entity numbers, tables, columns, join
/// tables.
///
/// Built for a fresh store from the model alone, for an existing one by looking for the same names
/// among the tables and columns it really has. Nothing changes it, but for ``template(isForBulk:)``.
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
  private let templates = Mutex<[Bool: Data]>([:])

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

  private convenience init(
    of configuration: StoreConfiguration, numbers: EntityNumbers, catalog: StoreCatalog
  ) throws {
    var builder = SchemaBuilder(configuration: configuration, numbers: numbers, catalog: catalog)
    try builder.build()
    self.init(builder: builder)
  }

  /// The schema of a store that may lack something, which `catalog` gathers.
  convenience init(
    of configuration: StoreConfiguration, in rows: [EntityNumbers.Row], catalog: StoreCatalog
  ) throws {
    try self.init(
      of: configuration,
      numbers: EntityNumbers(of: configuration, in: rows, gaps: catalog.gaps ?? SchemaGaps()),
      catalog: catalog)
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

// MARK: - Stores of one model

extension StoreSchema {
  /// The schema of a fresh store, worked out once for a model.
  /// - Throws: `CoreDataError` for what an SQLite store can't hold.
  static func fresh(for configuration: StoreConfiguration) throws -> StoreSchema {
    try freshSchemas.value(of: ModelPart(configuration)) {
      try StoreSchema(freshFor: configuration)
    }
  }

  private static let freshSchemas = RecentValues<ModelPart, StoreSchema>(most: 16)

  /// The file of a fresh store without its metadata, if one was made before: copying it takes a fraction of
  /// the time of making all tables.
  func template(isForBulk: Bool) -> Data? { templates.withLock { $0[isForBulk] } }

  /// Keeps the file of a fresh store that has no metadata yet.
  func keepTemplate(isForBulk: Bool, of url: URL) {
    // Without one, the next store is made as this one was.
    guard let file = try? FileCalls.readOrdinaryFile(url), file.count <= Self.mostTemplateBytes
    else { return }
    templates.withLock { $0[isForBulk] = file }
  }

  private static let mostTemplateBytes = 2 << 20

  /// The schema of an existing store, worked out once for stores of one model with the same tables.
  /// - Throws: `CoreDataError` `.persistentStoreIncompatibleSchema` naming what is missing.
  static func existing(
    for configuration: StoreConfiguration, in database: Database
  ) throws -> StoreSchema {
    let rows = try EntityNumbers.rows(in: database)
    let catalog = try StoreCatalog(of: database)
    let content = Content(
      part: ModelPart(configuration),
      rows: rows.map { EntityNumbers.Row(number: $0.number, name: $0.name, parent: $0.parent) },
      tables: catalog.tables)
    return try existingSchemas.value(of: content) {
      try StoreSchema(
        of: configuration,
        numbers: EntityNumbers(of: configuration, in: rows, storeAt: database.url),
        catalog: catalog)
    }
  }

  /// All that the schema of an existing store depends on. A model stays as long as a schema of it.
  private struct Content: Hashable, Sendable {
    let part: ModelPart
    /// Without the highest keys, which grow.
    let rows: [EntityNumbers.Row]
    let tables: [StoreCatalog.Table]
  }

  /// A migration opens each store several times.
  private static let existingSchemas = RecentValues<Content, StoreSchema>(most: 16)
}

// MARK: - Statements that create it

// The statements that make a fresh store, as Core Data words them.

extension StoreSchema {
  /// `CREATE TABLE` for all tables, the bookkeeping ones last.
  var tableStatements: [String] {
    tables.map(Self.statement(for:)) + joins.map(Self.statement(for:)) + Self.bookkeeping
  }

  static func statement(for table: StoreTable) -> String {
    let fixed = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    let columns = fixed + table.columns.map { "\($0.name) \($0.declaredType)" }
    return "CREATE TABLE \(table.name) ( \(columns.joined(separator: ", ")) )"
  }

  static func statement(for join: JoinTable) -> String {
    let columns = ([join.firstColumn, join.secondColumn] + join.orderColumns)
      .map { "\($0) INTEGER" }.joined(separator: ", ")
    return "CREATE TABLE \(join.name) ( \(columns), "
      + "PRIMARY KEY (\(join.firstColumn), \(join.secondColumn)) )"
  }

  /// The tables beside those of rows and links.
  static let bookkeepingNames = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  private static let bookkeeping = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, "
      + "Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]
}

// MARK: - Indexes

extension StoreSchema {
  /// All indexes of a fresh store.
  var indexes: [StoreIndex] {
    var indexes: [String: StoreIndex] = [:]
    for index in entities.flatMap(indexes(of:)) + joins.map(Self.index(of:)) {
      indexes[index.name] = index
    }
    return indexes.values.sorted { $0.name < $1.name }
  }

  /// Whether one of the indexes finds all rows by a column.
  /// - Parameter unique: Whether unique ones count.
  func hasIndex(on column: String, of table: String, unique: Bool = true) -> Bool {
    indexes.contains { index in
      guard index.table == table, index.condition == nil, unique || !index.isUnique,
        let term = index.terms.first
      else { return false }
      return term == column || term.hasPrefix("\(column) ")
    }
  }

  private func indexes(of entity: EntityDescription) -> [StoreIndex] {
    let table = table(of: entity)
    var indexes = entity.ownProperties.compactMap(keyIndex(for:))
    if entity.superentity == nil, !entity.subentities.isEmpty {
      indexes.append(
        StoreIndex(name: Self.indexName(table, "Z_ENT"), table: table, terms: ["Z_ENT"]))
    }
    indexes += fetchIndexes(of: entity, table: table)
    return indexes + uniqueIndexes(of: entity, table: table)
  }

  /// The index over the key of a to-one relationship, or of a to-many one without inverse.
  private func keyIndex(for property: PropertyDescription) -> StoreIndex? {
    switch storage(of: property) {
    case .toOne(let columns):
      let table = table(of: property.entity)
      return StoreIndex(
        name: Self.indexName(table, columns.key), table: table, terms: [columns.key])
    case .children(let key) where key.hasNoInverse:
      return StoreIndex(
        name: Self.indexName(key.table, key.column), table: key.table, terms: [key.column])
    default: return nil
    }
  }

  private static func index(of join: JoinTable) -> StoreIndex {
    StoreIndex(
      name: indexName(join.name, join.secondColumn), table: join.name,
      terms: [join.secondColumn, join.firstColumn])
  }

  private func fetchIndexes(of entity: EntityDescription, table: String) -> [StoreIndex] {
    entity.storedIndexes.filter { !$0.isRTree }.compactMap { index -> StoreIndex? in
      guard let columns = columns(of: index, of: entity) else { return nil }
      // A condition that can't be said doesn't change what is found: the index is made whole.
      let condition = index.partialPredicateFormat.flatMap {
        PartialIndexCondition(schema: self, entity: entity).sql($0)
      }
      return StoreIndex(
        name: StoreNames.quoted("Z_\(entity.name)_\(index.name)"), table: table,
        terms: zip(columns, index.elements).map { column, element in
          "\(column) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
        }, condition: condition)
    }
  }

  /// The columns that an index is over; nil for one that has no index in the file: over other expressions,
  /// or over one relationship alone, which the index over its key serves.
  // Core Data: observed of indexes over one relationship, 881 of 881; assumed of other expressions.
  private func columns(
    of index: FetchIndexDescription, of entity: EntityDescription
  ) -> [String]? {
    let columns = index.elements.compactMap { element in
      switch element.expressionFormat?.lowercased() {
      case nil: column(named: element.propertyName, of: entity)
      case "self": "Z_PK"
      case "entity": "Z_ENT"
      default: nil
      }
    }
    if columns.isEmpty || columns.count < index.elements.count { return nil }
    let names = index.elements.map(\.propertyName)
    return names.count == 1 && entity.relationship(named: names[0]) != nil ? nil : columns
  }

  /// The R-tree indexes of a fresh store.
  var rTrees: [RTreeIndex] {
    entities.flatMap { entity in
      entity.indexes.filter(\.isRTree).compactMap { index in
        columns(of: index, of: entity).map {
          RTreeIndex(
            name: "Z_RT_\(entity.name)_\(index.name)", table: table(of: entity),
            columns: $0.map { $0.replacing("\"", with: "") })
        }
      }
    }
  }

  private func uniqueIndexes(of entity: EntityDescription, table: String) -> [StoreIndex] {
    constraints.filter { $0.entity === entity }.map { constraint in
      let names = constraint.properties.map { $0.dottedName.replacing(".", with: "_") }
        .joined(separator: "_")
      return StoreIndex(
        name: StoreNames.quoted("Z_\(entity.name)_UNIQUE_\(names)"), table: table,
        terms: constraint.columns.map { "\($0) COLLATE BINARY ASC" }, isUnique: true)
    }
  }

  /// The one column of an attribute or to-one relationship of an entity.
  func column(named name: String, of entity: EntityDescription) -> String? {
    entity.property(at: name.components(separatedBy: ".")).flatMap { storage(of: $0).column }
  }

  private static func indexName(_ table: String, _ column: String) -> String {
    let plain = [table, column].map { $0.replacing("\"", with: "") }
    return StoreNames.quoted("\(plain[0])_\(plain[1])_INDEX")
  }
}

extension StoreIndex {
  /// `CREATE INDEX`.
  var statement: String {
    let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
    let rows = condition.map { " WHERE \($0)" } ?? ""
    return "CREATE \(kind) \(name) ON \(table) (\(terms.joined(separator: ", ")))\(rows)"
  }
}
