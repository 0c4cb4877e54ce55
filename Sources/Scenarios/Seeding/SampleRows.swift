/// Rows for the entities that a step changes, with whatever those must be linked to.
package struct SampleRows {
  package private(set) var rows: [SampleRow] = []
  private var links: Set<Property> = []
  /// Rows, by name, and their relationships that lead to one other row at most and do so already.
  private var taken: Set<Property> = []
  private let model: ManagedObjectModel
  /// Entities that rows can't be made of.
  private let excluded: Set<String>
  /// How many rows of each entity there are; the last of several has only what it can't be without.
  private let copies: Int
  private let needed: Set<Property>
  private let small: Set<String>
  private let complete: Set<String>
  private let sharesLinks: Bool
  package static let mostEntities = 40
  /// Where each row needs several others, there would be no end.
  private static let mostRows = 100

  /// A property of an entity, or of a row.
  package struct Property: Hashable {
    package let entity: String
    package let name: String

    package init(entity: String, name: String) {
      (self.entity, self.name) = (entity, name)
    }
  }

  /// - Parameters:
  ///   - wanted: Names of entities.
  ///   - excluded: Entities whose rows turned out to be refused.
  ///   - copies: How many rows of each entity there are to be.
  ///   - needed: What no row is to be without, whatever the model says.
  ///   - small: Entities whose numbers are the smallest ones.
  ///   - complete: Entities whose last row has all that the others have, too.
  ///   - sharesLinks: Whether a row leads to several others, and several to the same one.
  ///   - most: How many of the entities are taken.
  package init(
    of wanted: [String], in model: ManagedObjectModel, without excluded: Set<String> = [],
    copies: Int = 1, needing needed: Set<Property> = [], smallIn small: Set<String> = [],
    completeIn complete: Set<String> = [], sharingLinks sharesLinks: Bool = true,
    atMost most: Int = Self.mostEntities
  ) {
    self.small = small
    self.sharesLinks = sharesLinks
    self.complete = complete
    self.model = model
    self.excluded = excluded
    self.copies = copies
    self.needed = needed
    for name in wanted.prefix(most) {
      if let entity = model.entity(named: name).flatMap(Self.concrete) { add(entity) }
    }
    var index = 0
    // Filling one may add another, to which it must be linked.
    while index < rows.count {
      fill(index)
      index += 1
    }
  }

  /// A row of every entity of a model, but of those that no sample can be made of.
  package static func every(in model: ManagedObjectModel) -> SampleRows {
    let names = model.entities.filter { !$0.isAbstract }.map(\.name)
    var excluded: Set<String> = []
    while true {
      let samples = SampleRows(of: names, in: model, without: excluded, atMost: .max)
      let refused = samples.incomplete
      if refused.isEmpty { return samples }
      excluded.formUnion(refused)
    }
  }

  /// The entities of which a row lacks what it requires: each needs another row, without an end.
  package var incomplete: Set<String> {
    Set(rows.filter { !isComplete($0) }.map(\.entity.name))
  }

  /// Whether a row has all that its entity requires, as far as the model tells.
  private func isComplete(_ row: SampleRow) -> Bool {
    let names = Set(row.fields.map(\.key))
    let hasValues = row.entity.attributes.allSatisfy { attribute in
      let sample = SampleValue(attribute: attribute, number: 1)
      // What is derived is nobody's to give.
      return attribute.isDerived || attribute.isTransient || !sample.isNeeded
        || names.contains(attribute.name)
    }
    return hasValues
      && row.entity.relationships.allSatisfy { relationship in
        guard Self.isNeeded(relationship) else { return true }
        if let field = row.fields.first(where: { $0.key == relationship.name }) {
          guard case .list(let names) = field.value else { return true }
          return names.count >= relationship.minCount
        }
        guard relationship.minCount < 2, let other = self.row(of: relationship.destinationEntity)
        else { return false }
        return isSaid(by: other, relationship, of: row)
      }
  }

  /// The entities of the source that are other ones in the destination, or gone; the first few of
  /// all where there are none.
  package static func entities(
    changedFrom source: ManagedObjectModel, to destination: ManagedObjectModel?
  ) -> [String] {
    let concrete = source.entities.filter { !$0.isAbstract }
    let changed = concrete.filter { entity in
      guard let destination else { return false }
      return destination.entity(named: entity.name)?.versionHash != entity.versionHash
    }
    return (changed.isEmpty ? Array(concrete.prefix(3)) : changed).map(\.name)
  }

  /// The entity itself, or one that is of its kind and has objects.
  private static func concrete(_ entity: EntityDescription) -> EntityDescription? {
    entity.isAbstract ? entity.subentities.lazy.compactMap(concrete).first : entity
  }

  // MARK: Rows

  /// Adds a row, and one for each object that it can't be without.
  private mutating func add(_ entity: EntityDescription) {
    guard !excluded.contains(entity.name), row(of: entity) == nil else { return }
    for number in 1...copies { append(entity, number) }
    for relationship in entity.relationships where Self.isNeeded(relationship) {
      if let destination = Self.concrete(relationship.destinationEntity) { add(destination) }
    }
  }

  @discardableResult
  private mutating func append(_ entity: EntityDescription, _ number: Int) -> SampleRow {
    rows.append(SampleRow(entity: entity, name: Self.name(of: entity, number), number: number))
    return rows[rows.count - 1]
  }

  private static func isNeeded(_ relationship: RelationshipDescription) -> Bool {
    !relationship.isOptional && !relationship.isTransient
  }

  private static func name(of entity: EntityDescription, _ number: Int = 1) -> String {
    let bare = entity.name.filter { $0.isLetter || $0.isNumber || $0 == "_" }
    return bare.prefix(1).lowercased() + bare.dropFirst() + "\(number)"
  }

  private func count(of entity: EntityDescription) -> Int { rows.count { $0.entity === entity } }

  /// The row of an entity with a number, or the last before it.
  private func row(of entity: EntityDescription, _ number: Int = 1) -> SampleRow? {
    let own = rows.filter { $0.entity === entity }
    let all = own.isEmpty ? rows.filter { $0.entity.isKindOf(entity: entity) } : own
    return all.last { $0.number <= number }
  }

  // MARK: Fields

  /// Whether a row leaves open what it can, as those of the last number do.
  private func isSparse(_ row: SampleRow) -> Bool {
    row.number >= max(copies, 2) && !complete.contains(row.entity.name)
  }

  private mutating func fill(_ index: Int) {
    let entity = rows[index].entity
    let isBare = rows[index].number == copies && isSparse(rows[index])
    for attribute in entity.attributes {
      let sample = SampleValue(
        attribute: attribute, number: index + 1, isSmall: small.contains(entity.name))
      // One row keeps the defaults.
      let isWanted = (attribute.isOptional || copies > 1) && !isBare
      // Two rows may have nil, and not the same default.
      let isNeeded =
        sample.isNeeded || needed.contains(Property(entity: entity.name, name: attribute.name))
        || entity.constrains(attribute) && !attribute.typedDefaultValue.isNull
      guard isNeeded || isWanted, let value = sample.notation else { continue }
      rows[index].fields.append(.init(key: attribute.name, value: value))
    }
    for relationship in entity.relationships where !relationship.isTransient {
      link(index, relationship)
    }
  }

  /// Whether the other side says already where a row's relationship leads.
  private func isSaid(
    by other: SampleRow, _ relationship: RelationshipDescription, of row: SampleRow
  ) -> Bool {
    guard relationship.isToMany else {
      return taken.contains(Property(entity: row.name, name: relationship.name))
    }
    return relationship.inverseRelationship.map {
      links.contains(Property(entity: other.entity.name, name: $0.name))
    } ?? false
  }

  /// Links where there is a row to link to, from one side only: that which needs several.
  private mutating func link(_ index: Int, _ relationship: RelationshipDescription) {
    let (row, isNeeded) = (rows[index], Self.isNeeded(relationship))
    // Of two to-many sides, one says it.
    let inverse = relationship.inverseRelationship
    let isWanted = !relationship.isToMany || copies > 1 && (inverse?.isToMany ?? true)
    let isMissed = needed.contains(Property(entity: row.entity.name, name: relationship.name))
    guard isNeeded || isWanted && (!isSparse(row) || isMissed),
      let other = self.row(of: relationship.destinationEntity, partner(of: row, relationship)),
      isNeeded || other.entity !== row.entity || other.number < row.number
    else { return }
    // The side says it that needs it, or needs more.
    if let inverse, Self.isNeeded(inverse),
      inverse.minCount > (isNeeded ? max(1, relationship.minCount) : 0),
      !links.contains(Property(entity: other.entity.name, name: inverse.name))
    {
      return
    }
    if isSaid(by: other, relationship, of: row) { return }
    let least = max(1, relationship.isToMany ? relationship.minCount : 1)
    var names: [String] = []
    while names.count
      < (relationship.isToMany && copies > 1 && sharesLinks ? max(least, 2) : least),
      let name = destination(
        like: other, for: relationship, isNeeded && names.count < least, besides: names)
    {
      names.append(name)
    }
    guard !names.isEmpty else { return }
    taken.insert(Property(entity: row.name, name: relationship.name))
    links.insert(Property(entity: row.entity.name, name: relationship.name))
    let values = names.map { Notation.text($0) }
    rows[index].fields.append(
      .init(key: relationship.name, value: relationship.isToMany ? .list(values) : values[0]))
  }

  /// Which row of the other entity one is linked to: two share one where they may.
  private func partner(of row: SampleRow, _ relationship: RelationshipDescription) -> Int {
    let inverse = relationship.inverseRelationship
    let mayShare = inverse.map { $0.isToMany && !Self.isNeeded($0) } ?? false
    return mayShare && sharesLinks && row.number == 2 ? 1 : row.number
  }

  /// A row of an entity that isn't linked from the other side already: a new one, if a link is needed.
  private mutating func destination(
    like other: SampleRow, for relationship: RelationshipDescription, _ isNeeded: Bool,
    besides names: [String]
  ) -> String? {
    let owner = relationship.isExclusive ? relationship.inverseKey : nil
    let isFirst = names.isEmpty && owner != nil && relationship.inverseRelationship != nil
    let known = [other] + (isFirst ? [] : rows.filter { $0.entity === other.entity })
    var free = known.map(\.name).first { name in
      owner.map { !taken.contains(Property(entity: name, name: $0)) } ?? !names.contains(name)
    }
    if free == nil, isNeeded, rows.count < Self.mostRows {
      free = append(other.entity, 1 + count(of: other.entity)).name
    }
    if let owner, let free { taken.insert(Property(entity: free, name: owner)) }
    return free
  }
}
