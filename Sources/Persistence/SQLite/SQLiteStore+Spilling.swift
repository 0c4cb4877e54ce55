// Writing the rows of new objects before their save.

extension SQLiteStore: SpillingStore {
  func spill(new: [ManagedObject], changed: [ManagedObject]) throws -> SpillBatch? {
    try leaveOutUniqueIndexes()
    generation += 1
    if let batch = try batchForSecondThread(new: new, changed: changed) { return batch }
    try finishWriting()
    var files = ExternalFileChanges()
    defer { if !files.isEmpty { bulk?.files.add(files) } }
    for object in new {
      let writer = try spillWriter(for: object)
      try insert(object.objectID.primaryKey, object.values, by: writer, files: &files)
    }
    for object in changed { try writeChanges(of: object, files: &files) }
    for objects in [new, changed] {
      for object in objects {
        try forEachLinks(of: object) { try write($0, of: object, by: $1) }
      }
    }
    return nil
  }

  @inline(__always)
  private func spillWriter(for object: ManagedObject) throws -> RowWriter {
    let index = object.storeIndex
    if index < spill.writers.count, let writer = spill.writers[index] { return writer }
    return try makeSpillWriter(for: object.entity)
  }

  private func makeSpillWriter(for entity: EntityDescription) throws -> RowWriter {
    let writer = try writer(for: entity)
    if spill.writers.isEmpty {
      spill.writers = ContiguousArray(repeating: nil, count: model.entities.count)
    }
    spill.writers[entity.storeIndex] = writer
    return writer
  }

  @inline(__always)
  func insert(
    _ key: Int64, _ values: ContiguousArray<Value>, by writer: RowWriter,
    files: inout ExternalFileChanges
  ) throws {
    let insertion = writer.insertion
    insertion.bind(Int64(1), at: 2)
    insertion.bind(key, at: 1)
    for field in writer.plain {
      if try field.codec.bind(values[field.slot], to: insertion, at: field.column) { continue }
      // For example a number of another width, or a Boolean.
      for other in writer.fields where other.slot == field.slot {
        try bind(values[field.slot], of: other, to: insertion, files: &files)
      }
    }
    for field in writer.others {
      try bind(values[field.slot], of: field, to: insertion, files: &files)
    }
    try insertion.run()
  }

  /// Writes the columns that were set.
  private func writeChanges(
    of object: ManagedObject, files: inout ExternalFileChanges
  ) throws {
    if object.changedSlots == 0 { return }
    let writer = try spillWriter(for: object)
    var update = try writer.partialUpdate(of: object.changedSlots, schema: schema, database)
    if update.changesFiles {
      update = try writer.partialUpdate(of: .max, schema: schema, database)
      try noteFiles(of: object.objectID, writer: writer, files: &files)
    }
    if update.fields.isEmpty { return }
    update.statement.bind(object.objectID.primaryKey, at: 1)
    for field in update.fields {
      try bind(object.values[field.slot], of: field, to: update.statement, files: &files)
    }
    try update.statement.run()
  }

  private func write(
    _ members: ToManyDestinations, of object: ManagedObject, by writer: LinkWriter
  ) throws {
    let owner = object.objectID.primaryKey
    for id in members.removed { try writer.remove(id.primaryKey, from: owner) }
    try members.forEachAddition { try writer.add($0.primaryKey, to: owner) }
  }

  /// Gives the changed links that are written from an object's side.
  private func forEachLinks(
    of object: ManagedObject, _ body: (ToManyDestinations, LinkWriter) throws -> Void
  ) throws {
    if object.toMany.isEmpty { return }
    for links in try spillLinks(of: object.entity) {
      guard let members = object.toMany[links.slot], members.hasChanges else { continue }
      try body(members, links.writer)
    }
  }

  private func spillLinks(of entity: EntityDescription) throws -> [SpillLinks] {
    if let known = spill.links[entity.storeIndex] { return known }
    var links: [SpillLinks] = []
    for relationship in entity.relationships where relationship.isToMany {
      guard let writer = try linkWriter(for: relationship), writer.writesLinks else { continue }
      links.append(SpillLinks(slot: relationship.slot, writer: writer))
    }
    spill.links[entity.storeIndex] = links
    return links
  }

