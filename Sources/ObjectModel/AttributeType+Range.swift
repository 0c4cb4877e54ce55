extension AttributeType {
  /// The whole numbers that an attribute of the type can have; nil for types of other values.
  package var wholeNumbers: ClosedRange<Int64>? {
    switch self {
    case .boolean: 0...1
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: .min ... .max
    case .undefined, .decimal, .double, .float, .string, .date, .binaryData, .uuid, .uri,
      .transformable, .objectID, .composite:
      nil
    }
  }
}
