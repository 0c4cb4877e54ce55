/// Which column of a result, or which parameter, a slot of an entity's rows goes by. `ToOne` says what more there is
/// to know of a to-one relationship.
struct RowField<ToOne> {
  enum Kind {
    case attribute(ColumnCodec)
    /// A composite attribute; its elements' columns follow each other.
    case composite(CompositeColumns)
    /// A to-one relationship; its entity number, if kept, is the next column.
    case toOne(ToOne)
  }
  let slot: Int
  let column: Int32
  let kind: Kind
  let property: PropertyDescription

  /// The codec, where the value needs nothing else.
  var plainCodec: ColumnCodec? {
    switch kind {
    case .attribute(.externalBinary): nil
    case .attribute(let codec): codec
    case .composite, .toOne: nil
    }
  }
}

/// Which column of a result goes into which slot of an entity's rows.
final class RowPlan {
  typealias Field = RowField<ToOneField>

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
    references = ContiguousArray(
      others.compactMap { field in
        guard case .toOne(let toOne) = field.kind else { return nil }
        return Reference(slot: field.slot, column: field.column, entityColumn: toOne.entityColumn)
      })
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
      let (storage, column) = (schema.storage(of: property), Int32(columns.count))
      guard let kind = try Self.kind(of: property, storage, column, missingKeys) else { continue }
      columns += storage.columns
      fields[ObjectIdentifier(property)] = RowPlan.Field(
        slot: property.slot, column: column, kind: kind, property: property)
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
    of property: PropertyDescription, _ storage: PropertyStorage, _ column: Int32,
    _ missingKeys: (RelationshipDescription) throws -> Set<Int64>
  ) throws -> RowPlan.Field.Kind? {
    switch (storage, property) {
    case (.attribute(_, let codec), _): return .attribute(codec)
    case (.composite(let composite), _): return .composite(composite)
    case (.toOne(let toOne), let relationship as RelationshipDescription):
      return .toOne(
        RowPlan.ToOneField(
          destination: relationship.destinationEntity,
          entityColumn: toOne.entity == nil ? nil : column + 1,
          missing: try missingKeys(relationship)))
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
