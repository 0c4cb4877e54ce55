// Saving.

extension SQLiteStore {
  func reserveKeys(_ count: Int, for entity: EntityDescription) throws -> Int64 {
    try requireWritable()
    guard let root = entity.rootEntity, count > 0 else { return 0 }
    if bulk != nil { return try bulk?.reserve(count, of: root, in: self) ?? 0 }
    let number = schema.numbers[root]
    return try database.transaction {
      let highest = try highestKey(of: root)
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", highest + Int64(count), number)
      return highest + 1
    }
  }

  /// The highest primary key ever given out in a hierarchy.
  func highestKey(of root: EntityDescription) throws -> Int64 {
    let given = try database.integer(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", schema.numbers[root])
    let used = try database.integer("SELECT max(Z_PK) FROM \(schema.table(of: root))")
    return max(given ?? 0, used ?? 0)
  }

  func writeAll(_ changes: SaveRequest) throws {
    try requireWritable()
    var files = ExternalFileChanges()
    do {
      try asPart {
        try deriving(changes) { try write($0, files: &files) }
        // The files must be on disk before a row may refer to them.
        if bulk == nil { try synchronizeExternal(files.written) }
      }
    } catch {
      for name in files.written { external.remove(name) }
      _ = takeRewritten()
      throw error
    }
    if bulk != nil {
      bulk?.files.add(files)
    } else {
      for name in files.replaced { external.remove(name) }
    }
    metadataHasChanged = false
  }

  /// Runs a save as a transaction, or as a part of the bulk's.
  private func asPart(_ body: () throws -> Void) throws {
    if bulk?.undoesSaves == false { try body() } else { try database.transaction(body) }
  }

  /// Deletions come first, so that what was unique in a deleted row may be inserted again.
  private func write(_ changes: SaveRequest, files: inout ExternalFileChanges) throws {
    for deletion in changes.deleted { try delete(deletion, files: &files) }
    let joining = try joiningMembers(changes)
    try releaseUniqueValues(of: changes.updated)
    for change in changes.updated { try update(change, files: &files) }
    for change in changes.inserted { try insert(change, files: &files) }
    // All rows and links exist before any sort key is given.
    for change in changes.updated { try writeLinks(of: change, in: changes) }
    for change in changes.inserted { try writeLinks(of: change, in: changes) }
    try putLast(joining, changes)
    for change in changes.updated { try writeOrder(of: change) }
    for change in changes.inserted { try writeOrder(of: change) }
    try raiseHighestKeys(for: changes.inserted)
    if metadataHasChanged { try file.storeMetadata.write(to: database) }
  }

  /// Makes files of large values durable, with their names.
  func synchronizeExternal(_ names: [String]) throws {
    if names.isEmpty { return }
    try external.synchronize(names)
    do { try file.files.synchronizeExternalFolders() } catch {
      throw CoreDataError.largeValueNotDurable(error).at(file: file.url.path)
    }
  }

  private func raiseHighestKeys(for inserted: [SaveRequest.ObjectChange]) throws {
    // By the store index of the root entity.
    var highest = [Int64](repeating: 0, count: model.entities.count)
    for change in inserted {
      let index = change.objectID.entity.rootEntity.storeIndex
      highest[index] = max(highest[index], change.objectID.primaryKey)
    }
    for root in schema.tables.map(\.root) where highest[root.storeIndex] > 0 {
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX < ?1",
        highest[root.storeIndex], schema.numbers[root])
    }
  }

  func writer(for entity: EntityDescription) throws -> RowWriter {
    let key = ObjectIdentifier(entity)
    if let known = writers[key] { return known }
    let writer = try RowWriter(for: entity, schema: schema, database: database)
    writers[key] = writer
    return writer
  }
}

/// The files of large values that a save wrote, and those it made superfluous.
struct ExternalFileChanges {
  var written: [String] = []
  var replaced: [String] = []

  var isEmpty: Bool { written.isEmpty && replaced.isEmpty }

  mutating func add(_ other: ExternalFileChanges) {
    written += other.written
    replaced += other.replaced
  }
}

// MARK: - Rows

extension SQLiteStore {
  private func insert(
    _ change: SaveRequest.ObjectChange, files: inout ExternalFileChanges
  ) throws {
    // Others may have made the row again, too.
    if change.version != 0, try hasRow(change.objectID) {
      throw CoreDataError.changedSinceRead(change.objectID)
    }
    let writer = try writer(for: change.objectID.entity)
    writer.insertion.bind(change.version == 0 ? 1 : change.version, at: 2)
    try bind(change, to: writer.insertion, writer: writer, files: &files)
    try run(writer.insertion, for: change, writer: writer)
  }

