/// The names that a scenario gives to objects, with the entities they were given for.
struct LocalNames {
  /// Seeds of different starts may use a name for different entities.
  private var entities: [String: [EntityDescription]] = [:]

  mutating func add(_ name: String, _ entity: EntityDescription) {
    entities[name, default: []].append(entity)
  }

  func contains(_ name: String) -> Bool { entities[name] != nil }

  /// - Throws: ``Diagnostic`` with a suggestion when nothing has the name.
  func require(_ name: Located<String>) throws {
    if entities[name.value] != nil { return }
    let hint = Spelling.hint(for: name.value, among: entities.keys, called: "names")
    throw Diagnostic("no object is named '\(name.value)'\(hint)", at: name.place)
  }

  /// - Throws: ``Diagnostic`` when nothing of the entity has the name.
  func require(_ name: Located<String>, ofEntity entityName: String) throws {
    try require(name)
    let candidates = entities[name.value] ?? []
    if candidates.contains(where: { $0.isNamedOrDescends(from: entityName) }) { return }
    let found = Set(candidates.map(\.name)).sorted().joined(separator: ", ")
    throw Diagnostic(
      "'\(name.value)' isn't of the entity '\(entityName)' but of \(found)", at: name.place)
  }
}

extension EntityDescription {
  /// Whether the entity has a name, or one of its ancestors has.
  func isNamedOrDescends(from name: String) -> Bool {
    var candidate: EntityDescription? = self
    while let current = candidate {
      if current.name == name { return true }
      candidate = current.superentity
    }
    return false
  }
}
