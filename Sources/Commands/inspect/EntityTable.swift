/// The entities of a report with their rows, subentities indented below theirs.
struct EntityTable {
  private let rows: [(depth: Int, entity: StoreInspection.EntityRows)]

  init(_ report: InspectReport) {
    let entities = report.inspection.entities
    let parents = Dictionary(firstOf: entities.map { ($0.name, $0.superentity) })
    rows = entities.map { (Self.depth(of: $0, parents), $0) }
  }

  /// A damaged hierarchy may run in a circle.
  private static func depth(
    of entity: StoreInspection.EntityRows, _ parents: [String: String?]
  ) -> Int {
    var (depth, next) = (0, entity.superentity)
    while let name = next, depth < parents.count {
      depth += 1
      next = parents[name] ?? nil
    }
    return depth
  }

  func lines(_ style: TextStyle) -> [String] { table?.lines(style, indent: 2) ?? [] }

  /// Nil for a store without entities.
  var table: TextTable? {
    guard !rows.isEmpty else { return nil }
    let names = rows.map { String(repeating: "  ", count: $0.depth) + $0.entity.name }
    let cells = zip(names, rows).map { name, row in
      [
        name, "\(row.entity.number)", Self.rowText(row.entity),
        row.entity.highestKey.map(String.init) ?? "",
      ]
    }
    return TextTable([["entity", "number", "rows", "last key"]] + cells, least: 8)
  }

  private static func rowText(_ entity: StoreInspection.EntityRows) -> String {
    guard let rows = entity.rows else { return "?" }
    return rows == 0 && entity.isAbstract == true ? "abstract" : "\(rows)"
  }
}
