import Persistence
import TestSupport

/// Makes cases; the same seed makes the same case.
struct EditGenerator {
  private var random: RandomSource
  private var objects: [(number: Int, entity: String)] = []

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  enum Kind { case mixed, single, plain, wide }

  mutating func makeCase(_ kind: Kind) -> EditCase {
    switch kind {
    case .mixed: makeCase()
    case .single: makeSingle()
    case .plain: makePlain()
    case .wide: makeWide()
    }
  }

  mutating func makeCase(extras: EditModel.Extras? = nil) -> EditCase {
    let contexts = makeContexts()
    var edits: [Edit] = []
    // Something that all contexts know, to begin with.
    for entity in EditModel.entities { edits.append(insert(in: 0, entity)) }
    edits += [.link(0, object: 3, "owner", to: 1), .save(0)]
    for _ in 0..<chance(10, 40) {
      let context = chance(0, contexts.count - 1)
      edits.append(extras.map { wideEdit(in: context, $0) } ?? edit(in: context))
      // Codes that meet.
      if case .insert(let context, "Team", let team)? = edits.last {
        edits.append(.set(context, object: team, "code", chance(0, 1)))
      }
    }
    // Children first, so that what they changed arrives.
    edits += contexts.indices.reversed().map { .save($0) }
    var variant = variant()
    variant.extras = extras
    return EditCase(variant: variant, contexts: contexts, edits: edits)
  }

  /// Edits of one context, which is saved now and then.
  private mutating func makeSingle() -> EditCase {
    var one = makeCase()
    one.contexts = [one.contexts[0]]
    // What a policy gives up in a parent, its children still have.
    one.variant.isUnique = false
    one.edits = one.edits.filter { $0.context == 0 }
    if one.edits.last != .save(0) { one.edits.append(.save(0)) }
    return one
  }

  /// Edits of attributes in contexts on one coordinator.
  private mutating func makePlain() -> EditCase {
    let contexts = (0..<3).map { _ in
      EditCase.Context(
        parent: nil, policy: pick(MergePolicyType.allCases), mergesByItself: false)
    }
    var edits = (0..<3).map { _ in insert(in: 0, "Person") } + [.save(0)]
    for _ in 0..<chance(10, 40) {
      let context = chance(0, 2)
      switch chance(0, 19) {
      case 0..<2: edits.append(insert(in: context, "Person"))
      case 2..<10: edits.append(set(in: context))
      case 10..<12: edits.append(.delete(context, object: object()))
      case 12: edits.append(.rollback(context))
      case 13: edits.append(.refresh(context, object: object(), merging: chance(0, 1) == 0))
      default: edits.append(.save(context))
      }
    }
    let variant = EditModel.Variant(
      teamRule: .nullify, taskRule: .nullify, isUnique: false, needsOwner: false)
    return EditCase(variant: variant, contexts: contexts, edits: edits)
  }

  private mutating func chance(_ low: Int, _ high: Int) -> Int {
    Int.random(in: low...max(low, high), using: &random)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[chance(0, elements.count - 1)]
  }

  private mutating func makeContexts() -> [EditCase.Context] {
    var contexts: [EditCase.Context] = []
    for number in 0..<chance(2, 4) {
      let isChild = number > 0 && chance(0, 2) == 0
      contexts.append(
        EditCase.Context(
          parent: isChild ? chance(0, number - 1) : nil, policy: pick(MergePolicyType.allCases),
          mergesByItself: chance(0, 3) == 0))
    }
    return contexts
  }

  private mutating func variant() -> EditModel.Variant {
    EditModel.Variant(
      teamRule: pick([.nullify, .nullify, .cascade, .deny]), taskRule: pick([.nullify, .cascade]),
      isUnique: chance(0, 1) == 0, needsOwner: chance(0, 4) == 0)
  }

  private mutating func insert(in context: Int, _ entity: String) -> Edit {
    objects.append((objects.count, entity))
    return .insert(context, entity, object: objects.count - 1)
  }

  private mutating func edit(in context: Int) -> Edit {
    switch chance(0, 99) {
    case 0..<11: return insert(in: context, pick(EditModel.entities + ["Team"]))
    case 11..<28: return set(in: context)
    case 28..<54: return link(in: context)
    case 54..<61: return .delete(context, object: object())
    case 61..<76: return .save(context)
    case 76..<84: return giveUp(in: context)
    case 84..<87: return .merge(context, from: chance(0, 3))
    case 87..<89: return .process(context)
    case 89..<91: return .fetch(context, pick(EditModel.entities))
    case 91..<95: return .find(context, question: chance(0, EditModel.questions.count - 1))
    case 95..<98: return .read(context, object: object())
    default: return .obtainIDs(context)
    }
  }

  /// Rolling back, and reading anew.
  private mutating func giveUp(in context: Int) -> Edit {
    switch chance(0, 7) {
    case 0..<2: .rollback(context)
    case 2: chance(0, 2) == 0 ? .reset(context) : .refreshAll(context)
    case 3: .refreshAll(context)
    default: .refresh(context, object: object(), merging: chance(0, 1) == 0)
    }
  }

  /// An object of one of several entities, or of any.
  private mutating func object(_ entities: String...) -> Int {
    let fitting = objects.filter { entities.isEmpty || entities.contains($0.entity) }
    return fitting.isEmpty ? 0 : pick(fitting).number
  }

