/// A scalar in SQL, with what is known about its values.
struct SQLOperand {
  let fragment: SQLFragment
  let kind: Kind
  /// The value, for a constant.
  let constant: Value?
  /// Whether the values are integers of 32 bits: no sum of a table's rows is too large, and neither is
  /// what an operator makes of two of them.
  let isSmall: Bool

  init(
    _ fragment: SQLFragment, _ kind: Kind, constant: Value? = nil, isSmall: Bool = false
  ) {
    self.fragment = fragment
    self.kind = kind
    self.constant = constant
    self.isSmall = isSmall
  }

  /// What values an operand has. Those of different kinds are never equal in memory, while SQLite
  /// would convert some of them.
  enum Kind: Hashable {
    case integer
    /// What is computed from integers: a Double where it takes more than 64 bits.
    case integerOrDouble
    case double
    case decimal
    case text
    case date
    case uuid
    case uri
    /// The primary key of an object of the hierarchy with this root entity.
    case object(hierarchy: EntityDescription)
    /// Data of which only the absence can be seen from SQL.
    case opaque
    /// The constant nil, which all kinds have.
    case null

    var isNumber: Bool {
      [.integer, .integerOrDouble, .double, .decimal].contains(self)
    }

    /// Whether values of both kinds can be equal.
    func isComparable(with other: Kind) -> Bool {
      if self == .null || other == .null { return true }
      if self == .opaque || other == .opaque { return false }
      return self == other || (isNumber && other.isNumber)
    }

    /// Whether values have an order in memory and in SQL, the same one.
    var isOrdered: Bool {
      switch self {
      case .integer, .integerOrDouble, .double, .decimal, .text, .date, .uuid, .null: true
      case .uri, .object, .opaque: false
      }
    }
  }

  /// A constant of one of the kinds; nil for collections, objects and the like.
  init?(_ constant: Value) {
    guard let kind = Kind(of: constant) else { return nil }
    let isSmall =
      if case .integer(let integer) = constant { Int32(exactly: integer) != nil } else { false }
    self.init(kind == .null ? "NULL" : "\(constant)", kind, constant: constant, isSmall: isSmall)
  }
}

extension SQLOperand.Kind {
  /// The kind of a stored attribute's values; nil for those that can't be compared.
  init?(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: self = .integer
    case .double, .float: self = .double
    case .decimal: self = .decimal
    case .string: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .binaryData, .transformable: self = .opaque
    case .undefined, .objectID, .composite: return nil
    }
  }

  /// The kind of a constant; nil for one that isn't a scalar of a store.
  init?(of constant: Value) {
    switch constant {
    case .null: self = .null
    case .integer: self = .integer
    case .double(let value) where !value.isNaN: self = .double
    case .decimal(let value) where !value.isNaN: self = .decimal
    // Some functions of SQLite take a NUL for the end of the text.
    case .string(let text) where !text.utf8.contains(0): self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    default: return nil
    }
  }
}
