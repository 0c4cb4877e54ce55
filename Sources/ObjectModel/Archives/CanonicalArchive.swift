/// The same archive with the keys of its dictionaries in order.
///
/// `NSKeyedArchiver` writes them in the order of a hash table, which is another each time: without
/// this, two stores with one value would hold different bytes.
enum CanonicalArchive {
  /// - Returns: The archive in order; as it is when it holds something unusual.
  static func data(_ archive: Data) -> Data {
    guard let list = try? BinaryPropertyList(archive),
      let root = try? node(list.top, in: list)
    else { return archive }
    return BinaryPropertyListWriter.data(root)
  }

  private struct Unusual: Error {}

  private static func node(
    _ index: Int, in list: BinaryPropertyList
  ) throws -> BinaryPropertyListWriter.Node {
    switch try list.object(at: index) {
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .data(let value): return .data(value)
    case .string(let value): return .string(value)
    case .uid(let value): return .uid(value)
    case .array(let members): return .array(try members.map { try node($0, in: list) })
    case .dictionary(let keys, let values):
      var entries: [String: BinaryPropertyListWriter.Node] = [:]
      for (key, value) in zip(keys, values) {
        guard case .string(let name) = try list.object(at: key) else { throw Unusual() }
        entries[name] = try node(value, in: list)
      }
      return .dictionary(entries)
    case .null, .date: throw Unusual()
    }
  }
}
