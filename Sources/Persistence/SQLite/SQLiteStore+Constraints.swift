// Uniqueness constraints.

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
      guard let rival = try rival(of: change, under: constraint, table: writer.table) else {
        continue
      }
      return CoreDataError.constraintViolated(
        entity: constraint.entity.name, properties: constraint.properties.map(\.name),
        values: constraint.properties.map { $0.value(in: change.values) },
        objects: [rival, change.objectID]
      ).at(file: file.url.path)
    }
    return CoreDataError.sqlite(
      cause.code, message: cause.message, sql: cause.sql, file: file.url
    ).at(entity: writer.entity.name, object: change.objectID.description)
  }

  /// The row that holds the values a constraint wants to be unique.
  private func rival(
    of change: SaveRequest.ObjectChange, under constraint: UniqueColumns, table: String
  ) throws -> ManagedObjectID? {
    let conditions = constraint.columns.map { "\($0) = ? AND " }.joined()
    return try database.with(
      "SELECT Z_PK, Z_ENT FROM \(table) WHERE \(conditions)Z_PK <> ?"
    ) { statement in
      for (index, property) in constraint.properties.enumerated() {
        try bind(
          property.value(in: change.values), of: property, to: statement, at: Int32(index + 1))
      }
      statement.bind(change.objectID.primaryKey, at: Int32(constraint.columns.count + 1))
      return try holder(in: statement, of: constraint.entity)
    }
  }

  func storedOwner(
    of key: [Value], under constraint: UniquenessConstraint
  ) throws -> ManagedObjectID? {
    let columns = constraint.names.compactMap { schema.column(named: $0, of: constraint.entity) }
    guard columns.count == key.count else { return nil }
    try needIndexes(of: schema.table(of: constraint.entity))
    let conditions = columns.map { "\($0) = ?" }.joined(separator: " AND ")
    return try database.with(
      "SELECT Z_PK, Z_ENT FROM \(schema.table(of: constraint.entity)) WHERE \(conditions)"
    ) { statement in
      for (index, property) in constraint.properties.enumerated() {
        try bind(key[index], of: property, to: statement, at: Int32(index + 1))
      }
      return try holder(in: statement, of: constraint.entity)
    }
  }

  /// The object in the next row of key and entity number.
  private func holder(
    in statement: Statement, of entity: EntityDescription
  ) throws -> ManagedObjectID? {
    guard try statement.step() else { return nil }
    return ManagedObjectID(
      entity: schema.numbers.entity(numbered: statement.integer(1)) ?? entity,
      primaryKey: statement.integer(0), store: self)
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
