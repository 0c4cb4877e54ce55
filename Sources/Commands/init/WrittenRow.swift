/// A row of a seed, as commands make and write it.
struct WrittenRow: Codable, Sendable {
  let entity: String
  /// Its local name.
  let name: String
  let nameKey: String
  var fields: [Field] = []

  struct Field: Codable, Sendable {
    let key: String
    var content: Content
  }

  enum Content: Codable, Sendable {
    case value(Notation)
    /// Names of rows.
    case link([String], isToMany: Bool)
  }

  init(of entity: EntityDescription, name: String, fields: [Field] = []) {
    self.entity = entity.name
    self.name = name
    nameKey = entity.nameKey
    self.fields = fields
  }

  init(_ row: SampleRow) {
    self.init(
      of: row.entity, name: row.name,
      fields: row.fields.map { Field(key: $0.key, content: .value($0.value)) })
  }

  /// The row without links to rows that aren't there.
  func linked(only names: Set<String>) -> WrittenRow {
    var row = self
    row.fields = fields.compactMap { field in
      guard case .link(let targets, let isToMany) = field.content else { return field }
      let left = targets.filter(names.contains)
      if left.isEmpty, !targets.isEmpty { return nil }
      return Field(key: field.key, content: .link(left, isToMany: isToMany))
    }
    return row
  }

  /// The row as the file has it.
  func notation(isNamed: Bool = true) -> Notation {
    let own = isNamed ? [Notation.Field(key: nameKey, value: .text(name))] : []
    let all = own + fields.map { Notation.Field(key: $0.key, value: $0.notation) }
    return .map(all)
  }

  /// The same in one line.
  func line(isNamed: Bool = true) -> String {
    isNamed || !fields.isEmpty ? "- " + notation(isNamed: isNamed).yaml(inFlow: true) : "- ~"
  }
}

extension WrittenRow.Field {
  var notation: Notation {
    switch content {
    case .value(let value): value
    case .link(let names, let isToMany): .link(names, isToMany: isToMany)
    }
  }

  /// The rows that it leads to; nil for an attribute.
  var links: [String]? {
    if case .link(let names, _) = content { names } else { nil }
  }
}

extension Notation {
  /// Names of objects that a relationship leads to.
  static func link(_ names: [String], isToMany: Bool) -> Notation {
    isToMany ? .list(names.map(Notation.text)) : names.first.map(Notation.text) ?? .null
  }
}
