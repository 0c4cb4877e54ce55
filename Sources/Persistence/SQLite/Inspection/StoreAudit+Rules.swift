// Rules of the model that a save or a migration would enforce.

extension StoreAudit {
  /// Checks bounds and patterns of an entity's attributes as a save does.
  func checkRules(of entity: EntityDescription, in schema: StoreSchema) {
    let table = schema.table(of: entity)
    for attribute in entity.ownProperties.compactMap({ $0 as? AttributeDescription })
      .filter(\.hasRules).sorted(by: { $0.name < $1.name })
    {
      guard case .attribute(let column, let codec) = schema.storage(of: attribute),
        catalog.hasColumn(column, in: table)
      else { continue }
      let sql = """
        SELECT Z_PK, Z_ENT, \(column) FROM \(table)
        WHERE \(column) IS NOT NULL AND \(hierarchy(entity, schema, table)) ORDER BY Z_PK
        """
      attempt("\(entity.name).\(attribute.name)") { try checkValues(of: attribute, codec, sql) }
    }
  }

  private func checkValues(
    of attribute: AttributeDescription, _ codec: ColumnCodec, _ sql: String
  ) throws {
    var byReason: [String: IntegrityFinding] = [:]
    try database.with(sql) { statement in
      while try statement.step() {
        guard let failure = failure(of: attribute, codec, statement) else { continue }
        let reason = "\(failure.reason) (\(failure.code.rawValue))"
        var finding =
          byReason[reason]
          ?? IntegrityFinding(
            .invalidValue, entity: attribute.entity.name, property: attribute.name, detail: reason,
            count: 0)
        finding.count += 1
        if finding.rows.count < rowLimit { finding.rows.append(row(statement)) }
        byReason[reason] = finding
      }
    }
    for (_, finding) in byReason.sorted(by: { $0.key < $1.key }) { add(finding) }
  }

  /// A value that can't be read at all is another finding already.
  private func failure(
    of attribute: AttributeDescription, _ codec: ColumnCodec, _ statement: Statement
  ) -> CoreDataError? {
    // A value that can't be read is another check's finding.
    guard let value = try? codec.read(statement, 2), !value.isNull else { return nil }
    return AttributeValidation.failure(of: value, for: attribute)
  }
}

extension AttributeDescription {
  fileprivate var hasRules: Bool {
    !minimum.isNull || !maximum.isNull || regularExpression != nil
  }
}

// MARK: - Uniqueness

extension StoreAudit {
  func checkConstraints(in schema: StoreSchema) {
    for constraint in schema.constraints {
      let table = schema.table(of: constraint.entity)
      guard constraint.columns.allSatisfy({ catalog.hasColumn($0, in: table) }) else { continue }
      let names = constraint.properties.map(\.name).joined(separator: ", ")
      attempt(constraint.entity.name) { try checkIndex(for: constraint, table, names) }
      checkDuplicates(under: constraint, table, names, in: schema)
    }
  }

  /// Rows that share all values of a constraint; nil is equal to nothing.
  private func checkDuplicates(
    under constraint: UniqueColumns, _ table: String, _ names: String, in schema: StoreSchema
  ) {
    let columns = constraint.columns.joined(separator: ", ")
    let present = constraint.columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let equal = constraint.columns.map { "twin.\($0) = own.\($0)" }.joined(separator: " AND ")
    let members = hierarchy(constraint.entity, schema, table)
    gather(
      IntegrityFinding(
        .duplicateValues, entity: constraint.entity.name,
        property: constraint.properties.count == 1 ? names : nil, detail: names),
      """
      SELECT own.Z_PK, own.Z_ENT, twin.first FROM \(table) AS own JOIN (
        SELECT \(columns), min(Z_PK) AS first FROM \(table) WHERE \(present) AND \(members)
        GROUP BY \(columns) HAVING count(*) > 1) AS twin ON \(equal)
      WHERE \(hierarchy(constraint.entity, schema, "own")) ORDER BY twin.first, own.Z_PK
      """,
      detail: { row in
        row.integer(2) == row.integer(0) ? nil : "same as p\(row.integer(2))"
      })
  }

  private func checkIndex(
    for constraint: UniqueColumns, _ table: String, _ names: String
  ) throws {
    let wanted = Set(constraint.columns.map { StoreCatalog.plain($0) })
    let literal = StoreCatalog.literal(StoreCatalog.plain(table))
    let indexes = try database.texts(
      "SELECT name FROM pragma_index_list(\(literal)) WHERE \"unique\" = 1")
    for index in indexes {
      let columns = try database.texts(
        "SELECT name FROM pragma_index_info(\(StoreCatalog.literal(index)))")
      if Set(columns) == wanted { return }
    }
    add(
      IntegrityFinding(.missingUniqueIndex, entity: constraint.entity.name, detail: names))
  }
}
