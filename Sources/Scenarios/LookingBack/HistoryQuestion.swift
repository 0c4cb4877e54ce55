/// What to look up in the stores of earlier versions to tell where something went wrong.
enum HistoryQuestion {
  /// The value at a key path of what became of seeded objects, and what was expected there.
  case value(origins: [Int], keyPath: [String], expected: [String])
  /// Which entities a seeded object is of.
  case presence(origin: Int)
  /// How many objects of an entity there are.
  case count(entity: String)
  /// How many objects meet a condition, or don't meet it.
  case matching(Condition)

  /// Objects of an entity that meet a condition, or that don't.
  struct Condition {
    let entity: String
    let predicate: Predicate
    /// Whether those are counted that don't meet it.
    var countsOthers = false
    /// Whether more are counted than there should be; else too few.
    let hasTooMany: Bool
  }
}

/// Looks back through what the stores of a run held, version by version.
struct History {
  /// The versions that the run came through, the oldest first, with what their stores held.
  let stages: [(version: String, content: ContentSnapshot)]
  let scenario: CheckedScenario

  /// What the stages hold, up to and including the last; nil where a version has nothing of the
  /// kind.
  func answers(to question: HistoryQuestion) -> [Failure.Stage] {
    switch question {
    case .value(let origins, let keyPath, _): values(origins, keyPath)
    case .matching(let condition):
      stages.map { stage in
        // What an older version can't answer isn't told of it.
        // A condition that an older version can't answer suspects nobody there.
        let indices = try? condition.indices(in: stage.content, are: !condition.countsOthers)
        return Failure.Stage(version: stage.version, value: indices.map { "\($0.count)" })
      }
    case .presence(let origin):
      stages.map { stage in
        let names = stage.content.objects(from: [origin]).map { $0.entity.name }
        return Failure.Stage(
          version: stage.version, value: names.isEmpty ? "nothing" : names.joined(separator: ", "))
      }
    case .count(let entity):
      stages.map { stage in
        let isKnown = stage.content.entityNames.contains(entity) || knows(entity, stage.version)
        let count = stage.content.objects.count { $0.entity.isNamedOrDescends(from: entity) }
        return Failure.Stage(version: stage.version, value: isKnown ? "\(count)" : nil)
      }
    }
  }

  /// The place in the list from which on the answers are the last one.
  static func firstOfLastValue(_ answers: [Failure.Stage]) -> Int? {
    guard var index = answers.indices.last, let last = answers[index].value else { return nil }
    while index > 0, answers[index - 1].value == last { index -= 1 }
    return index
  }

  private func knows(_ entity: String, _ version: String) -> Bool {
    scenario.models[version]?.entity(named: entity) != nil
  }

  // MARK: Values

  /// Goes back from the last version, following names that changed.
  private func values(_ origins: [Int], _ keyPath: [String]) -> [Failure.Stage] {
    var answers: [Failure.Stage] = []
    var keys = keyPath
    var entity: EntityDescription?
    for stage in stages.reversed() {
      let objects = stage.content.objects(from: origins)
      let object = objects.first { $0.entity.name == entity?.name } ?? objects.first
      if let entity, let object { keys = Self.earlier(keys, of: entity, in: object.entity) }
      answers.insert(
        Failure.Stage(
          version: stage.version, value: object.flatMap { stage.content.text(of: $0, at: keys) }),
        at: 0)
      entity = object?.entity ?? entity
    }
    return answers
  }

  /// The names that a key path had in the version before, by renaming identifiers.
  private static func earlier(
    _ keys: [String], of entity: EntityDescription, in earlier: EntityDescription
  ) -> [String] {
    guard let key = keys.first, let property = entity.property(named: key) else { return keys }
    let old = property.explicitRenamingIdentifier.flatMap { earlier.property(named: $0)?.name }
    guard let relationship = property as? RelationshipDescription,
      let before = earlier.relationship(named: old ?? key)
    else { return [old ?? key] + keys.dropFirst() }
    return [old ?? key]
      + Self.earlier(
        Array(keys.dropFirst()), of: relationship.destinationEntity, in: before.destinationEntity)
  }
}

// MARK: - Conditions

extension HistoryQuestion.Condition {
  /// The places in a snapshot of the objects that meet the condition, or that don't.
  fileprivate func indices(in content: ContentSnapshot, are wanted: Bool) throws -> [Int] {
    try SnapshotGraph(content).indices(
      of: entity, where: predicate, are: wanted)
  }

  /// Whether it is the objects that meet the condition that are wrong.
  var isWrongWhenMet: Bool { countsOthers ? false : hasTooMany }
}

extension History {
  /// The objects of the seed whose objects became wrong with a version.
  func suspects(of condition: HistoryQuestion.Condition, at version: String) -> [Int] {
    guard let index = stages.firstIndex(where: { $0.version == version }), index > 0 else {
      return []
    }
    func origins(_ stage: Int, wrong isWrong: Bool) -> Set<Int> {
      let content = stages[stage].content
      let indices = try? condition.indices(in: content, are: condition.isWrongWhenMet == isWrong)
      return Set((indices ?? []).flatMap { content.objects[$0].origins })
    }
    return origins(index, wrong: true).intersection(origins(index - 1, wrong: false)).sorted()
  }
}

// MARK: - Reading contents

extension ContentSnapshot {
  /// The objects that came from any of some objects of the seed.
  fileprivate func objects(from origins: [Int]) -> [Object] {
    let wanted = Set(origins)
    return objects.filter { !wanted.isDisjoint(with: $0.origins) }
  }

  fileprivate var entityNames: Set<String> { Set(objects.map(\.entity.name)) }

  /// What a key path leads to; nil where the object has no such property.
  fileprivate func text(of object: Object, at keys: [String]) -> String? {
    guard let (values, isPlural) = values(of: object, at: keys[...]) else { return nil }
    return isPlural ? "[\(values.joined(separator: ", "))]" : values.first ?? "null"
  }

  private func values(
    of object: Object, at keys: ArraySlice<String>
  ) -> (values: [String], isPlural: Bool)? {
    guard let key = keys.first else { return nil }
    if let index = object.entity.attributes.firstIndex(where: { $0.name == key }) {
      return ([object.values[index].shown(as: object.entity.attributes[index])], false)
    }
    guard let index = object.entity.relationships.firstIndex(where: { $0.name == key }) else {
      return nil
    }
    let relationship = object.entity.relationships[index]
    let linked = object.links[index].map { objects[$0] }
    let rest = keys.dropFirst()
    if rest.first == "@count" { return (["\(linked.count)"], false) }
    let found =
      rest.isEmpty
      ? linked.map { [$0.label] } : linked.map { values(of: $0, at: rest)?.values ?? [] }
    let all = found.flatMap(\.self)
    return (relationship.isOrdered ? all : all.sorted(), relationship.isToMany)
  }
}
