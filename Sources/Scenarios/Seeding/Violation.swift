/// A way in which real data isn't what the model says, or what code expects.
package enum Violation: String, CaseIterable, Sendable {
  /// A required property without a value.
  case missing
  /// A to-one relationship whose row isn't there.
  case dangling
  /// A to-many relationship with one link more, or fewer, than the model allows.
  case tooMany, tooFew
  case tooLong, tooShort, tooLarge, tooSmall
  /// A text that doesn't match the attribute's pattern.
  case pattern
  /// Valid for the model, and rarely thought of: only spaces, spaces around, signs that patterns
  /// take for wildcards, the value of the first object again, accents as marks of their own.
  case blank, untrimmed, wildcard, duplicate, decomposed

  /// The value that violates, in place of a good one; nil where it can't concern the property.
  package func value(for property: PropertyDescription, insteadOf value: Value, first: Value)
    -> Value?
  {
    if self == .missing { return canMiss(property) ? .null : nil }
    guard let attribute = property as? AttributeDescription, !attribute.isDerived else {
      return nil
    }
    if attribute.attributeType == .string {
      return text(for: attribute, insteadOf: value, first: first)
    }
    return beyond(attribute, first: first)
  }

  /// Whether the violation can be one of a property's.
  func concerns(_ property: PropertyDescription) -> Bool {
    if let relationship = property as? RelationshipDescription, self != .missing {
      return self == .dangling
        ? canDangle(relationship) : linkCount(of: relationship) != nil
    }
    let sample = Value.string("x")
    return value(for: property, insteadOf: sample, first: sample) != nil
  }

  /// How many links make it a violation of how many there may be; nil for any other.
  func linkCount(of relationship: RelationshipDescription) -> Int? {
    guard relationship.isToMany, !relationship.isTransient else { return nil }
    switch self {
    case .tooMany: return relationship.maxCount > 1 ? relationship.maxCount + 1 : nil
    case .tooFew:
      // An optional relationship may always be empty.
      let least = relationship.isOptional ? 1 : 0
      return relationship.minCount > least ? relationship.minCount - 1 : nil
    case .missing, .dangling, .tooLong, .tooShort, .tooLarge, .tooSmall, .pattern, .blank,
      .untrimmed, .wildcard, .duplicate, .decomposed:
      return nil
    }
  }

  /// Of one-to-one links the other side would lead nowhere, too.
  private func canDangle(_ relationship: RelationshipDescription) -> Bool {
    !relationship.isToMany && !relationship.isTransient
      && relationship.inverseRelationship?.isToMany != false
  }

  private func canMiss(_ property: PropertyDescription) -> Bool {
    if property.isOptional || property.isTransient { return false }
    if let attribute = property as? AttributeDescription { return !attribute.isDerived }
    // Of one-to-one links the other side would still be there.
    guard let relationship = property as? RelationshipDescription else { return false }
    return !relationship.isToMany && relationship.inverseRelationship?.isToMany != false
  }

  private func text(
    for attribute: AttributeDescription, insteadOf value: Value, first: Value
  ) -> Value? {
    let text = value.stringValue ?? "x"
    switch self {
    case .tooLong:
      return attribute.maximum.doubleValue.map {
        .string(text + String(repeating: "x", count: Int($0) + 1))
      }
    case .tooShort:
      guard let least = attribute.minimum.doubleValue, least >= 1 else { return nil }
      return .string(String(repeating: "x", count: Int(least) - 1))
    case .pattern:
      let candidates = ["", "?", "x x", "\u{C5}", "0"].map { Value.string($0) }
      return candidates.first {
        AttributeValidation.failure(of: $0, for: attribute)?.code
          == .validationStringPatternMatching
      }
    case .blank: return .string("   ")
    case .untrimmed: return .string(" \(text)\n")
    case .wildcard: return .string("\(text.prefix(1))*?%")
    case .duplicate: return repeated(attribute, first)
    case .decomposed: return .string("e\u{301}\(text)")
    case .missing, .dangling, .tooMany, .tooFew, .tooLarge, .tooSmall: return nil
    }
  }

  private func beyond(_ attribute: AttributeDescription, first: Value) -> Value? {
    switch self {
    case .tooLarge: attribute.maximum.moved(by: 1)
    case .tooSmall: attribute.minimum.moved(by: -1)
    case .duplicate: repeated(attribute, first)
    case .missing, .dangling, .tooMany, .tooFew, .tooLong, .tooShort, .pattern, .blank, .untrimmed,
      .wildcard, .decomposed:
      nil
    }
  }

  /// No store of a model holds twice what must be unique in it; that of the version before may.
  private func repeated(_ attribute: AttributeDescription, _ first: Value) -> Value? {
    attribute.isUnique || first.isNull ? nil : first
  }
}

extension Value {
  var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A number, or a date by seconds, a little higher or lower; nil for anything else.
  fileprivate func moved(by step: Int) -> Value? {
    switch self {
    case .integer(let number):
      let (sum, isTooFar) = number.addingReportingOverflow(Int64(step))
      return isTooFar ? nil : .integer(sum)
    case .double(let number): return .double(number + Double(step))
    case .decimal(let number): return .decimal(number + Decimal(step))
    case .date(let date): return .date(date + Double(step))
    case .null, .string, .data, .uuid, .uri, .transformable, .object, .collection: return nil
    }
  }
}

extension AttributeDescription {
  /// Whether a uniqueness constraint concerns the attribute alone.
  var isUnique: Bool {
    entity?.allUniquenessConstraints.contains([name]) ?? false
  }
}
