// Values in files beside the store.

extension StoreAudit {
  func checkExternalData(in schema: StoreSchema) {
    var references: Set<String> = []
    var facts = StoreInspection.ExternalDataFacts()
    var isUsed = false
    for entity in entities {
      for case let attribute as AttributeDescription in entity.ownProperties {
        guard case .attribute(let column, .externalBinary) = schema.storage(of: attribute),
          catalog.hasColumn(column, in: schema.table(of: entity))
        else { continue }
        isUsed = true
        checkFiles(of: attribute, column, in: schema, &references, &facts)
      }
    }
    if isUsed { noteOrphans(besides: references, &facts) }
    externalData = isUsed ? facts : nil
  }

  private var folder: URL { files.resolved.externalDataFolderURL }

  private func checkFiles(
    of attribute: AttributeDescription, _ column: String, in schema: StoreSchema,
    _ references: inout Set<String>, _ facts: inout StoreInspection.ExternalDataFacts
  ) {
    let entity: EntityDescription = attribute.entity
    let table = schema.table(of: entity)
    var finding = IntegrityFinding(
      .missingExternalFile, entity: entity.name, property: attribute.name,
      detail: "\(folder.deletingLastPathComponent().lastPathComponent)/_EXTERNAL_DATA", count: 0)
    let sql = """
      SELECT Z_PK, Z_ENT, \(column) FROM \(table) WHERE typeof(\(column)) = 'blob'
        AND substr(\(column), 1, 1) = x'02' AND \(hierarchy(entity, schema, table)) ORDER BY Z_PK
      """
    attempt("\(entity.name).\(attribute.name)") {
      try database.with(sql) { statement in
        while try statement.step() {
          guard case .file(let name)? = ExternalData.content(of: statement.data(2)) else {
            continue
          }
          facts.references += 1
          references.insert(name.uppercased())
          if try ExternalData(folder: folder).has(name) { continue }
          finding.count += 1
          if finding.rows.count < rowLimit {
            finding.rows.append(row(statement, detail: { _ in name }))
          }
        }
      }
    }
    facts.missingFiles += finding.count
    if finding.count > 0 { add(finding) }
  }

  private func noteOrphans(
    besides references: Set<String>, _ facts: inout StoreInspection.ExternalDataFacts
  ) {
    var names: [String] = []
    attempt(folder.lastPathComponent) { names = try FileCalls.names(in: folder) }
    let orphans = names.filter { !references.contains($0.uppercased()) }.sorted()
    facts.orphanFiles = orphans.count
    guard !orphans.isEmpty else { return }
    let more = orphans.count > rowLimit ? ", …" : ""
    add(
      IntegrityFinding(
        .orphanExternalFile, table: folder.deletingLastPathComponent().lastPathComponent,
        detail: orphans.prefix(max(1, rowLimit)).joined(separator: ", ") + more,
        count: orphans.count))
  }
}
