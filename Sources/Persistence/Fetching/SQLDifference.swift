/// A predicate that SQL answers otherwise than memory does, for rows that a store has.
///
/// A device asks an SQLite store in SQL, where a comparison with NULL is neither true nor false: such rows
/// are left out by `country != "Sweden"` and by `NOT (country == "Sweden")`, which take them in memory. And values of
/// different types, which never match in memory, SQLite converts.
public struct SQLDifference: Hashable, Sendable, Codable {
  /// The predicate's format.
  public let predicate: String
  public let entity: String
  /// How many rows differ; of a comparison of different types, how many there are.
  public let count: Int
  /// The first of them, by their URIs.
  public let objects: [String]
  public let reason: Reason
  /// Where the predicate was asked: the entity mapping, and the hook of a policy if there was one.
  public package(set) var place: String?

  /// Why the answers differ.
  public enum Reason: String, Sendable, Codable {
    /// A comparison with nil is neither true nor false in SQL.
    case null
    /// So it is, and the predicate asks for NONE of a relationship's objects, or NOT ANY.
    case noneOfSeveral
    /// It compares values of different types.
    // Core Data: nothing says what a store makes of `rank == "1"`. SQLite converts by the column's affinity.
    case types
    /// A key leads to no row: nil in memory, where SQL compares the key.
    // Core Data: by the SQL that devices log, a to-one relationship is compared by its column, without a join.
    case danglingKeys
    /// It is evaluated in memory, for want of SQL here, and nil makes a difference to it.
    case untranslated
  }

  /// How to write it so that both agree.
  public var advice: String {
    switch reason {
    case .noneOfSeveral:
      "Write it as SUBQUERY(relationship, $x, condition).@count == 0, which gives the same answer in SQL and in memory."
    case .null, .untranslated:
      "Handle nil: add 'OR key == nil' to include these rows, or 'AND key != nil' to leave "
        + "them out in memory, too."
    case .danglingKeys:
      "Repair the links of the store, or ask for what the relationship leads to: album.name == nil, say."
    case .types:
      "Compare values of one type: numbers without quotes, texts in quotes, dates and others as %@ arguments."
    }
  }
}

extension Predicate {
  /// Whether SQL may answer it otherwise than memory, for some row: false for most, so that nothing need be
  /// asked.
  fileprivate func maySQLDiffer(_ hasMissingKeys: Bool) -> Bool {
    switch self {
    case let compound as CompoundPredicate:
      compound.compoundPredicateType == .not
        || compound.subpredicates.contains { $0.maySQLDiffer(hasMissingKeys) }
    case let comparison as ComparisonPredicate: comparison.comparesDifferently(hasMissingKeys)
    default: false
    }
  }
}

extension ComparisonPredicate {
  fileprivate func comparesDifferently(_ hasMissingKeys: Bool) -> Bool {
    let sides = [leftExpression, rightExpression]
    // Of a relationship's own key, what isn't nil is an object that has a row.
    let mayBeMissing = sides.contains { $0.constant?.isNull == true || $0.keyPath.contains(".") }
    if hasMissingKeys && mayBeMissing { return true }
    if comparisonPredicateModifier != .direct { return true }
    // What is inside of other expressions isn't looked at more closely.
    let inside = ["SUBQUERY", "TERNARY", "@avg"]
    if sides.contains(where: { side in inside.contains { "\(side)".contains($0) } }) { return true }
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
    guard let predicate = query.predicate else { return nil }
    let places = PredicateSchema(store: self)
    func translation(_ logic: SQLLogic) throws -> SQLFragment {
      try SQLTranslator(schema: places, logic: logic).translate(predicate, entity: query.entity)
    }
    let inSQL: SQLFragment
    do {
      inSQL = try translation(.threeValued)
    } catch let error as UntranslatablePredicate {
      // What has no SQL is looked at in memory.
      let mayDiffer = error.isAboutTypes || predicate.maySQLDiffer(places.hasMissingKeys)
      let reason = error.isAboutTypes ? SQLDifference.Reason.types : .untranslated
      askedDifferences[error.part, default: 0] += 1
      if askedDifferences[error.part, default: 0] > Self.mostAsked { return nil }
      return mayDiffer ? try possibleDifference(of: query, predicate, reason) : nil
    }
    guard predicate.maySQLDiffer(places.hasMissingKeys),
      let inMemory = try? translation(.nullSafe),
      inMemory.sql != inSQL.sql
    else { return nil }
    // With other values, as a policy has them for each object; keys of objects are written as numbers.
    let shape = query.entity.name + inSQL.sql.filter { !$0.isNumber }
    let asked = askedDifferences[shape, default: 0]
    if asked == Self.mostAsked { return nil }
    askedDifferences[shape] = asked + 1
    places.readsMissingKeysAsNil = false
    let byKeys = try translation(.nullSafe)
    let hierarchy = schema.condition(
      for: query.entity, withSubentities: query.includesSubentities)
    let own: SQLFragment = hierarchy.map { "\(raw: $0) AND" } ?? ""
    let table = schema.table(of: query.entity)
    let sql: SQLFragment = """
      SELECT t0.Z_PK, ((\(byKeys)) IS TRUE) <> ((\(inSQL)) IS TRUE) FROM \(raw: table) AS t0 WHERE \(own) \
      ((\(inMemory)) IS TRUE) <> ((\(inSQL)) IS TRUE) ORDER BY t0.Z_PK
      """
    return try readingDatabase().with(sql) { statement in
      var (count, objects, isAboutKeys) = (0, [String](), true)
      while try statement.step() {
        count += 1
        if statement.integer(1) != 0 { isAboutKeys = false }
        if objects.count < Self.mostShown {
          objects.append("\(query.entity.name)/p\(statement.integer(0))")
        }
      }
      if count == 0 { return nil }
      return SQLDifference(
        predicate: "\(predicate)", entity: query.entity.name, count: count, objects: objects,
        reason: isAboutKeys ? .danglingKeys : predicate.isAboutNone() ? .noneOfSeveral : .null)
    }
  }

  /// Any row may differ; where nil makes the difference, those alone that have nil where the predicate looks.
  private func possibleDifference(
    of query: StoreQuery, _ predicate: Predicate, _ reason: SQLDifference.Reason
  ) throws -> SQLDifference? {
    var all = StoreQuery(entity: query.entity)
    all.includesSubentities = query.includesSubentities
    var keys: [String]? = reason == .types ? nil : []
    predicate.forEachKeyPath { path in
      if query.entity.leadsThroughCollection(path) { keys = nil }
      if query.entity.property(at: path) != nil { keys?.append(path.joined(separator: ".")) }
    }
    let isNil = keys?.map { ComparisonPredicate($0, .equalTo, nil) }
    all.predicate = isNil.map { CompoundPredicate(orPredicateWithSubpredicates: $0) }
    let count = try count(of: all)
    if count == 0 { return nil }
    all.limit = Self.mostShown
    return SQLDifference(
      predicate: "\(predicate)", entity: query.entity.name, count: count,
      objects: try identifiers(all).map { "\($0.entity.name)/p\($0.primaryKey)" },
      reason: reason)
  }

  private static let mostShown = 3
  private static let mostAsked = 100
}
