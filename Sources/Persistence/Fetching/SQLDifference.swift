/// A predicate that SQL answers otherwise than memory does, for rows that a store has.
///
/// A device asks an SQLite store in SQL, where a comparison with NULL is neither true nor false: such rows
/// are left out by `country != "Sweden"` and by `NOT (country == "Sweden")`, which take them in memory.
public struct SQLDifference: Hashable, Sendable, Codable {
  /// The predicate's format.
  public let predicate: String
  public let entity: String
  /// How many rows differ.
  public let count: Int
  /// The first of them, by their URIs.
  public let objects: [String]
  /// Whether it asks for NONE of a relationship's objects, or NOT ANY.
  public let isAboutNone: Bool
  /// Where the predicate was asked: the entity mapping, and the hook of a policy if there was one.
  public package(set) var place: String?

  /// How to write it so that both agree.
  public var advice: String {
    isAboutNone
      ? "Write it as SUBQUERY(relationship, $x, condition).@count == 0, which gives the same answer in SQL and in memory."
      : "Handle nil: add 'OR key == nil' to include these rows, or 'AND key != nil' to leave "
        + "them out in memory, too."
  }
}

extension Predicate {
  /// Whether SQL may answer it otherwise than memory, for some row: false for most, so that nothing need be
  /// asked.
  var maySQLDiffer: Bool {
    switch self {
    case let compound as CompoundPredicate:
      compound.compoundPredicateType == .not
        || compound.subpredicates.contains(where: \.maySQLDiffer)
    case let comparison as ComparisonPredicate: comparison.comparesDifferentlyInSQL
    default: false
    }
  }

  /// Whether NOT stands before ANY somewhere.
  fileprivate var isAboutNone: Bool {
    guard let compound = self as? CompoundPredicate else { return false }
    if compound.compoundPredicateType == .not,
      let part = compound.subpredicates.first as? ComparisonPredicate,
      part.comparisonPredicateModifier == .any
    {
      return true
    }
    return compound.subpredicates.contains(where: \.isAboutNone)
  }
}

extension ComparisonPredicate {
  fileprivate var comparesDifferentlyInSQL: Bool {
    let sides = [leftExpression, rightExpression]
    if comparisonPredicateModifier != .direct { return true }
    // What is inside of other expressions isn't looked at more closely.
    if sides.contains(where: { "\($0)".contains("SUBQUERY") || "\($0)".contains("TERNARY") }) {
      return true
    }
    let constants = sides.filter { $0.expressionType == .constantValue }
    switch predicateOperatorType {
    case .equalTo, .in, .contains: return constants.isEmpty
    case .notEqualTo: return !constants.contains { $0.constant?.isNull == true }
    // NULL is before nothing and begins with nothing, here and there.
    default: return false
    }
  }
}

extension SQLiteStore {
  /// See ``PersistentStore/sqlDifference(of:)``.
  func differenceFromMemory(of query: StoreQuery) throws -> SQLDifference? {
    guard let predicate = query.predicate, predicate.maySQLDiffer,
      // What has no SQL is looked at in memory.
      let inMemory = try? translation(predicate, of: query.entity, .nullSafe),
      let inSQL = try? translation(predicate, of: query.entity, .threeValued),
      inMemory.sql != inSQL.sql
    else { return nil }
    let hierarchy = schema.condition(
      for: query.entity, withSubentities: query.includesSubentities)
    let own: SQLFragment = hierarchy.map { "\(raw: $0) AND" } ?? ""
    let table = schema.table(of: query.entity)
    let sql: SQLFragment = """
      SELECT t0.Z_PK FROM \(raw: table) AS t0 WHERE \(own) \
      ((\(inMemory)) IS TRUE) <> ((\(inSQL)) IS TRUE) ORDER BY t0.Z_PK
      """
    return try readingDatabase().with(sql.sql) { statement in
      for (index, value) in sql.bindings.enumerated() {
        try ColumnCodec.bind(constant: value, to: statement, at: Int32(index + 1))
      }
      var (count, objects) = (0, [String]())
      while try statement.step() {
        count += 1
        if objects.count < Self.mostShown {
          objects.append("\(query.entity.name)/p\(statement.integer(0))")
        }
      }
      if count == 0 { return nil }
      return SQLDifference(
        predicate: "\(predicate)", entity: query.entity.name, count: count, objects: objects,
        isAboutNone: predicate.isAboutNone)
    }
  }

  private static let mostShown = 3

  private func translation(
    _ predicate: Predicate, of entity: EntityDescription, _ logic: SQLLogic
  ) throws -> SQLFragment {
    try SQLTranslator(schema: PredicateSchema(store: self), logic: logic)
      .translate(predicate, entity: entity)
  }
}
