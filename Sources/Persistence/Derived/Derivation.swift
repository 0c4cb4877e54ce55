/// How the value of a derived attribute comes about: its derivation expression, taken apart.
///
/// Apple documents a key path, `uppercase:`, `lowercase:` and `canonical:` of one, `@count` and
/// `@sum` of a to-many relationship, and `now()`. The other operators that make one number of many
/// are taken as well.
package struct Derivation {
  package let attribute: AttributeDescription
  let form: Form
  /// The relationships on the way to the values it is made of; empty for the object's own.
  let route: [RelationshipDescription]
  /// The attribute at the end of the way; nil where objects are counted.
  let operand: AttributeDescription?
  /// Says which objects count; nil when all do.
  let filter: DerivationFilter?

  enum Form {
    /// The time of the save.
    case now
    /// A value of what is stored.
    case expression(Expression)
  }

  /// The ways to everything that the value hangs on.
  var routes: [[RelationshipDescription]] { [route] + (filter?.reads.map(\.route) ?? []) }

  /// The attributes it is made of.
  var operands: [AttributeDescription] {
    (operand.map { [$0] } ?? []) + (filter?.reads.compactMap(\.attribute) ?? [])
  }

  /// The entity that declares the attribute.
  var entity: EntityDescription { attribute.entity }

  /// Whether it is the time of the last save.
  package var isTime: Bool {
    if case .now = form { true } else { false }
  }

  /// - Throws: ``DerivationError`` for an expression that no store can keep up to date.
  package init(of attribute: AttributeDescription) throws {
    self = try DerivationReader(attribute: attribute).read()
  }

  init(
    _ attribute: AttributeDescription, _ form: Form, route: [RelationshipDescription] = [],
    operand: AttributeDescription? = nil, filter: DerivationFilter? = nil
  ) {
    self.attribute = attribute
    self.form = form
    self.route = route
    self.operand = operand
    self.filter = filter
  }

  /// The value for an object. What can't be computed, as a sum too large, is nil.
  func value(for object: any KeyValueCoding, at time: Date) -> Value {
    guard case .expression(let expression) = form else { return .date(time) }
    let value =
      try? filter.map { try $0.value(of: expression, for: object) }
      ?? expression.value(for: .object(object), variables: [:])
    return value?.coerced(to: attribute.attributeType) ?? .null
  }
}

extension AttributeDescription {
  /// Why a derived attribute can't be computed; nil when it can.
  package var derivationError: DerivationError? {
    do {
      _ = try Derivation(of: self)
      return nil
    } catch { return error as? DerivationError }
  }

  /// Whether the attribute is derived as the time of the last save, so that no two runs agree in it.
  package var isDerivedTime: Bool {
    isDerived && attributeType == .date && (try? Derivation(of: self))?.isTime == true
  }
}

extension EntityDescription {
  /// The first derived attribute that the entity declares.
  package var firstDerivedAttribute: AttributeDescription? {
    ownAttributes.first(where: \.isDerived)
  }
}
