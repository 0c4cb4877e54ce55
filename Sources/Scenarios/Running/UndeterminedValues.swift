/// A property that gets another value each time the same chain is played from the same source: a
/// policy asks for the time, for a random number, or for the order of a set.
package struct UndeterminedProperty: Sendable, Codable, Hashable {
  package let entity: String
  package let property: String
  /// The first version, or moment, at which it was found.
  package let stage: String
  /// How many objects have such a value there.
  package let objectCount: Int

  package var name: String { "\(entity).\(property)" }

  /// What every report says of it.
  package var text: String {
    "\(name) isn't determined by the source: its value differs from run to run "
      + "(\(objectCount.counted("object")) of \(stage)); not compared between the backends"
  }
}

/// Finds the values that the source doesn't determine: those that differ between several plays of one
/// backend.
///
/// Objects of different plays are matched by what they came from, then by the values and links that
/// every play agrees about; never by a value that is in question. What can't be matched so that each
/// play has the same number of each is left alone, and so remains a difference. A value is
/// undetermined only where that explains what the backends have: one that is always the same on one of
/// them must also come up on the other.
package struct UndeterminedValues {
  /// What one play on one backend held.
  private struct Play {
    let backend: Int
    let content: ContentSnapshot
    /// By object: equal for objects that nothing certain tells apart, whichever the play.
    var keys: [Int]
  }
  private var plays: [Play]
  private let backendCount: Int
  /// What of an object isn't determined.
  struct Undetermined {
    /// The places of attributes.
    var values: Set<Int> = []
    /// The places of relationships whose order it is.
    var orders: Set<Int> = []
  }
  /// By play and object.
  private(set) var found: [[Int: Undetermined]]

  /// - Parameter contents: By backend, what each play of it held at the same moment.
  package init(_ contents: [[ContentSnapshot]]) {
    backendCount = contents.count
    plays = contents.enumerated().flatMap { backend, contents in
      contents.map { Play(backend: backend, content: $0, keys: $0.objects.map(\.lineageKey)) }
    }
    found = Array(repeating: [:], count: plays.count)
    // With one play each nothing can be told.
    guard contents.contains(where: { $0.count > 1 }) else { return }
    tellApart()
    mark()
  }

  /// The undetermined properties, each with the number of objects of the first play that have it.
  package func properties(at stage: String) -> [UndeterminedProperty] {
    var counts: [String: [String: Int]] = [:]
    for (index, undetermined) in found.first ?? [:] {
      let entity = plays[0].content.objects[index].entity
      let names =
        undetermined.values.map { entity.attributes[$0].name }
        + undetermined.orders.map { entity.relationships[$0].name }
      for name in names { counts[entity.name, default: [:]][name, default: 0] += 1 }
    }
    return counts.flatMap { entity, properties in
      properties.map {
        UndeterminedProperty(entity: entity, property: $0.key, stage: stage, objectCount: $0.value)
      }
    }.sorted { $0.name < $1.name }
  }

  /// What a play held, without the undetermined values.
  func determinedContent(ofPlay index: Int, on backend: Int) -> ContentSnapshot {
    let place = plays.indices.filter { plays[$0].backend == backend }[index]
    return plays[place].content.leavingOut(found[place])
  }

  // MARK: Matching

  /// The objects with one key: their places, by play.
  private typealias Group = [[Int]]

  private func groups() -> [Int: Group] {
    var groups: [Int: Group] = [:]
    for (index, play) in plays.enumerated() {
      for (object, key) in play.keys.enumerated() {
        groups[key, default: Array(repeating: [], count: plays.count)][index].append(object)
      }
    }
    return groups
  }

  /// Tells objects with one key apart by all that every play agrees about, until that tells no more.
  private mutating func tellApart() {
    var count = 0
    var groups = groups()
    while groups.count > count {
      count = groups.count
      let current = plays.map(\.keys)
      for group in groups.values where group.contains(where: { $0.count > 1 }) {
        guard isSettled(group) else { continue }
        for (play, object, key) in refined(group, current) { plays[play].keys[object] = key }
      }
      groups = self.groups()
    }
  }

  /// Whether all plays of a backend have the same number of the objects.
  private func isSettled(_ group: Group) -> Bool {
    isSameForEachBackend(group.map(\.count))
  }

  private func isSameForEachBackend<Fact: Hashable>(_ facts: [Fact]) -> Bool {
    (0..<backendCount).allSatisfy { backend in Set(self.facts(facts, of: backend)).count <= 1 }
  }

  private func facts<Fact>(_ facts: [Fact], of backend: Int) -> [Fact] {
    zip(plays, facts).filter { $0.0.backend == backend }.map(\.1)
  }

  private func refined(
    _ group: Group, _ current: [[Int]]
  ) -> [(play: Int, object: Int, key: Int)] {
    guard let entity = entity(of: group) else { return [] }
    let features =
      entity.attributes.indices.map(Feature.attribute)
      + entity.relationships.indices.map(Feature.relationship)
    let agreed = features.filter { feature in
      isSameForEachBackend(bag(group) { self.key([feature], of: $1, in: $0, current) })
    }
    // Values that agree each for itself may be paired otherwise in another play.
    let isAgreed = isSameForEachBackend(bag(group) { key(agreed, of: $1, in: $0, current) })
    guard !agreed.isEmpty, isAgreed else { return [] }
    return group.enumerated().flatMap { play, objects in
      objects.map { (play, $0, key(agreed, of: $0, in: play, current)) }
    }
  }

  private enum Feature {
    case attribute(Int)
    case relationship(Int)
    /// What a relationship leads to, in whichever order.
    case members(Int)
  }

  private func entity(of group: Group) -> EntityDescription? {
    zip(plays, group).lazy.compactMap { play, objects in
      objects.first.map { play.content.objects[$0].entity }
    }.first
  }

  /// By play, how often each key occurs, in an order that doesn't matter.
  private func bag(_ group: Group, _ key: (_ play: Int, _ object: Int) -> Int) -> [[Int]] {
    group.enumerated().map { play, objects in objects.map { key(play, $0) }.sorted() }
  }

  private func key(
    _ features: [Feature], of index: Int, in play: Int, _ current: [[Int]]
  ) -> Int {
    let object = plays[play].content.objects[index]
    var hasher = Hasher()
    hasher.combine(current[play][index])
    for feature in features {
      switch feature {
      case .attribute(let place): object.values[place].combineContent(into: &hasher)
      case .relationship(let place):
        let linked = object.links[place].map { current[play][$0] }
        hasher.combine(object.entity.relationships[place].isOrdered ? linked : linked.sorted())
      case .members(let place):
        hasher.combine(object.links[place].map { current[play][$0] }.sorted())
      }
    }
    return hasher.finalize()
  }

  // MARK: Marking

  private mutating func mark() {
    let current = plays.map(\.keys)
    for group in groups().values where isSettled(group) {
      guard let entity = entity(of: group) else { continue }
      for place in entity.attributes.indices {
        let values = bag(group) { key([.attribute(place)], of: $1, in: $0, current) }
        if isUndetermined(values) { add(group) { $0.values.insert(place) } }
      }
      for place in entity.relationships.indices where entity.relationships[place].isOrdered {
        func bag(_ feature: Feature) -> [[Int]] {
          self.bag(group) { key([feature], of: $1, in: $0, current) }
        }
        // Which objects there are is determined.
        if Set(bag(.members(place))).count == 1, isUndetermined(bag(.relationship(place))) {
          add(group) { $0.orders.insert(place) }
        }
      }
    }
  }

  private mutating func add(_ group: Group, _ note: (inout Undetermined) -> Void) {
    for (play, objects) in group.enumerated() {
      for object in objects { note(&found[play][object, default: Undetermined()]) }
    }
  }

  /// - Parameter values: By play, the values of a group.
  private func isUndetermined(_ values: [[Int]]) -> Bool {
    let seen = (0..<backendCount).map { Set(facts(values, of: $0)) }
    guard seen.contains(where: { $0.count > 1 }) else { return false }
    let constants = seen.filter { $0.count == 1 }.flatMap(\.self)
    return constants.allSatisfy { constant in seen.allSatisfy { $0.contains(constant) } }
  }
}

