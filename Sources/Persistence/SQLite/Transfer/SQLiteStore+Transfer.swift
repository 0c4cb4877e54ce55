// Filling a store from another by SQL alone.

extension SQLiteStore {
  /// Fills this store with the rows of `source`, which only SQLite ever sees.
  ///
  /// This store must be new and empty, and gathering a bulk (``beginBulk()``); what was written is
  /// durable with ``endBulk()``. On an error give the store up with ``discard()``.
  ///
  /// - Parameter listsKeys: Whether the result lists the primary keys of all rows; takes memory for
  ///   each of them.
  /// - Throws: ``PlanUnsupported`` when SQL alone can't do it;
  ///   ``TransferFailure`` when the data doesn't suit the destination's model; `CoreDataError`.
  /// - Complexity: O(*n* log *n*) in rows; memory doesn't grow with them.
  func fillBySQL(
    from source: SQLiteStore, by whole: MigrationPlan, listsKeys: Bool
  ) throws -> TransferResult {
    let plan = try TransferPlan(whole, from: source, to: self)
    // Rows are appended and never looked at again: a small cache stays in the processor's.
    try database.execute("PRAGMA cache_size = -4000")
    try source.check(whole.presumptions)
    let uniqueIndexes = try takeUniqueIndexes()
    try attach(source)
    var result = TransferResult(entities: plan.entities)
    for entity in plan.entities {
      guard var difference = try entity.condition?.sqlDifference() else { continue }
      difference.place = "the source predicate of \(entity.name)"
      result.sqlDifferences.append(difference)
    }
    do {
      for rows in plan.rows { result.add(count: try run(rows)) }
    } catch let error as CoreDataError {
      // Where the source is damaged, its own connection says so with the source's name.
      for table in source.schema.tables { try source.checkEntitiesOfRows(in: table) }
      throw error
    }
    try source.checkEntitiesOfRows(taken: result, but: plan.watched)
    for links in plan.links { _ = try run(links) }
    for statement in plan.orders { try database.execute(statement) }
    try adoptExternalData(of: source, by: plan)
    try deriveAll(includingOwn: true)
    bulk?.derivedGeneration = generation
    switch whole.checks {
    case .mandatoryValues: try checkMandatoryValues(plan)
    case .everything: try checkEverything(plan)
    }
    try restore(uniqueIndexes)
    for (root, key) in plan.offsets.highest {
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", key, schema.numbers[root])
    }
    if listsKeys {
      for entity in plan.entities { result.add(keys: try keys(of: entity, plan)) }
    }
    try detach()
    return result
  }

  private func run(_ sql: BoundSQL) throws -> Int {
    try database.with(sql.text) { statement in
      try sql.bind(to: statement)
      do { try statement.run() } catch let error as CoreDataError {
        // Who converts row by row can say which row it is.
        let cause = error.underlying as? SQLiteError
        throw cause?.message == Database.unfitNumber
          ? PlanUnsupported(Database.unfitNumber) : error
      }
      return database.changes
    }
  }

  private func keys(
    of entity: TransferEntity, _ plan: TransferPlan
  ) throws -> [(source: Int64, destination: Int64)] {
    let offset = plan.offsets.offset(from: entity.source, to: entity.destination)
    let table = schema.table(of: entity.destination)
    let number = schema.numbers[entity.destination]
    return try database.with("SELECT Z_PK FROM \(table) WHERE Z_ENT = \(number)") { statement in
      var keys: [(Int64, Int64)] = []
      while try statement.step() {
        keys.append((statement.integer(0) - offset, statement.integer(0)))
      }
      return keys
    }
  }

  // MARK: The other file

  /// SQLite attaches and detaches files outside transactions only; nothing waits in this one.
  private func attach(_ source: SQLiteStore) throws {
    try database.execute("COMMIT")
    try database.with("ATTACH ? AS \(TransferPlan.sourceName)") { statement in
      statement.bind(source.database.readingLocation, at: 1)
      try statement.run()
    }
    try database.execute("BEGIN")
  }

  private func detach() throws {
    try database.execute("COMMIT")
    try database.execute("DETACH \(TransferPlan.sourceName)")
    try database.execute("BEGIN IMMEDIATE")
  }

  // MARK: Checks

  /// Rows of an entity that doesn't belong in their table would get lost without a word. Where as many
  /// rows came along as a table has, there are none.
  private func checkEntitiesOfRows(
    taken: TransferResult, but watched: Set<ObjectIdentifier>
  ) throws {
    for table in schema.tables where !watched.contains(ObjectIdentifier(table.root)) {
      let rows = try database.integer("SELECT count(*) FROM \(table.name)") ?? 0
      if Int(rows) == taken.count(from: table.root) { continue }
      try checkEntitiesOfRows(in: table)
    }
  }

