/// What two stores don't have in common.
package struct StoreDifferences: CommandReport, Sendable {
  /// What is known of a store as a whole.
  package struct Store: Sendable, Encodable {
    /// The file, as it was given; the store's type for one without a file.
    package let name: String
    /// The names of the model's versions that fit the store; none where its model has no name.
    package let versions: [String]
    /// Where the model that it was read with comes from.
    package let modelOrigin: String
    /// The store's UUID.
    package let identifier: String
    /// What was wrong with rows that could be read all the same.
    package let findings: [String]

    private enum CodingKeys: String, CodingKey {
      case name = "store"
      case versions, modelOrigin, identifier, findings
    }
  }

  /// One entity that both stores have.
  package struct Entity: Sendable {
    let names: Both<String>
    /// What objects were recognised by.
    let identity: String
    let identityOrigin: String
    /// How many objects there are, those of subentities not included.
    let counts: Both<Int>
    /// How many objects only one store has.
    let only: Both<Int>
    var changed = 0
    /// How many objects were paired by chance, since nothing tells them apart.
    let guessed: Int
    /// By property: in how many objects it differs.
    var changedProperties: [String: Int] = [:]
    /// The properties that only one store's model has, with the number of objects that have a value.
    let unpaired: Both<[UnpairedProperty]>

    var equal: Int { counts.a - only.a - changed }
    var name: String { EntityPair.name(names) }
  }

  struct UnpairedProperty: Sendable, Encodable {
    /// The entity that declares it.
    let declaredBy: String
    let name: String
    /// Nil for a to-many relationship.
    let valueCount: Int?
  }

  /// An entity that only one store's model has.
  struct UnpairedEntity: Sendable, Encodable {
    let name: String
    let count: Int
  }

  var stores: Both<Store>
  var entities: [Entity] = []
  var unpairedEntities = Both<[UnpairedEntity]>([], [])
  /// The objects that differ, as many of each entity as were asked for.
  package var objects: [ObjectDifference] = []
  package var seconds = 0.0

  /// How many objects differ, those that aren't listed included.
  package var differenceCount: Int {
    let paired = entities.reduce(0) { $0 + $1.changed + $1.only.a + $1.only.b }
    let others = (unpairedEntities.a + unpairedEntities.b).reduce(0) { $0 + $1.count }
    return paired + others
  }

  /// Whether both hold the same, as far as both models can.
  package var isEmpty: Bool { differenceCount == 0 }

  /// Whether there was no entity to compare, since none has its name or all are ignored.
  package var comparedNothing: Bool { entities.isEmpty }

  /// Whether a store lacks what it should have: that is read as nil, and equals what is nil.
  var lacksValues = false
  /// Whether the stores have too many objects to look for what reads as something else.
  var isDamageUnknown: Bool { isEmpty && equalCount > MigrateJob.mostObjects }
  var equalCount: Int { entities.reduce(0) { $0 + $1.equal } }

  package var exitStatus: ExitStatus {
    if !isEmpty { return .failed }
    return comparedNothing || lacksValues ? .nothingChecked : .passed
  }
}

/// An object that the two stores don't have alike.
package struct ObjectDifference: Sendable {
  package enum Kind: String, Sendable {
    case changed
    case onlyInA
    case onlyInB
  }

  package let kind: Kind
  /// The entity, by its name in the first store that has it.
  package let entity: String
  /// The object as reports call it: its entity, and what identifies it.
  package let object: String
  /// Where the object is in each store.
  let uris: Both<String?>
  let attributes: [AttributeDifference]
  let relationships: [RelationshipDifference]
}

/// An attribute with another value in each store.
struct AttributeDifference: Sendable {
  let name: String
  let values: Both<Value>
  let attributes: Both<AttributeDescription>

  /// Whole, since what is shown is where two texts differ.
  func text(_ side: StoreSide) -> String {
    if case .string(let text) = values[side] { return "\"\(Value.escaped(text))\"" }
    if case .data(let data) = values[side], let json = data.json { return json }
    return values[side].shown(as: attributes[side])
  }

  /// The elements that differ, of two composites that have the same ones; else the attribute itself.
  var parts: [AttributeDifference] {
    guard let a = values.a.composite, let b = values.b.composite,
      Set(a.elements.map(\.name)) == Set(b.elements.map(\.name))
    else { return [self] }
    return zip(a.elements, a.values).flatMap { element, value -> [AttributeDifference] in
      guard let place = b.elements.firstIndex(where: { $0.name == element.name }),
        value != b.values[place]
      else { return [] }
      return AttributeDifference(
        name: "\(name).\(element.name)", values: Both(value, b.values[place]),
        attributes: Both(element, b.elements[place])
      ).parts
    }
  }
}

/// A relationship that leads elsewhere in each store.
struct RelationshipDifference: Sendable {
  enum Change: Sendable {
    /// A to-one relationship and its destinations; nil for none.
    case destination(Both<String?>)
    /// The members of a to-many relationship that only one store has, and how many more than those
    /// named.
    case members(Both<[String]>, more: Both<Int>)
    /// Members that both have are in another order; the first of them, and where they are.
    case order([Moved], more: Int)
  }

  /// A member of an ordered relationship, with its places, counted from 0, among the members that both
  /// stores have.
  struct Moved: Sendable {
    let object: String
    let places: Both<Int>
  }

  let name: String
  let changes: [Change]
}
