import ObjectModel
import Testing

extension SQLiteLiteral {
  /// What Core Data reads from a column for an attribute of a type.
  func value(of type: AttributeType) throws -> Value {
    switch (self, type) {
    case (.null, _): return .null
    case (.integer(let integer), .integer16), (.integer(let integer), .integer32),
      (.integer(let integer), .integer64), (.integer(let integer), .boolean):
      return .integer(integer)
    case (.integer(let integer), .double), (.integer(let integer), .float):
      return .double(Double(integer))
    case (.real(let real), .double), (.real(let real), .float): return .double(real)
    case (.integer(let integer), .decimal): return .decimal(Decimal(integer))
    case (.real(let real), .decimal):
      return .decimal(try #require(Decimal(string: String(format: "%.15g", real))))
    case (.integer(let integer), .date):
      return .date(Date(timeIntervalSinceReferenceDate: Double(integer)))
    case (.real(let real), .date): return .date(Date(timeIntervalSinceReferenceDate: real))
    case (.text(let text), .string): return .string(text)
    case (.text(let text), .uri): return .uri(try #require(URL(string: text)))
    case (.blob(let data), .uuid): return .uuid(try uuid(data))
    case (.blob(let data), .binaryData): return .data(data)
    case (.blob(let data), .transformable):
      return .transformable(TransformableValue(archived: data))
    default: throw UnexpectedStorage(literal: self, type: type)
    }
  }

  private func uuid(_ data: Data) throws -> UUID {
    let bytes = Array(data)
    try #require(bytes.count == 16)
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The data behind a value with external storage: the first byte says whether it is here.
  /// Nil for data in a file, which no store of the corpus comes with.
  var externalData: Data? {
    guard case .blob(let data) = self, data.first == 1 else { return nil }
    return data.dropFirst()
  }
}

struct UnexpectedStorage: Error {
  var literal: SQLiteLiteral
  var type: AttributeType
}
