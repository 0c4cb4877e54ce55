/// The columns of a composite attribute: one for each element that isn't composite itself, depth
/// first.
/// Core Data: observed in 58 of 58 tables; assumed for composites in composites.
struct CompositeColumns {
  enum Part {
    case column(String, ColumnCodec)
    case composite(CompositeColumns)
    /// An element without a type, or that isn't stored.
    case none
  }
  let attribute: AttributeDescription
  /// In the order of the elements.
  let parts: [Part]

  /// The columns with their codecs, in order.
  var leaves: [(name: String, codec: ColumnCodec)] {
    parts.flatMap { part -> [(name: String, codec: ColumnCodec)] in
      switch part {
      case .column(let name, let codec): [(name, codec)]
      case .composite(let columns): columns.leaves
      case .none: []
      }
    }
  }

  // MARK: Reading

  /// The value whose first column is `column`.
  func read(_ row: Statement, from column: Int32) throws -> Value {
    var next = column
    return try read(row, next: &next)
  }

  private func read(_ row: Statement, next: inout Int32) throws -> Value {
    var values: [Value] = []
    for part in parts {
      switch part {
      case .column(_, let codec):
        values.append(try codec.read(row, next))
        next += 1
      case .composite(let columns): values.append(try columns.read(row, next: &next))
      case .none: values.append(.null)
      }
    }
    return CompositeValue.value(of: attribute.elements, values)
  }

  // MARK: Writing

  /// Binds a value to parameters from `parameter` on.
  func bind(_ value: Value, to statement: Statement, at parameter: Int32) throws {
    for (offset, leaf) in values(of: value).enumerated() {
      let index = parameter + Int32(offset)
      if try !leaf.codec.bind(leaf.value, to: statement, at: index) {
        statement.bindNull(at: index)
      }
    }
  }

  /// The values of the columns, in the order of ``leaves``.
  func values(of value: Value) -> [(value: Value, codec: ColumnCodec)] {
    let values = value.composite?.values
    return parts.indices.flatMap { index -> [(value: Value, codec: ColumnCodec)] in
      let element = values?[index] ?? .null
      switch parts[index] {
      case .column(_, let codec): return [(element, codec)]
      case .composite(let columns): return columns.values(of: element)
      case .none: return []
      }
    }
  }
}

extension StoreSchema {
  /// A condition that holds where a row has no value for a property, or for an element of a composite
  /// attribute that isn't nil; nil for what has no column.
  func lack(of property: PropertyDescription) -> String? {
    let isNull: String
    switch (storage(of: property), property) {
    case (.attribute(let column, _), _): isNull = "\(column) IS NULL"
    case (.toOne(let columns), _): isNull = "\(columns.key) IS NULL"
    case (.composite, let attribute as AttributeDescription):
      isNull = "\(anyElement(of: attribute)) IS NULL"
    default: return nil
    }
    guard let composite = (property as? AttributeDescription)?.composite else { return isNull }
    return "(\(isNull) AND \(anyElement(of: composite)) IS NOT NULL)"
  }

  /// An expression that is NULL where a composite attribute is nil.
  func anyElement(of attribute: AttributeDescription, in row: String? = nil) -> String {
    guard case .composite(let columns) = storage(of: attribute) else { return "NULL" }
    let prefix = row.map { "\($0)." } ?? ""
    let names = columns.leaves.map { prefix + $0.name }
    return "coalesce(\((["NULL", "NULL"] + names).joined(separator: ", ")))"
  }
}
