/// The value transformers that keep secure archives: they take objects of some classes, and a save
/// fails for anything else.
enum SecureTransformer {
  /// What is wrong with the object in a transformable value, or with a transformer of an app's own; nil when
  /// nothing is.
  static func failure(
    of value: TransformableValue, for attribute: AttributeDescription
  ) -> CoreDataError? {
    if let failure = value.failureOfTransformer { return failure.at(property: attribute.name) }
    guard let object = value.givenObject, let type = type(named: attribute.valueTransformerName),
      !type.allows(object)
    else { return nil }
    return CoreDataError.notAllowed(object, for: attribute, allowed: type.allowedTopLevelClasses)
  }

  /// The transformer's class: Foundation's, or an app's subclass; nil for any other transformer.
  private static func type(named name: String?) -> SecureUnarchiveFromDataTransformer.Type? {
    guard let name else { return nil }
    if standardNames.contains(name) { return SecureUnarchiveFromDataTransformer.self }
    let transformer = ValueTransformer.registered(.init(name))
    return (transformer as? SecureUnarchiveFromDataTransformer).map { Swift.type(of: $0) }
  }

  private static let standardNames: Set<String> = [
    "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
    "NSSecureUnarchiveFromDataTransformerName",
  ]
}
