/// A small model that fits one JSON object, for those who ask about a predicate without having a
/// model at hand.
struct ShapeModel {
  /// The entity of the object itself.
  static let rootName = "Object"

  private var entities: [EntityDescription] = []

  /// The model for an object: texts, numbers and dates become attributes, objects to-one
  /// relationships, arrays of objects to-many ones. Of other arrays stores see no content, so they
  /// become transformable attributes. A null and an empty array tell no type: `predicate` does, if
  /// it goes on from them; else a null is taken for a text.
  /// - Throws: `ModelError`.
  static func model(
    for fields: [String: Value], asked predicate: Predicate? = nil
  ) throws -> ManagedObjectModel {
    let shapes = fields.mapValues(Shape.init)
    var shape = ShapeModel()
    _ = shape.addEntity(named: rootName, predicate.map { shapes.guided(by: $0) } ?? shapes)
    return try ManagedObjectModel(entities: shape.entities, name: "Shape")
  }

  /// Adds an entity and those its relationships lead to.
  private mutating func addEntity(
    named name: String, _ fields: [String: Shape]
  ) -> EntityDescription {
    let entity = EntityDescription(name: name)
    entities.append(entity)
    for (key, shape) in fields.sorted(by: { $0.key < $1.key }) where Self.isPropertyName(key) {
      switch shape {
      case .unknown: entity.ownProperties.append(AttributeDescription(name: key, type: .string))
      case .empty:
        entity.ownProperties.append(AttributeDescription(name: key, type: .transformable))
      case .attribute(let type):
        entity.ownProperties.append(AttributeDescription(name: key, type: type))
      case .toOne(let fields): addRelationship(key, toMany: false, of: entity, to: fields)
      case .toMany(let fields): addRelationship(key, toMany: true, of: entity, to: fields)
      }
    }
    return entity
  }

  private mutating func addRelationship(
    _ name: String, toMany: Bool, of owner: EntityDescription, to fields: [String: Shape]
  ) {
    let destination = addEntity(named: entityName(for: name), fields)
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination.name, toMany: toMany)
    let inverse = RelationshipDescription(
      name: Self.unused(toMany ? "owner" : "owners", among: fields.keys),
      destinationEntityName: owner.name, toMany: !toMany)
    relationship.inverseName = inverse.name
    inverse.inverseName = name
    owner.ownProperties.append(relationship)
    destination.ownProperties.append(inverse)
  }

  // MARK: Names

  /// The key with a capital, as entities are called.
  private func entityName(for key: String) -> String {
    Self.unused(key.prefix(1).uppercased() + key.dropFirst(), among: entities.map(\.name))
  }

  /// The name, with a number if it or its like in other letters' case is taken.
  private static func unused(_ name: String, among taken: some Sequence<String>) -> String {
    let taken = Set(taken.map { $0.lowercased() })
    let numbered = (2...).lazy.map { "\(name)\($0)" }
    if !taken.contains(name.lowercased()) { return name }
    return numbered.first { !taken.contains($0.lowercased()) } ?? name
  }

  /// Whether Core Data takes `key` for the name of a property.
  private static func isPropertyName(_ key: String) -> Bool {
    guard let first = key.first, first.isLetter || first == "_" else { return false }
    return key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

extension [String: Shape] {
  /// The shapes with what a predicate tells about those that tell no type.
  fileprivate func guided(by predicate: Predicate) -> [String: Shape] {
    var shapes = self
    var finder = KeyPathFinder()
    finder.visit(predicate)
    for (root, path) in finder.found where root == .object {
      let keys = path.split(separator: ".").map(String.init)
      guard let first = keys.first, let known = shapes[first] else { continue }
      shapes[first] = known.following(keys.dropFirst())
    }
    for (key, type) in TypeHints(predicate).types where shapes[key] == .unknown {
      shapes[key] = .attribute(type)
    }
    return shapes
  }
}

/// What a model has for a value.
private indirect enum Shape: Equatable {
  /// For null.
  case unknown
  /// For an array without elements.
  case empty
  case attribute(AttributeType)
  case toOne([String: Shape])
  case toMany([String: Shape])

  init(_ value: Value) {
    switch value {
    case .null: self = .unknown
    case .integer: self = .attribute(.integer64)
    case .double: self = .attribute(.double)
    case .decimal: self = .attribute(.decimal)
    case .date: self = .attribute(.date)
    case .string: self = .attribute(.string)
    case .object(let object as KeyedValues): self = .toOne(object.values.mapValues(Shape.init))
    case .collection(let values): self = Self.collection(values.elements)
    default: self = .attribute(.transformable)
    }
  }

  /// Arrays of objects are relationships, with every key that one of them has.
  private static func collection(_ elements: [Value]) -> Shape {
    if elements.isEmpty { return .empty }
    let objects = elements.compactMap { element -> [String: Shape]? in
      if case .toOne(let fields) = Shape(element) { fields } else { nil }
    }
    guard !objects.isEmpty, objects.count == elements.count else {
      return .attribute(.transformable)
    }
    return .toMany(
      objects.dropFirst().reduce(objects[0]) { $0.merging($1, uniquingKeysWith: both) })
  }

  /// The shape when `keys` are asked of it: null becomes an object and an empty array objects, with
  /// these keys.
  func following(_ keys: ArraySlice<String>) -> Shape {
    guard let key = keys.first else { return self }
    let rest = keys.dropFirst()
    switch self {
    case .empty where key == "@count": return .toMany([:])
    case .empty where key.hasPrefix("@"):
      return .toMany(rest.first.map { [$0: .attribute(.integer64)] } ?? [:])
    case .empty: return .toMany([key: Shape.unknown.following(rest)])
    case .unknown: return .toOne([key: Shape.unknown.following(rest)])
    case .toOne(var fields):
      fields[key] = fields[key, default: .unknown].following(rest)
      return .toOne(fields)
    default: return self
    }
  }

  /// What fits values of either shape.
  private static func both(_ a: Shape, _ b: Shape) -> Shape {
    let numbers: [Shape] = [.attribute(.integer64), .attribute(.double)]
    switch (a, b) {
    case (.unknown, let known), (let known, .unknown), (.empty, let known), (let known, .empty):
      return known
    case (.toOne(let a), .toOne(let b)): return .toOne(a.merging(b, uniquingKeysWith: both))
    case (.toMany(let a), .toMany(let b)): return .toMany(a.merging(b, uniquingKeysWith: both))
    case _ where a == b: return a
    case _ where numbers.contains(a) && numbers.contains(b): return .attribute(.double)
    default: return .attribute(.transformable)
    }
  }
}
