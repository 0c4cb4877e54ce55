// What there is, counted.

extension StoreAudit {
  /// Fills in what isn't a finding.
  func describe(_ inspection: inout StoreInspection) {
    inspection.wasCheckedAgainstModel = schema != nil
    inspection.externalData = externalData
    inspection.entities = entityRows.sorted { $0.number < $1.number }.map(rows(of:))
    var rest = Set(catalog.tableNames)
    rest.subtract(["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"])
    rest.subtract(inspection.entities.map(\.table))
    let joins = joinRelationships(among: rest)
    for table in rest.sorted() {
      let rows = StoreInspection.TableRows(
        table: table, rows: count("SELECT count(*) FROM \(StoreNames.quoted(table))"),
        relationship: joins[table] ?? nil)
      if Self.historyTables.contains(table) {
        inspection.historyTables.append(rows)
      } else if joins[table] != nil {
        inspection.joinTables.append(rows)
      } else {
        inspection.otherTables.append(rows)
      }
    }
  }

  private func rows(of row: EntityNumbers.Row) -> StoreInspection.EntityRows {
    let root = self.root(of: row)
    let table = "Z" + root.name.uppercased()
    let entity = schema?.numbers.entity(numbered: row.number)
    return StoreInspection.EntityRows(
      name: entity?.name ?? row.name, number: row.number,
      superentity: row.parent == 0 ? nil : name(ofNumber: row.parent),
      isAbstract: entity?.isAbstract, table: table,
      rows: count("SELECT count(*) FROM \(StoreNames.quoted(table)) WHERE Z_ENT = \(row.number)"),
      highestKey: row.parent == 0 ? row.maximum : nil)
  }

  /// The top of an entity's hierarchy; a damaged one may run in a circle.
  private func root(of row: EntityNumbers.Row) -> EntityNumbers.Row {
    var (current, seen) = (row, Set([row.number]))
    while current.parent != 0,
      let parent = entityRows.first(where: { $0.number == current.parent }),
      seen.insert(parent.number).inserted
    {
      current = parent
    }
    return current
  }

  /// Nil where it can't be counted, which is shown as not known, and never as none.
  private func count(_ sql: String) -> Int? {
    (try? database.integer(sql)).flatMap { $0 }.map { Int($0) }
  }

  /// The join tables and, with a model, the relationships that name them.
  private func joinRelationships(among tables: Set<String>) -> [String: String?] {
    var joins: [String: String?] = [:]
    guard let schema else {
      for table in tables where isJoinName(table) { joins[table] = .some(nil) }
      return joins
    }
    for entity in schema.model.entities {
      for case let relationship as RelationshipDescription in entity.ownProperties {
        guard case .join(let side) = schema.storage(of: relationship), side.writesLinks else {
          continue
        }
        joins[StoreCatalog.plain(side.table)] = "\(entity.name).\(relationship.name)"
      }
    }
    return joins
  }

  /// `Z_`, a number and a name, as Core Data calls no other table.
  private func isJoinName(_ table: String) -> Bool {
    let rest = table.dropFirst(2)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return table.hasPrefix("Z_") && !digits.isEmpty && digits.count < rest.count
  }
}
