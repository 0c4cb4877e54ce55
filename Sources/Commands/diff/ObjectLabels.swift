import Migration

/// What reports call the objects of one store.
struct ObjectLabels {
  let identity: ObjectIdentity
  let pairing: ModelPairing

  /// Identities in identities are told so deep.
  private static let deepest = 3
  /// So many values stand for an object that nothing identifies.
  private static let mostValues = 3

  /// The entity with what identifies the object: `Event { timestamp: 2012-12-25T18:00:00Z }`.
  func label(of row: StoreRow, depth: Int = 0) throws -> String {
    let entity = row.objectID.entity
    guard let pair = pairing.pair(of: entity), let basis = identity.bases[pair.index] else {
      return "\(entity.name) p\(row.objectID.primaryKey)"
    }
    if let paths = basis.paths, let parts = try parts(along: paths, of: row, depth: depth) {
      return "\(entity.name) { \(parts.joined(separator: ", ")) }"
    }
    let number = if case .rowKey = basis.kind { " p\(row.objectID.primaryKey)" } else { "" }
    return "\(entity.name)\(number)\(sample(of: row, entity))"
  }

  /// The label of the object with an identifier.
  func label(of id: ManagedObjectID) throws -> String {
    guard let row = try identity.store.row(for: id) else {
      return "\(id.entity.name) p\(id.primaryKey), which is missing"
    }
    return try label(of: row)
  }

  /// The values that identify an object; nil when none is there.
  private func parts(along paths: [IdentityPath], of row: StoreRow, depth: Int) throws -> [String]?
  {
    var parts: [String] = []
    var hasValue = false
    for path in paths {
      let text = try text(of: path, row, depth)
      hasValue = hasValue || text != nil
      parts.append("\(path.name): \(text ?? "null")")
    }
    return hasValue ? parts : nil
  }

  private func text(of path: IdentityPath, _ row: StoreRow, _ depth: Int) throws -> String? {
    guard let end = try identity.follow(path, from: row) else { return nil }
    switch path.last {
    case .attribute(let pair):
      let attribute = pair.attribute[identity.side]
      guard end.objectID.entity.isKindOf(entity: attribute.entity) else { return nil }
      let value = end.values[attribute.slot]
      return value.isNull ? nil : TextExcerpt.of(value.shown(as: attribute))
    case .toOne(let pair):
      guard let destination = try identity.destination(of: pair, from: end) else { return nil }
      if depth >= Self.deepest { return "…" }
      return try label(of: destination, depth: depth + 1)
    }
  }

  /// The first values that are set.
  private func sample(of row: StoreRow, _ entity: EntityDescription) -> String {
    let set = entity.attributes.filter { $0.isStored && !row.values[$0.slot].isNull }
    if set.isEmpty { return "" }
    let texts = set.prefix(Self.mostValues).map {
      "\($0.name): \(TextExcerpt.of(row.values[$0.slot].shown(as: $0)))"
    }
    return " { \(texts.joined(separator: ", ")) }"
  }
}

/// Long texts in reports.
enum TextExcerpt {
  /// As many characters are shown at most.
  static let width = 60

  /// The beginning of a long text.
  static func of(_ text: String) -> String {
    text.count <= width ? text : text.prefix(width) + "…"
  }

  /// Two long texts around the place where they begin to differ.
  static func of(_ texts: Both<String>) -> Both<String> {
    let common = zip(texts.a, texts.b).prefix { $0 == $1 }.count
    let start = max(0, common - width / 3)
    return texts.map { text in
      if text.count <= width { return text }
      let rest = start < width / 2 ? text[...] : text.dropFirst(start)
      let head = start < width / 2 ? "" : "…"
      return head + rest.prefix(width) + (rest.count > width ? "…" : "")
    }
  }
}
