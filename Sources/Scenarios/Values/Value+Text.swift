extension Value {
  /// The value as a scenario file would have it, for reports.
  package var shown: String {
    switch self {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .date(let value): value.notation
    case .string(let value):
      value.utf8.count > Self.longest
        ? "\"\(Self.escaped(String(value.prefix(Self.longest / 5))))…\" (\(value.count) characters, \(Self.digest(Data(value.utf8))))"
        : "\"\(Self.escaped(value))\""
    case .data(let value): Self.content(of: value) ?? Self.bytes(value)
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString
    case .decimal(let value): "\(value)"
    case .transformable(let value): TransformableNotation.shown(value)
    case .object(let object): composite?.shown ?? "\(object)"
    case .collection(let values): "[\(values.elements.map(\.shown).joined(separator: ", "))]"
    }
  }

  /// The value of an attribute: like ``shown``, with Booleans as words.
  package func shown(as attribute: AttributeDescription) -> String {
    switch (attribute.attributeType, self) {
    case (.boolean, .integer(let value)): value == 0 ? "false" : "true"
    case (.float, .double(let value)): "\(Float(value))"
    default: shown
    }
  }

  /// What an attribute has of the value: a Float fewer digits.
  package func rounded(as attribute: AttributeDescription) -> Value {
    if attribute.attributeType == .float, case .double(let value) = self {
      return .double(Double(Float(value)))
    }
    return self
  }

  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// How many bytes of a text are shown; of a longer one the beginning, with what tells it from others.
  private static let longest = 1000

  private static func digest(_ data: Data) -> String {
    "SHA-256 \(SHA2.hash(data).hexadecimal.prefix(16))…"
  }

  /// What `Codable` values and archives are stored as: JSON as it is written, and what a property list has in it, with
  /// what tells it from another that has the same.
  private static func content(of data: Data) -> String? {
    if let json = data.json {
      return data.count > longest
        ? "\(json.prefix(longest / 5))… (\(data.count) bytes, \(digest(data)))" : json
    }
    guard data.starts(with: Data("bplist".utf8)),
      let content = TransformableNotation.content(of: data), content.utf8.count <= longest
    else { return nil }
    return "property list \(content) (\(data.count) bytes, \(digest(data)))"
  }

  /// Hexadecimal digits, shortened where there are many.
  static func bytes(_ data: Data) -> String {
    "0x\(data.prefix(24).hexadecimal)"
      + (data.count > 24 ? "… (\(data.count) bytes, \(digest(data)))" : "")
  }
}

extension CompositeValue {
  fileprivate var shown: String {
    let parts = zip(elements, values).filter { !$1.isNull }
    return "{\(parts.map { "\($0.name): \($1.shown(as: $0))" }.joined(separator: ", "))}"
  }
}
