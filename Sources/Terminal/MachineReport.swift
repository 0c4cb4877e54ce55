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
