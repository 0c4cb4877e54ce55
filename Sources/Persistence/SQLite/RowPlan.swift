/// Which column of a result goes into which slot of an entity's rows.
final class RowPlan {
  struct Field {
    enum Kind {
      case attribute(ColumnCodec)
      case composite(CompositeColumns)
      case toOne(ToOneField)
    }
    let slot: Int
    let column: Int32
    let kind: Kind
    let property: PropertyDescription
  }

  /// How the key of a to-one relationship becomes an object identifier.
  final class ToOneField {
    let destination: EntityDescription
    /// The column with the destination's entity number.
    let entityColumn: Int32?
    /// Keys that lead nowhere; they count as nil.
    let missing: Set<Int64>

    init(destination: EntityDescription, entityColumn: Int32?, missing: Set<Int64>) {
      self.destination = destination
      self.entityColumn = entityColumn
      self.missing = missing
    }
  }

  /// A column whose value needs nothing but a codec.
  struct PlainField {
    let slot: Int
    let column: Int32
    let codec: ColumnCodec
  }

  /// The columns of a to-one relationship.
  struct Reference {
    let slot: Int
    let column: Int32
    let entityColumn: Int32?
  }

  let entity: EntityDescription
  /// The fields that are plain, and the others.
  let plain: ContiguousArray<PlainField>
  let others: [Field]
  /// The to-one relationships among the others.
  let references: ContiguousArray<Reference>

  init(entity: EntityDescription, fields: [Field]) {
    self.entity = entity
    var (plain, others): (ContiguousArray<PlainField>, [Field]) = ([], [])
    for field in fields {
      if let codec = field.plainCodec {
        plain.append(PlainField(slot: field.slot, column: field.column, codec: codec))
      } else {
        others.append(field)
      }
    }
    self.plain = plain
    self.others = others
    references = ContiguousArray(others.compactMap(\.reference))
  }
}

extension RowPlan.Field {
  fileprivate var plainCodec: ColumnCodec? {
    switch kind {
    case .attribute(.externalBinary): nil
    case .attribute(let codec): codec
    case .composite, .toOne: nil
    }
  }

  fileprivate var reference: RowPlan.Reference? {
    guard case .toOne(let toOne) = kind else { return nil }
    return RowPlan.Reference(slot: slot, column: column, entityColumn: toOne.entityColumn)
  }
}

/// The columns to select for an entity and its subentities, with one plan for each of them.
final class RowReader {
  /// `Z_PK, Z_ENT, Z_OPT` and the columns of all properties.
  let columnList: String
  /// Selects the row with a primary key.
  let rowSQL: String
  private let plansByNumber: [RowPlan?]
  private let firstNumber: Int64
  /// The plan for all rows of a table that holds one entity only: it says what they are, whatever their
  /// number.
  // Core Data: assumed; a fetch from such a table doesn't ask for the number.
  private let onlyPlan: RowPlan?

  /// - Parameter missingKeys: The dangling keys of a to-one relationship.
  init(
    for hierarchy: [EntityDescription], schema: StoreSchema,
    missingKeys: (RelationshipDescription) throws -> Set<Int64>
  ) throws {
    let entities = hierarchy.filter { schema.numbers[$0] > 0 }
    var columns = StoreSchema.fixedColumns
    var fields: [ObjectIdentifier: RowPlan.Field] = [:]
    for property in entities.flatMap(\.properties)
    where fields[ObjectIdentifier(property)] == nil {
      guard
        let kind = try Self.kind(
          of: property, schema: schema, columns: &columns, missingKeys: missingKeys)
      else { continue }
      fields[ObjectIdentifier(property)] = RowPlan.Field(
        slot: property.slot, column: kind.column, kind: kind.kind, property: property)
    }
    columnList = columns.joined(separator: ", ")
    let table = entities.first.map { schema.table(of: $0) } ?? ""
    rowSQL = "SELECT \(columnList) FROM \(table) WHERE Z_PK = ?"
    let numbers = entities.map { schema.numbers[$0] }
    let first = numbers.min() ?? 0
    firstNumber = first
    var plans = [RowPlan?](repeating: nil, count: Int((numbers.max() ?? 0) - first) + 1)
    for (entity, number) in zip(entities, numbers) {
      plans[Int(number - first)] = RowPlan(
        entity: entity, fields: entity.properties.compactMap { fields[ObjectIdentifier($0)] })
    }
    plansByNumber = plans
    onlyPlan = entities.first?.isAloneInItsTable == true ? plans[0] : nil
  }

  private static func kind(
    of property: PropertyDescription, schema: StoreSchema, columns: inout [String],
    missingKeys: (RelationshipDescription) throws -> Set<Int64>
  ) throws -> (column: Int32, kind: RowPlan.Field.Kind)? {
    let position = Int32(columns.count)
    switch (schema.storage(of: property), property) {
    case (.attribute(let column, let codec), _):
      columns.append(column)
      return (position, .attribute(codec))
    case (.composite(let composite), _):
      columns += composite.leaves.map(\.name)
      return (position, .composite(composite))
    case (.toOne(let toOne), let relationship as RelationshipDescription):
      columns.append(toOne.key)
      if let entity = toOne.entity { columns.append(entity) }
      return (
        position,
        .toOne(
          RowPlan.ToOneField(
            destination: relationship.destinationEntity,
            entityColumn: toOne.entity == nil ? nil : position + 1,
            missing: try missingKeys(relationship)))
      )
    default: return nil
    }
  }

  /// The plan for rows with an entity number; nil for a number that isn't among the entities.
  @inline(__always)
  func plan(forNumber number: Int64) -> RowPlan? {
    let index = number &- firstNumber
    guard index >= 0, index < plansByNumber.count else { return onlyPlan }
    return plansByNumber[Int(index)]
  }

  /// Whether rows with a number are taken for what the table holds, although it isn't their entity's.
  @inline(__always)
  func isForeign(_ number: Int64) -> Bool { number != firstNumber && onlyPlan != nil }

  var plans: [RowPlan] { plansByNumber.compactMap { $0 } }
}
