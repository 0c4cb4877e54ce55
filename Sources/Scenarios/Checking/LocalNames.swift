/// The names that a scenario gives to objects, with the entities they were given for.
package struct LocalNames {
  /// Seeds of different starts may use a name for different entities.
  private var entities: [String: [EntityDescription]] = [:]
  /// Where each name was first given.
  private var places: [String: SourcePlace] = [:]

  mutating func add(_ name: String, _ entity: EntityDescription, at place: SourcePlace) {
    entities[name, default: []].append(entity)
    if places[name] == nil { places[name] = place }
  }

  /// Where a name was given first; nil for one that is free.
  func place(of name: String) -> SourcePlace? { places[name] }

  /// Names that objects were given that aren't saved yet.
  private var unsaved: Set<String> = []

  mutating func addUnsaved(_ name: String, _ entity: EntityDescription, at place: SourcePlace) {
    if places[name] == nil { unsaved.insert(name) }
    add(name, entity, at: place)
  }

  mutating func didSave() { unsaved = [] }

  /// The objects that weren't saved are gone, and others may have their names.
  mutating func didForgetUnsaved() {
    for name in unsaved { places[name] = nil }
    unsaved = []
  }

  /// The names of rows that couldn't be read, which is told there and nowhere else.
  private var unread: Set<String> = []

  mutating func addUnread(_ row: SeedRow) {
    for field in row.fields where ["id", ".id"].contains(field.key.value) {
      field.value.text.map { _ = unread.insert($0) }
    }
  }

  func contains(_ name: String) -> Bool { entities[name] != nil }

  /// - Throws: ``Diagnostic`` with a suggestion when nothing has the name.
  func require(_ name: Located<String>) throws {
    if entities[name.value] != nil || unread.contains(name.value) { return }
    throw Diagnostic("no object is named", unknown: name, among: entities.keys, called: "names")
  }

  /// - Throws: ``Diagnostic`` when nothing of the entity has the name.
  func require(_ name: Located<String>, ofEntity entityName: String) throws {
    try require(name)
    guard let candidates = entities[name.value] else { return }
    if candidates.contains(where: { $0.isNamedOrDescends(from: entityName) }) { return }
    let found = Set(candidates.map(\.name)).sorted().joined(separator: ", ")
    throw Diagnostic(
      "'\(name.value)' isn't of the entity '\(entityName)', but of \(found)", at: name.place)
  }
}

extension EntityDescription {
  /// Whether the entity has a name, or one of its ancestors has.
  package func isNamedOrDescends(from name: String) -> Bool {
    sequence(first: self, next: \.superentity).contains { $0.name == name }
  }
}
