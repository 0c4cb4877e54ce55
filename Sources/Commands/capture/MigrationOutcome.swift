/// What migrating a store comes to, apart from the values: the failure, or how much of what there is.
///
/// Two stores whose migration comes to the same have equal outcomes, also where the values are others.
struct MigrationOutcome: Codable, Equatable {
  /// What of an error doesn't hang on values.
  struct Failure: Codable, Equatable {
    let domain: String
    let code: Int
    let step: String?
    let pass: String?
    let entityMapping: String?
    let entity: String?
    let property: String?
    /// The single errors of a 1560, sorted.
    let details: [String]

    /// `error 134110 at Order.statusKey`, in whatever step.
    var text: String {
      let place = [entity, property].compactMap(\.self).joined(separator: ".")
      return "error \(code)" + (place.isEmpty ? "" : " at \(place)")
    }
  }

  /// The objects of one entity.
  struct Objects: Codable, Equatable {
    var count = 0
    /// By attribute: how many objects have no value, and how many different values there are.
    var missing: [String: Int] = [:]
    var distinct: [String: Int] = [:]
    /// By relationship: how many objects have how many links, as in `3 × 2, 1 × 0`.
    var links: [String: String] = [:]
  }

  var failure: Failure?
  var objects: [String: Objects] = [:]

  init(_ failure: ChainFailure) {
    let error = failure.error as NSError
    let known = failure.error as? CoreDataError
    let place = known?.place ?? failure.place
    self.failure = Failure(
      domain: error.domain, code: error.code, step: place.step ?? failure.place.step,
      pass: place.pass ?? failure.place.pass,
      entityMapping: place.entityMapping ?? failure.place.entityMapping, entity: place.entity,
      property: place.property,
      details: (known?.details ?? []).map {
        "\($0.code.rawValue) \($0.place.entity ?? "").\($0.place.property ?? "")"
      }.sorted())
  }

  init(_ content: ContentSnapshot) {
    for (name, group) in Dictionary(grouping: content.objects, by: \.entity.name) {
      objects[name] = Self.objects(group)
    }
  }

  private static func objects(_ group: [ContentSnapshot.Object]) -> Objects {
    var result = Objects()
    result.count = group.count
    let entity = group[0].entity
    for (index, attribute) in entity.attributes.enumerated() where attribute.isStored {
      let values = group.map { $0.values[index] }
      result.missing[attribute.name] = values.count(where: \.isNull)
      result.distinct[attribute.name] = Set(values.map { $0.shown(as: attribute) }).count
    }
    for (index, relationship) in entity.relationships.enumerated() {
      let counts = Dictionary(grouping: group.map { $0.links[index].count }, by: \.self)
      result.links[relationship.name] =
        counts.sorted { $0.key < $1.key }.map { "\($0.value.count) × \($0.key)" }
        .joined(separator: ", ")
    }
    return result
  }

  // MARK: Differences

  /// What another outcome has otherwise, in sentences; none where both are equal.
  func differences(from other: MigrationOutcome) -> [String] {
    if failure != nil || other.failure != nil {
      return failure == other.failure ? [] : ["\(other.text), and now \(text)"]
    }
    return Set(objects.keys).union(other.objects.keys).sorted().flatMap { name -> [String] in
      let (mine, theirs) = (objects[name] ?? Objects(), other.objects[name] ?? Objects())
      if mine.count != theirs.count {
        return ["\(theirs.count.counted("object")) of \(name), and now \(mine.count)"]
      }
      return Self.differences(
        of: mine.missing, and: theirs.missing, in: name, what: "objects without")
        + Self.differences(
          of: mine.distinct, and: theirs.distinct, in: name, what: "different values of")
        + Self.differences(of: mine.links, and: theirs.links, in: name, what: "objects × links of")
    }
  }

  private static func differences<Count: Equatable>(
    of mine: [String: Count], and theirs: [String: Count], in entity: String, what: String
  ) -> [String] {
    theirs.keys.sorted().compactMap { name in
      guard let before = theirs[name], let now = mine[name], before != now else { return nil }
      return "\(what) \(entity).\(name): \(before), and now \(now)"
    }
  }

  /// The outcome in a few words.
  var text: String {
    guard let failure else {
      let counts = objects.sorted { $0.key < $1.key }.map { "\($0.value.count) \($0.key)" }
      return counts.isEmpty ? "no objects" : counts.joined(separator: ", ")
    }
    return failure.text + (failure.step.map { " in \($0)" } ?? "")
  }
}
