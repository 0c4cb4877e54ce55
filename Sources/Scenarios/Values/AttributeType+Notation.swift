extension AttributeType {
  /// The type's word in the short notation.
  package var notation: String {
    switch self {
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64: "int64"
    case .binaryData: "data"
    case .boolean: "bool"
    default: name.lowercased().replacing(" ", with: "")
    }
  }
}
