// Properties as Apple's headers have them.

extension PropertyDescription {
  public var userInfo: [AnyHashable: Any]? {
    get { self.ObjectModel::userInfo }
    set { self.ObjectModel::userInfo = newValue.texts }
  }

  public var renamingIdentifier: String? {
    get { self.ObjectModel::renamingIdentifier }
    set { explicitRenamingIdentifier = newValue }
  }
}

extension PropertyDescription {
  /// Whether an attribute says that it is indexed; other properties don't.
  public var isIndexed: Bool { (self as? AttributeDescription)?.ObjectModel::isIndexed ?? false }
}

extension PropertyDescription {
  /// Conditions that values must keep: predicates about the value, which they call `SELF`, and a text
  /// for each to tell people when it doesn't hold. Attributes have them; other properties take none.
  public func setValidationPredicates(
    _ validationPredicates: [Predicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    let warnings = validationWarnings ?? []
    (self as? AttributeDescription)?.validationConditions = (validationPredicates ?? [])
      .enumerated()
      .map { index, predicate in
        ValidationCondition(
          predicateFormat: predicate.predicateFormat,
          warning: index < warnings.count ? warnings[index] : "")
      }
  }

  public var validationPredicates: [Predicate] {
    let conditions = (self as? AttributeDescription)?.validationConditions ?? []
    return conditions.map { Predicate(format: $0.predicateFormat) }
  }

  public var validationWarnings: [Any] {
    ((self as? AttributeDescription)?.validationConditions ?? []).map(\.warning)
  }
}

extension AttributeDescription {
  /// Apple's later name for ``NSAttributeType``.
  public typealias AttributeType = ObjectModel::AttributeType

  public var attributeType: ObjectModel::AttributeType {
    get { self.ObjectModel::attributeType }
    set {
      self.ObjectModel::attributeType = newValue
      // The default may have been set before the type was known.
      typedDefaultValue = typedDefaultValue.fitting(newValue)
    }
  }

  public var type: ObjectModel::AttributeType {
    get { attributeType }
    set { attributeType = newValue }
  }

  /// The default value as a Foundation object, such as `value(forKey:)` gives of a new object.
  public var defaultValue: Any? {
    get { typedDefaultValue.boxed(as: attributeType) }
    set { typedDefaultValue = Value(newValue).fitting(attributeType) }
  }

  public var attributeValueClassName: String? {
    get { self.ObjectModel::attributeValueClassName ?? attributeType.valueClassName }
    set { self.ObjectModel::attributeValueClassName = newValue }
  }
}

extension AttributeDescription {
  /// How the store computes a derived attribute: a key path, or a function of one.
  public var derivationExpression: Expression? {
    // A text that is no expression is refused where the model is used; here it has none.
    get { self.ObjectModel::derivationExpression.flatMap { try? Expression.parse($0) } }
    set { self.ObjectModel::derivationExpression = newValue?.derivation }
  }
}

extension Expression {
  /// The expression as a model file spells it: functions by their selectors, as version hashes take
  /// them.
  fileprivate var derivation: String {
    guard expressionType == .function else { return expressionFormat }
    let arguments = (arguments ?? []).map(\.derivation).joined(separator: ", ")
    return "\(function)(\(arguments))"
  }
}

extension Value {
  fileprivate func fitting(_ type: AttributeType) -> Value {
    type == .undefined || isNull ? self : coerced(to: type) ?? self
  }
}

extension RelationshipDescription {
  /// The entity at the other end. Its name counts when the model is first used, so that it may be
  /// set later.
  public var destinationEntity: EntityDescription? {
    get { destinationInCode ?? self.ObjectModel::destinationEntity }
    set {
      destinationInCode = newValue
      if newValue == nil { destinationEntityName = "" }
    }
  }

  public var inverseRelationship: RelationshipDescription? {
    get { inverseInCode ?? self.ObjectModel::inverseRelationship }
    set {
      inverseInCode = newValue
      if newValue == nil { inverseName = nil }
    }
  }
}

extension FetchedPropertyDescription {
  /// The request that gives the property's value; its predicate may use `$FETCH_SOURCE` and
  /// `$FETCHED_PROPERTY`.
  public var fetchRequest: FetchRequest<any FetchRequestResult>? {
    get { statedRequest }
    set { statedRequest = newValue }
  }
}
