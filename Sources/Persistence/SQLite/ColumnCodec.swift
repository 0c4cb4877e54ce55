/// How the values of an attribute are written into a column and read back.
/// Core Data: declared types and encodings observed in Apple's own stores.
enum ColumnCodec {
  case integer, boolean
  case double, float
  case decimal
  case date
  case string, uri
  case uuid
  case transformable
  case binary
  /// Binary data with a tag byte, in the column or in a file of its own.
  case externalBinary

  /// The codec of an attribute; nil for one that has no column.
  init?(_ attribute: AttributeDescription) {
    guard attribute.isStored else { return nil }
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: self = .integer
    case .boolean: self = .boolean
    case .double: self = .double
    case .float: self = .float
    case .decimal: self = .decimal
    case .date: self = .date
    case .string: self = .string
    case .uri: self = .uri
    case .uuid: self = .uuid
    case .transformable: self = .transformable
    case .binaryData:
      self = attribute.allowsExternalBinaryDataStorage ? .externalBinary : .binary
    case .undefined, .objectID, .composite: return nil
    }
  }

  /// The codec of a composite's element: large data stays in its column.
  init?(element: AttributeDescription) {
    guard let codec = ColumnCodec(element) else { return nil }
    if case .externalBinary = codec { self = .binary } else { self = codec }
  }

  var declaredType: String {
    switch self {
    case .integer, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .uuid, .transformable, .binary, .externalBinary: "BLOB"
    }
  }

  /// Whether values may be of any size.
  @inline(__always)
  var isOfAnySize: Bool {
    switch self {
    case .string, .binary, .externalBinary, .transformable, .uri: true
    case .integer, .boolean, .double, .float, .decimal, .date, .uuid: false
    }
  }

  var group: ColumnGroup {
    switch self {
    case .integer, .boolean: .integers
    case .date, .double, .float: .reals
    case .decimal: .decimals
    case .string: .texts
    case .uri: .uris
    case .uuid: .uuids
    case .transformable: .transformables
    case .binary, .externalBinary: .binaries
    }
  }
}

/// The groups in which Core Data puts the columns of a table, in this order.
enum ColumnGroup: Int, Comparable {
  case integers, orderKeys, reals, decimals, texts, uris, uuids, transformables, binaries

  static func < (a: ColumnGroup, b: ColumnGroup) -> Bool { a.rawValue < b.rawValue }
}

// MARK: - Reading

extension ColumnCodec {
  /// The value of a column in the current row. An external value is given as the column has it,
  /// tag byte included.
  /// - Throws: `CoreDataError` for bytes that no value of the type has.
  @inline(__always)
  func read(_ row: Statement, _ column: Int32) throws -> Value {
    let cell = row.cell(column)
    if cell.isNull { return .null }
    switch self {
    case .integer: return .integer(cell.integer)
    case .boolean: return .integer(cell.integer == 0 ? 0 : 1)
    case .double, .float: return .double(cell.double)
    case .date: return .date(Date(timeIntervalSinceReferenceDate: cell.double))
    case .string: return .string(cell.text)
    case .binary, .externalBinary: return .data(cell.data)
    case .transformable: return .transformable(TransformableValue(archived: cell.data))
    case .decimal: return .decimal(try Self.decimal(row, column))
    case .uuid: return try Self.uuid(row, column)
    case .uri: return try Self.uri(row, column)
    }
  }

  private static func uuid(_ row: Statement, _ column: Int32) throws -> Value {
    guard let uuid = row.uuid(column) else {
      throw CoreDataError.unreadableValue("a UUID has 16 bytes, this has \(row.data(column).count)")
    }
    return .uuid(uuid)
  }

  private static func uri(_ row: Statement, _ column: Int32) throws -> Value {
    let text = row.text(column)
    guard let url = URL(string: text) else {
      throw CoreDataError.unreadableValue("'\(text)' isn't a URI")
    }
    return .uri(url)
  }

