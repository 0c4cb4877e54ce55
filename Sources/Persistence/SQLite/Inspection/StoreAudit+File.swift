// The file, and what it says about its entities and history.

extension StoreAudit {
  /// Most lines that SQLite's own check gives.
  private static let mostMessages = 100

  func checkFile() {
    let messages: [String]
    do {
      messages = try database.texts("PRAGMA integrity_check(\(Self.mostMessages))")
        .flatMap { $0.split(separator: "\n").map(String.init) }
        .filter { $0 != "ok" && !$0.hasPrefix("*** in database main ***") }
    } catch {
      messages = ["it can't be done to its end: \(error.shortReason)"]
    }
    guard !messages.isEmpty else { return }
    let shown = messages.prefix(max(1, rowLimit)).joined(separator: "; ")
    let more = messages.count > max(1, rowLimit) ? "; …" : ""
    add(
      IntegrityFinding(
        .sqliteIntegrity, detail: "SQLite's own check: \(shown)\(more)", count: messages.count))
  }

  /// What the schema has that nothing here runs or reads.
  func checkSchema() {
    attempt("sqlite_master") {
      for ignored in try IgnoredSchema.all(in: database) {
        add(
          IntegrityFinding(
            .ignoredSchema, table: ignored.table, detail: ignored.message,
            count: max(1, ignored.names.count)))
      }
    }
  }

  func checkBookkeeping() {
    guard catalog.hasTable("Z_PRIMARYKEY") else {
      return add(IntegrityFinding(.missingTable, table: "Z_PRIMARYKEY"))
    }
    attempt("Z_PRIMARYKEY") { _ = try EntityNumbers.rows(in: database) }
    for row in entityRows where row.parent == 0 {
      attempt("Z" + row.name.uppercased()) { try checkMaximum(of: row) }
    }
    if let schema { checkNumbers(of: schema) }
  }

  /// Primary keys are never given out twice, so none may be above the highest one given out.
  private func checkMaximum(of root: EntityNumbers.Row) throws {
    let table = StoreNames.quoted("Z" + root.name.uppercased())
    guard catalog.hasTable(table) else { return }
    let highest = try database.integer("SELECT max(Z_PK) FROM \(table)") ?? 0
    guard root.maximum < highest else { return }
    add(
      IntegrityFinding(
        .staleMaximum, entity: root.name, table: "Z_PRIMARYKEY",
        detail:
          "\(root.maximum), but the highest key in \(StoreCatalog.plain(table)) is \(highest)",
        count: Int(clamping: highest &- root.maximum)))
  }

  private func checkNumbers(of schema: StoreSchema) {
    let byNumber = Dictionary(
      entityRows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in entities {
      guard let row = byNumber[schema.numbers[entity]] else {
        add(IntegrityFinding(.missingEntityNumber, entity: entity.name))
        continue
      }
      if row.name != entity.name {
        add(IntegrityFinding(.oldEntityName, entity: entity.name, detail: "'\(row.name)'"))
      }
      let parent = entity.superentity.map { schema.numbers[$0] } ?? 0
      if row.parent != parent {
        add(
          IntegrityFinding(
            .wrongSuperentity, entity: entity.name,
            detail: "\(row.parent), but should be \(parent)"))
      }
    }
    let used = Set(schema.entities.map { schema.numbers[$0] })
    for row in entityRows where !used.contains(row.number) {
      add(
        IntegrityFinding(
          .unknownEntityNumber, table: "Z_PRIMARYKEY", detail: "'\(row.name)' (\(row.number))"))
    }
  }
}

// MARK: - Persistent history

extension StoreAudit {
  static let historyTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// Changes name entities by number, which a migration may have given to others.
  func checkHistory() {
    guard catalog.hasColumn("ZENTITY", in: "ACHANGE") else { return }
    gather(
      IntegrityFinding(
        .historyReference, table: "ACHANGE", detail: "an entity number that isn't in Z_PRIMARYKEY"),
      """
      SELECT Z_PK, ZENTITY FROM ACHANGE
      WHERE ZENTITY NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY) ORDER BY Z_PK
      """)
    guard catalog.hasColumn("ZTRANSACTIONID", in: "ACHANGE"), catalog.hasTable("ATRANSACTION")
    else {
      return
    }
    gather(
      IntegrityFinding(
        .historyReference, table: "ACHANGE", detail: "a transaction that isn't in ATRANSACTION"),
      """
      SELECT Z_PK, ZENTITY FROM ACHANGE WHERE ZTRANSACTIONID IS NOT NULL
        AND ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION) ORDER BY Z_PK
      """)
  }
}
