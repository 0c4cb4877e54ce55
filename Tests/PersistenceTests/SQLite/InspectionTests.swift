import TestSupport
import Testing

@testable import Persistence

/// What an inspection finds in stores that were altered with SQL.
@Suite("Inspecting an SQLite store")
struct InspectionTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  /// A closed store with sample rows, changed by SQL.
  private func make(
    _ shape: StoreShape, _ model: ManagedObjectModel? = nil, changedBy statements: [String] = []
  ) throws {
    let store = try SQLiteStore.create(at: url, model: model ?? shape.model())
    try shape.fill(store)
    for statement in statements { try store.database.execute(statement) }
    try store.close()
  }

  private func inspection(rowLimit: Int = 5) throws -> StoreInspection {
    let inspector = try StoreInspector(of: url)
    return try inspector.inspect(with: inspector.cachedModel, rowLimit: rowLimit)
  }

  /// The findings with their rows, a line each.
  private func findings(rowLimit: Int = 5) throws -> [String] {
    try inspection(rowLimit: rowLimit).findings.map { finding in
      let rows = finding.rows.map { row in
        finding.name(of: row) + (row.target.map { " -> \($0)" } ?? "")
          + (row.detail.map { ": \($0)" } ?? "")
      }
      let list = rows.isEmpty ? "" : " [\(rows.joined(separator: ", "))]"
      return "\(finding.severity) \(finding)\(list)"
    }
  }

  @Test(arguments: StoreShape.allCases)
  func nothingIsWrongWithAStoreOfOurs(_ shape: StoreShape) throws {
    try make(shape)
    #expect(try findings().filter { !$0.hasPrefix("note") } == [])
    #expect(try inspection().isSound)
    #expect(try inspection().wasCheckedAgainstModel)
  }

  @Test(arguments: relationships + rows + tables)
  func damageIsFoundAndNothingElse(_ damaged: Case) throws {
    try make(damaged.shape, changedBy: damaged.sql)
    let found = try findings()
    #expect(found == damaged.expected)
  }
}
