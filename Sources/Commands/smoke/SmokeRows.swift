/// Rows for every entity of a version: full ones, ones without anything that may be nil, one without each
/// value that may be nil, the extremes of every type; linked in every number that the model allows.
struct SmokeRows {
  private(set) var rows: [WrittenRow] = []
  private let model: ManagedObjectModel
  /// Entities that rows can't be made of.
  private let excluded: Set<String>
  private let options: SmokeOptions
  /// By row: what it is to show.
  private var roles: [Role] = []
  private var entities: [EntityDescription] = []
  /// By entity, in the order of its attributes.
  private var samples: [String: [SampleValue]] = [:]
  /// How many rows there are in each hierarchy, so that keys are unique in it.
  private var numbers: [String: Int] = [:]

  private enum Role {
    case full
    case bare
    case without(String)
    case extremes(Int)
    case dirty(String, Violation)
  }

  /// Rows enough for links to none, to one and to several.
  private static let leastFull = 3

  init(of model: ManagedObjectModel, without excluded: Set<String>, _ options: SmokeOptions) {
    self.model = model
    self.excluded = excluded
    self.options = options
    for entity in model.entities.sorted(by: { $0.name < $1.name })
    where !entity.isAbstract && !excluded.contains(entity.name) {
      addRows(of: entity)
    }
    for index in rows.indices { fill(index) }
    link()
  }

  // MARK: Which rows there are

  private mutating func addRows(of entity: EntityDescription) {
    var count = 0
    func add(_ role: Role, _ name: String) {
      let number = count
      count += 1
      roles.append(role)
      entities.append(entity)
      rows.append(
        WrittenRow(of: entity, name: "\(Self.base(entity))\(name)\(number + 1)"))
    }
    for _ in 0..<max(Self.leastFull, options.objects ?? 0) { add(.full, "") }
    if options.isPlain { return }
    let optional = Self.attributes(of: entity).filter(\.isOptional)
    if !optional.isEmpty { add(.bare, "Bare") }
    if optional.count > 1 { for attribute in optional { add(.without(attribute.name), "Without") } }
    let free = Self.attributes(of: entity).filter { !entity.constrains($0) }
    let most =
      free.map { Extremes.values(for: $0).count { $0.isLarge == options.isLarge } }.max() ?? 0
    for index in 0..<most { add(.extremes(index), "Edge") }
    guard options.isDirty else { return }
    for attribute in free where attribute.attributeType == .string {
      for violation in [Violation.blank, .untrimmed, .wildcard, .decomposed] {
        add(.dirty(attribute.name, violation), "Dirty")
      }
    }
  }

  private static func base(_ entity: EntityDescription) -> String {
    let bare = entity.name.filter { $0.isLetter || $0.isNumber || $0 == "_" }
    return bare.prefix(1).lowercased() + bare.dropFirst()
  }

  private static func attributes(of entity: EntityDescription) -> [AttributeDescription] {
    entity.attributes.filter { $0.isStored && !$0.isDerived }
  }

  // MARK: Values

  private mutating func fill(_ index: Int) {
    let entity = entities[index]
    let root = entity.rootName
    numbers[root, default: 0] += 1
    let number = numbers[root, default: 0] + Int(options.seed % 1000)
    let attributes = Self.attributes(of: entity)
    let samples = samples[entity.name] ?? attributes.map { SampleValue(attribute: $0, number: 1) }
    self.samples[entity.name] = samples
    for (attribute, var sample) in zip(attributes, samples) {
      sample.number = number
      guard let notation = notation(of: attribute, as: roles[index], like: sample, in: entity)
      else { continue }
      rows[index].fields.append(
        .init(key: attribute.name, content: .value(notation)))
    }
  }

  private func notation(
    of attribute: AttributeDescription, as role: Role, like value: SampleValue,
    in entity: EntityDescription
  ) -> Notation? {
    let sample = value.notation
    switch role {
    case .full: return sample
    case .bare: return attribute.isOptional ? .null : sample
    case .without(let name): return attribute.name == name ? .null : sample
    case .extremes(let place):
      let values =
        entity.constrains(attribute)
        ? []
        : Extremes.values(for: attribute)
          .filter { $0.isLarge == options.isLarge }
      if values.isEmpty { return sample }
      return values[(place + Int(options.seed % 1000)) % values.count].notation(as: attribute)
        ?? sample
    case .dirty(let name, let violation):
      guard attribute.name == name else { return sample }
      let plain = Value.string("\(name) \(value.number)")
      return violation.value(for: attribute, insteadOf: plain, first: plain)?.notation(
        as: attribute)
        ?? sample
    }
  }

  // MARK: Links

