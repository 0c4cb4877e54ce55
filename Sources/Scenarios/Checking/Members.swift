/// The members of a relationship as a scenario names them.
package struct Members {
  package let references: [ObjectReference]

  /// A name or a query for a to-one relationship, a list of them for a to-many one; null for
  /// nothing.
  /// - Throws: ``Diagnostic`` for any other form.
  package init(_ node: SourceNode, of relationship: RelationshipDescription) throws {
    let entity = Located(relationship.destinationEntityName, at: node.place)
    if node.isNull {
      references = []
    } else if relationship.isToMany {
      guard let items = node.list else {
        throw Diagnostic(
          "'\(relationship.name)' is to-many; give a list, as in [\(node.text ?? "name")]",
          at: node.place)
      }
      references = try items.map { try Self.reference($0, entity: entity) }
    } else {
      guard node.list == nil else {
        throw Diagnostic(
          "'\(relationship.name)' is to-one; give one name, not a list", at: node.place)
      }
      references = [try Self.reference(node, entity: entity)]
    }
  }

  /// Members reached over a key path, always a list.
  package init(list node: SourceNode, of relationship: RelationshipDescription) throws {
    guard let items = node.list else {
      throw Diagnostic("this leads to several objects; give a list of names", at: node.place)
    }
    let entity = Located(relationship.destinationEntityName, at: node.place)
    references = try items.map { try Self.reference($0, entity: entity) }
  }

  private static func reference(
    _ node: SourceNode, entity: Located<String>
  ) throws -> ObjectReference {
    guard let text = node.text else {
      throw Diagnostic("an object must be given by its name, not by \(node.kind)", at: node.place)
    }
    let located = Located(text, at: node.place)
    guard text.contains(" where ") else { return .named(entity: entity, name: located) }
    let collector = DiagnosticCollector()
    guard let reference = collector.reference(located) else {
      throw collector.all.first ?? Diagnostic("not an object", at: node.place)
    }
    return reference
  }
}
