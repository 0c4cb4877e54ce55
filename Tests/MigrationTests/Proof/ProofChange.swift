/// One change of a model. Where what it names isn't there (any more), it does nothing.
enum ProofChange: Equatable {
  case addAttribute(String, ProofModel.Attribute)
  case removeAttribute(String, String)
  case renameAttribute(String, String, to: String, keepsOldest: Bool)
  case swapAttributes(String, String, String)
  case moveAttribute(String, String, to: String)
  case retype(String, String, to: String)
  case require(String, String, defaultText: String?)
  case relax(String, String)
  case setDefault(String, String, String?)
  case addEntity(ProofModel.Entity)
  case removeEntity(String)
  case renameEntity(String, to: String, keepsOldest: Bool)
  case setAbstract(String, Bool)
  case move(String, under: String?)
  case addRelationship(String, ProofModel.Relationship, back: ProofModel.Relationship?)
  case removeRelationship(String, String)
  case renameRelationship(String, String, to: String)
  case widen(String, String)
  case retarget(String, String, to: String)
  case setRequired(String, String, Bool)
  case setOrdered(String, String, Bool)
  case unique(String, [String])
  case allowDuplicates(String)

  /// Whether many steps with such changes come to the same as one direct step. A conversion may lose
  /// digits on the way, a default may fill what was nil only for a time, an order may be given up; a
  /// renaming identifier that names the last name only leads one step back; what had to be unique or lead
  /// to another entity for a time loses rows and links.
  var isComposable: Bool {
    switch self {
    case .retype, .require, .relax, .setDefault, .setOrdered, .move, .swapAttributes,
      .moveAttribute, .setAbstract, .retarget, .setRequired, .allowDuplicates:
      false
    case .renameAttribute(_, _, _, let keepsOldest), .renameEntity(_, _, let keepsOldest):
      keepsOldest
    default: true
    }
  }
}

extension ProofModel {
  func applying(_ changes: [ProofChange]) -> ProofModel {
    changes.reduce(self) { $0.applying($1) }
  }

  private func applying(_ change: ProofChange) -> ProofModel {
    var model = self
    switch change {
    case .addAttribute(let entity, let attribute):
      if isFree(attribute.name, in: entity) { model[entity]?.attributes.append(attribute) }
    case .removeAttribute(let entity, let name):
      model[entity]?.attributes.removeAll { $0.name == name }
      model[entity]?.unique.removeAll { $0.contains(name) }
    case .renameAttribute(let entity, let name, let new, let keepsOldest):
      if isFree(new, in: entity) { model.rename(entity, name, to: new, keepsOldest) }
    case .swapAttributes(let entity, let name, let other):
      model.rename(entity, name, to: "swapped", false)
      model.rename(entity, other, to: name, false)
      model.rename(entity, "swapped", to: other, false)
      model.changeAttribute(entity, other) { $0.was = name }
    case .moveAttribute(let entity, let name, let target):
      guard let moved = self[entity]?.attributes.first(where: { $0.name == name }) else { break }
      let without = applying(.removeAttribute(entity, name))
      if without[target] != nil { model = without.applying(.addAttribute(target, moved)) }
    case .retype(let entity, let name, let type):
      model.changeAttribute(entity, name) {
        $0.type = type
        $0.defaultText = nil
      }
    case .require(let entity, let name, let defaultText):
      model.changeAttribute(entity, name) {
        $0.isOptional = false
        $0.defaultText = defaultText
      }
    case .relax(let entity, let name): model.changeAttribute(entity, name) { $0.isOptional = true }
    case .setDefault(let entity, let name, let text):
      model.changeAttribute(entity, name) { $0.defaultText = text }
    case .addEntity(let entity): if model[entity.name] == nil { model.entities.append(entity) }
    case .removeEntity(let name): model.remove(name)
    case .renameEntity(let name, let new, let keepsOldest):
      if self[new] == nil { model.rename(name, to: new, keepsOldest) }
    case .setAbstract(let name, let isAbstract): model[name]?.isAbstract = isAbstract
    case .move(let name, let parent): model.move(name, under: parent)
    case .unique(let entity, let names):
      let known = self[entity]?.attributes.map(\.name) ?? []
      if Set(names).isSubset(of: known) { model[entity]?.unique.append(names) }
    case .allowDuplicates(let entity): model[entity]?.unique = []
    default: model.applyToRelationships(change)
    }
    return model
  }

