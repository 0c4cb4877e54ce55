extension Value {
  /// The value as a scenario file would have it, for reports.
  package var shown: String {
    switch self {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .date(let value): value.notation
    case .string(let value): "\"\(Self.escaped(value))\""
    case .data(let value): Self.bytes(value)
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString
    case .decimal(let value): "\(value)"
    case .transformable(let value): TransformableNotation.shown(value)
    case .object(let object): "\(object)"
    case .collection(let values): "[\(values.elements.map(\.shown).joined(separator: ", "))]"
    }
  }

  /// The value of an attribute: like ``shown``, with Booleans as words.
  package func shown(as attribute: AttributeDescription) -> String {
    if attribute.attributeType == .boolean, case .integer(let value) = self {
      return value == 0 ? "false" : "true"
    }
    return shown
  }

  private static func escaped(_ text: String) -> String {
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

  /// Hexadecimal digits, shortened where there are many.
  private static func bytes(_ data: Data) -> String {
    "0x\(data.prefix(24).hexadecimal)" + (data.count > 24 ? "… (\(data.count) bytes)" : "")
  }
}
