// Places travel between processes as path, line and column; the text of the file stays behind.

extension CodingUserInfoKey {
  /// The files that decoded places may be in, by path.
  package static let sourceFiles = unsafeLiteral("heavyweight.sourceFiles")

  private static func unsafeLiteral(_ text: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: text) else { preconditionFailure(text) }
    return key
  }
}

extension SourcePlace: Codable {
  private enum Key: CodingKey { case path, line, column, length }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(file.path, forKey: .path)
    try container.encode(line, forKey: .line)
    try container.encode(column, forKey: .column)
    try container.encode(length, forKey: .length)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let path = try container.decode(String.self, forKey: .path)
    let files = decoder.userInfo[.sourceFiles] as? [String: SourceFile]
    func number(_ key: Key) throws -> Int {
      let number = try container.decode(Int.self, forKey: key)
      // As many signs are written below a line.
      if (1...Self.mostColumns).contains(number) { return number }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "\(path): there is no such place")
    }
    self.init(
      file: files?[path] ?? SourceFile(path: path, text: ""), line: try number(.line),
      column: try number(.column), length: try number(.length))
  }

  private static let mostColumns = 1 << 20
}
