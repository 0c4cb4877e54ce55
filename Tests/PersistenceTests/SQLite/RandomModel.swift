import Persistence
import TestSupport

/// Models nobody would draw: every feature that decides how a store looks, in random combination.
struct RandomModel {
  private var random: RandomSource
  private var entities: [EntityDescription] = []
  private var properties: [String: [PropertyDescription]] = [:]
  private let options: Options
  /// How many values were made, so that each is another.
  private var count = 0

  /// What isn't for every test.
  struct Options {
    /// Relationships that are their own inverse. The independent checker doesn't know their columns.
    var hasSelfInverse = false
    /// To-many relationships without inverse. In SQLite an object can be in one of them only, for it
    /// has the owner's key; in memory in several.
    var hasToManyWithoutInverse = true
  }

  init(seed: UInt64, _ options: Options = Options()) {
    random = RandomSource(seed: seed)
    self.options = options
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  // MARK: The model

  mutating func make() throws -> ManagedObjectModel {
    for name in ["Note", "aBox", "Zebra", "box_2", "Mixed", "noteBook", "Apple", "X"]
      .shuffled(using: &random).prefix(Int.random(in: 2...8, using: &random))
    {
      addEntity(name)
    }
    for _ in 0..<Int.random(in: 1...9, using: &random) { addRelationship() }
    for entity in entities { entity.ownProperties = properties[entity.name] ?? [] }
    for entity in entities { addIndexesAndConstraints(to: entity) }
    return try ManagedObjectModel(entities: entities, name: "Random", versionIdentifiers: ["r"])
  }

  private mutating func addEntity(_ name: String) {
    let parent = chance(40) ? entities.randomElement(using: &random)?.name : nil
    entities.append(StoreShape.entity(name, [], parent: parent, abstract: chance(15)))
    properties[name] = []
    let names = ["text", "code", "kind", "when", "a", "b", "Size", "data_1"]
    for name in names.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)) {
      addAttribute(name)
    }
  }

  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .boolean, .decimal, .double, .float, .string, .date,
    .binaryData, .uuid, .uri, .transformable, .undefined, .composite,
  ]

  private mutating func addAttribute(_ name: String) {
    guard let owner = entities.last, isFree(name, in: owner) else { return }
    let type = Self.types.randomElement(using: &random) ?? .string
    let attribute = StoreShape.attribute(name, type)
    attribute.isTransient = type == .undefined || chance(10)
    attribute.allowsExternalBinaryDataStorage = type == .binaryData && chance(50)
    attribute.isIndexed = !attribute.isTransient && type != .composite && chance(15)
    if type == .composite { attribute.elements = elements() }
    properties[owner.name]?.append(attribute)
  }

  /// Elements whose names others have, too, so that their columns need digits.
  private mutating func elements() -> [AttributeDescription] {
    let types = Self.types.filter { ![.undefined, .composite].contains($0) }
    return ["text", "code", "a", "Part", "part2"].shuffled(using: &random)
      .prefix(Int.random(in: 1...3, using: &random))
      .map { StoreShape.attribute($0, types.randomElement(using: &random) ?? .string) }
  }

  /// Whether neither the entity nor those above and below have the property.
  private func isFree(_ name: String, in entity: EntityDescription) -> Bool {
    !entities.contains { other in
      (isKind(entity, of: other) || isKind(other, of: entity))
        && properties[other.name]?.contains { $0.name == name } == true
    }
  }

  private func isKind(_ entity: EntityDescription, of other: EntityDescription) -> Bool {
    if entity === other { return true }
    return entities.first { $0.name == entity.superentityName }.map { isKind($0, of: other) }
      ?? false
  }

  private mutating func addRelationship() {
    let names = ["items", "owner", "users", "parts", "linked"].shuffled(using: &random)
    guard let a = entities.randomElement(using: &random),
      let b = entities.randomElement(using: &random),
      let forward = names.first(where: { isFree($0, in: a) }),
      let back = names.last(where: { isFree($0, in: b) }), forward != back
    else { return }
    if options.hasSelfInverse, chance(20) {
      return declare(relationship(forward, to: a, inverse: forward), in: a)
    }
    if chance(25) {
      let isToMany = options.hasToManyWithoutInverse
      let oneWay =
        isToMany
        ? relationship(forward, to: b, inverse: nil) : StoreShape.toOne(forward, b.name, nil)
      return declare(oneWay, in: a)
    }
    declare(relationship(forward, to: b, inverse: back), in: a)
    declare(relationship(back, to: a, inverse: forward), in: b)
  }

  private mutating func declare(
    _ relationship: RelationshipDescription, in entity: EntityDescription
  ) {
    properties[entity.name]?.append(relationship)
  }

  private mutating func relationship(
    _ name: String, to entity: EntityDescription, inverse: String?
  ) -> RelationshipDescription {
    chance(60)
      ? StoreShape.toMany(name, entity.name, inverse, ordered: chance(35))
      : StoreShape.toOne(name, entity.name, inverse)
  }

  private mutating func addIndexesAndConstraints(to entity: EntityDescription) {
    let usable = entity.ownProperties.compactMap { $0 as? AttributeDescription }
      .filter { $0.isStored && [.string, .integer64, .date].contains($0.attributeType) }
      .map(\.name).shuffled(using: &random)
    addRTree(to: entity)
    if chance(30), let link = entity.ownProperties.first(where: { $0 is RelationshipDescription }) {
      let both = [link.name] + usable.prefix(chance(50) ? 1 : 0)
      entity.indexes.append(
        FetchIndexDescription(name: "byLink", elements: both.map { .init(propertyName: $0) }))
    }
    guard let first = usable.first else { return }
    if chance(30) {
      entity.uniquenessConstraints = [chance(30) ? Array(usable.prefix(2)) : [first]]
    }
    if chance(30) {
      let elements = usable.prefix(2).map {
        FetchIndexDescription.Element(propertyName: $0, isAscending: chance(70))
      }
      // A word of the language of predicates, which is no name without the sign.
      let name = first == "Size" ? "#Size" : first
      let condition = ["\(name) != nil", "\(name) == nil", nil].randomElement(using: &random)
      entity.indexes.append(
        FetchIndexDescription(
          name: "by_\(first)", elements: elements, partialPredicateFormat: condition ?? nil))
    }
  }

  private mutating func addRTree(to entity: EntityDescription) {
    let numbers = entity.ownProperties.compactMap { $0 as? AttributeDescription }
      .filter { $0.isStored && [.double, .float, .integer32, .date].contains($0.attributeType) }
    if numbers.isEmpty || chance(40) { return }
    let elements = numbers.prefix(2).map { attribute in
      var element = FetchIndexDescription.Element(propertyName: attribute.name)
      element.collation = .rTree
      return element
    }
    entity.indexes.append(FetchIndexDescription(name: "area", elements: elements))
  }

  // MARK: Rows

  /// Saves objects of every entity with random values and links, changes some and deletes some.
  mutating func fill(_ store: PersistentStore) throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator)
    var objects: [ManagedObject] = []
    try ExceptionTrap.catching {
      for entity in store.model.entities where !entity.isAbstract {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let object = context.insertNewObject(for: entity)
          for attribute in entity.attributes where attribute.isStored && !chance(20) {
            object.setAttributeValue(value(of: attribute), at: attribute.slot)
          }
          objects.append(object)
        }
      }
      for object in objects { link(object, among: objects) }
      try context.saveWithoutValidation()
      for object in objects where chance(30) { link(object, among: objects) }
      try context.saveWithoutValidation()
      for object in objects where chance(15) { context.delete(object) }
      try context.saveWithoutValidation()
    }
  }

  private mutating func link(_ object: ManagedObject, among objects: [ManagedObject]) {
    for relationship in object.entity.relationships where chance(60) {
      let fitting = objects.filter { $0.entity.isKindOf(entity: relationship.destinationEntity) }
      let chosen = fitting.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
      let value: Any? =
        relationship.isToMany
        ? relationship.isOrdered
          ? NSOrderedSet(array: Array(chosen)) : NSSet(array: Array(chosen)) : chosen.first
      object.setValue(value, forKey: relationship.name)
    }
  }

  private mutating func value(of attribute: AttributeDescription) -> Value {
    count += 1
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: return .integer(Int64(count))
    case .boolean: return .integer(Int64(count % 2))
    case .decimal: return .decimal(Decimal(count) / 8)
    case .double, .float: return .double(Double(count) / 4)
    case .string: return .string("text \(count) å")
    case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(count) * 0.5))
    case .binaryData: return .data(Data(repeating: 7, count: count % 5 == 0 ? 200_000 : count))
    case .uuid:
      return .uuid(
        UUID(uuid: (UInt8(count % 256), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    case .uri: return URL(string: "https://example.com/\(count)").map { .uri($0) } ?? .null
    case .transformable: return .transformable(TransformableValue(object: [count]))
    case .composite:
      var values: [Value] = []
      for element in attribute.elements { values.append(chance(20) ? .null : value(of: element)) }
      return CompositeValue.value(of: attribute.elements, values)
    case .undefined, .objectID: return .null
    }
  }
}
