import Migration

/// The entities and properties that a comparison leaves out, as a person names them: `Entity` or
/// `Entity.property`.
struct IgnoredElements {
  private let names: Set<String>

  init(_ names: [String] = []) { self.names = Set(names) }

  func contains(_ entity: EntityDescription) -> Bool { names.contains(entity.name) }

  /// - Parameter entity: The property's own entity or one that inherits it.
  func contains(_ property: PropertyDescription, of entity: EntityDescription) -> Bool {
    if names.isEmpty { return false }
    return sequence(first: entity, next: \.superentity).contains {
      names.contains("\($0.name).\(property.name)")
    }
  }

  /// - Throws: ``Diagnostics`` for names that neither model has.
  func check(against models: Both<ManagedObjectModel>) throws {
    let problems = names.sorted().compactMap { name in
      problem(with: name, models).map { Diagnostic(file: "--ignore \(name)", $0) }
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
  }

  private func problem(with name: String, _ models: Both<ManagedObjectModel>) -> String? {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let entities = [models.a, models.b].compactMap { $0.entity(named: parts.first ?? "") }
    if entities.isEmpty {
      let known = Set([models.a, models.b].flatMap { $0.entities.map(\.name) })
      return "neither store has an entity '\(parts.first ?? "")'"
        + Spelling.hint(for: parts.first ?? "", among: known, called: "entities")
    }
    guard parts.count == 2 else { return nil }
    let known = Set(entities.flatMap { $0.properties.map(\.name) })
    if known.contains(parts[1]) { return nil }
    return "entity '\(parts[0])' has no property '\(parts[1])'"
      + Spelling.hint(for: parts[1], among: known, called: "properties")
  }
}