extension ContentSnapshot.Object {
  /// Equal for objects of one entity that came from the same objects of the seed.
  fileprivate var lineageKey: Int {
    var hasher = Hasher()
    hasher.combine(entity.name)
    hasher.combine(origins)
    return hasher.finalize()
  }
}

extension ContentSnapshot {
  /// The content with nothing in place of the values of some properties, by the names of entities.
  package func leavingOut(_ properties: [UndeterminedProperty]) -> ContentSnapshot {
    let names = Dictionary(grouping: properties, by: \.entity).mapValues { Set($0.map(\.property)) }
    var places: [Int: UndeterminedValues.Undetermined] = [:]
    for (index, object) in objects.enumerated() {
      guard let names = names[object.entity.name] else { continue }
      let (attributes, relationships) = (object.entity.attributes, object.entity.relationships)
      places[index] = .init(
        values: Set(attributes.indices.filter { names.contains(attributes[$0].name) }),
        orders: Set(relationships.indices.filter { names.contains(relationships[$0].name) }))
    }
    return leavingOut(places)
  }

  /// The content with nothing in place of some values, by object, and without some orders.
  fileprivate func leavingOut(_ places: [Int: UndeterminedValues.Undetermined]) -> ContentSnapshot {
    if places.isEmpty { return self }
    return ContentSnapshot(
      objects: objects.enumerated().map { index, object in
        guard let left = places[index] else { return object }
        var determined = Object(
          entity: object.entity,
          values: object.values.enumerated().map { left.values.contains($0) ? .null : $1 },
          links: object.links, origins: object.origins, label: object.label)
        determined.unordered = left.orders
        return determined
      })
  }
}