  private mutating func applyToRelationships(_ change: ProofChange) {
    switch change {
    case .addRelationship(let entity, let relationship, let back):
      let ends = [(entity, relationship)] + (back.map { [(relationship.destination, $0)] } ?? [])
      guard ends.allSatisfy({ self[$0.0] != nil && isFree($0.1.name, in: $0.0) }),
        self[relationship.destination] != nil
      else { return }
      self[entity]?.relationships.append(relationship)
      if let back { self[relationship.destination]?.relationships.append(back) }
    case .removeRelationship(let entity, let name): removeRelationship(entity, name)
    case .renameRelationship(let entity, let name, let new):
      guard let found = relationship(entity, name), isFree(new, in: entity) else { return }
      changeInverse(of: found) { $0.inverse = new }
      changeRelationship(entity, name) { relationship in
        relationship.was = relationship.was ?? name
        relationship.name = new
      }
    case .widen(let entity, let name):
      changeRelationship(entity, name) { $0.isToMany = true }
    case .retarget(let entity, let name, let target):
      guard let found = relationship(entity, name), self[target] != nil else { return }
      let back = found.inverse.flatMap { relationship(found.destination, $0) }
      if let back {
        self[found.destination]?.relationships.removeAll { $0.name == back.name }
        guard isFree(back.name, in: target) else {
          self[found.destination]?.relationships.append(back)
          return
        }
        self[target]?.relationships.append(back)
      }
      changeRelationship(entity, name) { $0.destination = target }
    case .setRequired(let entity, let name, let isRequired):
      changeRelationship(entity, name) { $0.isOptional = !isRequired }
    case .setOrdered(let entity, let name, let isOrdered):
      changeRelationship(entity, name) { relationship in
        relationship.isOrdered = isOrdered && relationship.isToMany
      }
    default: return
    }
  }

  // MARK: Parts

  private mutating func rename(
    _ entity: String, _ name: String, to new: String, _ keepsOldest: Bool
  ) {
    changeAttribute(entity, name) {
      $0.was = keepsOldest ? $0.was ?? name : name
      $0.name = new
    }
    let unique = self[entity]?.unique ?? []
    self[entity]?.unique = unique.map { $0.map { $0 == name ? new : $0 } }
  }

  private mutating func changeAttribute(
    _ entity: String, _ name: String, _ body: (inout Attribute) -> Void
  ) {
    guard let index = self[entity]?.attributes.firstIndex(where: { $0.name == name }) else {
      return
    }
    guard var attribute = self[entity]?.attributes[index] else { return }
    body(&attribute)
    self[entity]?.attributes[index] = attribute
  }

  private mutating func changeRelationship(
    _ entity: String, _ name: String, _ body: (inout Relationship) -> Void
  ) {
    guard let index = self[entity]?.relationships.firstIndex(where: { $0.name == name }) else {
      return
    }
    guard var relationship = self[entity]?.relationships[index] else { return }
    body(&relationship)
    self[entity]?.relationships[index] = relationship
  }

  private func relationship(_ entity: String, _ name: String) -> Relationship? {
    self[entity]?.relationships.first { $0.name == name }
  }

  private mutating func changeInverse(
    of relationship: Relationship, _ body: (inout Relationship) -> Void
  ) {
    if let inverse = relationship.inverse {
      changeRelationship(relationship.destination, inverse, body)
    }
  }

  private mutating func removeRelationship(_ entity: String, _ name: String) {
    guard let found = relationship(entity, name) else { return }
    self[entity]?.relationships.removeAll { $0.name == name }
    if let inverse = found.inverse {
      self[found.destination]?.relationships.removeAll { $0.name == inverse }
    }
  }

  /// Removes an entity that has no subentities, and all relationships that lead to it.
  private mutating func remove(_ name: String) {
    guard !entities.contains(where: { $0.parent == name }), entities.count > 1 else { return }
    for entity in entities {
      for relationship in entity.relationships where relationship.destination == name {
        removeRelationship(entity.name, relationship.name)
      }
    }
    for relationship in self[name]?.relationships ?? [] {
      removeRelationship(name, relationship.name)
    }
    entities.removeAll { $0.name == name }
  }

  private mutating func rename(_ name: String, to new: String, _ keepsOldest: Bool) {
    guard let entity = self[name] else { return }
    self[name]?.was = keepsOldest ? entity.was ?? name : name
    for index in entities.indices {
      if entities[index].name == name { entities[index].name = new }
      if entities[index].parent == name { entities[index].parent = new }
      for place in entities[index].relationships.indices
      where entities[index].relationships[place].destination == name {
        entities[index].relationships[place].destination = new
      }
    }
  }

  private mutating func move(_ name: String, under parent: String?) {
    guard self[name] != nil else { return }
    guard let parent else {
      self[name]?.parent = nil
      return
    }
    guard let target = self[parent], !isKind(parent, of: name) else { return }
    let below = entities.filter { isKind($0.name, of: name) }
      .flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    let inherited = attributes(of: target).map(\.name) + relationships(of: target).map(\.name)
    if Set(below).isDisjoint(with: inherited) { self[name]?.parent = parent }
  }
}