  private func update(
    _ change: SaveRequest.ObjectChange, files: inout ExternalFileChanges
  ) throws {
    let writer = try writer(for: change.objectID.entity)
    try noteFiles(of: change.objectID, writer: writer, files: &files)
    writer.update.bind(change.version + 1, at: 2)
    writer.update.bind(change.version, at: writer.oldVersionParameter)
    try bind(change, to: writer.update, writer: writer, files: &files)
    try run(writer.update, for: change, writer: writer)
    if database.changes == 0 { throw CoreDataError.changedSinceRead(change.objectID) }
  }

  private func delete(
    _ deletion: SaveRequest.Deletion, files: inout ExternalFileChanges
  ) throws {
    let writer = try writer(for: deletion.objectID.entity)
    try noteFiles(of: deletion.objectID, writer: writer, files: &files)
    for relationship in writer.entity.relationships {
      try linkWriter(for: relationship)?.clear(deletion.objectID.primaryKey)
    }
    writer.deletion.bind(deletion.objectID.primaryKey, at: 1)
    writer.deletion.bind(deletion.version, at: 2)
    try writer.deletion.run()
    if database.changes == 0 { throw CoreDataError.changedSinceRead(deletion.objectID) }
  }

  private func bind(
    _ change: SaveRequest.ObjectChange, to statement: Statement, writer: RowWriter,
    files: inout ExternalFileChanges
  ) throws {
    statement.bind(change.objectID.primaryKey, at: 1)
    for field in writer.fields {
      do {
        try bind(change.values[field.slot], of: field, to: statement, files: &files)
      } catch let error as CoreDataError {
        throw error.at(
          entity: writer.entity.name, property: field.property.name,
          object: change.objectID.description)
      }
    }
  }

  /// Binds the value of one property.
  @inline(__always)
  func bind(
    _ value: Value, of field: RowWriter.Field, to statement: Statement,
    files: inout ExternalFileChanges
  ) throws {
    switch field.kind {
    case .attribute(.externalBinary):
      try bindExternal(value, to: statement, field: field, files: &files)
    case .attribute(let codec):
      try codec.bind(value, of: field.property, to: statement, at: field.column)
    case .composite(let columns):
      try columns.bind(value, to: statement, at: field.column)
    case .toOne(let hasEntityColumn):
      try bindKey(value, to: statement, field: field, hasEntityColumn: hasEntityColumn)
    }
  }

  private func bindExternal(
    _ value: Value, to statement: Statement, field: RowWriter.Field,
    files: inout ExternalFileChanges
  ) throws {
    guard case .data(let data) = value else {
      return try ColumnCodec.binary.bind(
        value, of: field.property, to: statement, at: field.column)
    }
    let (bytes, name) = try external.write(data)
    if let name { files.written.append(name) }
    statement.bind(bytes, at: field.column)
  }

  private func bindKey(
    _ value: Value, to statement: Statement, field: RowWriter.Field, hasEntityColumn: Bool
  ) throws {
    let id = try value.rowIdentifier(of: field.property)
    statement.bind(orNull: id?.primaryKey, at: field.column)
    if hasEntityColumn {
      statement.bind(orNull: id.map { schema.numbers[$0.entity] }, at: field.column + 1)
    }
  }

  /// Notes the files of a row's large values, which are removed once the row has changed.
  func noteFiles(
    of id: ManagedObjectID, writer: RowWriter, files: inout ExternalFileChanges
  ) throws {
    if writer.externalColumns.isEmpty { return }
    let columns = writer.externalColumns.joined(separator: ", ")
    try database.with("SELECT \(columns) FROM \(writer.table) WHERE Z_PK = ?") { statement in
      statement.bind(id.primaryKey, at: 1)
      guard try statement.step() else { return }
      for column in writer.externalColumns.indices {
        if case .file(let name)? = ExternalData.content(of: statement.data(Int32(column))) {
          files.replaced.append(name)
        }
      }
    }
  }
}

// MARK: - Links

extension SQLiteStore {
  func linkWriter(for relationship: RelationshipDescription) throws -> LinkWriter? {
    guard relationship.isToMany else { return nil }
    let key = ObjectIdentifier(relationship)
    if let known = linkWriters[key] { return known }
    let storage = schema.storage(of: relationship)
    guard let writer = try LinkWriter.make(for: storage, database: database) else { return nil }
    linkWriters[key] = writer
    return writer
  }

  private func writeLinks(
    of change: SaveRequest.ObjectChange, in request: SaveRequest
  ) throws {
    let owner = change.objectID.primaryKey
    for toMany in change.toMany {
      guard let writer = try linkWriter(for: toMany.relationship) else { continue }
      if !writer.writesLinks && !request.linksMayBeOneSided { continue }
      for destination in toMany.removed { try writer.remove(destination.primaryKey, from: owner) }
      for destination in toMany.added {
        if request.mayLeadToDeleted, try !hasRow(destination) { continue }
        try writer.add(destination.primaryKey, to: owner)
      }
    }
  }

