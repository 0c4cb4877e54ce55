/// Writes the rows of one entity: which slot goes to which parameter, and the statements.
///
/// Parameter 1 is the primary key, 2 the new version; the properties' columns follow.
final class RowWriter {
  /// The column is a parameter's number. Of a to-one relationship it says whether its entity number is kept.
  typealias Field = RowField<Bool>

  let entity: EntityDescription
  let table: String
  let fields: [Field]
  /// Those of `fields` that need nothing but a codec, and the others.
  let plain: ContiguousArray<RowPlan.PlainField>
  let others: [Field]
  /// Whether each field needs nothing but its value or key: no file, no composite.
  let isPlain: Bool
  let insertion: Statement
  let update: Statement
  let deletion: Statement
  /// The parameter of the update with the version that was read.
  let oldVersionParameter: Int32
  /// The columns of values that may be in files of their own.
  let externalColumns: [String]
  /// The columns of properties, in the order of their parameters.
  let columns: [String]
  let constraints: [UniqueColumns]
  /// The statements that write some of the fields, by their slots.
  var partialUpdates: [UInt64: PartialUpdate] = [:]
  var lastPartialUpdate: PartialUpdate?
  /// Takes the values of uniqueness constraints away from a row that is about to be updated.
  let uniqueRelease: Statement?

  init(for entity: EntityDescription, schema: StoreSchema, database: Database) throws {
    self.entity = entity
    table = schema.table(of: entity)
    var draft = RowWriterDraft()
    for property in entity.properties { draft.add(property, schema.storage(of: property)) }
    fields = draft.fields
    others = fields.filter { $0.plainCodec == nil }
    plain = ContiguousArray(
      fields.compactMap { field in
        field.plainCodec.map { .init(slot: field.slot, column: field.column, codec: $0) }
      })
    isPlain = fields.allSatisfy(\.isPlain)
    oldVersionParameter = draft.nextParameter
    externalColumns = draft.externalColumns
    constraints = schema.constraints(on: entity)
    columns = draft.columns
    let key = "Z_PK = ?1 AND Z_OPT = ?"
    let number = schema.numbers[entity]
    let parameters = (3..<draft.nextParameter).map { ", ?\($0)" }.joined()
    insertion = try database.statement(
      "INSERT INTO \(table) (\(StoreSchema.list(columns))) "
        + "VALUES (?1, \(number), ?2\(parameters))")
    update = try database.statement(
      "UPDATE \(table) SET Z_OPT = ?2\(draft.assignments) WHERE \(key)\(draft.nextParameter)")
    deletion = try database.statement("DELETE FROM \(table) WHERE \(key)2")
    uniqueRelease = try Self.release(of: constraints, table: table).map(database.statement)
  }

  private static func release(of constraints: [UniqueColumns], table: String) -> String? {
    let columns = Set(constraints.flatMap(\.columns)).sorted()
    if columns.isEmpty { return nil }
    let assignments = columns.map { "\($0) = NULL" }.joined(separator: ", ")
    return "UPDATE \(table) SET \(assignments) WHERE Z_PK = ?1 AND Z_OPT = ?2"
  }
}

extension RowWriter.Field {
  fileprivate var isPlain: Bool {
    switch kind {
    case .attribute(.externalBinary), .attribute(.transformable), .composite: false
    case .attribute, .toOne: true
    }
  }
}

/// Collects the columns of an entity's rows.
private struct RowWriterDraft {
  var fields: [RowWriter.Field] = []
  var columns: [String] = []
  var orderAssignments: [String] = []
  var externalColumns: [String] = []

  var nextParameter: Int32 { Int32(columns.count) + 3 }

  var assignments: String {
    let values = columns.enumerated().map { ", \($0.element) = ?\($0.offset + 3)" }
    return (values + orderAssignments).joined()
  }

  mutating func add(_ property: PropertyDescription, _ storage: PropertyStorage) {
    let kind: RowWriter.Field.Kind
    let parameter = nextParameter
    switch storage {
    case .attribute(let column, let codec):
      kind = .attribute(codec)
      if case .externalBinary = codec { externalColumns.append(column) }
    case .composite(let composite): kind = .composite(composite)
    case .toOne(let toOne):
      kind = .toOne(toOne.entity != nil)
      // A member that leaves an ordered relationship loses its place in the order.
      if let order = toOne.order {
        orderAssignments.append(
          ", \(order) = CASE WHEN ?\(parameter) IS NULL THEN NULL ELSE \(order) END")
      }
    case .children, .join, .none: return
    }
    columns += storage.columns
    fields.append(
      RowWriter.Field(slot: property.slot, column: parameter, kind: kind, property: property))
  }
}
