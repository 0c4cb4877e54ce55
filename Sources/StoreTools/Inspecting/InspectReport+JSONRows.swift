// The lists of a report for machines.

struct EntityPart: Encodable {
  let name: String
  let number: Int64
  let superentity: String?
  let isAbstract: Bool?
  let table: String
  let rows: Int?
  let highestKey: Int64?

  init(_ entity: StoreInspection.EntityRows) {
    name = entity.name
    number = entity.number
    superentity = entity.superentity
    isAbstract = entity.isAbstract
    table = entity.table
    rows = entity.rows
    highestKey = entity.highestKey
  }
}

struct TablePart: Encodable {
  let table: String
  let rows: Int?
  let relationship: String?

  init(_ table: StoreInspection.TableRows) {
    self.table = table.table
    rows = table.rows
    relationship = table.relationship
  }
}

struct ExternalPart: Encodable {
  let references: Int
  let missingFiles: Int
  let orphanFiles: Int

  init(_ facts: StoreInspection.ExternalDataFacts) {
    references = facts.references
    missingFiles = facts.missingFiles
    orphanFiles = facts.orphanFiles
  }
}

struct FindingPart: Encodable {
  struct Row: Encodable {
    /// The object's URI; nil for a row of no known entity.
    let object: String?
    let key: Int64
    /// What the row leads to.
    let target: String?
    let detail: String?
  }

  let id: String
  let severity: String
  let entity: String?
  let property: String?
  let table: String?
  let count: Int
  let message: String
  let rows: [Row]

  init(_ finding: IntegrityFinding, store: String?) {
    id = finding.kind.rawValue
    severity = finding.severity.rawValue
    entity = finding.entity
    property = finding.property
    table = finding.table
    count = finding.count
    message = finding.message
    rows = finding.rows.map { row in
      Row(
        object: row.entity.map { "x-coredata://\(store ?? "")/\($0)/p\(row.key)" }, key: row.key,
        target: row.target, detail: row.detail)
    }
  }
}
