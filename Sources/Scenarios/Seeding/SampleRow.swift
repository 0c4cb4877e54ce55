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
  /// Which row it is for: no other has the same value, as far as there is another.
  package var number: Int
  /// Whether a number is to be 0, or the one next to it that is allowed.
  private let isSmall: Bool
  /// Where the attribute stands among those of its type: two of a row differ, so that none can be taken for another.
  private let position: Int

  /// - Complexity: Linear in the number of the entity's attributes; for other rows, give it their numbers.
  package init(attribute: AttributeDescription, number: Int, isSmall: Bool = false) {
    (self.attribute, self.number, self.isSmall) = (attribute, number, isSmall)
    position = Self.position(of: attribute)
  }

  /// In the order that values are to have: what begins comes before what ends.
  private static func position(of attribute: AttributeDescription) -> Int {
    // An element of a composite is none of an entity's own.
    let entity = attribute.entity as EntityDescription?
    let alike = entity?.attributes.filter { $0.attributeType == attribute.attributeType } ?? []
    let ranks = alike.map { rank($0.name) }
    guard let place = alike.firstIndex(where: { $0.name == attribute.name }) else { return 0 }
    return ranks.enumerated().count {
      $0.element < ranks[place] || $0.element == ranks[place] && $0.offset < place
    }
  }

  private static func rank(_ name: String) -> Int {
    let name = name.lowercased()
    let ends = ["end", "until", "expir", "due", "finish", "complet", "modif", "updat", "delet"]
    if ends.contains(where: name.contains) { return 2 }
    let isFirst =
      name.hasPrefix("from") || ["start", "begin", "creat", "since"].contains(where: name.contains)
    return isFirst ? 0 : 1
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
    case .integer16, .integer32, .integer64: .integer(Int64(bounded(wanted).rounded()))
    case .double, .float: .double(bounded(wanted + 0.5))
    case .decimal: .decimal(Decimal(bounded(wanted + 0.5)))
    case .boolean: .integer((attribute.typedDefaultValue.decimalValue == 1) == isOffDefault ? 0 : 1)
    case .date: .date(date)
    case .binaryData: .data(Data([1, 2, UInt8(position % 256)] + Array("\(number)".utf8)))
    case .uuid: UUID(uuidString: uuidText).map(Value.uuid)
    case .uri: URL(string: "https://example.com/\(number)/\(position)").map(Value.uri)
    case .transformable:
      attribute.isOptional
        ? nil : .transformable(TransformableValue(object: "sample \(number)" as NSString))
    case .composite:
      CompositeValue.value(
        of: attribute.elements,
        attribute.elements.map { SampleValue(attribute: $0, number: number).value ?? .null })
    case .undefined, .objectID: nil
    }
  }

  /// Whether a yes or no is another than that of the default: of a second row only every other one is, so that no two
  /// stand for each other throughout.
  private var isOffDefault: Bool { number % 2 == 1 || position % 2 == 0 }

  /// A small number, other than the default.
  private var wanted: Double {
    if isSmall { return 0 }
    let wanted = Double(number + position)
    return attribute.typedDefaultValue.decimalValue == Decimal(wanted) ? wanted + 100 : wanted
  }

  private var uuidText: String {
    String(format: "00000000-0000-40%02X-8000-%012X", position % 256, number)
  }

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

  /// A noon after 2020-06-14, and an hour more for each attribute, or what of the allowed time is nearest.
  private var date: Date {
    let seconds = 86_400 * (number - 1) + 3_600 * position
    var date = Date(timeIntervalSince1970: 1_592_222_400 + Double(seconds))
    if case .date(let least) = attribute.minimum { date = max(date, least) }
    if case .date(let most) = attribute.maximum { date = min(date, most) }
    return date
  }
}
