/// The same archive with the keys of its dictionaries in order, and its classes called as on a device.
///
/// `NSKeyedArchiver` writes them in the order of a hash table, which is another each time: without
/// this, two stores with one value would hold different bytes.
struct CanonicalArchive {
  private let list: BinaryPropertyList
  /// The names of classes that are called otherwise here.
  private let names: [String: String]
  /// How many parts may come yet, and how deep: parts of a damaged archive may hold each other, or one part often.
  private var partsLeft = 1_000_000
  private var depthLeft = 200

  private init(list: BinaryPropertyList, names: [String: String]) {
    self.list = list
    self.names = names
  }

  /// - Returns: The archive in order; as it is when it holds something unusual.
  static func data(
    _ archive: Data, renaming names: [String: String] = ArchivedClassNames.all
  ) -> Data {
    // What isn't an archive in a property list of this form has no order and no classes.
    guard let list = try? BinaryPropertyList(archive) else { return archive }
    var canonical = CanonicalArchive(list: list, names: names)
    guard let root = try? canonical.node(list.top) else { return archive }
    return BinaryPropertyListWriter.data(root)
  }

  private struct Unusual: Error {}

  private mutating func node(_ index: Int) throws -> BinaryPropertyListWriter.Node {
    (partsLeft, depthLeft) = (partsLeft - 1, depthLeft - 1)
    defer { depthLeft += 1 }
    if partsLeft < 0 || depthLeft < 0 { throw Unusual() }
    switch try list.object(at: index) {
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .data(let value): return .data(value)
    case .string(let value): return .string(value)
    case .uid(let value): return .uid(value)
    case .array(let members): return .array(try members.map { try node($0) })
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
