/// The names of a version's entities and properties, and what it renamed.
struct NamedElements {
  /// An entity or property that bore another name before.
  struct Renaming: Hashable {
    /// The entity's names, this one and the one before; nil for an entity itself.
    let entity: Set<String>?
    let old: String
    let new: String

    /// `Exercise, which was Workout`.
    var text: String {
      let owner = entity.flatMap { $0.min() }.map { "\($0)." } ?? ""
      return "\(owner)\(new), which was \(old)"
    }
  }

  let renamings: [Renaming]
  /// By the entity's name.
  private let properties: [String: Set<String>]

  init(_ model: ManagedObjectModel) {
    properties = Dictionary(
      model.entities.map { ($0.name, Set($0.ownProperties.map(\.name))) },
      uniquingKeysWith: { first, _ in first })
    renamings = model.entities.flatMap { entity in
      let own = Self.renaming(entity.explicitRenamingIdentifier, entity.name, of: nil)
      let names: Set = [entity.name, entity.renamingIdentifier]
      return [own].compactMap { $0 }
        + entity.ownProperties.compactMap {
          Self.renaming($0.explicitRenamingIdentifier, $0.name, of: names)
        }
    }
  }

  private static func renaming(
    _ old: String?, _ new: String, of entity: Set<String>?
  ) -> Renaming? {
    guard let old, !old.isEmpty, old != new else { return nil }
    return Renaming(entity: entity, old: old, new: new)
  }

  /// Whether the version has the old name, and not the new one.
  func has(_ renaming: Renaming) -> Bool {
    guard let entity = renaming.entity else {
      return properties[renaming.old] != nil && properties[renaming.new] == nil
    }
    return entity.contains { name in
      guard let names = properties[name] else { return false }
      return names.contains(renaming.old) && !names.contains(renaming.new)
    }
  }
}
