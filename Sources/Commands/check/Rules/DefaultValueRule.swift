/// Defaults that don't fit.
struct DefaultValueRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.ownAttributes.compactMap { attribute in
      problem(of: attribute).map { LintFinding(.defaultOutOfRange, of: attribute, $0) }
    }
  }

  private func problem(of attribute: AttributeDescription) -> String? {
    let value = attribute.typedDefaultValue
    if let text = attribute.defaultValueString, let type = misread(text, attribute) {
      return "the default '\(text)' is not a \(type), and is read as \(value.notation ?? "nil")"
    }
    guard let text = value.notation else { return nil }
    if case .integer(let number) = value, let bits = Self.bits(attribute.attributeType) {
      let limit = Int64(1) << (bits - 1)
      if number < -limit || number >= limit {
        return "the default \(text) doesn't fit \(attribute.attributeType.name)"
      }
    }
    let size = Self.size(of: value)
    if let size, let least = Self.size(of: attribute.minimum), size < least {
      return "the default \(text) is below the minimum \(attribute.minimum.notation ?? "")"
    }
    if let size, let most = Self.size(of: attribute.maximum), size > most {
      return "the default \(text) is above the maximum \(attribute.maximum.notation ?? "")"
    }
    return nil
  }

  /// The attribute's type, if a text in a model file isn't of it. Xcode keeps the text when it changes
  /// the type, so that `NO` for a number and `0.0` for a Boolean are as good as `0`.
  private func misread(_ text: String, _ attribute: AttributeDescription) -> String? {
    let type = attribute.attributeType
    let isWord = ["yes", "no", "true", "false"].contains(text.lowercased())
    let isFine =
      switch type {
      case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean:
        isWord || text.isEmpty || Double(text.trimmingCharacters(in: .whitespaces)) != nil
      case .uuid, .uri: text.isEmpty || !attribute.typedDefaultValue.isNull
      default: true
      }
    return isFine ? nil : type.name
  }

  private static func bits(_ type: AttributeType) -> Int64? {
    switch type {
    case .integer16: 16
    case .integer32: 32
    default: nil
    }
  }

  /// What bounds limit: a number, a date, or the length of a text.
  private static func size(of value: Value) -> Double? {
    switch value {
    case .date(let date): date.timeIntervalSinceReferenceDate
    case .string(let text): Double(text.count)
    default: value.doubleValue
    }
  }
}
