/// The composite types of a model file, from which attributes take their parts.
struct CompositeReader {
  private var nodes: [String: XMLElementNode] = [:]
  /// How many parts one attribute may come to with those of its parts. A few types that each have
  /// several of the next would fill the memory.
  private static let mostParts = 10_000
  private static let deepest = 32

  init() {}

  /// - Throws: ``ModelFileError`` for a composite type without name, or two of one name.
  init(_ root: XMLElementNode, of reader: ModelFileReader) throws {
    for node in root.children(named: "composite") {
      let name = try reader.name(of: node)
      if nodes.updateValue(node, forKey: name) != nil {
        throw reader.invalid(name, "name", of: node)
      }
    }
  }

  /// The parts of a composite type, described anew for each attribute of it.
  /// - Parameter node: The attribute.
  /// - Throws: ``ModelFileError`` when there is no such type, or it is a part of itself.
  func elements(
    of name: String, for node: XMLElementNode, by reader: ModelFileReader
  ) throws -> [AttributeDescription] {
    guard nodes[name] != nil else { throw reader.error(.unknownComposite(name), at: node) }
    var budget = Self.mostParts
    guard hasFewParts(name, &budget, path: []) else {
      throw reader.error(.endlessComposite(name), at: nodes[name] ?? node)
    }
    let attributes = nodes[name]?.children(named: "attribute") ?? []
    return try attributes.map { try PropertyReader(reader: reader, node: $0).attribute() }
  }

  private func hasFewParts(_ name: String, _ budget: inout Int, path: Set<String>) -> Bool {
    if path.contains(name) || path.count == Self.deepest { return false }
    for part in nodes[name]?.children(named: "attribute") ?? [] {
      budget -= 1
      if budget < 0 { return false }
      guard let next = part.attributes["composite"] else { continue }
      guard hasFewParts(next, &budget, path: path.union([name])) else { return false }
    }
    return true
  }
}