  private mutating func link() {
    var done = Set<String>()
    // Several relationships between two entities lead to different objects: an exchange shows then.
    var shifts: [String: Int] = [:]
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      for relationship in entity.ownRelationships.sorted(by: { $0.name < $1.name })
      where !relationship.isTransient {
        let name = "\(entity.name).\(relationship.name)"
        guard !done.contains(name) else { continue }
        let inverse = relationship.inverseRelationship
        // A pair is written at the side that has an order, else at that with several.
        if let inverse, inverse !== relationship, !relationship.isOrdered,
          inverse.isOrdered || inverse.isToMany && !relationship.isToMany
        {
          continue
        }
        done.insert(name)
        if let inverse { done.insert("\(inverse.entity.name).\(inverse.name)") }
        let pair = "\(entity.name) \(relationship.destinationEntityName)"
        link(relationship, of: entity, shiftedBy: shifts[pair, default: 0])
        shifts[pair, default: 0] += 1
      }
    }
  }

  private mutating func link(
    _ relationship: RelationshipDescription, of entity: EntityDescription, shiftedBy shift: Int
  ) {
    let owners = indices(of: entity)
    let targets = indices(of: relationship.destinationEntity).rotated(by: shift)
    guard let first = owners.first, !targets.isEmpty else { return }
    let inverseNeeded = relationship.inverseRelationship.map { !$0.isOptional } ?? false
    var links: [Int: [Int]] = [:]
    if relationship.isExclusive {
      // No target has two owners.
      var free = targets.filter { $0 != first }
      if relationship.isToMany {
        // Neither in the order of names nor in that of rows; and one is left for another owner.
        let several = Array(free.prefix(min(3, max(2, free.count - 1))))
        links[first] =
          several.count == 3 ? [several[2], several[0], several[1]] : several.reversed()
        free.removeFirst(several.count)
        let others = owners.dropFirst().filter { !several.contains($0) }
        let needing = relationship.isOptional ? Array(others.prefix(1)) : Array(others)
        for owner in needing {
          guard let target = free.first(where: { $0 != owner }) else { break }
          links[owner] = [target]
          free.removeAll { $0 == target }
        }
        if inverseNeeded, let last = needing.last ?? owners.first {
          links[last, default: []] += free.filter { $0 != last }
        }
      } else {
        let count = relationship.isOptional && !inverseNeeded ? 1 : owners.count
        for owner in owners.prefix(count) {
          guard let target = free.first(where: { $0 != owner }) else { break }
          links[owner] = [target]
          free.removeAll { $0 == target }
        }
      }
    } else {
      for (place, owner) in owners.enumerated() {
        let others = targets.filter { $0 != owner }
        guard let one = others.first else { continue }
        switch place {
        case 0 where relationship.isToMany && others.count > 2:
          links[owner] = [others[2], others[0], others[1]]
        case 0, 1: links[owner] = [relationship.isToMany ? one : others[others.count > 1 ? 1 : 0]]
        default: if !relationship.isOptional { links[owner] = [one] }
        }
      }
    }
    for (owner, targets) in links where !targets.isEmpty {
      let names = limited(targets, relationship).map { rows[$0].name }
      rows[owner].fields.append(
        .init(
          key: relationship.name, content: .link(names, isToMany: relationship.isToMany)))
    }
  }

  private func limited(_ targets: [Int], _ relationship: RelationshipDescription) -> [Int] {
    guard relationship.isToMany, relationship.maxCount > 0 else { return targets }
    return Array(targets.prefix(relationship.maxCount))
  }

  private func indices(of entity: EntityDescription) -> [Int] {
    entities.indices.filter { entities[$0].isKindOf(entity: entity) }
  }
}

extension [WrittenRow] {
  /// Those that have as many links as the version requires: where a relationship leads to few, some of the rows that
  /// can't be without it are left over.
  func withRequiredLinks(in model: ManagedObjectModel) -> [WrittenRow] {
    var rows = self
    while true {
      let partners = rows.partners(in: model)
      let kept = rows.filter { row in
        let relationships = model.entity(named: row.entity)?.relationships ?? []
        return relationships.allSatisfy {
          $0.isTransient || $0.isKept(with: partners["\(row.name).\($0.name)"]?.count ?? 0)
        }
      }
      if kept.count == rows.count { return rows }
      let names = Set(kept.map(\.name))
      rows = kept.map { $0.linked(only: names) }
    }
  }

  /// By row and relationship: the rows that it leads to, whichever side says so.
  private func partners(in model: ManagedObjectModel) -> [String: Set<String>] {
    var partners: [String: Set<String>] = [:]
    for row in self {
      for field in row.fields {
        guard let targets = field.links else { continue }
        partners["\(row.name).\(field.key)", default: []].formUnion(targets)
        let relationship = model.entity(named: row.entity)?.relationship(named: field.key)
        guard let inverse = relationship?.inverseRelationship else { continue }
        for target in targets {
          partners["\(target).\(inverse.name)", default: []].insert(row.name)
        }
      }
    }
    return partners
  }
}

extension RelationshipDescription {
  /// Whether an object may have this number of links. To-one relationships needn't have bounds that say so.
  fileprivate func isKept(with count: Int) -> Bool {
    isToMany ? allows(count: count) : count > 0 || isOptional
  }
}

extension Value {
  /// Whether a seed with many of these would take long.
  fileprivate var isLarge: Bool {
    switch self {
    case .string(let text): text.utf8.count > 200
    case .data(let data): data.count > 200
    default: false
    }
  }
}

extension [Int] {
  /// The same elements, of which some of the first ones are the last.
  fileprivate func rotated(by count: Int) -> [Int] {
    isEmpty ? [] : Array(self[(count % self.count)...] + self[..<(count % self.count)])
  }
}

extension EntityDescription {
  fileprivate var rootName: String { superentity?.rootName ?? name }
}

/// What a person asked a smoke test for.
package struct SmokeOptions: Codable, Sendable {
  /// The version to end with; nil for the current one.
  package var target: String?
  /// How many full rows of each entity there are at least.
  package var objects: Int?
  /// What the choice of values begins with.
  package var seed: UInt64 = 0
  /// Whether there are rows that are valid and rarely thought of: blank texts, wildcards.
  package var isDirty = false
  /// Rows and entities that are left out, since they end the process.
  var left: Set<String> = []
  /// Whether there are full rows only.
  var isPlain = false
  /// Whether the extremes are those that take long to read and write, or all others.
  var isLarge = false

  package init() {}
}