  private mutating func set(in context: Int) -> Edit {
    let teams = objects.filter { $0.entity == "Team" }
    let object = pick(chance(0, 3) == 0 && !teams.isEmpty ? teams : objects)
    let value = chance(0, 4) == 0 ? nil : chance(0, 2)
    return .set(context, object: object.number, pick(Self.keys[object.entity] ?? ["name"]), value)
  }

  /// The attributes of each entity.
  private static let keys: [String: [String]] = [
    "Team": ["name", "code", "code"], "Person": ["name", "age"],
    "Player": ["name", "age", "number"], "Task": ["title"],
  ]

  private mutating func link(in context: Int) -> Edit {
    let person = object("Person", "Player")
    switch chance(0, 17) {
    case 0: return .link(context, object: person, "team", to: optional(object("Team")))
    case 1: return .link(context, object: person, "leads", to: optional(object("Team")))
    case 2:
      return .link(
        context, object: person, "spouse", to: optional(object("Person", "Player")))
    case 3: return .link(context, object: object("Task"), "owner", to: optional(person))
    case 4: return .add(context, object: person, "friends", object("Person", "Player"))
    case 5: return .remove(context, object: person, "friends", object("Person", "Player"))
    case 6: return .add(context, object: object("Team"), "members", person)
    case 7: return .remove(context, object: object("Team"), "members", person)
    case 8: return .add(context, object: person, "tasks", object("Task"))
    case 9: return .remove(context, object: person, "tasks", object("Task"))
    case 10: return .rotate(context, object: person, "tasks")
    case 11: return .link(context, object: object("Team"), "leader", to: optional(person))
    case 12: return .add(context, object: person, "helps", object("Task"))
    case 13: return .add(context, object: object("Task"), "helpers", person)
    case 14: return .remove(context, object: object("Task"), "helpers", person)
    case 15: return .rotate(context, object: person, "helps")
    default: return replace(in: context)
    }
  }

  private mutating func replace(in context: Int) -> Edit {
    let (owner, key, member) = pick([
      ("Team", "members", "Person"), ("Person", "tasks", "Task"), ("Person", "helps", "Task"),
      ("Task", "helpers", "Person"), ("Person", "friends", "Person"),
    ])
    let members = (0..<chance(0, 3)).map { _ in object(member, member == "Person" ? "Player" : "") }
    return .replace(
      context, object: object(owner, owner == "Person" ? "Player" : ""), key, members)
  }

  private mutating func optional(_ object: Int) -> Int? { chance(0, 3) == 0 ? nil : object }
}

// MARK: - Wide cases

extension EditGenerator {
  fileprivate mutating func makeWide() -> EditCase {
    let extras = EditModel.Extras(
      linkRule: chance(0, 1) == 0 ? .nullify : .noAction, hasLoose: chance(0, 1) == 0,
      isLimited: chance(0, 2) == 0)
    return makeCase(extras: extras)
  }

  fileprivate mutating func wideEdit(in context: Int, _ extras: EditModel.Extras) -> Edit {
    switch chance(0, 99) {
    case 0..<10: batch(in: context)
    case 10..<25 where extras.hasLoose: loose(in: context)
    default: edit(in: context)
    }
  }

  private mutating func batch(in context: Int) -> Edit {
    let merging = chance(0, 2) == 0
    let question = chance(0, EditModel.questions.count - 1)
    let entity = EditModel.questions[question].entity
    switch chance(0, 9) {
    case 0..<4:
      return .updateAll(
        context, question: question, pick(Self.keys[entity] ?? ["name"]),
        chance(0, 4) == 0 ? nil : chance(0, 2), merging: merging)
    case 4..<6 where entity != "Team":
      let (key, target) =
        entity == "Task" ? ("owner", object("Person", "Player")) : ("team", object("Team"))
      return .linkAll(context, question: question, key, to: optional(target), merging: merging)
    case 6..<8: return stored(in: context, merging: merging)
    default: return .deleteAll(context, question: question, merging: merging)
    }
  }

  private mutating func stored(in context: Int, merging: Bool) -> Edit {
    let entity = pick(EditModel.entities)
    var values: [String: Int] = [:]
    for key in Self.keys[entity] ?? [] where chance(0, 1) == 0 { values[key] = chance(0, 2) }
    let owner = owner(ofStored: entity)
    guard case .insert(_, _, let number) = insert(in: context, entity) else {
      return .save(context)
    }
    if let owner { values[owner.key] = owner.object }
    return .store(context, entity, object: number, values, merging: merging)
  }

  /// Whom a stored object belongs to, if to anybody.
  private func owner(ofStored entity: String) -> (key: String, object: Int)? {
    let (key, entities) =
      entity == "Task" ? ("owner", ["Person", "Player"]) : ("team", ["Team"])
    let owners = objects.filter { entities.contains($0.entity) }
    if entity == "Team" || owners.isEmpty || objects.count % 2 == 0 { return nil }
    return (key, owners[objects.count % owners.count].number)
  }

  private mutating func loose(in context: Int) -> Edit {
    let (person, team, task) = (object("Person", "Player"), object("Team"), object("Task"))
    switch chance(0, 8) {
    case 0..<2:
      return .link(context, object: person, "mentor", to: optional(object("Person", "Player")))
    case 2..<4: return .add(context, object: person, "likes", task)
    case 4: return .remove(context, object: person, "likes", task)
    case 5..<7: return .add(context, object: team, "route", task)
    case 7: return .remove(context, object: team, "route", task)
    default: return .rotate(context, object: team, "route")
    }
  }
}