  // MARK: On a second thread

  /// The objects as a second thread is to write them; nil where they are too few, need more than their columns, or
  /// are likely to be asked for before they are written.
  private func batchForSecondThread(
    new: [ManagedObject], changed: [ManagedObject]
  ) throws -> SpillBatch? {
    guard new.count + changed.count >= SecondThread.current.leastObjects else { return nil }
    let flusher = startedFlusher()
    try flusher.throwIfFailed()
    guard flusher.takesNextBatch() else { return nil }
    var batch = flusher.emptyBatch()
    return try fill(&batch, new: new, changed: changed) ? batch : nil
  }

  /// - Returns: False where an object needs more than its columns.
  private func fill(
    _ batch: inout SpillBatch, new: [ManagedObject], changed: [ManagedObject]
  ) throws -> Bool {
    for object in new {
      let writer = try spillWriter(for: object)
      guard writer.isPlain else { return false }
      batch.insert(object, by: writer)
    }
    for object in changed where object.changedSlots != 0 {
      let writer = try spillWriter(for: object)
      guard writer.isPlain else { return false }
      let update = try writer.partialUpdate(of: object.changedSlots, schema: schema, database)
      if !update.fields.isEmpty { batch.update(object, update) }
    }
    for object in new { try add(linksOf: object, to: &batch) }
    for object in changed { try add(linksOf: object, to: &batch) }
    return true
  }

  private func add(linksOf object: ManagedObject, to batch: inout SpillBatch) throws {
    let owner = object.objectID.primaryKey
    try forEachLinks(of: object) { batch.addLinks(of: $0, owner: owner, by: $1) }
  }

  func writeOnSecondThread(_ batch: consuming SpillBatch) {
    spill.flusher?.start(batch, in: self)
  }

  private func startedFlusher() -> RowFlusher {
    let started = spill.flusher ?? RowFlusher()
    spill.flusher = started
    return started
  }

  func finishWriting() throws {
    guard let flusher = spill.flusher else { return }
    flusher.finish()
    try flusher.throwIfFailed()
  }

  // MARK: Finding them again

  func enumerateSpilledRows(
    of entity: EntityDescription, where attribute: AttributeDescription, equals value: Value,
    _ body: (StoreRow) throws -> Bool
  ) throws -> Bool {
    guard !value.isNull, case .attribute(let column, let codec) = schema.storage(of: attribute)
    else { return false }
    switch codec {
    case .externalBinary, .transformable: return false
    default: break
    }
    try finishWriting()
    file.database.activity.statements += 1
    let probe = try spillProbe(of: entity, column)
    guard try codec.bind(value, to: probe.statement, at: 1) else { return false }
    defer { probe.statement.reset() }
    while try probe.statement.step() {
      guard let plan = probe.reader.plan(forNumber: probe.statement.integer(1)) else { continue }
      if try !body(decode(probe.statement, plan: plan, objectID: nil)) { break }
    }
    return true
  }

  private func spillProbe(of entity: EntityDescription, _ column: String) throws -> SpillProbe {
    let key = SpillProbe.Key(entity: ObjectIdentifier(entity), column: column)
    if let known = spill.probes[key] { return known }
    let table = schema.table(of: entity)
    if !schema.hasIndex(on: column, of: table, unique: bulk?.uniqueIndexes == nil) {
      try makeProbeIndex(on: column, of: table)
    } else {
      try needIndexes(of: table)
    }
    let reader = try reader(for: entity, includesSubentities: true)
    let statement = try database.statement(
      "SELECT \(reader.columnList) FROM \(table) WHERE \(column) = ?1 ORDER BY Z_PK")
    let probe = SpillProbe(statement: statement, reader: reader)
    spill.probes[key] = probe
    return probe
  }

  // MARK: The end

  func allRows(of entity: EntityDescription, have required: [PropertyDescription]) throws -> Bool {
    let columns = required.compactMap { schema.storage(of: $0).column }
    if columns.count < required.count { return false }
    if columns.isEmpty { return true }
    let isMissing = columns.map { "\($0) IS NULL" }.joined(separator: " OR ")
    return try readingDatabase().integer(
      "SELECT 1 FROM \(schema.table(of: entity)) WHERE Z_ENT = ?1 AND (\(isMissing)) LIMIT 1",
      schema.numbers[entity]) == nil
  }