  private func hasRow(_ id: ManagedObjectID) throws -> Bool {
    let table = schema.table(of: id.entity)
    return try database.integer("SELECT 1 FROM \(table) WHERE Z_PK = ?", id.primaryKey) != nil
  }
}

extension Value {
  /// The identifier whose key the columns of a to-one relationship hold; nil for none.
  /// - Throws: `CoreDataError` for anything else.
  func rowIdentifier(
    of relationship: @autoclosure () -> PropertyDescription
  ) throws -> ManagedObjectID? {
    switch self {
    case .null: return nil
    case .object(let object):
      guard let id = object as? ManagedObjectID, id.hasRowKey else { fallthrough }
      return id
    default: throw CoreDataError.unfit(self, relationship())
    }
  }
}

// MARK: - Uniqueness constraints

extension SQLiteStore {
  /// Takes the unique values of rows that are about to change away from them, so that two rows can
  /// exchange theirs within one save.
  func releaseUniqueValues(of updates: [SaveRequest.ObjectChange]) throws {
    if updates.count < 2 || schema.constraints.isEmpty { return }
    for change in updates {
      guard let release = try writer(for: change.objectID.entity).uniqueRelease else { continue }
      release.bind(change.objectID.primaryKey, at: 1)
      release.bind(change.version, at: 2)
      try release.run()
    }
  }

  /// Runs an insertion or update; the violation of a uniqueness constraint becomes Core Data's
  /// error for it.
  func run(
    _ statement: Statement, for change: SaveRequest.ObjectChange, writer: RowWriter
  ) throws {
    do {
      try statement.run()
    } catch let error as CoreDataError {
      guard let cause = error.underlying as? SQLiteError, cause.isUniqueViolation else {
        throw error.at(entity: writer.entity.name, object: change.objectID.description)
      }
      throw try violation(by: change, writer: writer, cause: cause)
    }
  }

  private func violation(
    by change: SaveRequest.ObjectChange, writer: RowWriter, cause: SQLiteError
  ) throws -> CoreDataError {
    for constraint in writer.constraints {
      let values = constraint.properties.map { $0.value(in: change.values) }
      let rival = try holder(of: values, in: constraint, besides: change.objectID.primaryKey)
      guard let rival else { continue }
      return CoreDataError.constraintViolated(
        entity: constraint.entity.name, properties: constraint.properties.map(\.name),
        values: values, objects: [rival, change.objectID]
      ).at(file: file.url.path)
    }
    return CoreDataError.sqlite(
      cause.code, message: cause.message, sql: cause.sql, file: file.url
    ).at(entity: writer.entity.name, object: change.objectID.description)
  }

  func storedOwner(
    of key: [Value], under constraint: UniquenessConstraint
  ) throws -> ManagedObjectID? {
    let columns = constraint.names.compactMap { schema.column(named: $0, of: constraint.entity) }
    guard columns.count == key.count else { return nil }
    try needIndexes(of: schema.table(of: constraint.entity))
    return try holder(
      of: key,
      in: UniqueColumns(
        entity: constraint.entity, properties: constraint.properties, columns: columns),
      besides: 0)
  }

  /// The object of a row with these values in the columns of a constraint.
  /// - Parameter key: Of the row that doesn't count; 0, which is no row's, for none.
  private func holder(
    of values: [Value], in constraint: UniqueColumns, besides key: Int64
  ) throws -> ManagedObjectID? {
    let entity = constraint.entity
    let conditions = constraint.columns.map { "\($0) = ? AND " }.joined()
    return try database.with(
      "SELECT Z_PK, Z_ENT FROM \(schema.table(of: entity)) WHERE \(conditions)Z_PK <> ?"
    ) { statement in
      for (index, property) in constraint.properties.enumerated() {
        try bind(values[index], of: property, to: statement, at: Int32(index + 1))
      }
      statement.bind(key, at: Int32(values.count + 1))
      guard try statement.step() else { return nil }
      return ManagedObjectID(
        entity: schema.numbers.entity(numbered: statement.integer(1), beside: entity) ?? entity,
        primaryKey: statement.integer(0), store: self)
    }
  }

  /// Binds the value of one property in a condition.
  private func bind(
    _ value: Value, of property: PropertyDescription, to statement: Statement, at index: Int32
  ) throws {
    if case .attribute(_, let codec) = schema.storage(of: property) {
      if try !codec.bind(value, to: statement, at: index) { statement.bindNull(at: index) }
    } else if case .object(let object) = value, let id = object as? ManagedObjectID {
      statement.bind(id.primaryKey, at: index)
    } else {
      statement.bindNull(at: index)
    }
  }
}
