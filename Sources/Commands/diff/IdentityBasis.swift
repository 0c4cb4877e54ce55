/// By what objects of an entity are recognised in the other store.
struct IdentityBasis {
  enum Kind {
    /// Objects are the same when these values are equal.
    case values([IdentityPath])
    /// Objects are the same when they are in rows of one number.
    case rowKey
    /// Objects are the same when all values of their attributes are equal.
    case content
  }

  /// Where the basis comes from.
  enum Origin: String {
    case rule = "given"
    case constraint = "uniqueness constraint"
    case identifier = "looks like an identifier, and is unique"
    case lineage = "nothing identifies the objects, but equal rows have equal numbers"
    case fallback = "nothing identifies the objects"
  }

  let kind: Kind
  let origin: Origin

  var paths: [IdentityPath]? {
    if case .values(let paths) = kind { paths } else { nil }
  }

  /// `timestamp, latitude`, `row number` or `content`.
  var text: String {
    switch kind {
    case .values(let paths): paths.map(\.name).joined(separator: ", ")
    case .rowKey: "row number"
    case .content: "content"
    }
  }
}

/// A value that is part of an object's identity: an attribute or to-one relationship, perhaps that
/// of an object to which to-one relationships lead.
struct IdentityPath {
  enum Last {
    case attribute(AttributePair)
    /// The identity of the destination.
    case toOne(RelationshipPair)
  }

  let steps: [RelationshipPair]
  let last: Last

  init(_ attribute: AttributePair) {
    steps = []
    last = .attribute(attribute)
  }

  /// Follows names from property to property.
  /// - Throws: ``Diagnostic`` without a place, when they lead nowhere.
  init(_ text: String, from pair: EntityPair, in pairing: ModelPairing) throws(IdentityProblem) {
    var names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let lastName = names.removeLast()
    var (current, steps) = (pair, [RelationshipPair]())
    for name in names {
      guard let step = current.relationship(named: name) else {
        throw Self.unknown(name, in: current, among: current.relationships.map(\.name))
      }
      guard step.isToOne else { throw Self.toMany(step, of: current) }
      guard let next = pairing.pair(of: step.relationship.a.destinationEntity) else {
        throw IdentityProblem(
          text: "'\(current.name).\(step.name)' leads to an entity that only one store has")
      }
      steps.append(step)
      current = next
    }
    self.steps = steps
    last = try Self.last(lastName, of: current)
  }

  private static func last(_ name: String, of pair: EntityPair) throws(IdentityProblem) -> Last {
    if let attribute = pair.attribute(named: name) { return .attribute(attribute) }
    guard let relationship = pair.relationship(named: name) else {
      throw unknown(
        name, in: pair, among: pair.attributes.map(\.name) + pair.relationships.map(\.name))
    }
    guard relationship.isToOne else { throw toMany(relationship, of: pair) }
    return .toOne(relationship)
  }

  private static func unknown(
    _ name: String, in pair: EntityPair, among known: [String]
  ) -> IdentityProblem {
    let problem =
      pair.unpaired.a.contains { $0.name == name } || pair.unpaired.b.contains { $0.name == name }
      ? "only one store's '\(pair.name)' has a property '\(name)'"
      : "entity '\(pair.name)' has no stored property '\(name)' in both stores"
    return IdentityProblem(
      text: problem + Spelling.hint(for: name, among: known, called: "properties"))
  }

  private static func toMany(_ pair: RelationshipPair, of entity: EntityPair) -> IdentityProblem {
    IdentityProblem(
      text: "'\(entity.name).\(pair.name)' is to-many; only to-one relationships identify")
  }

  /// `post.postID`.
  var name: String { (steps.map(\.name) + [lastName]).joined(separator: ".") }

  private var lastName: String {
    switch last {
    case .attribute(let pair): pair.name
    case .toOne(let pair): pair.name
    }
  }
}

/// What is wrong with a rule; the place is added by whoever read the rule.
struct IdentityProblem: Error {
  let text: String
}
