/// The same archive with the keys of its dictionaries in order, and its classes called as on a device.
///
/// `NSKeyedArchiver` writes them in the order of a hash table, which is another each time: without
/// this, two stores with one value would hold different bytes.
struct CanonicalArchive {
  private let list: BinaryPropertyList
  /// The names of classes that are called otherwise here.
  private let names: [String: String]

  /// - Returns: The archive in order; as it is when it holds something unusual.
  static func data(
    _ archive: Data, renaming names: [String: String] = ArchivedClassNames.all
  ) -> Data {
    // What isn't an archive in a property list of this form has no order and no classes.
    guard let list = try? BinaryPropertyList(archive),
      let root = try? CanonicalArchive(list: list, names: names).node(list.top)
    else { return archive }
    return BinaryPropertyListWriter.data(root)
  }

  private struct Unusual: Error {}

  private func node(_ index: Int) throws -> BinaryPropertyListWriter.Node {
    switch try list.object(at: index) {
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .data(let value): return .data(value)
    case .string(let value): return .string(value)
    case .uid(let value): return .uid(value)
    case .array(let members): return .array(try members.map(node))
    case .dictionary(let keys, let values):
      var entries: [String: BinaryPropertyListWriter.Node] = [:]
      for (key, value) in zip(keys, values) {
        guard case .string(let name) = try list.object(at: key) else { throw Unusual() }
        entries[name] = try node(value)
      }
      return .dictionary(renamed(entries))
    case .null, .date: throw Unusual()
    }
  }

  /// The entry for a class, with a device's names.
  private func renamed(
    _ entries: [String: BinaryPropertyListWriter.Node]
  ) -> [String: BinaryPropertyListWriter.Node] {
    guard case .string(let name) = entries["$classname"], !names.isEmpty else { return entries }
    var entries = entries
    entries["$classname"] = .string(names[name] ?? name)
    if case .array(let classes) = entries["$classes"] {
      entries["$classes"] = .array(
        classes.map { if case .string(let name) = $0 { .string(names[name] ?? name) } else { $0 } })
    }
    return entries
  }
}
