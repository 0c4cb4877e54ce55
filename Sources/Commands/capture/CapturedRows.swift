/// The content of a store as rows of a seed.
struct CapturedRows {
  /// Entity by entity, each in the order of the rows in the store.
  private(set) var rows: [WrittenRow] = []

  /// - Parameters:
  ///   - names: The rows' local names where they have some already, by their place.
  ///   - words: Words, in small letters, that no name may be.
  /// - Throws: ``Diagnostics`` naming the property of a value that scenario files have no notation for.
  init(
    _ content: ContentSnapshot, names given: [String?] = [], avoiding words: Set<String> = []
  ) throws {
    let names = Self.names(of: content, given: given, avoiding: words)
    for (place, object) in content.objects.enumerated() {
      var row = WrittenRow(of: object.entity, name: names[place])
      for (attribute, value) in zip(object.entity.attributes, object.values) {
        if let field = try Self.field(attribute, value) { row.fields.append(field) }
      }
      for (relationship, links) in zip(object.entity.relationships, object.links)
      where !links.isEmpty && Self.isWritten(relationship) {
        row.fields.append(
          .init(
            key: relationship.name,
            content: .link(links.map { names[$0] }, isToMany: relationship.isToMany)))
      }
      rows.append(row)
    }
  }

  // MARK: Names

  private static func names(
    of content: ContentSnapshot, given: [String?], avoiding words: Set<String>
  ) -> [String] {
    var used = Set(given.compactMap(\.self))
    var counts: [String: Int] = [:]
    return content.objects.indices.map { place in
      if given.indices.contains(place), let name = given[place] { return name }
      let entity = content.objects[place].entity.name
      let bare = entity.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      var name = ""
      repeat {
        counts[entity, default: 0] += 1
        name = bare.prefix(1).lowercased() + bare.dropFirst() + "\(counts[entity, default: 0])"
      } while words.contains(name.lowercased()) || !used.insert(name).inserted
      return name
    }
  }

  // MARK: Fields

  private static func field(
    _ attribute: AttributeDescription, _ value: Value
  ) throws -> WrittenRow.Field? {
    guard attribute.isStored, !attribute.isTransient, !attribute.isDerived else { return nil }
    // A row that doesn't mention an attribute has its default.
    if value.isNull, attribute.typedDefaultValue.isNull { return nil }
    guard let notation = value.notation(as: attribute) else {
      throw Diagnostics(
        file: "\(attribute.entity.name).\(attribute.name)",
        "scenario files have no notation for a value that the store has here")
    }
    return .init(key: attribute.name, content: .value(notation))
  }

  /// A link is written at one of its sides: where the order is, else where there is one partner.
  private static func isWritten(_ relationship: RelationshipDescription) -> Bool {
    guard !relationship.isTransient else { return false }
    guard let inverse = relationship.inverseRelationship else { return true }
    if relationship.isOrdered { return true }
    if inverse.isOrdered { return false }
    if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
    return (relationship.entity.name, relationship.name) <= (inverse.entity.name, inverse.name)
  }
}