  func confirmUnsavedRows(lastKeys: [Int64]) throws {
    try requireWritable()
    try finishWriting()
    generation += 1
    spill.counts = (generation, [:])
    for root in schema.tables.map(\.root) {
      let last = lastKeys[root.storeIndex]
      // No key was left out.
      if root.subentities.isEmpty { spill.counts.byEntity[ObjectIdentifier(root)] = Int(last) }
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX < ?1",
        last, schema.numbers[root])
      bulk?.note(highestKey: last, of: root)
    }
    if metadataHasChanged { try file.storeMetadata.write(to: database) }
    metadataHasChanged = false
  }

  func removeUnsavedRows(lastKeys: [Int64]) throws {
    generation += 1
    for table in schema.tables { try database.execute("DELETE FROM \(table.name)") }
    for join in schema.joins { try database.execute("DELETE FROM \(join.name)") }
    populated = []
    for root in schema.tables.map(\.root) {
      bulk?.note(highestKey: lastKeys[root.storeIndex], of: root)
    }
    for name in bulk?.files.written ?? [] { external.remove(name) }
    bulk?.files = ExternalFileChanges()
    _ = try rowsAreUnique()
  }
}

/// What a store keeps while new objects are spilled to it.
final class SpillState {
  /// The writers of rows by the entity's store index.
  var writers: ContiguousArray<RowWriter?> = []
  /// The links that are written from an entity's side, by its store index.
  var links: [Int: [SpillLinks]] = [:]
  var probes: [SpillProbe.Key: SpillProbe] = [:]
  /// How many rows there are of entities whose rows were all spilled, as long as nothing else is
  /// written.
  var counts: (generation: Int, byEntity: [ObjectIdentifier: Int]) = (-1, [:])
  /// Writes new objects on another thread.
  var flusher: RowFlusher?

  /// Lets go of all statements, once nothing is being written any more.
  func forgetStatements() {
    flusher?.finish()
    flusher = nil
    writers = []
    links = [:]
    probes = [:]
  }
}

/// The links of one to-many relationship that are written from its side.
struct SpillLinks {
  let slot: Int
  let writer: LinkWriter
}

/// Finds rows by the value in one column.
struct SpillProbe {
  struct Key: Hashable {
    let entity: ObjectIdentifier
    let column: String
  }
  let statement: Statement
  let reader: RowReader
}

/// Writes some columns of a row. Parameter 1 is its key.
final class PartialUpdate {
  let slots: UInt64
  let statement: Statement
  let fields: [RowWriter.Field]
  /// Whether values that may be in files are among those it writes.
  let changesFiles: Bool

  init(slots: UInt64, statement: Statement, fields: [RowWriter.Field]) {
    self.slots = slots
    self.statement = statement
    self.fields = fields
    changesFiles = fields.contains {
      if case .attribute(.externalBinary) = $0.kind { true } else { false }
    }
  }
}

extension RowWriter {
  /// Stands for a slot among those that changed.
  @inline(__always)
  static func bit(ofSlot slot: Int) -> UInt64 { 1 << UInt64(min(slot, 63)) }

  /// The statement for the fields of some slots.
  /// - Parameter database: Asked for where the statement has to be made first.
  fileprivate func partialUpdate(
    of slots: UInt64, schema: StoreSchema, _ database: @autoclosure () -> Database
  ) throws -> PartialUpdate {
    if let last = lastPartialUpdate, last.slots == slots { return last }
    let update = try partialUpdates[slots] ?? makeUpdate(of: slots, schema: schema, database())
    lastPartialUpdate = update
    return update
  }

