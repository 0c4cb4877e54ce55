// What errors of this module say: the facts are the parameters, the words are here.

extension CoreDataError: CustomStringConvertible {
  /// All facts, most important first, for a person.
  public var description: String {
    var lines = ["\(Self.errorDomain) \(code.rawValue): \(reason)"]
    let facts: [(String, String?)] = [
      ("step", place.step), ("pass", place.pass), ("entity mapping", place.entityMapping),
      ("entity", place.entity), ("property", place.property), ("object", place.object),
      ("made from", place.sourceObject),
      ("objects concerned", concernedCount.flatMap { $0 > 1 ? "\($0)" : nil }), ("value", value),
      ("file", place.file),
    ]
    lines += facts.compactMap { name, fact in fact.map { "  \(name): \($0)" } }
    if let underlying {
      lines.append("  because: " + underlying.cause.replacing("\n", with: "\n  "))
    }
    lines += details.map { "  - " + $0.description.replacing("\n", with: "\n    ") }
    if let advice { lines.append("  do: \(advice)") }
    return lines.joined(separator: "\n")
  }
}

extension CoreDataError {
  /// What people are told for a code, apart from the reason; nil where they are told the reason.
  // Core Data: observed in public crash reports and questions.
  var sentence: String? {
    let file = place.file.map { "“\(URL(fileURLWithPath: $0).lastPathComponent)” " } ?? ""
    return switch code {
    case .fileReadCorruptFile:
      "The file \(file)couldn’t be opened because it isn’t in the correct format."
    case .fileReadNoSuchFile:
      "The file \(file)couldn’t be opened because there is no such file."
    case .persistentStoreIncompatibleVersionHash:
      "The managed object model version used to open the persistent store is incompatible with "
        + "the one that was used to create the persistent store."
    case .migration: "An error occurred during persistent store migration."
    case .migrationMissingSourceModel:
      "Persistent store migration failed, missing source managed object model."
    case .migrationMissingMappingModel:
      "Persistent store migration failed, missing mapping model."
    default: nil
    }
  }
}

// MARK: - CompositeValue

extension CoreDataError {
  static func unknownElement(_ key: String, of attribute: AttributeDescription) -> CoreDataError {
    let names = attribute.elements.map(\.name).joined(separator: ", ")
    return CoreDataError(
      .coreData, "composite attribute '\(attribute.name)' has no element '\(key)'",
      advice: "Its elements: \(names)"
    ).at(entity: attribute.entity?.name, property: attribute.name)
  }
}

// MARK: - ValueTransformer

extension CoreDataError {
  static func noReverseTransformation(of transformer: ValueTransformer) -> CoreDataError {
    CoreDataError(
      .coreData,
      "The value transformer \(type(of: transformer)) has no reverse transformation: a store can "
        + "write its values, and not read them back.",
      advice: "Give the object for the Data in reverseTransformedValue(_:), and let "
        + "allowsReverseTransformation() return true.")
  }
}

// MARK: - Value+Boxing

extension CoreDataError {
  /// Core Data's exception for a value of the wrong type.
  package static func unacceptable(_ any: Any?, for attribute: AttributeDescription)
    -> CoreDataError
  {
    let given = any.map(givenType) ?? "nil"
    // A value of the engine's is shown as what a policy would get.
    let plain = (any as? Value).map(\.boxed) ?? any
    let shown = plain.map { "\($0)" } ?? "nil"
    return CoreDataError(
      .managedObjectValidation,
      "Unacceptable type of value for attribute: property = \"\(attribute.name)\"; "
        + "desired type = \(attribute.attributeType.valueClassName ?? attribute.attributeType.name); "
        + "given type = \(given); value = \(shown)."
    ).at(entity: attribute.entity?.name, property: attribute.name).with(value: shown)
      .caused(by: .wrongValueType)
  }

  /// The class that a device names in that exception.
  package static func givenType(_ any: Any) -> String {
    switch any {
    case is NSNull: "NSNull"
    case is Bool where !(any is NSNumber): "__NSCFBoolean"
    case is NSDecimalNumber, is Decimal: "NSDecimalNumber"
    case is NSNumber, is any BinaryInteger, is any BinaryFloatingPoint: "__NSCFNumber"
    default: Value(any).className
    }
  }
}
