/// The value of a composite attribute: a value for each of its elements, at least one of them not
/// nil. A composite of nothing but nil is nil, since the columns of its elements can't tell.
/// Sendable unchecked: nothing in it changes once it is made.
public final class CompositeValue: NSObject, @unchecked Sendable {
  public let elements: [AttributeDescription]
  /// In the order of the elements.
  public let values: [Value]

  private init(_ elements: [AttributeDescription], _ values: [Value]) {
    self.elements = elements
    self.values = values
  }

  /// The value of an attribute with `values` for its elements.
  public static func value(
    of elements: [AttributeDescription], _ values: [Value]
  ) -> Value {
    if values.allSatisfy(\.isNull) { return .null }
    return .object(CompositeValue(elements, values))
  }

  /// The value of an element; nil for one that the composite doesn't have.
  public func value(of key: String) -> Value? {
    elements.firstIndex { $0.name == key }.map { values[$0] }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CompositeValue, values.count == other.values.count else {
      return false
    }
    return zip(elements, values).allSatisfy { other.value(of: $0.name) == $1 }
  }

  public override var hash: Int { Set(zip(elements, values).map { Entry($0.name, $1) }).hashValue }

  private struct Entry: Hashable {
    let name: String
    let value: Value
    init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
  }

  /// As `value(forKey:)` gives it: the elements by name, those that are nil left out.
  public var dictionary: [String: Any] {
    var dictionary: [String: Any] = [:]
    for (element, value) in zip(elements, values) {
      dictionary[element.name] = value.boxed(as: element.attributeType)
    }
    return dictionary
  }

  public override var description: String {
    let parts = zip(elements, values).filter { !$1.isNull }
      .map { "\($0.name): \($1.notation ?? "nil")" }
    return "{\(parts.joined(separator: ", "))}"
  }
}

extension Value {
  /// The composite in the value; nil for anything else.
  public var composite: CompositeValue? {
    if case .object(let object as CompositeValue) = self { object } else { nil }
  }
}

extension PropertyDescription {
  /// The property's value in a row; an element's in the composite it belongs to.
  package func value(in row: ContiguousArray<Value>) -> Value {
    guard let composite = (self as? AttributeDescription)?.composite else { return row[slot] }
    return composite.value(in: row).composite?.value(of: name) ?? .null
  }
}

// MARK: - Making composites

extension AttributeDescription {
  /// What a dictionary, or a composite of another version, is for this composite attribute.
  /// - Throws: What Core Data raises for a key it doesn't have or a value of the wrong type.
  package func compositeValue(_ any: Any?) throws -> Value {
    switch any {
    case nil, is NSNull: return .null
    case let value as Value: return try compositeValue(value)
    case let composite as CompositeValue: return try adapted(composite)
    case let dictionary as [String: Any]: return try compositeValue(of: dictionary)
    default: throw CoreDataError.unacceptable(any, for: self)
    }
  }

  private func compositeValue(_ value: Value) throws -> Value {
    switch value {
    case .null: return .null
    case .object(let object as CompositeValue): return try adapted(object)
    default: return try compositeValue(value.boxed)
    }
  }

  private func compositeValue(of dictionary: [String: Any]) throws -> Value {
    for key in dictionary.keys where !elements.contains(where: { $0.name == key }) {
      throw CoreDataError.unknownElement(key, of: self)
    }
    return CompositeValue.value(
      of: elements, try elements.map { try Value(dictionary[$0.name], for: $0) })
  }

  /// The composite with this attribute's elements: as it is where it has them already, else each
  /// from the one it was called before.
  package func adapted(_ composite: CompositeValue) throws -> Value {
    if composite.elements.elementsEqual(elements, by: ===) { return .object(composite) }
    return CompositeValue.value(
      of: elements, try elements.map { try $0.value(from: composite) })
  }

  private func value(from composite: CompositeValue) throws -> Value {
    guard
      let index = composite.elements.firstIndex(where: {
        $0.renamingIdentifier == renamingIdentifier
      })
    else { return typedDefaultValue }
    let value = try Value(composite.values[index], for: self)
    let original = composite.elements[index]
    let isNewlyRequired = original.isOptional && !isOptional
    return value.isNull && isNewlyRequired ? typedDefaultValue : value
  }

  /// The value with one element changed, at the end of a path of elements.
  package func setting(
    _ new: Any?, at keys: ArraySlice<String>, in value: Value
  ) throws -> Value {
    guard let key = keys.first else { return try Value(new, for: self) }
    guard let index = elements.firstIndex(where: { $0.name == key }) else {
      throw CoreDataError.unknownElement(key, of: self)
    }
    var values = value.composite?.values ?? elements.map { _ in .null }
    values[index] = try elements[index].setting(new, at: keys.dropFirst(), in: values[index])
    return CompositeValue.value(of: elements, values)
  }
}
