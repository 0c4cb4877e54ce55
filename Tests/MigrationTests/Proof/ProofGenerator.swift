import Migration
import TestSupport

/// Makes cases from a seed.
struct ProofGenerator {
  private var random: RandomSource
  private var names: [String] = []
  private var reusesNames = false

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  mutating func makeCase() -> ProofCase {
    reusesNames = chance(0.4)
    let base = makeModel()
    var result = ProofCase(
      base: base, rows: makeRows(of: base), steps: [], mappingSeed: random.next())
    let isComposable = chance(0.4)
    for _ in 0..<number(1...3) {
      var changes: [ProofChange] = []
      var model = result.models[result.models.count - 1]
      for _ in 0..<number(1...4) {
        guard let change = makeChange(of: model), !isComposable || change.isComposable else {
          continue
        }
        changes.append(change)
        model = model.applying([change])
      }
      result.steps.append(changes)
    }
    result.reusesNames = reusesNames
    return result
  }

  // MARK: Chance

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }
  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }
  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }
  /// A new name; in some cases now and then one that was used before: what is gone comes back as something else.
  private mutating func name(_ start: String) -> String {
    if reusesNames, chance(0.15), let used = pick(names.filter { $0.hasPrefix(start) }) {
      return used
    }
    names.append("\(start)\(names.count + 1)")
    return names[names.count - 1]
  }

  // MARK: Models

  private static let types = [
    "string", "int16", "int32", "int64", "double", "float", "decimal", "bool", "date", "data",
    "uuid", "uri", "data(external)", "transformable", "int32 transient",
    "composite(x:string?,y:int16?)", "composite(y:int32=3,z:double)",
  ]
  /// What rows of the first version may break.
  private static let ruled = [
    "string(1...)", "string(...3)", "string(/[a-z ]*/)", "date(...2001-01-01)", "int32(0...)",
    "int64(0...)", "double(...9)", "float(...9)", "decimal(0...)",
  ]
  private static let numbers = ["int16", "int32", "int64", "double", "float", "decimal"]

  private mutating func makeModel() -> ProofModel {
    var model = ProofModel()
    for _ in 0..<number(1...4) {
      let parent = chance(0.3) ? pick(model.entities.map(\.name)) : nil
      var entity = ProofModel.Entity(name: name("E"), parent: parent)
      if model[entity.name] != nil { continue }
      entity.isAbstract = chance(0.1)
      model.entities.append(entity)
      for _ in 0..<number(0...3) {
        let change = ProofChange.addAttribute(entity.name, makeAttribute(required: 0.2))
        model = model.applying([change])
      }
      let text = model[entity.name]?.attributes.first { $0.type == "string" }?.name
      if chance(0.4), let text { model = model.applying([.unique(entity.name, [text])]) }
    }
    for _ in 0..<number(0...3) {
      if let change = makeRelationship(in: model, required: 0) { model = model.applying([change]) }
    }
    return model
  }

  private mutating func makeAttribute(required: Double) -> ProofModel.Attribute {
    let type = pick(Self.types) ?? "string"
    var attribute = ProofModel.Attribute(name: name("a"), type: type)
    attribute.isOptional = !chance(required)
    if chance(0.3) { attribute.defaultText = defaultText(type) }
    return attribute
  }

  private mutating func defaultText(_ type: String) -> String? {
    switch type {
    case "string": "text"
    case "bool": "true"
    case "date": "2012-12-25"
    case "double", "float", "decimal": "2.5"
    case "int16", "int32", "int64": "7"
    default: nil
    }
  }

  private mutating func makeRelationship(
    in model: ProofModel, required: Double
  ) -> ProofChange? {
    guard let from = pick(model.entities)?.name, let to = pick(model.entities)?.name else {
      return nil
    }
    var relationship = ProofModel.Relationship(name: name("r"), destination: to)
    relationship.isOptional = !chance(required)
    // A to-many relationship without inverse isn't kept alike by all stores.
    if chance(0.15) { return .addRelationship(from, relationship, back: nil) }
    relationship.isToMany = chance(0.5)
    relationship.isOrdered = relationship.isToMany && chance(0.4)
    var back = ProofModel.Relationship(
      name: name("b"), destination: from, inverse: relationship.name)
    back.isToMany = chance(0.5)
    back.isOrdered = back.isToMany && chance(0.3)
    relationship.inverse = back.name
    return .addRelationship(from, relationship, back: back)
  }

  // MARK: Changes

  private mutating func makeChange(of model: ProofModel) -> ProofChange? {
    guard let entity = pick(model.entities) else { return nil }
    switch number(0...19) {
    case 0...1: return .addAttribute(entity.name, makeAttribute(required: 0.15))
    case 2: return .addEntity(.init(name: name("E"), attributes: [makeAttribute(required: 0.5)]))
    case 3: return .removeEntity(entity.name)
    case 4: return .renameEntity(entity.name, to: name("E"), keepsOldest: chance(0.8))
    case 5: return .move(entity.name, under: chance(0.5) ? pick(model.entities)?.name : nil)
    case 6 where !entity.unique.isEmpty: return .allowDuplicates(entity.name)
    case 6: return .setAbstract(entity.name, !entity.isAbstract)
    case 7...8: return makeRelationship(in: model, required: 0.05)
    case 9...14: return makeChange(of: pick(entity.attributes), in: entity, of: model)
    default: return makeChange(of: pick(entity.relationships), in: entity.name, of: model)
    }
  }

  private mutating func makeChange(
    of attribute: ProofModel.Attribute?, in owner: ProofModel.Entity, of model: ProofModel
  ) -> ProofChange? {
    guard let attribute else { return nil }
    let entity = owner.name
    switch number(0...11) {
    case 0...1: return .removeAttribute(entity, attribute.name)
    case 2...4:
      return .renameAttribute(
        entity, attribute.name, to: name("a"), keepsOldest: chance(0.7))
    case 5:
      let ruled = Self.ruled.filter { $0.hasPrefix(attribute.type + "(") }
      if chance(0.4), let type = pick(ruled) { return .retype(entity, attribute.name, to: type) }
      let isNumber = Self.numbers.contains(attribute.type)
      let types = isNumber && chance(0.9) ? Self.numbers : Self.types
      return pick(types).map { .retype(entity, attribute.name, to: $0) }
    case 6:
      let text = chance(0.7) ? defaultText(attribute.type) : nil
      return .require(entity, attribute.name, defaultText: text)
    case 7: return .relax(entity, attribute.name)
    case 8:
      // Only values that all stores compare alike.
      let names = owner.attributes.filter { ["string", "int32", "int64"].contains($0.type) }
        .map(\.name)
      return names.isEmpty ? nil : .unique(entity, Array(names.prefix(number(1...2))))
    case 9:
      return pick(owner.attributes.filter { $0.name != attribute.name }).map {
        .swapAttributes(entity, attribute.name, $0.name)
      }
    case 10:
      let relatives = model.entities.filter { $0.parent == entity || $0.name == owner.parent }
      return pick(relatives).map { .moveAttribute(entity, attribute.name, to: $0.name) }
    default:
      // A required one without default may fail in any step, which hides the rest.
      let goes = attribute.isOptional && attribute.defaultText != nil
      return .setDefault(entity, attribute.name, goes ? nil : defaultText(attribute.type))
    }
  }

  private mutating func makeChange(
    of relationship: ProofModel.Relationship?, in entity: String, of model: ProofModel
  ) -> ProofChange? {
    guard let relationship else { return nil }
    switch number(0...7) {
    case 0: return .removeRelationship(entity, relationship.name)
    case 1...2: return .renameRelationship(entity, relationship.name, to: name("r"))
    case 3 where relationship.inverse != nil: return .widen(entity, relationship.name)
    case 4:
      let target = pick(model.entities)?.name ?? entity
      return .retarget(entity, relationship.name, to: target)
    case 5:
      return .setRequired(entity, relationship.name, relationship.isOptional && chance(0.3))
    default:
      return .setOrdered(entity, relationship.name, !relationship.isOrdered)
    }
  }

  // MARK: Rows

  private mutating func makeRows(of model: ProofModel) -> [ProofCase.Row] {
    var rows: [ProofCase.Row] = []
    for entity in model.entities where !entity.isAbstract {
      for _ in 0..<number(0...5) {
        var row = ProofCase.Row(entity: entity.name, values: [:])
        for attribute in model.attributes(of: entity) {
          let isUnique =
            attribute.type == "string"
            && model.entities.contains { $0.unique.joined().contains(attribute.name) }
          row.values[attribute.name] =
            attribute.isOptional && chance(0.3)
            ? .null : isUnique ? .string("unique \(rows.count)") : makeValue(attribute.type)
        }
        rows.append(row)
      }
    }
    for index in rows.indices {
      guard let entity = model[rows[index].entity] else { continue }
      for relationship in model.relationships(of: entity) where chance(0.5) {
        let ends = rows.indices.filter {
          model.isKind(rows[$0].entity, of: relationship.destination)
        }
        let count = relationship.isToMany ? number(0...3) : 1
        rows[index].links[relationship.name] = Array(ends.shuffled(using: &random).prefix(count))
      }
    }
    return rows
  }

  private mutating func makeValue(_ type: String) -> Value {
    switch type {
    case "string": .string(pick(["", "a", "b", "ö'\"", "longer text", "😀", "a\0b"]) ?? "")
    case "int16": .integer(pick([-3, 0, 1, 300, 32767, -32768]) ?? 0)
    case "int32": .integer(pick([-3, 0, 70000, 2_147_483_647]) ?? 0)
    case "int64": .integer(pick([0, 1, 2, 1 << 40, -5, .max, .min, (1 << 53) + 1]) ?? 0)
    case "double" where chance(0.2): .double(pick([0.1, .infinity, 1e300, 1e18]) ?? 0)
    case "double", "float": .double(Double(number(-40...40)) / 4)
    case "transformable": .transformable(TransformableValue(object: "text \(number(0...3))"))
    case "int32 transient": .null
    case _ where type.hasPrefix("composite(x"): .object(["x": "a", "y": 3] as NSDictionary)
    case _ where type.hasPrefix("composite"): .object(["y": 1, "z": 0.5] as NSDictionary)
    case "decimal": .decimal(Decimal(number(-500...500)) / 100)
    case "bool": .integer(chance(0.5) ? 1 : 0)
    case "date": .date(Date(timeIntervalSinceReferenceDate: Double(number(-1000...1000)) / 8))
    case "uuid":
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, UInt8(number(0...255)))))
    case "uri": .uri(URL(fileURLWithPath: "/\(number(0...9))"))
    default: .data(Data((0..<number(0...4)).map { UInt8($0) }))
    }
  }
}
