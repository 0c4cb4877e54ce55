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
    case .mandatoryValues: try checkMandatoryValues(plan, &result)
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
    return try database.rows("SELECT Z_PK FROM \(table) WHERE Z_ENT = \(number)") { row in
      (row.integer(0) - offset, row.integer(0))
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
    let isStrange = schema.numbers.conditionOfStrangeRows(under: table.root)
    try database.with("SELECT Z_PK, Z_ENT FROM \(table.name) WHERE \(isStrange) LIMIT 1") {
      statement in
      guard try statement.step() else { return }
      if table.root.isAloneInItsTable {
        throw PlanUnsupported("rows of '\(table.root.name)' have the number of another entity")
      }
      throw CoreDataError.strangeRow(
        statement.integer(0), number: statement.integer(1), table: table.name
      ).at(file: file.url.path)
    }
  }

  private func checkMandatoryValues(_ plan: TransferPlan, _ result: inout TransferResult) throws {
    for entity in plan.entities {
      let required = entity.requiredValues.compactMap { value in
        schema.lack(of: value.property).map { (value: value, lack: $0) }
      }
      // One pass is enough where no row lacks anything, as in almost all stores.
      guard try firstMissing(of: required, in: entity) != nil else { continue }
      let new = required.filter { !$0.value.wasRequired }
      if let missing = try firstMissing(of: new, in: entity) {
        let offset = plan.offsets.offset(from: entity.source, to: entity.destination)
        throw TransferFailure.missingValue(
          of: missing.property, entity: entity, sourceKey: missing.key - offset, key: missing.key,
          count: try count(of: entity, lacking: missing.lack))
      }
      for (value, lack) in required where value.wasRequired {
        let count = try count(of: entity, lacking: lack)
        if count > 0 { result.missingAsBefore.append((entity.name, value, count)) }
      }
    }
  }

  private func count(of entity: TransferEntity, lacking lack: String) throws -> Int {
    Int(
      try database.integer(
        "SELECT count(*) FROM main.\(schema.table(of: entity.destination)) "
          + "WHERE Z_ENT = \(schema.numbers[entity.destination]) AND \(lack)") ?? 0)
  }

  private func firstMissing(
    of required: [(value: RequiredValue, lack: String)], in entity: TransferEntity
  ) throws -> (property: PropertyDescription, lack: String, key: Int64)? {
    if required.isEmpty { return nil }
    let places = required.enumerated().map { "WHEN \($0.element.lack) THEN \($0.offset)" }
    let missing = required.map(\.lack).joined(separator: " OR ")
    let sql =
      "SELECT Z_PK, CASE \(places.joined(separator: " ")) END "
      + "FROM main.\(schema.table(of: entity.destination)) "
      + "WHERE Z_ENT = \(schema.numbers[entity.destination]) AND (\(missing)) "
      + "ORDER BY Z_PK LIMIT 1"
    return try database.with(sql) { statement in
      guard try statement.step() else { return nil }
      let (value, lack) = required[Int(statement.integer(1))]
      return (value.property, lack, statement.integer(0))
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

extension Database {
  /// The file as another connection attaches it for reading.
  var readingLocation: String {
    let location = Self.location(of: fileURL, access: access)
    if case .immutable = access { return location + "&mode=ro" }
    return location + "?mode=ro"
  }
}

// MARK: - Checks

// What a migration manager would validate, as far as columns tell.

extension SQLiteStore {
  /// Makes sure that validation would find nothing wrong.
  /// - Throws: ``PlanUnsupported`` where it might.
  func checkEverything(_ plan: TransferPlan) throws {
    for transfer in plan.entities {
      let entity = transfer.destination
      let rules = TransferRules(entity: entity, schema: schema, computed: transfer.computed)
      guard let doubt = try rules.doubt() else { continue }
      let rows = BoundSQL(
        text: "SELECT 1 FROM main.\(schema.table(of: entity)) "
          + "WHERE Z_ENT = \(schema.numbers[entity]) AND (\(doubt.text)) LIMIT 1",
        bindings: doubt.bindings)
      if try hasRow(rows) { throw PlanUnsupported("'\(entity.name)' has rows to be validated") }
    }
    try checkOneToOnes(of: plan)
  }

  /// Of a damaged store one side of a one-to-one relationship may lead somewhere and the other not.
  /// Columns are copied as they are; objects set one side after the other, and the last one counts.
  private func checkOneToOnes(of plan: TransferPlan) throws {
    // Entities of one hierarchy have their inherited relationships in the same column.
    var checked: Set<ObjectIdentifier> = []
    for entity in plan.entities.map(\.destination) {
      for relationship in entity.relationships
      where !relationship.isToMany && checked.insert(ObjectIdentifier(relationship)).inserted {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
          case .toOne(let there) = schema.storage(of: relationship),
          case .toOne(let back) = schema.storage(of: inverse)
        else { continue }
        let rows = BoundSQL(
          text: "SELECT 1 FROM main.\(schema.table(of: entity)) AS own WHERE own.\(there.key) "
            + "IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
            + "main.\(schema.table(of: inverse.entity)) AS other "
            + "WHERE other.Z_PK = own.\(there.key) AND other.\(back.key) = own.Z_PK) LIMIT 1")
        if try hasRow(rows) {
          throw PlanUnsupported("'\(entity.name).\(relationship.name)' is set on one side only")
        }
      }
    }
  }

  /// - Throws: ``PlanUnsupported`` for a row without a value that it must have.
  func check(_ presumptions: [MigrationPlan.Presumption]) throws {
    for presumption in presumptions {
      let (entity, attribute) = (presumption.entity, presumption.attribute)
      guard case .attribute(let column, _) = schema.storage(of: attribute) else { continue }
      let rows = BoundSQL(
        text: "SELECT 1 FROM \(schema.table(of: entity)) "
          + "WHERE Z_ENT = \(schema.numbers[entity]) AND \(column) IS NULL LIMIT 1")
      if try hasRow(rows) { throw PlanUnsupported(attribute, "it has no value everywhere") }
    }
  }

  private func hasRow(_ sql: BoundSQL) throws -> Bool {
    try database.with(sql.text) { statement in
      try sql.bind(to: statement)
      return try statement.step()
    }
  }
}

// MARK: - Expressions

extension SQLiteStore {
  /// What an expression gives for each row of an entity, for a transfer from this store. `$source` stands
  /// for the row, as SELF does.
  /// - Throws: `UntranslatablePredicate`.
  func transferExpression(
    _ expression: Expression, of entity: EntityDescription
  ) throws -> SQLColumn {
    try transferTranslator(row: TransferPlan.rowAlias).column(
      expression, entity: entity, variable: "source")
  }

  /// Value expressions are evaluated in memory on a device, source predicates are SQL.
  fileprivate func transferTranslator(
    row: String, logic: SQLLogic = .nullSafe
  ) -> SQLTranslator {
    SQLTranslator(
      schema: PredicateSchema(store: self, database: TransferPlan.sourceName), alias: row,
      logic: logic)
  }
}

/// The rows of an entity that a fetch gives, for a transfer from their store.
struct RowSelection: @unchecked Sendable {
  private let predicate: Predicate
  private let entity: EntityDescription
  // Used only while the store is read, by whoever reads it.
  private let store: SQLiteStore

  /// - Throws: `UntranslatablePredicate`; `CoreDataError` for a fetch that is refused.
  init(
    _ predicate: Predicate, of entity: EntityDescription, in store: SQLiteStore
  ) throws {
    self.predicate = predicate
    self.entity = entity
    self.store = store
    try store.checkSupport(for: query)
    // Now, and not when half of the rows have come along.
    _ = try sql(of: TransferPlan.rowAlias)
  }

  private var query: StoreQuery {
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    query.predicate = predicate
    return query
  }

  /// The rows for which memory would choose otherwise.
  func sqlDifference() throws -> SQLDifference? { try store.sqlDifference(of: query) }

  /// The condition on a row, by the name that it has in a statement.
  func sql(of row: String) throws -> SQLFragment {
    try store.transferTranslator(row: row, logic: .threeValued)
      .translate(predicate, entity: entity)
  }
}

// MARK: - Files of large values

extension SQLiteStore {
  /// Copies the files that the rows refer to. What can't be read in the source is nil here, as for
  /// any other reader, and a finding there.
  func adoptExternalData(of source: SQLiteStore, by plan: TransferPlan) throws {
    for entity in plan.entities {
      for attribute in entity.destination.attributes {
        guard case .attribute(let column, .externalBinary) = schema.storage(of: attribute) else {
          continue
        }
        let offset = plan.offsets.offset(from: entity.source, to: entity.destination)
        try adopt(column, of: entity, attribute, from: source, keysMovedBy: offset)
      }
    }
  }

  private func adopt(
    _ column: String, of entity: TransferEntity, _ attribute: AttributeDescription,
    from source: SQLiteStore, keysMovedBy offset: Int64
  ) throws {
    var lost: [Int64] = []
    try forEachValue(notIn: column, of: entity.destination) { key, bytes in
      if let name = try source.file(
        of: bytes, attribute: attribute, entity: entity.source, key: key - offset)
      {
        try external.copy(name, from: source.external)
        bulk?.files.written.append(name)
      } else {
        lost.append(key)
      }
    }
    for key in lost {
      try database.run(
        "UPDATE main.\(schema.table(of: entity.destination)) SET \(column) = NULL WHERE Z_PK = ?",
        key)
    }
  }

  /// Gives the keys and the bytes of the large values of a column that it doesn't hold itself.
  private func forEachValue(
    notIn column: String, of entity: EntityDescription, _ body: (Int64, Data) throws -> Void
  ) throws {
    try database.forEachRow(
      "SELECT Z_PK, \(column) FROM main.\(schema.table(of: entity)) "
        + "WHERE Z_ENT = \(schema.numbers[entity]) AND \(column) IS NOT NULL "
        + "AND substr(\(column), 1, 1) IS NOT x'01' ORDER BY Z_PK"
    ) { try body($0.integer(0), $0.data(1)) }
  }

  /// The name of the file of a row's value; nil, and a finding, where there is none.
  /// - Throws: `CoreDataError` with the value's place when it can't be read.
  private func file(
    of bytes: Data, attribute: AttributeDescription, entity: EntityDescription, key: Int64
  ) throws -> String? {
    let object = "\(ManagedObjectID(entity: entity, primaryKey: key, store: self))"
    var kind = StoreFinding.Kind.unknownExternalTag(bytes.first)
    if case .file(let name)? = ExternalData.content(of: bytes) {
      do { if try external.has(name) { return name } } catch let error as CoreDataError {
        throw error.at(
          entity: entity.name, property: attribute.name, object: object, file: file.url.path)
      }
      kind = .missingExternalFile(name)
    }
    report(StoreFinding(kind: kind, entity: entity.name, property: attribute.name, object: object))
    return nil
  }

  /// Looks for large values that can't be read, which are findings then, without reading the others.
  /// - Throws: `CoreDataError` for a file that is there and can't be read, as reading it does.
  package func findLostValues() throws {
    for entity in model.entities where !entity.isAbstract && hasRows(of: entity) {
      for attribute in entity.attributes {
        guard case .attribute(let column, .externalBinary) = schema.storage(of: attribute) else {
          continue
        }
        try forEachValue(notIn: column, of: entity) { key, bytes in
          _ = try file(of: bytes, attribute: attribute, entity: entity, key: key)
        }
      }
    }
  }
}

extension ExternalData {
  /// Takes a copy of another store's file. A file that is here already is the same one, referred to
  /// twice.
  fileprivate func copy(_ name: String, from other: ExternalData) throws {
    let place = folder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: place.path) { return }
    do {
      try TemporaryFiles.placing {
        try FileCalls.makeFolder(folder)
        try FileCalls.copy(other.folder.appendingPathComponent(name), to: place)
      }
    } catch {
      throw CoreDataError.largeValueNotCopied(folder, error)
    }
  }
}
