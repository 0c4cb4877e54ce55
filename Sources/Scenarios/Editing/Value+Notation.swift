extension Value {
  /// The value as a scenario file writes it, such that reading it gives just this value again; nil
  /// for what scenario files have no notation for.
  package func notation(as attribute: AttributeDescription) -> Notation? {
    if isNull { return .null }
    if let composite { return composite.notation }
    if case .transformable(let value) = self,
      let notation = TransformableNotation.notation(of: value)
    {
      return notation
    }
    guard let text = notationText(attribute.attributeType),
      let read = NotatedValue.parse(text, as: attribute.attributeType), isSame(as: read)
    else { return nil }
    return .text(text)
  }

  func notationText(_ type: AttributeType) -> String? {
    switch self {
    case .integer(let number):
      type == .boolean ? (number == 0 ? "false" : "true") : "\(number)"
    case .double(let number):
      type == .float ? "\(Float(number))" : "\(number)"
    case .date(let date): Self.dateText(date)
    case .string(let text): text
    case .data(let data): data.json ?? Self.digits(data)
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    case .decimal(let number): "\(number)"
    // What can't be archived can't be written in a file.
    case .transformable(let value): (try? value.archived()).map(Self.digits)
    case .null, .object, .collection: nil
    }
  }

  private func isSame(as other: Value) -> Bool {
    if case .transformable(let a) = self, case .transformable(let b) = other {
      // Of what can't be archived nothing is known.
      guard let first = try? a.archived(), let second = try? b.archived() else { return false }
      return first == second
    }
    return self == other
  }

  private static func digits(_ data: Data) -> String {
    "0x" + data.hexadecimal
  }

  /// Whole seconds, or with as many digits as give the same date again.
  private static func dateText(_ date: Date) -> String {
    let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
    let text = Date(timeIntervalSinceReferenceDate: whole).notation
    let fraction = date.timeIntervalSinceReferenceDate - whole
    if fraction == 0 { return text }
    for digits in 1...17 {
      let shown = String(format: "%.\(digits)f", fraction).dropFirst(2)
      let candidate = text.replacing("Z", with: ".\(shown)Z")
      if case .date(let read)? = NotatedValue.parse(candidate, as: .date), read == date {
        return candidate
      }
    }
    return text
  }
}

extension CompositeValue {
  /// The elements by name; nil where one has no notation.
  fileprivate var notation: Notation? {
    var fields: [Notation.Field] = []
    for (element, value) in zip(elements, values) {
      guard let notation = value.notation(as: element) else { return nil }
      fields.append(.init(key: element.name, value: notation))
    }
    return .map(fields)
  }
}