  private func checkEntitiesOfRows(in table: StoreTable) throws {
    let hierarchy = schema.numbers.hierarchy(of: table.root).map(String.init).joined(
      separator: ", ")
    let strange =
      "SELECT Z_PK, Z_ENT FROM \(table.name) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(hierarchy)) LIMIT 1"
    try database.with(strange) { statement in
      guard try statement.step() else { return }
      throw CoreDataError.strangeRow(
        statement.integer(0), number: statement.integer(1), table: table.name
      ).at(file: file.url.path)
    }
  }

  /// The only check of a migration inside a store: it sees columns, not objects. A to-many
  /// relationship has none, and real stores hold many required ones that are empty.
  private func checkMandatoryValues(_ plan: TransferPlan) throws {
    for entity in plan.entities {
      let required = entity.destination.properties
        .filter {
          !$0.isOptional && !$0.isTransient && !$0.isDerivedAttribute && !entity.surelyFills($0)
        }
        .compactMap { property in
          content(of: property, of: entity.destination).map { (property, $0) }
        }
      guard let missing = try firstMissing(of: required, in: entity) else { continue }
      let offset = plan.offsets.offset(from: entity.source, to: entity.destination)
      throw TransferFailure.missingValue(
        of: missing.property, entity: entity, sourceKey: missing.key - offset, key: missing.key)
    }
  }

  /// An expression that is NULL where a property is nil.
  private func content(of property: PropertyDescription, of entity: EntityDescription) -> String? {
    if let attribute = property as? AttributeDescription, attribute.attributeType == .composite {
      return schema.anyElement(of: attribute)
    }
    return schema.column(named: property.name, of: entity)
  }

  private func firstMissing(
    of required: [(property: PropertyDescription, column: String)],
    in entity: TransferEntity
  ) throws -> (property: PropertyDescription, key: Int64)? {
    if required.isEmpty { return nil }
    let places = required.enumerated().map { "WHEN \($0.element.column) IS NULL THEN \($0.offset)" }
    let missing = required.map { "\($0.column) IS NULL" }.joined(separator: " OR ")
    let sql =
      "SELECT Z_PK, CASE \(places.joined(separator: " ")) END "
      + "FROM main.\(schema.table(of: entity.destination)) "
      + "WHERE Z_ENT = \(schema.numbers[entity.destination]) AND (\(missing)) "
      + "ORDER BY Z_PK LIMIT 1"
    return try database.with(sql) { statement in
      guard try statement.step() else { return nil }
      return (required[Int(statement.integer(1))].property, statement.integer(0))
    }
  }

  // MARK: Uniqueness

  private func restore(_ uniqueIndexes: [String]) throws {
    var statements = uniqueIndexes
    guard let refusal = try makeUniqueIndexes(&statements) else { return }
    throw TransferFailure.duplicate(try firstDuplicate() ?? refusal)
  }

  private func firstDuplicate() throws -> CoreDataError? {
    for constraint in schema.constraints {
      if let error = try firstDuplicate(under: constraint) { return error }
    }
    return nil
  }

  private func firstDuplicate(under constraint: UniqueColumns) throws -> CoreDataError? {
    let columns = constraint.columns.joined(separator: ", ")
    let filled = constraint.columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let sql =
      "SELECT first, Z_PK FROM (SELECT Z_PK, row_number() OVER rivals AS place, "
      + "first_value(Z_PK) OVER rivals AS first FROM main.\(schema.table(of: constraint.entity)) "
      + "WHERE \(filled) WINDOW rivals AS (PARTITION BY \(columns) ORDER BY Z_PK)) "
      + "WHERE place = 2 ORDER BY Z_PK LIMIT 1"
    let found = try database.with(sql) { statement in
      try statement.step() ? [statement.integer(0), statement.integer(1)] : nil
    }
    guard let found else { return nil }
    let rows = try found.compactMap { key in
      try row(for: ManagedObjectID(entity: constraint.entity, primaryKey: key, store: self))
    }
    return CoreDataError.constraintViolated(
      entity: constraint.entity.name, properties: constraint.properties.map(\.name),
      values: constraint.properties.map { property in
        rows.first.map { property.value(in: $0.values) } ?? .null
      },
      objects: rows.map(\.objectID)
    ).at(file: file.url.path)
  }
}

extension PropertyDescription {
  fileprivate var isDerivedAttribute: Bool {
    (self as? AttributeDescription)?.isDerived == true
  }
}

extension Database {
  /// The file as another connection attaches it for reading.
  var readingLocation: String {
    let location = Self.location(of: fileURL, access: access)
    if case .immutable = access { return location + "&mode=ro" }
    return location + "?mode=ro"
  }
}
