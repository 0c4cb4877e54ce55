/// A derived attribute whose expression no store can keep up to date.
package struct DerivationError: Error, Hashable, Sendable {
  /// What is wrong. Match on this, never on the text.
  package enum Kind: Hashable, Sendable {
    case missing
    case unparsable(column: Int, problem: String)
    case unsupported(String)
    case unknownKey(String, entity: String)
    /// A path that ends with a relationship where a value is needed.
    case noAttribute(String)
    /// A to-many relationship without an operator.
    case toMany(String)
    /// An operator on anything but one to-many relationship.
    case notOneToMany(String)
    case countOfValues
    /// An operator that doesn't stand at the end of its path, as it does in other expressions.
    // Core Data: Apple's reference of NSDerivedAttributeDescription: `items.price.@sum`.
    case operatorBeforeItsEnd(String, right: String)
    case noText(String, String)
    case noNumber(String)
    case transient(String)
    case unfitType(AttributeType)
    case itself
    /// Derived attributes that are derived from each other.
    case circle([String])
  }
  package let kind: Kind
  package let entity: String
  package let attribute: String
  /// The attribute's own type.
  package let type: AttributeType
  package let expression: String
}

// MARK: - Wording

extension DerivationError: CustomStringConvertible {
  package var description: String {
    "derived attribute '\(entity).\(attribute)' can't be computed: \(problem)"
  }

  /// What is wrong, without the attribute's name.
  package var problem: String {
    switch kind {
    case .missing: "it has no derivation expression"
    case .unparsable(let column, let problem):
      "'\(expression)' is no expression (column \(column): \(problem))"
    case .unsupported(let part): "'\(part)' can't be derived"
    case .unknownKey(let key, let owner): "'\(owner)' has no property '\(key)'"
    case .noAttribute(let path): "'\(path)' leads to objects, not to a value"
    case .toMany(let key): "'\(key)' leads to several objects"
    case .notOneToMany(let path): "'\(path)' doesn't go through one to-many relationship"
    case .countOfValues: "objects are counted, not the values of an attribute"
    case .operatorBeforeItsEnd(let path, _):
      "in '\(path)' the operator isn't at the end, as derivations require"
    case .noText(let function, let path): "\(function) takes text, and '\(path)' isn't text"
    case .noNumber(let name): "'\(name)' isn't a number"
    case .transient(let name): "'\(name)' isn't stored"
    case .unfitType(let given): "it is \(type.name), and its values are \(given.name)"
    case .itself: "it is derived from itself"
    case .circle(let names): "it is derived from itself: \(names.joined(separator: " -> "))"
    }
  }

  /// What to do about it.
  package var advice: String {
    switch kind {
    case .unsupported, .unparsable, .missing:
      "Write a key path, canonical:, uppercase: or lowercase: of one, a to-many relationship with "
        + "@count, @sum, @min, @max or @avg, or now()."
    case .toMany(let key): "Write \(key).@count, or \(key).attribute.@sum."
    case .notOneToMany: "Go through to-one relationships first, and end with one that is to-many."
    case .noAttribute: "Add the attribute to the path."
    case .countOfValues: "Write @count after the relationship."
    case .operatorBeforeItsEnd(_, let right): "Write \(right)."
    case .unknownKey: "Correct the path; keys are case-sensitive."
    case .transient: "Derive from stored properties."
    case .noText, .noNumber, .unfitType: "Change the attribute's type, or the expression."
    case .itself, .circle: "Derive from attributes that aren't derived."
    }
  }

  /// What adding a store comes to whose model has such an attribute.
  package var coreDataError: CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleSchema,
      "The store doesn't support a derived attribute of its model: \(problem)", advice: advice
    ).at(entity: entity, property: attribute)
  }
}
