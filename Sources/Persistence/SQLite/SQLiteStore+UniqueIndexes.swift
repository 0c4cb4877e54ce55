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
