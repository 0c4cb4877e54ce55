/// What a migration manager's validation asks of the rows of one entity, as a condition for rows that
/// might fail it.
///
/// The condition may also hold for a sound row, never the other way round: text is measured in
/// bytes and code points, where validation counts UTF-16 units.
struct TransferRules {
  let entity: EntityDescription
  let schema: StoreSchema
  /// The attributes whose values SQLite computed.
  let computed: [AttributeDescription]

  /// The condition for doubtful rows; nil where every row is sound.
  /// - Throws: ``PlanUnsupported`` for rules that only validation itself can judge.
  func doubt() throws -> BoundSQL? {
    var parts: [BoundSQL] = []
    for attribute in entity.attributes { parts += try doubts(about: attribute) }
    for relationship in entity.relationships { parts += try doubts(about: relationship) }
    if parts.isEmpty { return nil }
    return BoundSQL(
      text: parts.map(\.text).joined(separator: " OR "), bindings: parts.flatMap(\.bindings))
  }

  // MARK: Attributes

  private func doubts(about attribute: AttributeDescription) throws -> [BoundSQL] {
    guard case .attribute(let column, let codec) = schema.storage(of: attribute) else {
      if attribute.isOptional { return [] }
      throw PlanUnsupported(attribute, "it is required, and no column tells whether it is there")
    }
    if attribute.regularExpression != nil || !attribute.validationConditions.isEmpty {
      throw PlanUnsupported(attribute, "its pattern or its conditions are compared one by one")
    }
    var parts: [BoundSQL] = []
    if !attribute.isOptional { parts.append(BoundSQL(text: "\(column) IS NULL")) }
    switch codec {
    case .string: parts += lengthDoubts(about: attribute, column)
    case .uuid: parts.append(BoundSQL(text: "length(\(column)) <> 16"))
    case .uri: throw PlanUnsupported(attribute, "URIs are validated one by one")
    // What an integer can't hold, SQLite computes as a real.
    case .integer where computed.contains { $0 === attribute }:
      parts.append(BoundSQL(text: "typeof(\(column)) = 'real'"))
      if let numbers = attribute.attributeType.wholeNumbers {
        let (least, most) = (numbers.lowerBound, numbers.upperBound)
        parts.append(BoundSQL(text: "\(column) NOT BETWEEN \(least) AND \(most)"))
      }
    default: break
    }
    return parts + boundDoubts(about: attribute, column, codec)
  }

  private func lengthDoubts(about attribute: AttributeDescription, _ column: String) -> [BoundSQL] {
    var parts: [BoundSQL] = []
    // A unit takes one byte or more of UTF-8, a code point one unit or more.
    if let least = attribute.minimum.doubleValue {
      parts.append(Self.number("length(\(column)) < ?", least))
    }
    if let most = attribute.maximum.doubleValue {
      parts.append(Self.number("length(CAST(\(column) AS BLOB)) > ?", most))
    }
    return parts
  }

  private func boundDoubts(
    about attribute: AttributeDescription, _ column: String, _ codec: ColumnCodec
  ) -> [BoundSQL] {
    guard [.integers, .reals, .decimals].contains(codec.group) else { return [] }
    return [(attribute.minimum, "<"), (attribute.maximum, ">")].compactMap { bound, symbol in
      bound.isNull ? nil : BoundSQL(text: "\(column) \(symbol) ?", bindings: [(bound, nil)])
    }
  }

  // MARK: Relationships

  private func doubts(about relationship: RelationshipDescription) throws -> [BoundSQL] {
    if relationship.isTransient { return [] }
    if relationship.isToMany {
      let isFree = relationship.isOptional && relationship.minCount == 0
      if isFree && relationship.maxCount <= 0 { return [] }
      throw PlanUnsupported(relationship, "its members are counted one by one")
    }
    guard !relationship.isOptional else { return [] }
    guard case .toOne(let columns) = schema.storage(of: relationship) else {
      throw PlanUnsupported(
        relationship, "it is required, and no column tells whether it is there")
    }
    return [BoundSQL(text: "\(columns.key) IS NULL")]
  }

  // MARK: SQL

  private static func number(_ text: String, _ number: Double) -> BoundSQL {
    BoundSQL(text: text, bindings: [(.double(number), nil)])
  }
}
