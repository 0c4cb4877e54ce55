/// What becomes of the rows of one store in a store of another model, as far as SQL alone can do it:
/// what a lightweight migration carries over, and mapping models without policies.
///
/// Rows keep their primary keys, so that identifiers stay what they were. Only where two hierarchies
/// come together in one, the rows of the one that moved get keys above those of the other.
package struct StoreTransfer {
  /// What becomes of the rows of one entity.
  package struct Entity {
    /// The entity mapping's name, for errors.
    package let name: String
    /// Of the source store's model.
    package let source: EntityDescription
    /// Of the destination store's model.
    package let destination: EntityDescription
    /// Which rows come along; nil for all of the entity.
    package var condition: RowSelection?
    private(set) var attributes: [(destination: AttributeDescription, origin: AttributeOrigin)] = []
    /// By destination relationship.
    private var relationships: [ObjectIdentifier: RelationshipDescription] = [:]

    package init(
      name: String, source: EntityDescription, destination: EntityDescription
    ) {
      self.name = name
      self.source = source
      self.destination = destination
    }

    package mutating func fill(_ attribute: AttributeDescription, from origin: AttributeOrigin) {
      attributes.append((attribute, origin))
    }

    package mutating func link(
      _ relationship: RelationshipDescription, from origin: RelationshipDescription
    ) {
      relationships[ObjectIdentifier(relationship)] = origin
    }

    /// The attributes that SQL computes.
    var computed: [AttributeDescription] {
      attributes.compactMap { if case .computed = $0.origin { $0.destination } else { nil } }
    }

    /// Whether an attribute gets a value that no row lacks: one that isn't read from the row.
    func surelyFills(_ property: PropertyDescription) -> Bool {
      switch attributes.last(where: { $0.destination === property })?.origin {
      case .value(let value)?, .attributeOrValue(_, let value)?:
        (property as? AttributeDescription).map { value.isKept(as: $0.attributeType) } ?? false
      default: false
      }
    }

    package var hasRelationships: Bool { !relationships.isEmpty }

    /// What a relationship of the destination was in the source; nil for a new one.
    func origin(of relationship: RelationshipDescription) -> RelationshipDescription? {
      relationships[ObjectIdentifier(relationship)]
    }
  }

  /// Where the values of an attribute come from.
  package indirect enum AttributeOrigin: Sendable {
    /// The value of a source attribute, converted where both are numbers.
    case attribute(AttributeDescription)
    /// The same, or a default value where it is nil.
    case attributeOrValue(AttributeDescription, Value)
    case value(Value)
    /// What is computed from the row, in the form that the attribute's column has; see
    /// ``SQLiteStore/transferExpression(_:of:variable:)``.
    case computed(SQLFragment)
    /// The same for an element of a composite, unless that is nil in the source.
    case element(AttributeOrigin, of: AttributeDescription)
  }

  /// What is checked when all rows are there.
  package enum Checks {
    /// That mandatory properties have values: a migration inside a store sees no more.
    case mandatoryValues
    /// Everything that a migration manager validates. Where something might be wrong, the transfer
    /// has an obstacle: the manager can say what it is.
    case everything
  }

  /// An attribute of the source that must have values, or the transfer has an obstacle.
  struct Presumption {
    let entity: EntityDescription
    let attribute: AttributeDescription
  }

  package var entities: [Entity]
  package var checks = Checks.mandatoryValues
  /// What a store in between would have checked.
  var presumptions: [Presumption] = []

  package init(entities: [Entity]) { self.entities = entities }
}

extension StoreTransfer {
  /// The source relationships that one of the destination is filled from, each once.
  func origins(of relationship: RelationshipDescription) -> [RelationshipDescription] {
    var found: [RelationshipDescription] = []
    for entity in entities where entity.destination.isKindOf(entity: relationship.entity) {
      if let origin = entity.origin(of: relationship), !found.contains(where: { $0 === origin }) {
        found.append(origin)
      }
    }
    return found
  }
}

extension Value {
  /// Whether the column of an attribute surely has something where this is written: SQLite keeps NULL
  /// for "not a number".
  fileprivate func isKept(as type: AttributeType) -> Bool {
    switch (type, self) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer),
      (.boolean, .integer), (.string, .string), (.uuid, .uuid), (.binaryData, .data):
      true
    case (.double, .double(let number)), (.float, .double(let number)): !number.isNaN
    case (.date, .date(let date)): !date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

/// Why a transfer can't be done by SQL alone; nothing is wrong with the data.
package struct TransferObstacle: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  init(_ property: PropertyDescription, _ reason: String) {
    description = "\(property.entity.name).\(property.name): \(reason)"
  }
}

/// What is wrong with the data for the destination's model.
package enum TransferFailure: Error {
  /// A required property has no value. Keys are primary keys in the two stores.
  case missingValue(
    of: PropertyDescription, entity: StoreTransfer.Entity, sourceKey: Int64, key: Int64)
  /// Two rows have values that are to be unique.
  case duplicate(CoreDataError)
}

/// What a transfer did.
package struct TransferResult {
  /// The entities whose rows came along.
  package let entities: [StoreTransfer.Entity]
  /// Rows, entity by entity.
  package private(set) var counts: [Int] = []
  /// The primary keys of each entity's rows, in source and destination; empty unless asked for.
  package private(set) var keys: [[(source: Int64, destination: Int64)]] = []

  init(entities: [StoreTransfer.Entity]) { self.entities = entities }

  mutating func add(count: Int) { counts.append(count) }

  /// How many rows an entity of the source has, by name: known of entities that came along whole.
  package var sourceCounts: [String: Int] {
    let whole = zip(entities, counts).filter { $0.0.condition == nil }
    return Dictionary(
      whole.map { ($0.0.source.name, $0.1) }, uniquingKeysWith: { first, _ in first })
  }

  /// The rows that came along from a family of the source; nil where one may have come twice.
  func count(from root: EntityDescription) -> Int? {
    let family = zip(entities, counts).filter { $0.0.source.rootEntity === root }
    let sources = Set(family.map { ObjectIdentifier($0.0.source) })
    return sources.count == family.count ? family.reduce(0) { $0 + $1.1 } : nil
  }

  mutating func add(keys new: [(source: Int64, destination: Int64)]) { keys.append(new) }
}
