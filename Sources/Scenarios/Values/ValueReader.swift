/// Reads the values of attributes from scenario files. The attribute's type says how the text is
/// to be read, whatever it looks like: `NO` is text in a String attribute and false in a Boolean.
package enum ValueReader {
  /// - Throws: ``Diagnostic`` when the text isn't a value of the attribute's type.
  package static func value(_ node: SourceNode, for attribute: AttributeDescription) throws -> Value
  {
    if node.isNull { return .null }
    if attribute.attributeType == .composite { return try composite(node, attribute) }
    if attribute.attributeType == .transformable {
      return try TransformableNotation.value(node, for: attribute)
    }
    guard let text = node.text else {
      throw Diagnostic(
        "'\(attribute.name)' takes one \(attribute.attributeType.name) value, not \(node.kind)",
        at: node.place)
    }
    if let value = NotatedValue.parse(text, as: attribute.attributeType) { return value }
    throw Diagnostic(
      "'\(text)' isn't a value for '\(attribute.name)': it must be "
        + attribute.attributeType.notatedForm, at: node.place)
  }

  /// A map with a value for each element; those left out are nil.
  private static func composite(
    _ node: SourceNode, _ attribute: AttributeDescription
  ) throws -> Value {
    guard let entries = node.map else {
      let names = attribute.elements.map(\.name).joined(separator: ", ")
      throw Diagnostic(
        "'\(attribute.name)' takes a map with its elements (\(names)), not \(node.kind)",
        at: node.place)
    }
    var values: [String: Value] = [:]
    for entry in entries {
      guard let element = attribute.element(at: [entry.key.value]) else {
        throw Diagnostic(
          "'\(attribute.name)' has no element", unknown: entry.key,
          among: attribute.elements.map(\.name), called: "elements")
      }
      values[element.name] = try value(entry.value, for: element)
    }
    return CompositeValue.value(
      of: attribute.elements, attribute.elements.map { values[$0.name] ?? .null })
  }
}
