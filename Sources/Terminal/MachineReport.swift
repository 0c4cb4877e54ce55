extension Encodable {
  /// The value as every command's report for machines has it: JSON with sorted keys, for people to
  /// read and to compare, with a line break at its end.
  package func machineReport() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self) + Data("\n".utf8)
  }
}

/// An object of a report for machines: its keys with their values. What is nil is left out.
///
/// Keys may be added; those that are there keep their meaning.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private var values: [(key: String, value: (any Encodable)?)]

  package init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
    values = elements.map { ($0, $1) }
  }

  package subscript(key: String) -> (any Encodable)? {
    get { values.last { $0.key == key }?.value }
    set { values.append((key, newValue)) }
  }

  package func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Name.self)
    for (key, value) in values {
      if let value { try keyed.encode(value, forKey: Name(stringValue: key)) }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// A value that is known to be none, where a key is there for it.
package struct JSONNull: Encodable {
  package init() {}

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}
