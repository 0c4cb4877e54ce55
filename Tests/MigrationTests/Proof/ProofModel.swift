import Migration

/// A model that is easily changed, written down and made real.
struct ProofModel: Equatable {
  struct Entity: Equatable {
    var name: String
    var parent: String?
    var was: String?
    var isAbstract = false
    var unique: [[String]] = []
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }
  struct Attribute: Equatable {
    var name: String
    var type: String
    var isOptional = true
    var defaultText: String?
    var was: String?
  }
  struct Relationship: Equatable {
    var name: String
    var destination: String
    var inverse: String?
    var isToMany = false
    var isOrdered = false
    var isOptional = true
    var was: String?
  }
  var entities: [Entity] = []

  subscript(_ name: String) -> Entity? {
    get { entities.first { $0.name == name } }
    set {
      guard let index = entities.firstIndex(where: { $0.name == name }) else { return }
      if let newValue { entities[index] = newValue } else { entities.remove(at: index) }
    }
  }
}

// MARK: - As notation

extension ProofModel.Attribute {
  var notation: String {
    let words = type.split(separator: " ", maxSplits: 1)
    return words[0] + (isOptional ? "?" : "") + (defaultText.map { " = \($0)" } ?? "")
      + (was.map { " was \($0)" } ?? "") + words.dropFirst().map { " \($0)" }.joined()
  }
}

extension ProofModel.Relationship {
  var notation: String {
    let end =
      isToMany
      ? "[\(destination)]\(isOptional ? "" : isOrdered ? "!" : "(1...2)!")"
      : destination + (isOptional ? "?" : "")
    return end + (isOrdered ? " ordered" : "") + (inverse.map { " <-> \($0)" } ?? "")
      + (was.map { " was \($0)" } ?? "")
  }
}

extension ProofModel.Entity {
  /// Lines of a scenario's `models`.
  var notation: [String] {
    var lines: [String] = []
    if let parent { lines.append(".parent: \(parent)") }
    if let was { lines.append(".was: \(was)") }
    if isAbstract { lines.append(".abstract: true") }
    if !unique.isEmpty { lines.append(".unique: \(unique)") }
    lines += attributes.map { "\($0.name): \"\($0.notation)\"" }
    lines += relationships.map { "\($0.name): \"\($0.notation)\"" }
    return lines
  }
}

extension ProofModel {
  func make(named name: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities.map { entity in
        let made = EntityDescription(name: entity.name)
        made.superentityName = entity.parent
        made.isAbstract = entity.isAbstract
        made.explicitRenamingIdentifier = entity.was
        made.uniquenessConstraints = entity.unique
        made.ownProperties =
          try entity.attributes.map { try ModelNotation.property(named: $0.name, $0.notation) }
          + entity.relationships.map { try ModelNotation.property(named: $0.name, $0.notation) }
        return made
      }, name: name)
  }

  /// The attributes and relationships of an entity, inherited ones included.
  func attributes(of entity: Entity) -> [Attribute] {
    (entity.parent.flatMap { self[$0] }.map(attributes(of:)) ?? []) + entity.attributes
  }

  func relationships(of entity: Entity) -> [Relationship] {
    (entity.parent.flatMap { self[$0] }.map(relationships(of:)) ?? []) + entity.relationships
  }

  /// Whether no property that an entity, its ancestors or its descendants have is called so.
  func isFree(_ name: String, in entity: String) -> Bool {
    !entities.contains { other in
      (isKind(other.name, of: entity) || isKind(entity, of: other.name))
        && (other.attributes.contains { $0.name == name }
          || other.relationships.contains { $0.name == name })
    }
  }

  func isKind(_ name: String, of ancestor: String) -> Bool {
    name == ancestor || (self[name]?.parent.map { isKind($0, of: ancestor) } ?? false)
  }
}
