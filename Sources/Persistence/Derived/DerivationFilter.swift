/// Which objects count for a derived attribute.
///
/// Model archives have a place for such a predicate (`NSFilteringPredicate`), but no
/// public rule says what it means. Here it is about the objects at the end of the to-many
/// relationship that is counted or summed up; where there is none, about the object itself, whose
/// value is nil when it doesn't meet it.
/// Core Data: assumed; in the archives at hand the place is empty. No test decides it, since no API sets the predicate.
struct DerivationFilter {
  let predicate: Predicate
  /// The path to the objects it is about, and the operator on them; nil for the object itself.
  let collection: Collection?
  /// What it reads, from the object with the derived attribute.
  let reads: [Read]

  struct Collection {
    let path: Expression
    /// The operator, as a key path from the filtered objects.
    let reduction: Expression
  }

  struct Read {
    let route: [RelationshipDescription]
    let attribute: AttributeDescription?
  }

  func value(of expression: Expression, for object: any KeyValueCoding) throws -> Value {
    guard let collection else {
      let counts = try predicate.evaluate(keyed: object)
      return counts ? try expression.value(for: .object(object), variables: [:]) : .null
    }
    let found = try collection.path.value(for: .object(object), variables: [:])
    guard case .collection(let members) = found else { return .null }
    let counted = try members.elements.filter { member in
      guard case .object(let member as any KeyValueCoding) = member else { return false }
      return try predicate.evaluate(keyed: member)
    }
    let filtered = Value.collection(ValueCollection(.array, counted))
    return try collection.reduction.value(for: filtered, variables: [:])
  }
}
