/// Reads the values of attributes from scenario files. The attribute's type says how the text is
/// to be read, whatever it looks like: `NO` is text in a String attribute and false in a Boolean.
enum ValueReader {
  /// - Throws: ``Diagnostic`` when the text isn't a value of the attribute's type.
  static func value(_ node: SourceNode, for attribute: AttributeDescription) throws -> Value {
    if node.isNull { return .null }
    guard let text = node.text else {
      throw Diagnostic(
        "'\(attribute.name)' takes one \(attribute.attributeType.name) value, not \(node.kind)",
        at: node.place)
    }
    if let value = NotatedValue.parse(text, as: attribute.attributeType) { return value }
    throw Diagnostic(
      "'\(text)' is no value for '\(attribute.name)': it must be "
        + expectation(attribute.attributeType), at: node.place)
  }

  private static func expectation(_ type: AttributeType) -> String {
    switch type {
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number of at most 32 bits"
    case .integer64: "a whole number of at most 64 bits"
    case .decimal, .double, .float: "a number, as in 3.5"
    case .boolean: "true or false"
    case .string: "text"
    case .date: "a date, as in 2012-12-25T18:00:00Z or 2012-12-25"
    case .binaryData, .transformable: "base64, or 0x and hexadecimal digits"
    case .uuid: "a UUID, as in E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    case .uri: "a URI, as in https://example.com"
    case .undefined, .objectID, .composite:
      "left out: scenario files have no notation for the type \(type.name)"
    }
  }
}