  private func makeUpdate(
    of slots: UInt64, schema: StoreSchema, _ database: Database
  ) throws -> PartialUpdate {
    var (columns, fields): ([String], [Field]) = ([], [])
    for field in self.fields where slots & Self.bit(ofSlot: field.slot) != 0 {
      fields.append(field.moved(to: Int32(columns.count) + 2))
      columns += schema.storage(of: field.property).columns
    }
    let assignments = columns.enumerated().map { "\($0.element) = ?\($0.offset + 2)" }
    // Without columns it isn't run.
    let changes = assignments.isEmpty ? "Z_PK = Z_PK" : assignments.joined(separator: ", ")
    let update = PartialUpdate(
      slots: slots,
      statement: try database.statement("UPDATE \(table) SET \(changes) WHERE Z_PK = ?1"),
      fields: fields)
    partialUpdates[slots] = update
    return update
  }
}

extension RowField {
  fileprivate func moved(to column: Int32) -> RowField {
    RowField(slot: slot, column: column, kind: kind, property: property)
  }
}

// MARK: - By what they are found

extension SQLiteStore {
  var isBeingFilled: Bool { isNew && bulk != nil }

  /// Whether links are rows of their own, written from this side.
  func writesLinks(of relationship: RelationshipDescription) -> Bool {
    guard case .join(let side) = schema.storage(of: relationship) else { return false }
    return side.writesLinks && !side.isReflexive
  }

  func columnName(of attribute: AttributeDescription) -> String? {
    guard case .attribute(let column, _) = schema.storage(of: attribute) else { return nil }
    return column
  }

  func forEachHash(
    in column: String, of attribute: AttributeDescription, _ body: (Int64, UInt32) -> Void
  ) throws {
    let table = schema.table(of: attribute.entity)
    let isText = attribute.attributeType == .string
    let sql = "SELECT Z_PK, \(column) FROM \(table) WHERE \(column) IS NOT NULL"
    try readingDatabase().forEachRow(sql) { row in
      let hash = isText ? row.withText(1) { KeyIndex.hash($0) } : KeyIndex.hash(row.integer(1))
      body(row.integer(0), hash)
    }
  }
}

// MARK: - Counts

// Counts of rows that were all spilled, which need no look at the rows.

extension SQLiteStore {
  /// How many rows answer a query for all of an entity; nil where they have to be counted.
  func spilledCount(of query: StoreQuery) -> Int? {
    // Else others might write to the file.
    guard bulk != nil || isReadOnly, spill.counts.generation == generation,
      query.predicate == nil, query.limit == 0, query.offset == 0
    else { return nil }
    return spill.counts.byEntity[ObjectIdentifier(query.entity)]
  }

  /// Knows the same counts as another store of the same file and model, to which nobody writes any more.
  package func takeCounts(of other: SQLiteStore) {
    if other.spill.counts.generation != other.generation { return }
    spill.counts = (generation, other.spill.counts.byEntity)
  }
}

// MARK: - Unique indexes

// The indexes that refuse rows, left out while very many are written.

extension SQLiteStore {
  /// Drops the unique indexes for the time being: duplicates are found when all rows are there, and may
  /// be gone by then.
  /// - Returns: The statements that make them again.
  func takeUniqueIndexes() throws -> [String] {
    try dropIndexes(where: "sql LIKE 'CREATE UNIQUE%'")
  }

  /// Makes unique indexes that were left out.
  /// - Parameter statements: Those that are still left out remain.
  /// - Returns: What SQLite says where rows have the same values; nil where none have.
  func makeUniqueIndexes(_ statements: inout [String]) throws -> CoreDataError? {
    while let statement = statements.first {
      do {
        try database.execute(statement)
      } catch let error as CoreDataError {
        guard let cause = error.underlying as? SQLiteError, cause.isUniqueViolation else {
          throw error
        }
        return error
      }
      statements.removeFirst()
    }
    return nil
  }

  // MARK: While rows are spilled

  /// To be called before the first rows.
  func leaveOutUniqueIndexes() throws {
    if schema.constraints.isEmpty || bulk?.uniqueIndexes != nil { return }
    bulk?.uniqueIndexes = try takeUniqueIndexes()
  }

  func rowsAreUnique() throws -> Bool {
    guard var statements = bulk?.uniqueIndexes else { return true }
    let refusal = try makeUniqueIndexes(&statements)
    bulk?.uniqueIndexes = statements.isEmpty ? nil : statements
    return refusal == nil
  }
}
