/// A row of a first scenario's seed.
package struct SampleRow {
  package let entity: EntityDescription
  /// Its local name.
  package let name: String
  /// Which one of its entity's rows it is, from 1.
  package var number = 1
  package var fields: [Notation.Field] = []
}

extension EntityDescription {
  /// The key of a row's local name: the entity may have a property of that name itself.
  package var nameKey: String { property(named: "id") == nil ? "id" : ".id" }
}

/// Values that an attribute takes.
package struct SampleValue {
  let attribute: AttributeDescription
  /// Makes texts differ.
  let number: Int

  package init(attribute: AttributeDescription, number: Int) {
    self.attribute = attribute
    self.number = number
  }

  /// A value within the attribute's bounds; nil where none can be thought of.
  package var notation: Notation? {
    guard attribute.isStored, !attribute.isDerived, attribute.regularExpression == nil else {
      return nil
    }
    if attribute.attributeType == .composite {
      let fields = attribute.elements.compactMap { element in
        SampleValue(attribute: element, number: number).notation.map {
          Notation.Field(key: element.name, value: $0)
        }
      }
      return fields.isEmpty ? nil : .map(fields)
    }
    return value?.notation(as: attribute)
  }

  /// Whether an object without a value would be refused: the default, if there is one, may be out of
  /// the attribute's own bounds.
  package var isNeeded: Bool {
    let standard = attribute.typedDefaultValue
    if standard.isNull { return !attribute.isOptional }
    guard let number = standard.decimalValue else { return false }
    let isTooSmall = attribute.minimum.decimalValue.map { number < $0 } ?? false
    return isTooSmall || attribute.maximum.decimalValue.map { number > $0 } ?? false
  }

  private var value: Value? {
    switch attribute.attributeType {
    case .string: .string(text)
    case .integer16, .integer32, .integer64: .integer(Int64(bounded(Double(number)).rounded()))
    case .double, .float: .double(bounded(1.5 + surplus))
    case .decimal: .decimal(Decimal(bounded(1.5 + surplus)))
    case .boolean: .integer(1)
    case .date: .date(date)
    case .binaryData:
      .data(Data([1, 2, 3] + Array("\(Int(surplus))".utf8).filter { _ in surplus > 0 }))
    case .uuid: UUID(uuidString: uuidText).map(Value.uuid)
    case .uri: URL(string: "https://example.com/\(number)").map(Value.uri)
    case .transformable:
      attribute.isOptional ? nil : .transformable(TransformableValue(object: "sample" as NSString))
    case .composite:
      CompositeValue.value(
        of: attribute.elements,
        attribute.elements.map { SampleValue(attribute: $0, number: number).value ?? .null })
    case .undefined, .objectID: nil
    }
  }

  /// Makes other values differ, where that must be: 0 where it needn't, and for the first.
  private var surplus: Double {
    let isUnique = attribute.entity.allUniquenessConstraints.contains {
      $0.contains(attribute.name)
    }
    return isUnique ? Double(number - 1) : 0
  }

  private var uuidText: String { String(format: "00000000-0000-4000-8000-%012X", number) }

  private var text: String {
    var text = "\(attribute.name) \(number)"
    let least = attribute.minimum.decimalValue.map { NSDecimalNumber(decimal: $0).intValue } ?? 0
    text += String(repeating: "x", count: max(0, least - text.count))
    if let most = attribute.maximum.decimalValue.map({ NSDecimalNumber(decimal: $0).intValue }) {
      text = String(text.suffix(max(0, most))).trimmingCharacters(in: .whitespaces)
    }
    // What is left of a text that was cut before a blank may be too short.
    return String(repeating: "x", count: max(0, least - text.count)) + text
  }

  private func bounded(_ wanted: Double) -> Double {
    let least = attribute.minimum.decimalValue.map { NSDecimalNumber(decimal: $0).doubleValue }
    let most = attribute.maximum.decimalValue.map { NSDecimalNumber(decimal: $0).doubleValue }
    return min(max(wanted, least ?? wanted), most ?? .greatestFiniteMagnitude)
  }

  /// 2020-06-15 at noon, or what of the allowed time is nearest.
  private var date: Date {
    var date = Date(timeIntervalSince1970: 1_592_222_400 + surplus)
    if case .date(let least) = attribute.minimum { date = max(date, least) }
    if case .date(let most) = attribute.maximum { date = min(date, most) }
    return date
  }
}