  /// Core Data stores decimals as doubles; what is beyond 15 digits is noise of the conversion. For "not a
  /// number", which SQLite's numbers don't have, the column has a text.
  // Core Data: observed in 26 values of two stores.
  private static func decimal(_ row: Statement, _ column: Int32) throws -> Decimal {
    if row.isInteger(column) { return Decimal(row.integer(column)) }
    guard row.isText(column) else { return decimal(row.double(column)) }
    if row.text(column) == notANumber { return .nan }
    throw CoreDataError.unreadableValue("'\(row.text(column))' isn't a number")
  }

  /// What a Decimal column has for "not a number".
  static let notANumber = "NaN"

  static func decimal(_ value: Double) -> Decimal {
    guard value.isFinite else { return .nan }
    return Decimal(string: String(format: "%.15g", value), locale: posix) ?? Decimal(
      ifFitting: value) ?? .nan
  }

  private static let posix = Locale(identifier: "en_US_POSIX")
}

// MARK: - Writing

extension ColumnCodec {
  /// Binds `value` to a parameter, or gives it as a result.
  /// - Returns: False when a value of this kind doesn't fit the column.
  @inline(__always)
  func bind(_ value: Value, to target: some ColumnTarget, at index: Int32) throws -> Bool {
    switch (self, value) {
    case (_, .null): target.bindNull(at: index)
    case (.integer, .integer(let value)): target.bind(value, at: index)
    case (.boolean, .integer(let value)): target.bind(value == 0 ? value : Int64(1), at: index)
    case (.double, .double(let value)), (.float, .double(let value)):
      target.bind(value, at: index)
    case (.date, .date(let value)):
      target.bind(value.timeIntervalSinceReferenceDate, at: index)
    case (.string, .string(let value)): target.bind(value, at: index)
    case (.binary, .data(let value)), (.externalBinary, .data(let value)):
      target.bind(value, at: index)
    case (.uuid, .uuid(let value)): target.bind(value, at: index)
    case (.uri, .uri(let value)): target.bind(value.absoluteString, at: index)
    case (.decimal, .decimal(let value)): Self.bind(value, to: target, at: index)
    case (.transformable, .transformable(let value)):
      target.bind(try Self.archived(value), at: index)
    default: return false
    }
    return true
  }

  /// Binds a property's value, also a number of another width or a Boolean: what the attribute takes, the
  /// column takes.
  /// - Throws: `CoreDataError` for a value that the attribute can't have.
  @inline(__always)
  func bind(
    _ value: Value, of property: @autoclosure () -> PropertyDescription,
    to target: some ColumnTarget, at index: Int32
  ) throws {
    if try bind(value, to: target, at: index) { return }
    let property = property()
    guard let attribute = property as? AttributeDescription,
      let fitting = value.coerced(to: attribute.attributeType),
      try bind(fitting, to: target, at: index)
    else { throw CoreDataError.unfit(value, property) }
  }

  private static func archived(_ value: TransformableValue) throws -> Data {
    do {
      return try value.archived()
    } catch {
      throw CoreDataError.notArchived(error)
    }
  }

  /// Binds a constant of a predicate in the form that columns of its type have.
  static func bind(constant: Value, to statement: Statement, at index: Int32) throws {
    let codec: ColumnCodec
    switch constant {
    case .null, .integer: codec = .integer
    case .double: codec = .double
    case .decimal: codec = .decimal
    case .date: codec = .date
    case .string: codec = .string
    case .uri: codec = .uri
    case .uuid: codec = .uuid
    case .data: codec = .binary
    case .transformable: codec = .transformable
    case .object, .collection:
      throw CoreDataError.strangeConstant
    }
    _ = try codec.bind(constant, to: statement, at: index)
  }

  /// An integer is stored as such, anything else as the nearest double, as in Core Data's stores.
  static func bind(_ value: Decimal, to target: some ColumnTarget, at index: Int32) {
    let text = value.description
    if let integer = Int64(text) {
      target.bind(integer, at: index)
    } else if value.isNaN {
      target.bind(notANumber, at: index)
    } else {
      target.bind(Double(text) ?? .nan, at: index)
    }
  }
}
