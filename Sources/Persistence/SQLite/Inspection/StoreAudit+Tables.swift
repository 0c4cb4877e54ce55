// Whether the model's tables and columns are there, and whose rows are in them.

extension StoreAudit {
  func checkTables(of schema: StoreSchema) {
    for name in gaps.tables { add(IntegrityFinding(.missingTable, table: name)) }
    for (table, column) in gaps.columns {
      add(IntegrityFinding(.missingColumn, table: table, detail: column))
    }
    for table in schema.tables where catalog.hasTable(table.name) {
      checkColumnTypes(of: table)
      noteExtraColumns(of: table)
    }
  }

  private func checkColumnTypes(of table: StoreTable) {
    let actual = catalog.types(ofColumnsIn: table.name)
    for column in table.columns {
      guard let type = actual[StoreCatalog.plain(column.name)] else { continue }
      guard type.uppercased() != column.declaredType else { continue }
      add(
        IntegrityFinding(
          .columnType, table: StoreCatalog.plain(table.name),
          detail:
            "\(StoreCatalog.plain(column.name)) is declared \(type.isEmpty ? "without type" : type) "
            + "instead of \(column.declaredType)"))
    }
  }

  private func noteExtraColumns(of table: StoreTable) {
    let known = Set(
      StoreSchema.fixedColumns + table.columns.map { StoreCatalog.plain($0.name) })
    let extra = catalog.types(ofColumnsIn: table.name).keys.filter { !known.contains($0) }.sorted()
    guard !extra.isEmpty else { return }
    add(
      IntegrityFinding(
        .extraColumn, table: StoreCatalog.plain(table.name),
        detail: extra.joined(separator: ", "), count: extra.count))
  }

  /// Whether each row of a table is of an entity of that table's hierarchy.
  func checkMembership(of root: EntityDescription, in schema: StoreSchema) {
    let table = schema.table(of: root)
    guard catalog.hasColumn("Z_ENT", in: table) else {
      return add(
        IntegrityFinding(.missingColumn, table: StoreCatalog.plain(table), detail: "Z_ENT"))
    }
    let numbers = schema.numbers.hierarchy(of: root).map(String.init).joined(separator: ", ")
    gather(
      IntegrityFinding(.wrongEntity, table: StoreCatalog.plain(table)),
      """
      SELECT Z_PK, Z_ENT FROM \(table)
      WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers)) ORDER BY Z_PK
      """,
      detail: { $0.isNull(1) ? "Z_ENT is NULL" : "Z_ENT is \($0.integer(1))" })
    for entity in root.selfAndDescendants where entity.isAbstract {
      gather(
        IntegrityFinding(.abstractEntity, entity: entity.name),
        "SELECT Z_PK, Z_ENT FROM \(table) WHERE Z_ENT = \(schema.numbers[entity]) ORDER BY Z_PK")
    }
  }
}
